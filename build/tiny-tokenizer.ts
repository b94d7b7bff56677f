/** Which tokenizer.json does a tiny encoder read with? One of each of the kinds in use; bpe frames as RoBERTa, qwen as Qwen. */

export type TinyTokenizerKind = 'wordpiece' | 'unigram' | 'bpe' | 'qwen';

const latin = [...'abcdefghijklmnopqrstuvwxyz'];
const cyrillic = [...'абвгдежзийклмнопрстуфхцчшщъыьэюя'];
const other = [...'0123456789.,:;!?()[]"\'-–—/%№§$€₽«»„“”ąćęłńóśźżäöüßñáéíú'];

const pairsOf = (letters: string[]): string[] => letters.flatMap((a) => letters.map((b) => a + b));

/** All letters, and all pairs of letters of one script: enough to tell any two words apart. */
const pieces = [...latin, ...cyrillic, ...other, ...pairsOf(latin), ...pairsOf(cyrillic)];

export interface TinyTokenizer {
  /** Content of tokenizer.json. */
  definition: object;
  vocabularySize: number;
}

const specialToken = (id: number, content: string) => ({
  id,
  content,
  special: true,
  single_word: false,
  lstrip: false,
  rstrip: false,
  normalized: false,
});

function template(first: string, firstId: number, last: string, lastId: number, secondType: 0 | 1): object {
  const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
  const sequence = (id: 'A' | 'B', type: number) => ({ Sequence: { id, type_id: type } });
  return {
    type: 'TemplateProcessing',
    single: [special(first, 0), sequence('A', 0), special(last, 0)],
    pair: [
      special(first, 0),
      sequence('A', 0),
      special(last, 0),
      sequence('B', secondType),
      special(last, secondType),
    ],
    special_tokens: {
      [first]: { id: first, ids: [firstId], tokens: [first] },
      [last]: { id: last, ids: [lastId], tokens: [last] },
    },
  };
}

function wordPiece(words: string[]): TinyTokenizer {
  const tokens = [
    '[PAD]',
    '[UNK]',
    '[CLS]',
    '[SEP]',
    '[MASK]',
    ...words,
    ...pieces,
    ...pieces.map((piece) => `##${piece}`),
  ];
  const unique = [...new Set(tokens)];
  return {
    vocabularySize: unique.length,
    definition: {
      version: '1.0',
      added_tokens: unique.slice(0, 5).map((content, id) => specialToken(id, content)),
      normalizer: {
        type: 'BertNormalizer',
        clean_text: true,
        handle_chinese_chars: true,
        strip_accents: false,
        lowercase: true,
      },
      pre_tokenizer: { type: 'BertPreTokenizer' },
      post_processor: template('[CLS]', 2, '[SEP]', 3, 1),
      decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
      model: {
        type: 'WordPiece',
        unk_token: '[UNK]',
        continuing_subword_prefix: '##',
        max_input_chars_per_word: 100,
        vocab: Object.fromEntries(unique.map((token, id) => [token, id])),
      },
    },
  };
}

function unigram(words: string[]): TinyTokenizer {
  const start = '▁';
  const tokens = new Set([
    start,
    ...words.map((word) => start + word),
    ...pieces,
    ...pieces.map((piece) => start + piece),
  ]);
  // Every piece costs the same, so the fewest pieces win.
  const vocab: [string, number][] = [
    ['<s>', 0],
    ['<pad>', 0],
    ['</s>', 0],
    ['<unk>', 0],
    ...[...tokens].map((token): [string, number] => [token, -10]),
  ];
  return {
    vocabularySize: vocab.length,
    definition: {
      version: '1.0',
      added_tokens: vocab.slice(0, 4).map(([content], id) => specialToken(id, content)),
      normalizer: { type: 'Sequence', normalizers: [{ type: 'NFKC' }, { type: 'Lowercase' }] },
      pre_tokenizer: {
        type: 'Metaspace',
        replacement: start,
        add_prefix_space: true,
        prepend_scheme: 'always',
      },
      post_processor: template('<s>', 0, '</s>', 2, 0),
      decoder: { type: 'Metaspace', replacement: start, add_prefix_space: true, prepend_scheme: 'always' },
      model: { type: 'Unigram', unk_id: 3, vocab },
    },
  };
}

