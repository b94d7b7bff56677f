/** Which Unicode character does a sign of a symbol font look like? */

const SYMBOL: Record<number, string> = {
  ...{ 34: '∀', 36: '∃', 39: '∋', 42: '∗', 45: '−', 64: '≅', 92: '∴', 94: '⊥', 96: '‾' },
  ...{ 162: '′', 163: '≤', 164: '⁄', 165: '∞', 167: '♣', 168: '♦', 169: '♥', 170: '♠', 171: '↔' },
  ...{ 172: '←', 173: '↑', 174: '→', 175: '↓', 176: '°', 177: '±', 178: '″', 179: '≥', 180: '×' },
  ...{ 181: '∝', 182: '∂', 183: '•', 184: '÷', 185: '≠', 186: '≡', 187: '≈', 188: '…', 197: '⊕' },
  ...{ 198: '∅', 199: '∩', 200: '∪', 201: '⊃', 202: '⊇', 204: '⊂', 205: '⊆', 206: '∈', 207: '∉' },
  ...{ 208: '∠', 209: '∇', 210: '®', 211: '©', 212: '™', 213: '∏', 214: '√', 215: '⋅', 216: '¬' },
  ...{ 217: '∧', 218: '∨', 219: '⇔', 220: '⇐', 221: '⇑', 222: '⇒', 223: '⇓', 229: '∑', 242: '∫' },
};
/** Letters of the Symbol font from "A" and from "a". */
const SYMBOL_UPPER = 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ';
const SYMBOL_LOWER = 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ';

const WINGDINGS: Record<number, string> = {
  ...{ 33: '✏', 34: '✂', 40: '☎', 42: '✉', 70: '☞', 74: '☺', 76: '☹', 108: '●', 110: '■' },
  ...{ 111: '□', 113: '❑', 114: '❒', 117: '◆', 118: '❖', 119: '◆', 159: '•', 167: '▪', 168: '◻' },
  ...{ 216: '➢', 223: '←', 224: '→', 225: '↑', 226: '↓', 232: '➔', 239: '⇦', 240: '⇨', 251: '✗' },
  ...{ 252: '✓', 253: '☒', 254: '☑' },
};

/** Any other sign: something stands here, but no character is known for it. */
const UNKNOWN = '▪';

/** One character for a sign, given by its font and its code in hexadecimal. */
export function toSymbol(font: string, hexadecimal: string): string {
  const code = Number.parseInt(hexadecimal, 16);
  if (!(code > 0x20)) return UNKNOWN;
  const isPrivate = code >= 0xe000 && code <= 0xf8ff;
  if (!isPrivate && code > 0xff && code <= 0xffff) return String.fromCharCode(code);
  const low = code & 0xff;
  if (/wingdings/i.test(font)) return WINGDINGS[low] ?? UNKNOWN;
  if (!/symbol/i.test(font)) return isPrivate ? UNKNOWN : String.fromCharCode(code);
  if (low >= 0x41 && low <= 0x5a) return SYMBOL_UPPER[low - 0x41]!;
  if (low >= 0x61 && low <= 0x7a) return SYMBOL_LOWER[low - 0x61]!;
  return SYMBOL[low] ?? (low < 0x7f ? String.fromCharCode(low) : UNKNOWN);
}
