/** Which links may leave Lectern? */
import { describe, expect, it } from 'vitest';
import { isOpenableOutside } from '../../../src/main/outside-links.ts';

describe('a link in a document', () => {
  it.each(['https://example.org/a?b=c', 'http://example.org', 'mailto:someone@example.org'])(
    '%s may be opened outside',
    (url) => {
      expect(isOpenableOutside(url)).toBe(true);
    },
  );

  it.each([
    'file:///etc/passwd',
    'javascript:alert(1)',
    'smb://server/share',
    'lectern://app/',
    'ms-word:ofe|u|x',
    'no address',
  ])('%s may not', (url) => {
    expect(isOpenableOutside(url)).toBe(false);
  });
});
