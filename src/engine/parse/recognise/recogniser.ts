/** Which words does a picture show? Tesseract, compiled to WebAssembly, with the languages of a folder. */
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Language } from '../../../api/types.ts';
import { recognise as limits } from '../../config.ts';
import { detectLanguage } from '../../language/detect-language.ts';
import { inOneScript } from './look-alikes.ts';
import type { RecognisedLine, RecognisedPage, RecognisedWord } from './recognised-page.ts';

/** A picture in a format that Tesseract's Leptonica reads: PNM, PNG, JPEG, TIFF, WebP, BMP, GIF. */
export interface Picture {
  bytes: Uint8Array;
  /** Size when it is set upright by its orientation. */
  width: number;
  height: number;
  /** EXIF orientation, 1 to 8. */
  orientation: number;
}

interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

interface TesseractWord {
  text: string;
  /** 0 to 100. */
  confidence: number;
  bbox: Box;
}

/** As far as the page of GetJSONText is used. */
interface TesseractPage {
  blocks: {
    paragraphs?: {
      lines: {
        words: TesseractWord[];
        baseline: Box;
        rowAttributes: { rowHeight: number; descenders: number };
      }[];
    }[];
  }[];
}

interface TesseractApi {
  /** Without a language: pictures can be unpacked. */
  InitForAnalysePage(): void;
  WriteImage(kind: number, name: string): void;
  Init(dataPath: null, languages: string, engineMode: number, config: undefined): number;
  SetVariable(name: string, value: string): void;
  /** 0: done. */
  SetImageFile(orientation: number, angle: number): number;
  SetRectangle(left: number, top: number, width: number, height: number): void;
  Recognize(monitor: null): number;
  GetJSONText(): string;
  Clear(): void;
}

export interface TesseractModule {
  FS: {
    writeFile(name: string, bytes: Uint8Array): void;
    readFile(name: string): Uint8Array;
    unlink(name: string): void;
  };
  TessBaseAPI: new () => TesseractApi;
}

const codeFile = 'tesseract.js-core/tesseract-core-relaxedsimd-lstm.wasm';
/** Names of Tesseract's data. */
const dataOfLanguage: Partial<Record<Language, string>> = {
  ru: 'rus',
  en: 'eng',
  pl: 'pol',
  de: 'deu',
  es: 'spa',
};

const sauvola = '2'; // ThresholdMethod, thresholder.h
const unpackedName = '/image.png'; // the only name that WriteImage takes
const inColour = 0; // kind of WriteImage: as it is, not grey (1), not black and white (2)
const neuralOnly = 1; // OcrEngineMode OEM_LSTM_ONLY, publictypes.h

/** EXIF orientations that turn a picture by none to three quarters, clockwise. */
const orientationOfTurns = [1, 6, 3, 8];

// The one thing kept between pictures: compiled code, which never changes.
let compiled: Promise<WebAssembly.Module> | undefined;

/** Codes of the languages whose data lie in a folder, such as "eng"; none where it is absent. */
export async function installedLanguages(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const languages = names.flatMap((name) => /^(\w+)\.traineddata(?:\.gz)?$/.exec(name)?.[1] ?? []);
  // The first one leads: measured with Russian first, which mistakes fewer letters of both.
  return languages.sort((a, b) => Number(b === 'rus') - Number(a === 'rus') || (a < b ? -1 : 1));
}

/** Holds one instance of Tesseract, some 180 MB with a page at work; drop it after an error. */
export class Recogniser {
  readonly #module: TesseractModule;
  readonly #api: TesseractApi;
  readonly #languages: string[];

  /** Throws where the folder holds no language or its data are damaged. */
  static async open(folder: string): Promise<Recogniser> {
    const languages = await installedLanguages(folder);
    if (languages.length === 0) throw new Error(`No language to recognise words in: ${folder}`);
    const module = await instance();
    for (const language of languages) {
      module.FS.writeFile(`./${language}.traineddata`, await languageData(folder, language));
    }
    const api = new module.TessBaseAPI();
    if (api.Init(null, languages.join('+'), neuralOnly, undefined) !== 0) {
      throw new Error(`The data of a language are damaged: ${folder}`);
    }
    // Otsu's threshold, the default, makes letters of the noise on nearly empty paper: 31 s and nothing read, against 0.2 s and no fault.
    api.SetVariable('thresholding_method', sauvola);
    return new Recogniser(module, api, languages);
  }

