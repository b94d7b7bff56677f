/** What kind of thing does a question ask for? */
import { isFunctionWord } from '../language/function-words.ts';
import { words } from '../language/words.ts';

/**
 * count: how many of a thing. amount: a number of any kind. money, percent. measure: a number of a unit of time or size.
 * date: a day, or a year where no more is known. year. time: an hour of the day. person: who. place: where. name: what
 * something is called. code: a number, address or mark that identifies. other: anything else, no bare answer is tried
 * but a figure that is the subject's own.
 */
export type Asked =
  | 'count'
  | 'amount'
  | 'money'
  | 'percent'
  | 'measure'
  | 'date'
  | 'year'
  | 'time'
  | 'person'
  | 'place'
  | 'name'
  | 'code'
  | 'other';

/** "Which", "what" in the forms that stand before the noun they ask for. */
const which =
  '(?:\\b(?:what|which)\\b|(?<!\\p{L})как(?:ой|ая|ое|ие|ого|ому|им|ую|их|ими|ом)(?!\\p{L})|(?<!\\p{L})каков[аоы]?(?!\\p{L})|\\bwelch(?:e[rsmn]?)\\b|(?<!\\p{L})jak(?:i|a|ie|iego|iej|im|ą|ich)(?!\\p{L})|(?<!\\p{L})któr(?:y|a|e|ego|ej|ym|ą|zy)(?!\\p{L})|(?<!\\p{L})(?:qué|cuál(?:es)?)(?!\\p{L}))';
/** "Is the" and at most two words more: "what is the monthly rent", «какова общая сумма». */
const gap =
  "\\s+(?:(?:is|was|are|were|will be|be|ist|war|sind|jest|es|the|an?|der|die|das|el|la|los|las)\\s+){0,2}(?:[\\p{L}’'-]+\\s+){0,2}?";
const after = (nouns: string, between = gap): RegExp =>
  new RegExp(
    `${which}(?!\\s+(?:do|does|did|can|could|should|has|have|had)\\b)${between}(?:${nouns})(?!\\p{L})`,
    'iu',
  );

const moneyNouns =
  'price|cost|fee|rent|salary|wage|fine|penalty|deposit|budget|turnover|revenue|subscription|allowance|цен[аыу]|стоимост[ьи]|плат[аыу]|оклад\\p{L}{0,2}|зарплат[аыу]|жалованье|взнос\\p{L}{0,2}|штраф\\p{L}{0,2}|залог\\p{L}{0,2}|бюджет\\p{L}{0,2}|аванс\\p{L}{0,2}|Preis|Gebühr|Miete|Gehalt|Beitrag|cena|opłata|czynsz|pensja|składka|precio|tarifa|alquiler|sueldo|cuota';
const sizeNouns =
  'length|height|width|depth|diameter|weight|distance|area|duration|длин[аыу]|высот[аыу]|ширин[аыу]|глубин[аыу]|диаметр\\p{L}{0,2}|вес\\p{L}{0,2}|масс[аыу]|расстояни\\p{L}|площад[ьи]|срок\\p{L}{0,2}|длительност[ьи]|продолжительност[ьи]|Länge|Höhe|Breite|Tiefe|Gewicht|Dauer|Frist|długość|wysokość|szerokość|waga|longitud|altura|anchura|peso|plazo|duración';
const amountNouns =
  'number of|amount|total|sum|population|rate|limit|size|capacity|сумм[аыу]|численност[ьи]|количеств[оа]|числ[оа](?= \\p{L})|размер\\p{L}{0,2}|населени[ея]|лимит\\p{L}{0,2}|Anzahl|Zahl|Betrag|liczba|kwota|número de|importe';
const codeNouns =
  'number|code|phone|telephone|e-?mail|account|room|shed|locker|berth|shelf|address|postcode|version|номер\\p{L}{0,2}|код\\p{L}{0,2}|телефон\\p{L}{0,2}|почт[аы]|сч[её]т\\p{L}{0,2}|кабинет\\p{L}{0,2}|комнат\\p{L}{0,2}|адрес\\p{L}{0,2}|индекс|верси[яи]|Nummer|Raum|Telefonnummer|numer|pokój|número|teléfono|sala';
const placeNouns =
  'city|town|village|country|state|region|county|street|continent|port|airport|station|город\\p{L}{0,2}|посёлк\\p{L}|посел\\p{L}{1,3}|дерев\\p{L}{1,3}|стран\\p{L}{1,2}|област[ьи]|район\\p{L}{0,2}|улиц\\p{L}|регион\\p{L}{0,2}|Stadt|Land|Ort|Straße|mieście|miasto|kraj\\p{L}?|ciudad|país|lugar';
const personNouns =
  'person|man|woman|author|director|architect|king|queen|president|chairman|minister|scientist|человек\\p{L}?|директор\\p{L}{0,2}|автор\\p{L}{0,2}|врач\\p{L}{0,2}|Person|osoba|persona';

