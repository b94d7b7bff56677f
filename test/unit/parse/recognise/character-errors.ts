/** How many letters are wrong? Character error rate: edits (Levenshtein) for each letter that should stand there. */

/** 0 is without fault; white space counts as one space. */
export function characterErrors(expected: string, found: string): number {
  const [a, b] = [plain(expected), plain(found)];
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]! / Math.max(a.length, 1);
}

function plain(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim();
}
