import { describe, expect, it } from 'vitest';
import { cleanTitle, isoDate } from '../../../../src/engine/parse/pdf/properties.ts';

describe('cleanTitle', () => {
  it.each([
    ['  Annual\n report ', 'Annual report'],
    ['Microsoft Word - Устав общества', 'Устав общества'],
    ['Microsoft Word - letter.doc', undefined],
    ['untitled', undefined],
    ['', undefined],
    ['12', undefined],
  ])('%j gives %j', (given, expected) => {
    expect(cleanTitle(given)).toBe(expected);
  });
});

describe('isoDate', () => {
  it.each([
    ["D:20230307112233+03'00'", '2023-03-07'],
    ['D:2019', '2019-01-01'],
    ['20201231', '2020-12-31'],
    ['D:20230231', undefined],
    ['D:00000000', undefined],
    ['yesterday', undefined],
  ])('%j gives %j', (given, expected) => {
    expect(isoDate(given)).toBe(expected);
  });
});