/** First one that fits holds. */
const patterns: [Asked, RegExp][] = [
  [
    'percent',
    new RegExp(
      `${which}${gap}(?:percent(?:age)?|share|proportion|процент\\p{L}{0,2}|дол[яюи]|procent|Prozent(?:satz)?|Anteil|porcentaje)(?!\\p{L})|how (?:many|much) percent|сколько процентов|wie ?viel Prozent|ile procent`,
      'iu',
    ),
  ],
  ['year', after('years?|год[ауые]?|году|roku|rok|Jahr(?:e|en)?|años?', '\\s+(?:(?:is|was) the )?')],
  ['date', /(?<!\p{L})(?:какого числа|до какого срока|к какому сроку)(?!\p{L})/iu],
  [
    'time',
    /\b(?:at |by |until )?what (?:time|hour)\b|(?:во|до|со?|к)\s+сколько|в котором часу|(?<!\p{L})как(?:ое|ого) врем[яени]+|um wie ?viel Uhr|\bo której\b|a qué hora/iu,
  ],
  [
    'measure',
    /\bhow (?:long|far|tall|high|deep|wide|heavy|old|fast)\b|как (?:долго|далеко|часто)|сколько (?:времени|дней|суток|часов|минут|недель|месяцев|лет|метров|километров|длится|длятся|продлится|продлятся|держат|хран\p{L}+|весит)|\bhow often\b|\bjak (?:długo|daleko|wysok\p{L}+|często)|\bwie (?:lange?|weit|hoch|tief|breit|schwer|alt|oft)\b|cuánto (?:tiempo|dura|mide|pesa)/iu,
  ],
  [
    'money',
    new RegExp(
      `${after(moneyNouns).source}|\\bhow much (?:does|do|did|is|are|was|were|will|may|can|must)\\b.*\\b(?:costs?|paid|pay|charged?|rent|fee|price|salary|deposit|fine)\\b|\\bhow much (?:does|do|did|will|would)\\b.*\\bcost|\\bwhat (?:do|does|did|will|would|may|can)\\b.*\\bcost|сколько\\s+(?:\\p{L}+\\s+)?(?:сто[ия]т|стоил[аио]?|обойд[её]тся|плат\\p{L}+|заплат\\p{L}+|получа\\p{L}+)|почём|(?:что|was) kostet|wie ?viel (?:kostet|kosten|zahlt|beträgt)|ile (?:kosztuj\\p{L}+|płac\\p{L}+|wynosi)|cuánto (?:cuesta|cuestan|vale|paga)`,
      'iu',
    ),
  ],
  ['measure', after(sizeNouns)],
  [
    'count',
    /\bhow many\b|(?<!\p{L})сколько(?=\s+\p{L})(?!\s+(?:составля|будет|равн))|(?<!\p{L})ile(?!\p{L})|\bwie ?viele\b|(?<!\p{L})cuánt[oa]s(?!\p{L})/iu,
  ],
  [
    'amount',
    /\bhow (?:much|large|big)\b|(?<!\p{L})сколько(?!\p{L})|wie ?(?:viel|groß)|(?<!\p{L})cuánt[oa](?!\p{L})/iu,
  ],
  ['amount', after(amountNouns)],
  [
    'date',
    new RegExp(
      `^(?:[\\p{L}]+\\s+){0,2}when\\b|(?:since|until|till|by|from) when\\b|,\\s*when\\b[^,]*\\?|(?<!\\p{L})когда(?!\\p{L})|\\bkiedy\\b|\\b(?:bis |seit |ab )?wann\\b|cuándo|${after('date|day|month|deadline|числ[ао]|дат[аыу]|день|дня|месяц\\p{L}{0,2}|Datum|Tag|Monat|dzień|dnia|data|día|fecha|mes').source}`,
      'iu',
    ),
  ],
  [
    'person',
    new RegExp(
      `\\b(?:who|whom|whose)\\b|(?<!\\p{L})(?:кто|кого|кем|кому|ком|чей|чь[яёеи])(?!\\p{L})|как зовут|\\b(?:kto|kogo|komu|kim|czyj\\p{L}?)\\b|\\b(?:wer|wen|wem|wessen)\\b|(?<!\\p{L})quién(?:es)?(?!\\p{L})|${after(personNouns, '\\s+(?:\\p{L}+\\s+)?').source}`,
      'iu',
    ),
  ],
  [
    'place',
    /\bwhere\b|(?<!\p{L})(?:где|куда|откуда)(?!\p{L})|\b(?:wo|wohin|woher)\b|\b(?:gdzie|skąd|dokąd)\b|(?<!\p{L})(?:dónde|adónde)(?!\p{L})/iu,
  ],
  ['place', after(placeNouns)],
  ['code', after(codeNouns)],
  [
    'name',
    /\b(?:the )?names? of\b|\bwhat (?:is|was|are|were) .*\b(?:called|named)\b|\b(?:what|which)\b(?! (?:is|was|are|were|does|do|did|can|will|must|should|has|have|may|happen\p{L}*|means?)\b)|как называ\p{L}+|(?<!\p{L})как(?:ой|ая|ие|ого|ому|им|ую|их|ими|ом)(?!\p{L})|\bwie heißt\b|\bwelch(?:e[rsmn]?)\b|(?<!\p{L})któr(?:y|a|e|ego|ej|ym|ą|zy)(?!\p{L})|jak (?:się )?nazywa|cómo se llama/iu,
  ],
];