/** The byte-to-letter table of byte-level BPE: printable bytes stand for themselves, the others move above 255. */
function byteLetters(): string[] {
  const isPrintable = (byte: number) =>
    (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  let moved = 0;
  return Array.from({ length: 256 }, (_, byte) => {
    if (isPrintable(byte)) return String.fromCharCode(byte);
    moved += 1;
    return String.fromCharCode(255 + moved);
  });
}

/** Bytes as letters, and pairs of them that become one: whole words, then pairs of letters. */
function bytePieces(words: string[]): { pieces: Set<string>; merges: string[] } {
  const letters = byteLetters();
  const toBytes = (text: string): string[] =>
    [...new TextEncoder().encode(text)].map((byte) => letters[byte]!);
  const merges: string[] = [];
  const known = new Set(letters);
  const merge = (parts: string[]): void => {
    let left = parts[0]!;
    for (const right of parts.slice(1)) {
      if (!known.has(left + right)) {
        merges.push(`${left} ${right}`);
        known.add(left + right);
      }
      left += right;
    }
  };
  // Earlier merges win, so whole words come first.
  for (const word of words) merge(toBytes(` ${word}`));
  for (const letter of cyrillic) merge(toBytes(letter));
  for (const pair of pairsOf(latin)) merge([...pair]);
  for (const pair of pairsOf(cyrillic)) merge([...pair].map((letter) => toBytes(letter).join('')));
  return { pieces: known, merges };
}

const byteModel = (vocab: string[], merges: string[]) => ({
  type: 'BPE',
  unk_token: null,
  fuse_unk: false,
  vocab: Object.fromEntries(vocab.map((token, id) => [token, id])),
  merges,
});

function bytePair(words: string[]): TinyTokenizer {
  const { pieces: known, merges } = bytePieces(words);
  const specials = ['<s>', '<pad>', '</s>', '<unk>'];
  const vocab = [...specials, ...known];
  return {
    vocabularySize: vocab.length,
    definition: {
      version: '1.0',
      added_tokens: specials.map((content, id) => specialToken(id, content)),
      normalizer: null,
      pre_tokenizer: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      post_processor: {
        type: 'RobertaProcessing',
        sep: ['</s>', 2],
        cls: ['<s>', 0],
        trim_offsets: true,
        add_prefix_space: true,
      },
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: byteModel(vocab, merges),
    },
  };
}

/** Words, single digits, punctuation and spaces apart, as Qwen cuts before it merges. */
const qwenWords =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";

/** Like Qwen's embedders: special tokens stand behind the vocabulary, and a text ends with one. */
function qwenPair(words: string[]): TinyTokenizer {
  const { pieces: known, merges } = bytePieces(words);
  const specials = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];
  const end = specials[0]!;
  const endId = known.size;
  const special = { SpecialToken: { id: end, type_id: 0 } };
  const text = (id: 'A' | 'B') => ({ Sequence: { id, type_id: 0 } });
  return {
    vocabularySize: known.size + specials.length,
    definition: {
      version: '1.0',
      added_tokens: specials.map((content, index) => specialToken(known.size + index, content)),
      normalizer: { type: 'NFC' },
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Split', pattern: { Regex: qwenWords }, behavior: 'Isolated', invert: false },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
        ],
      },
      post_processor: {
        type: 'Sequence',
        processors: [
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
          {
            type: 'TemplateProcessing',
            single: [text('A'), special],
            pair: [text('A'), special, text('B'), special],
            special_tokens: { [end]: { id: end, ids: [endId], tokens: [end] } },
          },
        ],
      },
      decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
      model: byteModel([...known], merges),
    },
  };
}

/** @param words lower-case words that get a token of their own */
export function makeTokenizer(kind: TinyTokenizerKind, words: string[] = []): TinyTokenizer {
  if (kind === 'wordpiece') return wordPiece(words);
  if (kind === 'unigram') return unigram(words);
  return kind === 'qwen' ? qwenPair(words) : bytePair(words);
}
