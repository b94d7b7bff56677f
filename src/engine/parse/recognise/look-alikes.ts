/** Which alphabet does a letter belong to that looks the same in both? Recognition sees shapes: "ВОРОТ" may come as Latin "BOPOT". */

const latin = 'aceopxykABCEHKMOPTXY';
const cyrillic = 'асеорхукАВСЕНКМОРТХУ';
const toCyrillic = new Map([...latin].map((letter, index) => [letter, cyrillic[index]!]));
const toLatin = new Map([...cyrillic].map((letter, index) => [letter, latin[index]!]));

type Script = 'latin' | 'cyrillic';

/** Words of one line, each in one alphabet: its own where a letter tells, else that of the words around it. */
export function inOneScript(words: string[]): string[] {
  const own = words.map(scriptOf);
  const letters = { latin: 0, cyrillic: 0 };
  for (const [index, script] of own.entries()) if (script) letters[script] += words[index]!.length;
  const usual =
    letters.latin === letters.cyrillic ? undefined : letters.latin > letters.cyrillic ? 'latin' : 'cyrillic';
  return words.map((word, index) => {
    const script = own[index] ?? agreed(own[index - 1], own[index + 1]) ?? usual;
    return script ? written(word, script) : word;
  });
}

/** By the letters that only one alphabet has; undefined where there are none, or of both. */
function scriptOf(word: string): Script | undefined {
  const { isLatin, isCyrillic } = ownLetters(word);
  if (isLatin === isCyrillic) return undefined;
  return isLatin ? 'latin' : 'cyrillic';
}

function ownLetters(word: string): { isLatin: boolean; isCyrillic: boolean } {
  const letters = [...word].filter((letter) => !toCyrillic.has(letter) && !toLatin.has(letter));
  return {
    isLatin: letters.some((letter) => /\p{Script=Latin}/u.test(letter)),
    isCyrillic: letters.some((letter) => /\p{Script=Cyrillic}/u.test(letter)),
  };
}

function agreed(before: Script | undefined, after: Script | undefined): Script | undefined {
  return before === after ? before : undefined;
}

/** With letters of one alphabet; a word that has letters of its own in both stays as it is. */
function written(word: string, script: Script): string {
  const { isLatin, isCyrillic } = ownLetters(word);
  if (isLatin && isCyrillic) return word;
  const letters = script === 'latin' ? toLatin : toCyrillic;
  return [...word].map((letter) => letters.get(letter) ?? letter).join('');
}
