/** Is the encoding of a text found from its bytes? */
import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { toIconvName } from '../../../../src/engine/parse/text/code-pages.ts';
import { detectEncoding } from '../../../../src/engine/parse/text/detect-encoding.ts';

/** Two paragraphs for each language, written for this test. */
const paragraphs = {
  russian: [
    'Поставщик обязан передать товар в течение десяти рабочих дней с даты оплаты счёта. Если срок нарушен, покупатель вправе начислить пеню в размере 0,1 % за каждый день. Ёмкости возвращаются за счёт покупателя.',
    'В понедельник отдел кадров разослал новый порядок отпусков. Заявление подаётся за две недели, а неиспользованные дни сгорают в марте. Вопросы — Ольге Юрьевне, кабинет № 12.',
  ],
  ukrainian: [
    'Цей договір набирає чинності з моменту підписання обома сторонами й діє до кінця року. Її умови можуть бути змінені лише письмово, якщо інше не передбачено законом.',
    'У понеділок відділ розіслав новий порядок відпусток. Заяву подають за два тижні, а невикористані дні згорають у березні. Її підписує керівник.',
  ],
  english: [
    'The supplier delivers the goods within ten working days. If the date isn’t kept, the buyer may charge a penalty of 0.1 % — “per day” — up to £500. A café near the façade is closed.',
    'On Monday the people team sent out the new leave policy. Days that aren’t taken lapse in March — see clause 4 for the naïve reading.',
  ],
  polish: [
    'Dostawca zobowiązuje się wydać towar w ciągu dziesięciu dni roboczych. Jeżeli termin nie zostanie dotrzymany, kupujący może żądać kary umownej za każdy dzień zwłoki.',
    'W poniedziałek dział kadr rozesłał nowy regulamin urlopów. Wniosek składa się dwa tygodnie wcześniej, a niewykorzystane dni przepadają w marcu. Źródło: część trzecia, załącznik piąty.',
  ],
  german: [
    'Der Verkäufer übergibt die Ware binnen zehn Werktagen nach Zahlung. Wird die Frist überschritten, fällt für jeden Tag eine Gebühr an, höchstens jedoch fünf Prozent der Gesamtgröße.',
    'Am Montag verschickte die Personalabteilung die neue Urlaubsordnung. Anträge müssen zwei Wochen früher gestellt werden; übrige Tage verfallen im März. Grüße aus Köln, Straße 5.',
  ],
} as const;

const encodings: Record<keyof typeof paragraphs, string[]> = {
  russian: [
    'utf-8',
    'utf-16le',
    'utf-16be',
    'windows-1251',
    'koi8-r',
    'cp866',
    'x-mac-cyrillic',
    'iso-8859-5',
  ],
  ukrainian: ['utf-8', 'utf-16le', 'windows-1251', 'koi8-u', 'x-mac-cyrillic'],
  english: ['utf-8', 'utf-16le', 'utf-32be', 'windows-1252'],
  polish: ['utf-8', 'utf-16be', 'windows-1250', 'iso-8859-2'],
  german: ['utf-8', 'utf-16le', 'windows-1252', 'cp850'],
};

interface Sample {
  text: string;
  encoding: string;
}

/** Every paragraph, and every sentence alone, in every encoding of its language that can hold it. */
function samples(pick: 'paragraphs' | 'sentences'): Sample[] {
  return (Object.keys(paragraphs) as (keyof typeof paragraphs)[]).flatMap((language) =>
    paragraphs[language].flatMap((paragraph) => {
      const texts = pick === 'paragraphs' ? [paragraph] : paragraph.split(/(?<=[.;]) (?=\p{Lu})/u);
      return texts.flatMap((text) => encodings[language].map((encoding) => ({ text, encoding })));
    }),
  );
}

const encode = ({ text, encoding }: Sample): Uint8Array => iconv.encode(text, toIconvName(encoding));