export function readAsked(question: string): Asked {
  return patterns.find(([, pattern]) => pattern.test(question))?.[0] ?? 'other';
}

/** True for a question for somebody's very name: without a name there is no answer. */
export function asksForName(question: string): boolean {
  return /[’']s\s+(?:\p{L}+\s+){0,2}name\b|как зовут|wie heiß\p{L}+|jak (?:się )?nazywa|cómo se llama/iu.test(
    question,
  );
}

/**
 * Words that only say which kind of thing is asked for: "cost" asks for money, so a sentence with a price need not hold
 * it. By kind; "how long", «сколько» and their like are the rest.
 */
const kindWords: Partial<Record<Asked, RegExp>> = {
  count:
    /^(?:number|total|altogether|approximately|roughly|exactly|примерно|всего|ровно|количеств\p{L}+|числ\p{L}+|насчитыва\p{L}+|име\p{L}{2,4}|ungefähr|insgesamt|około|łącznie)$/u,
  amount:
    /^(?:amount|number|total|sum|large|big|size|large|сумм\p{L}+|размер\p{L}*|составля\p{L}+|составит|количеств\p{L}+|groß|beträgt|betrag|wynosi|kwota)$/u,
  money:
    /^(?:price|costs?|paid|pay|pays|charge|charged|amount|sum|цен\p{L}+|сумм\p{L}+|стоимост\p{L}+|сто[ия]т\p{L}*|стои[лт]\p{L}*|обойд[её]тся|плат\p{L}+|заплат\p{L}+|составля\p{L}+|размер\p{L}*|kostet|kosten|preis|beträgt|zahlt|kosztuj\p{L}+|cena|wynosi|cuesta\p{L}*|precio|vale)$/u,
  percent:
    /^(?:percent|percentage|share|proportion|процент\p{L}*|дол[яюи]|prozent|anteil|procent\p{L}*|porcentaje)$/u,
  measure:
    /^(?:long|last|lasts|lasting|far|tall|high|deep|wide|heavy|old|fast|often|time|duration|долго|часто|далеко|времени|длит\p{L}+|продлит\p{L}+|длительност\p{L}+|продолжительност\p{L}+|срок\p{L}*|lange?|weit|hoch|tief|breit|schwer|dauert?|dauern|długo|trwa\p{L}*|tiempo|dura\p{L}*)$/u,
  date: /^(?:date|day|month|deadline|happen|happened|occur|occurred|числ\p{L}+|дат\p{L}+|день|дня|произош\p{L}+|состо\p{L}+|datum|tag|data|fecha)$/u,
  year: /^(?:year|years|год\p{L}*|jahr\p{L}*|rok\p{L}*|años?)$/u,
  time: /^(?:time|hour|час\p{L}*|врем\p{L}+|uhr|hora)$/u,
  person: /^(?:person|man|woman|name|named|called|зовут|имя|фамили\p{L}+|человек\p{L}*)$/u,
  place:
    /^(?:located|situated|lies?|stands?|place|location|находи\p{L}+|располож\p{L}+|liegt|befindet|znajduje|encuentra)$/u,
  name: /^(?:name|names|named|called|title|называ\p{L}+|названи\p{L}+|имя|heißt|name|nazwa|nazywa|llama|nombre)$/u,
  code: /^(?:number|numbers|code|номер\p{L}*|код\p{L}*|nummer|numer|número)$/u,
};

/** True for a word that says no more than that a thing of this kind is asked for. */
export function isKindWord(word: string, asked: Asked): boolean {
  return kindWords[asked]?.test(word) ?? false;
}

/** The words right after "which" or "how many", folded, at most three: what is counted or named. */
export function askedNoun(question: string): string[] {
  const match = new RegExp(
    `(?:how many|how much|(?<!\\p{L})сколько|(?<!\\p{L})ile|wie ?viele?|cuánt[oa]s|names? of|${which})\\s+(?<rest>.*)`,
    'iu',
  ).exec(question);
  const found: string[] = [];
  for (const { word } of words(match?.groups?.rest ?? '')) {
    // The noun is over where "is", "did", "the" begins.
    if (isFunctionWord(word)) {
      if (found.length > 0) break;
      continue;
    }
    found.push(word);
    if (found.length === 3) break;
  }
  return found;
}
