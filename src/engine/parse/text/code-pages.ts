/** In which one-byte code page do these bytes read like a language? */
import iconv from 'iconv-lite';

/** How often each letter stands among the letters beyond ASCII of a language, in percent; one letter follows the other. */
const profiles = {
  russian:
    'о11 е8.5 а8 и7.4 н6.7 т6.3 с5.5 р4.7 в4.5 л4.4 к3.5 м3.2 д3 п2.8 у2.6 я2 ы1.9 ь1.7 г1.7 з1.6 б1.6 ч1.4 й1.2 х1 ж0.9 ш0.7 ю0.6 ц0.5 щ0.4 э0.3 ф0.3 ъ0.04 ё0.1',
  ukrainian:
    'о9.3 а8.3 н6.9 и6.2 і5.6 т5.4 в5.3 е4.7 р4.6 с4.1 к3.6 л3.6 у3.4 д3.3 м3.1 п2.8 я2.4 з2.2 ь1.9 б1.7 г1.6 ч1.4 й1.2 х1.1 ц0.9 ш0.8 ж0.8 ю0.8 ї0.7 є0.6 щ0.5 ф0.3 ґ0.02',
  german: 'ü34 ä31 ö17 ß12 é2',
  french: 'é55 à14 è9 ê5 ç4 ô2 ù2 î1.5 û1.5 â1.5 œ0.5 ë0.5 ï0.5',
  spanish: 'ó28 í25 á19 é14 ñ9 ú5 ü0.5',
  portuguese: 'ã20 ç16 á13 é13 í9 õ7 ó6 ê5 ú3 â3 à2 ô2',
  nordic: 'å32 ä30 ö18 ø14 æ10 é1',
  polish: 'ł25 ę16 ą14 ó12 ż12 ś10 ć6 ń3 ź1',
  czech: 'í20 á15 é9 ě11 ř8 š7 č7 ž7 ý7 ů5 ú1 ť0.4 ď0.3 ň0.6 ľ1 ô0.6',
  turkish: 'ı28 ü18 ş16 ğ12 ç12 ö10 İ2 â1 î0.5',
  greek:
    'α11 ο9.5 ι7.5 τ8 ε7.5 σ5 ν6.5 η4.5 υ4 ρ4 π4 κ4 μ3.3 λ3 ς4 ό2 ί3 ά2.2 έ2 ή1.8 ω1.8 δ1.8 γ1.8 θ1.2 ύ1 ώ0.9 χ1.1 φ0.9 β0.6 ξ0.4 ζ0.3 ψ0.2',
  hebrew:
    'י11 ו10 ה9.5 ל7.5 א6 ר6 ת5.5 ב5 ש5 מ5 נ3.5 ם3.5 ד2.7 ח2.5 ע3 ק2 פ2 כ2.7 ט1.2 ג1.3 ז1 ן1.8 ס1.6 צ1.2 ך0.8 ף0.3 ץ0.2',
  arabic:
    'ا13.5 ل11 ي6.5 م6 ن5.8 ر5 ت4.6 و6 ه4 ع3.7 ب3.6 د3 س2.8 ف2.9 ك2.5 ق2.5 ة3 أ2.6 ح2 ج1.4 ش1.3 ص1 ط1 خ1 ض0.8 ث0.6 ذ0.8 ز0.7 غ0.5 ى0.9 ئ0.5 إ1 ؤ0.2 ظ0.3 ء0.5',
  hungarian: 'á30 é30 ö10 ó9 ő8 ü6 í5 ú3 ű2',
} as const;

type Profile = keyof typeof profiles;

const candidates: { codePage: string; languages: Profile[] }[] = [
  { codePage: 'windows-1252', languages: ['german', 'french', 'spanish', 'portuguese', 'nordic'] },
  { codePage: 'windows-1251', languages: ['russian', 'ukrainian'] },
  { codePage: 'koi8-r', languages: ['russian'] },
  { codePage: 'koi8-u', languages: ['ukrainian'] },
  { codePage: 'cp866', languages: ['russian', 'ukrainian'] },
  { codePage: 'x-mac-cyrillic', languages: ['russian', 'ukrainian'] },
  { codePage: 'windows-1250', languages: ['polish', 'czech', 'hungarian'] },
  { codePage: 'iso-8859-5', languages: ['russian', 'ukrainian'] },
  { codePage: 'iso-8859-2', languages: ['polish', 'czech', 'hungarian'] },
  { codePage: 'windows-1253', languages: ['greek'] },
  { codePage: 'windows-1254', languages: ['turkish'] },
  { codePage: 'windows-1255', languages: ['hebrew'] },
  { codePage: 'windows-1256', languages: ['arabic'] },
  { codePage: 'cp850', languages: ['german', 'french', 'spanish'] },
  { codePage: 'cp852', languages: ['polish', 'czech'] },
];

