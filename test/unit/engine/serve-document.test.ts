/** Which part of a file does a range header ask for? */
import { describe, expect, it } from 'vitest';
import { readRange } from '../../../src/engine/serve-document.ts';

describe('a range header', () => {
  it.each([
    [undefined, undefined],
    ['bytes=0-0', { start: 0, end: 1 }],
    ['bytes=10-19', { start: 10, end: 20 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=90-500', { start: 90, end: 100 }],
    ['bytes=-10', { start: 90, end: 100 }],
    ['bytes=-500', { start: 0, end: 100 }],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=100-', 'unsatisfiable'],
    ['bytes=20-10', undefined],
    ['bytes=-', undefined],
    ['bytes=0-1,5-6', undefined],
    ['pages=1-2', undefined],
  ] as const)('%s of 100 bytes', (header, expected) => {
    expect(readRange(header, 100)).toEqual(expected);
  });
});