  private constructor(module: TesseractModule, api: TesseractApi, languages: string[]) {
    this.#module = module;
    this.#api = api;
    this.#languages = languages;
  }

  /** Words of a picture, turned upright where it lies on its side. Throws a WebAssembly error where Tesseract ends itself. */
  read(picture: Picture, page: number): RecognisedPage {
    // Turns are added to pictures that stand as they are; a photograph that was taken aslant tells its own upright.
    const canTurn = picture.orientation === 1;
    this.#module.FS.writeFile('/input', picture.bytes);
    try {
      // Marks that make no words take far longer to read than words do: a small part tells which way is up.
      const turns = canTurn ? this.#uprightTurns(picture, limits.glanceShare) : 0;
      const found = this.#readTurned(picture, page, turns ?? 0);
      if (found.fault !== 'unreadable' || turns !== undefined || !canTurn) return found;
      const turned = this.#uprightTurns(picture, limits.lookShare);
      return turned === undefined ? found : this.#readTurned(picture, page, turned);
    } finally {
      this.#api.Clear();
      this.#module.FS.unlink('/input');
    }
  }

  #readTurned({ width, height, orientation }: Picture, page: number, turns: number): RecognisedPage {
    const size =
      turns % 2 === 0 ? { page, width, height, turns } : { page, width: height, height: width, turns };
    if (!this.#show(turns === 0 ? orientation : orientationOfTurns[turns]!)) {
      return { ...size, lines: [], fault: 'failed' };
    }
    const found = this.#words();
    const words = wordsOf(found);
    if (sureShare(words) >= limits.leastSureShare) {
      const lines = linesOf(found);
      const foreign = this.#foreign(lines);
      return { ...size, lines, ...(foreign ? { foreign } : {}) };
    }
    return { ...size, lines: [], ...(lettersOf(words) < limits.leastLetters ? {} : { fault: 'unreadable' }) };
  }

  /** The words of a neighbouring language are read with the letters of an installed one: said, not hidden. */
  #foreign(lines: RecognisedLine[]): Language | undefined {
    const text = lines.map(({ words }) => words.map((word) => word.text).join(' ')).join(' ');
    const language = detectLanguage(text);
    const data = dataOfLanguage[language];
    return data === undefined || this.#languages.includes(data) ? undefined : language;
  }

  #show(orientation: number): boolean {
    return this.#api.SetImageFile(orientation, 0) === 0;
  }

  #words(): TesseractPage['blocks'] {
    if (this.#api.Recognize(null) !== 0) return [];
    return (JSON.parse(this.#api.GetJSONText()) as TesseractPage).blocks;
  }

  /** The turn in which the middle of the picture, a share of each side, makes words; undefined where none does. */
  #uprightTurns({ width, height }: Picture, share: number): number | undefined {
    let best: { turns: number; sure: number } | undefined;
    for (const turns of [0, 1, 2, 3]) {
      if (!this.#show(orientationOfTurns[turns]!)) return undefined;
      const [w, h] = turns % 2 === 0 ? [width, height] : [height, width];
      const [cutWidth, cutHeight] = [Math.ceil(w * share), Math.ceil(h * share)];
      this.#api.SetRectangle((w - cutWidth) >> 1, (h - cutHeight) >> 1, cutWidth, cutHeight);
      const words = wordsOf(this.#words());
      if (lettersOf(words) < limits.leastLetters) continue;
      const sure = sureShare(words);
      if (sure >= limits.plainSureShare) return turns;
      if (sure >= limits.leastSureShare && sure > (best?.sure ?? 0)) best = { turns, sure };
    }
    return best?.turns;
  }
}

/** Unpacks every format of picture that can be recognised. */
export class PictureUnpacker {
  readonly #module: TesseractModule;
  readonly #api: TesseractApi;

  static async open(): Promise<PictureUnpacker> {
    return new PictureUnpacker(await instance());
  }

  private constructor(module: TesseractModule) {
    this.#module = module;
    this.#api = new module.TessBaseAPI();
    this.#api.InitForAnalysePage();
  }

  /** An upright PNG of 8 bits for each of three colours, not interlaced; undefined where the picture is damaged. */
  toPng(bytes: Uint8Array, orientation: number): Uint8Array | undefined {
    const { FS } = this.#module;
    FS.writeFile('/input', bytes);
    try {
      if (this.#api.SetImageFile(orientation, 0) !== 0) return undefined;
      this.#api.WriteImage(inColour, unpackedName);
      const png = FS.readFile(unpackedName);
      FS.unlink(unpackedName);
      return png;
    } finally {
      this.#api.Clear();
      FS.unlink('/input');
    }
  }
}

async function instance(): Promise<TesseractModule> {
  const { default: factory } = await import('tesseract.js-core/tesseract-core-relaxedsimd-lstm.js');
  compiled ??= readFile(createRequire(import.meta.url).resolve(codeFile)).then((bytes) =>
    WebAssembly.compile(bytes),
  );
  const code = await compiled;
  return factory({
    instantiateWasm: (
      imports: WebAssembly.Imports,
      receive: (made: WebAssembly.Instance, module: WebAssembly.Module) => void,
    ) => {
      const made = new WebAssembly.Instance(code, imports);
      receive(made, code);
      return made.exports;
    },
    // What it prints would only reach a terminal.
    print: () => {},
    printErr: () => {},
  });
}

async function languageData(folder: string, language: string): Promise<Uint8Array> {
  const plain = path.join(folder, `${language}.traineddata`);
  const packed = await readFile(`${plain}.gz`).catch(() => undefined);
  return packed ? gunzipSync(packed, { maxOutputLength: limits.maxLanguageBytes }) : readFile(plain);
}

function wordsOf(blocks: TesseractPage['blocks']): TesseractWord[] {
  return rowsOf(blocks).flatMap(({ words }) => words);
}

function rowsOf(blocks: TesseractPage['blocks']) {
  return blocks.flatMap(({ paragraphs = [] }) => paragraphs.flatMap(({ lines }) => lines));
}

function lettersOf(words: TesseractWord[]): number {
  return words.reduce((sum, { text }) => sum + text.length, 0);
}

/** Share of the letters that stand in words beyond doubt: a page in no installed language, or upside down, has few. */
function sureShare(words: TesseractWord[]): number {
  const sure = words.filter(({ confidence }) => confidence >= limits.sureConfidence);
  return lettersOf(sure) / Math.max(lettersOf(words), 1);
}

/** Mean over the letters, 0 to 100. */
function confidenceOf(words: TesseractWord[]): number {
  const sum = words.reduce((total, { text, confidence }) => total + confidence * text.length, 0);
  return sum / Math.max(lettersOf(words), 1);
}

/** Lines with what their words deserve: a doubtful word is kept in a good line, and dropped among specks. */
function linesOf(blocks: TesseractPage['blocks']): RecognisedLine[] {
  return rowsOf(blocks).flatMap(({ words, baseline, rowAttributes }) => {
    const isGood = confidenceOf(words) >= limits.leastConfidence;
    const kept = words
      .filter(({ confidence }) => isGood || confidence >= limits.leastConfidence)
      .flatMap((word) => cleanWord(word) ?? []);
    if (kept.length === 0) return [];
    const texts = inOneScript(kept.map(({ text }) => text));
    const { rowHeight, descenders } = rowAttributes;
    return {
      words: kept.map(({ box }, index) => ({ text: texts[index]!, box })),
      baseline: [baseline.x0, baseline.y0, baseline.x1, baseline.y1],
      above: rounded(rowHeight - descenders),
      below: rounded(descenders),
    };
  });
}

function cleanWord({ text, bbox }: TesseractWord): RecognisedWord | undefined {
  const clean = text
    .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
    .trim()
    .normalize('NFC');
  return clean === '' ? undefined : { text: clean, box: [bbox.x0, bbox.y0, bbox.x1, bbox.y1] };
}

/** A tenth of a pixel. */
function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