/** Right when the text reads as it was written, whatever the code page is called. */
function isRead(sample: Sample): boolean {
  const bytes = encode(sample);
  const writable = iconv.decode(Buffer.from(bytes), toIconvName(sample.encoding));
  const found = detectEncoding(bytes);
  return found !== undefined && iconv.decode(Buffer.from(bytes), toIconvName(found.encoding)) === writable;
}

function accuracy(all: Sample[]): { share: number; missed: string[] } {
  const missed = all.filter((sample) => !isRead(sample));
  return {
    share: 1 - missed.length / all.length,
    missed: missed.map(
      ({ text, encoding }) =>
        `${encoding}→${detectEncoding(encode({ text, encoding }))?.encoding}: ${text.slice(0, 60)}`,
    ),
  };
}

describe('detectEncoding', () => {
  it('reads every paragraph of five languages in every encoding they are written in', () => {
    const { share, missed } = accuracy(samples('paragraphs'));
    expect(missed).toEqual([]);
    expect(share).toBe(1);
  });

  it('reads at least 95 of 100 single sentences', () => {
    const { share, missed } = accuracy(samples('sentences'));
    console.info(
      `single sentences read: ${(share * 100).toFixed(1)} % of ${samples('sentences').length}`,
      missed,
    );
    expect(share).toBeGreaterThanOrEqual(0.95);
  });

  const marks = [
    { name: 'UTF-8', bytes: [0xef, 0xbb, 0xbf, 0x41], encoding: 'utf-8', markBytes: 3 },
    { name: 'UTF-16 LE', bytes: [0xff, 0xfe, 0x41, 0], encoding: 'utf-16le', markBytes: 2 },
    { name: 'UTF-16 BE', bytes: [0xfe, 0xff, 0, 0x41], encoding: 'utf-16be', markBytes: 2 },
    { name: 'UTF-32 LE', bytes: [0xff, 0xfe, 0, 0, 0x41, 0, 0, 0], encoding: 'utf-32le', markBytes: 4 },
    { name: 'UTF-32 BE', bytes: [0, 0, 0xfe, 0xff, 0, 0, 0, 0x41], encoding: 'utf-32be', markBytes: 4 },
  ];
  it.each(marks)('believes the mark of $name', ({ bytes, encoding, markBytes }) => {
    expect(detectEncoding(Uint8Array.from(bytes))).toEqual({ encoding, markBytes });
  });

  const eastern = [
    {
      encoding: 'gb18030',
      text: '本合同自双方签字之日起生效。供应商应在十个工作日内交货，逾期每日支付违约金。',
    },
    {
      encoding: 'shift_jis',
      text: '本契約は署名の日から効力を生じます。納品は十営業日以内に行うものとします。',
    },
    {
      encoding: 'euc-kr',
      text: '이 계약은 서명한 날부터 효력이 발생합니다. 공급자는 열흘 안에 물품을 납품해야 합니다.',
    },
  ];
  it.each(eastern)('tells $encoding from one-byte code pages', ({ encoding, text }) => {
    expect(detectEncoding(iconv.encode(text.repeat(3), encoding))?.encoding).toBe(encoding);
  });

  it('keeps UTF-8 when one place in it is broken', () => {
    const bytes = Buffer.concat([
      Buffer.from('Договор поставки товара. '.repeat(20)),
      Buffer.from([0xd0, 0x20]),
      Buffer.from('Конец.'),
    ]);
    expect(detectEncoding(bytes)?.encoding).toBe('utf-8');
  });

  it('keeps UTF-8 when the sample ends inside a character', () => {
    const bytes = Buffer.from('Договор поставки — «срок»');
    for (let cut = 1; cut < 6; cut++)
      expect(detectEncoding(bytes.subarray(0, bytes.length - cut))?.encoding).toBe('utf-8');
  });

  it('finds no encoding in what is no text', () => {
    const bytes = Uint8Array.from({ length: 4_000 }, (_, i) => (i * 7919 + (i >> 3) * 31) % 256);
    expect(detectEncoding(bytes)).toBeUndefined();
  });
});
