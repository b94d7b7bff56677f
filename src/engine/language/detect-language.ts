/** In which language is a text written? */
import type { Language } from '../../api/types.ts';
import { language as limits } from '../config.ts';
import { eachWord } from './words.ts';

type Guess = Language | 'other';

// Commonest function words. Chosen over the packaged detector (tinyld), which needs 1.9 ms for a paragraph of 120 words
// and calls 12 of 240 plain paragraphs another language. Lists of neighbours that Lectern treats as "und" keep French
// from being read as Spanish, Czech as Polish, Ukrainian as Russian.
const functionWords: [Guess, string][] = [
  [
    'en',
    `the of and to in is was for that with as on by are from at it this which be were or an his their has have not but
     what who when where how many did does do had been they its he she you your we if can may must shall will would
     there than into about after before between under more most other such any all no these those why whose whom
     a i me my our us them her him should could please per each every only also then so`,
  ],
  [
    'de',
    `der die das und ist von den dem des ein eine einer eines einem einen zu mit auf für im nicht sich auch als an
     werden wird wurde wurden aus er sie es bei nach hat haben war waren oder wie über zum zur durch bis noch nur
     um vor kann können muss müssen dass wenn was wer wann wo welche welcher welches wir ihr sind sein seine ihre
     am vom beim gegen unter zwischen mehr kein keine dieser diese dieses ich wieviele viele`,
  ],
  [
    'es',
    `el la los las de del y en que un una por con para es se al lo como su sus más fue son ha o este esta estos estas
     pero sobre entre cuando muy sin ser también hasta desde no está han había donde quien cuál qué cuántos cuándo
     cómo dónde quién era eran sido tiene tienen puede debe si ya todo todos según nos ni uno dos año años`,
  ],
  [
    'pl',
    `i w na z do się nie jest to że o od za po przez dla jak oraz który która które których przy lub są być był była
     było były może ma ale jego jej ich tym tego tej ten ta te co kto gdzie kiedy ile czy jako pod nad bez już tylko
     także między przed ze we roku został została zostało należy musi można jaki jaka jakie dni lat`,
  ],
  [
    'other',
    `le les des du et est une dans qui pour sur au aux par pas ne ce cette il elle ils sont avec plus ou mais nous vous
     leur ses été être était où à l d qu comme deux
     il di che è la per un una con non del della dei delle gli nel nella sono al alla da come più anche ha si lo
     o os as do da dos das em um uma para com não que se por mais na no ao foi são como é pela pelo
     het een van en de dat op te zijn met voor niet aan er om ook als bij door naar dan nog wordt
     je na se že v s z do pro jsou byl která který jako by při podle nebo až po
     och att det som på av är den med för inte till har de ett om han var jag
     og det som på av er til den med for ikke har de et om han var
     ve bir bu için ile da de olarak olan daha çok ne gibi kadar sonra
     și în cu pe care este din mai la nu sunt au fost prin pentru
     és az egy hogy nem is ez volt meg csak de már`,
  ],
];

const russianWords = `и в на не что с по как из к у о от за для это при или был была было были его ее их он она они все
  бы же так до а но мы вы я то если только может быть также который которая которые которых чем где когда кто какой
  какая какие каких сколько после перед между над под без через об во со ко нет да есть этот эта эти того этого`;

/** Weight of each word per language: rarer across lists counts more. */
function tally(lists: [Guess, string][]): Map<string, Guess[]> {
  const byWord = new Map<string, Guess[]>();
  for (const [guess, list] of lists) {
    for (const word of new Set(list.split(/\s+/))) {
      if (word !== '') byWord.set(word, [...(byWord.get(word) ?? []), guess]);
    }
  }
  return byWord;
}

const latinWords: ReadonlyMap<string, Guess[]> = tally(functionWords);
const cyrillicWords: ReadonlySet<string> = new Set(russianWords.split(/\s+/));

/** Letters that decide on their own. */
const polishLetters = /[ąęłńśźż]/g;
const germanLetters = /[äöüß]/g;
const spanishLetters = /[ñ¿¡]/g;
const ukrainianLetters = /[іїєґў]/g;
const englishOnly = /^[\p{ASCII}\p{P}\p{S}]*$/u;

interface Sample {
  latin: string[];
  cyrillic: string[];
  others: number;
}

function sample(text: string): Sample {
  const found: Sample = { latin: [], cyrillic: [], others: 0 };
  eachWord(text, (word) => {
    const unit = word.charCodeAt(0);
    if (unit >= 0x30 && unit <= 0x39) return;
    if (unit >= 0x400 && unit <= 0x52f) found.cyrillic.push(word);
    else if ((unit >= 0x61 && unit <= 0x7a) || (unit >= 0xc0 && unit <= 0x24f)) found.latin.push(word);
    else found.others++;
  });
  return found;
}

/** Russian unless letters say otherwise: the other languages in Cyrillic have no rules of their own here. */
function judgeCyrillic(sampled: string[], text: string): Language {
  const foreign = text.match(ukrainianLetters)?.length ?? 0;
  if (foreign * 4 > sampled.length) return 'und';
  const known = sampled.reduce((sum, word) => sum + (cyrillicWords.has(word) ? 1 : 0), 0);
  // Headings and names hold no function word; a long text without them is another language.
  return known > 0 || sampled.length < 40 ? 'ru' : 'und';
}

function judgeLatin(sampled: string[], text: string): Language {
  const scores = new Map<Guess, number>();
  const add = (guess: Guess, by: number) => scores.set(guess, (scores.get(guess) ?? 0) + by);
  for (const word of sampled) {
    const guesses = latinWords.get(word);
    if (guesses !== undefined) for (const guess of guesses) add(guess, 1 / guesses.length);
  }
  const letters = (pattern: RegExp) => Math.min(text.match(pattern)?.length ?? 0, sampled.length);
  add('pl', letters(polishLetters) * 0.6);
  add('de', letters(germanLetters) * 0.4);
  add('es', letters(spanishLetters) * 0.6);
  const ranked = [...scores].sort((a, b) => b[1] - a[1]);
  const [best, second] = [ranked[0]!, ranked[1] ?? (['other', 0] as const)];
  const isClear = best[1] >= 1.2 * second[1] + 0.3;
  // One function word in eight is the least that running text shows; short text needs at least one of its own.
  const needed = Math.min(Math.max(0.9, sampled.length / 12), 12);
  if (!isClear || best[1] < needed || best[0] === 'other') return 'und';
  if (best[0] === 'en' && !englishOnly.test(text) && sampled.length < 4) return 'und';
  return best[0];
}

/**
 * The language of a text, judged from its first `language.detectCharacters` characters: by script, then by the
 * commonest words. 'und' for other languages and wherever a short text leaves doubt. Deterministic.
 */
export function detectLanguage(text: string): Language {
  const beginning = text.slice(0, limits.detectCharacters);
  const found = sample(beginning);
  const total = found.latin.length + found.cyrillic.length + found.others;
  if (total === 0) return 'und';
  const lower = beginning.normalize('NFC').toLowerCase();
  // Russian office text is full of Latin names and codes, so a third of Cyrillic words is enough.
  if (found.cyrillic.length * 3 >= total) return judgeCyrillic(found.cyrillic, lower);
  if (found.latin.length * 2 >= total) return judgeLatin(found.latin, lower);
  return 'und';
}