/** iconv-lite's own names where ours differ. */
const iconvNames: Record<string, string> = { 'x-mac-cyrillic': 'maccyrillic' };

/** The name under which iconv-lite knows an encoding. */
export function toIconvName(encoding: string): string {
  return iconvNames[encoding] ?? encoding;
}

const PUNCTUATION = new Set('«»„“”‘’–—…№§°€©®•·¿¡\u00a0\u2019');
/** Natural logarithms of the shares given to what no profile names. */
const RARE_LETTER = Math.log(2e-4);
const PUNCTUATION_SHARE = Math.log(0.01);
const SYMBOL = Math.log(1e-5);
const IMPOSSIBLE = Math.log(1e-8);
/** A capital letter is this much rarer than its small one. */
const CAPITAL = Math.log(0.06);
/** A capital right after a small letter, or a symbol inside a word. */
const BROKEN_WORD = Math.log(0.005);

function readProfile(profile: Profile): Map<string, number> {
  const shares = new Map<string, number>();
  for (const entry of profiles[profile].split(' ')) {
    shares.set(entry[0]!, Math.log(Number(entry.slice(1)) / 100));
  }
  return shares;
}

type CharacterClass = 'small' | 'capital' | 'punctuation' | 'symbol' | 'impossible';

function classify(character: string): CharacterClass {
  if (character === '\ufffd' || /\p{Cc}/u.test(character)) return 'impossible';
  if (/\p{L}/u.test(character)) return character === character.toLowerCase() ? 'small' : 'capital';
  return PUNCTUATION.has(character) ? 'punctuation' : 'symbol';
}

/** A code page as likelihoods of its bytes: they are looked up by the thousand, and there are only 256. */
interface CodePage {
  codePage: string;
  /** By byte. */
  kinds: CharacterClass[];
  languages: {
    /** No word of Russian or Greek holds a letter of ASCII; every other word of German does. */
    isLatin: boolean;
    /** Natural logarithm of a byte's share, by byte. */
    likelihoods: Float64Array;
  }[];
}

function readCodePage({ codePage, languages }: (typeof candidates)[number]): CodePage {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const characters = [...iconv.decode(Buffer.from(bytes), toIconvName(codePage), { stripBOM: false })];
  const kinds = characters.map(classify);
  return {
    codePage,
    kinds,
    languages: languages.map((language) => {
      const shares = readProfile(language);
      const likelihoods = Float64Array.from(characters, (character, byte) =>
        scoreCharacter(character, kinds[byte]!, shares),
      );
      return { isLatin: /\p{Script=Latin}/u.test([...shares.keys()][0]!), likelihoods };
    }),
  };
}

let codePages: CodePage[] | undefined;

/** Mean log-likelihood of the sample's bytes beyond ASCII, were it this language in this code page. */
function score(sample: Uint8Array, kinds: CharacterClass[], language: CodePage['languages'][number]): number {
  const { isLatin, likelihoods } = language;
  let sum = 0;
  let count = 0;
  let before: CharacterClass | 'ascii' | 'space' = 'space';
  for (const byte of sample) {
    if (byte < 0x80) {
      const isLetter = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a);
      if (isLetter && !isLatin && (before === 'small' || before === 'capital')) sum += BROKEN_WORD;
      before = isLetter ? 'ascii' : 'space';
      continue;
    }
    const kind = kinds[byte]!;
    count++;
    sum += likelihoods[byte]!;
    const isBroken =
      before === 'ascii'
        ? kind === 'symbol' || (!isLatin && (kind === 'small' || kind === 'capital'))
        : before === 'small' && (kind === 'capital' || kind === 'symbol');
    if (isBroken) sum += BROKEN_WORD;
    before = kind;
  }
  return count === 0 ? 0 : sum / count;
}

function scoreCharacter(character: string, kind: CharacterClass, shares: Map<string, number>): number {
  if (kind === 'impossible') return IMPOSSIBLE;
  if (kind === 'symbol') return SYMBOL;
  if (kind === 'punctuation') return PUNCTUATION_SHARE;
  const share = shares.get(character.toLowerCase()) ?? RARE_LETTER;
  return kind === 'capital' ? share + CAPITAL : share;
}

/** The likeliest one-byte code page. The earlier of equals wins, so the commonest stands first. */
export function guessCodePage(sample: Uint8Array): { codePage: string; score: number } {
  codePages ??= candidates.map(readCodePage);
  let best = { codePage: 'windows-1252', score: Number.NEGATIVE_INFINITY };
  for (const { codePage, kinds, languages } of codePages) {
    for (const language of languages) {
      const likelihood = score(sample, kinds, language);
      if (likelihood > best.score + 1e-9) best = { codePage, score: likelihood };
    }
  }
  return best;
}
