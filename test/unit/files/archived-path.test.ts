/** Which paths mark a document as archived? */
import { describe, expect, it } from 'vitest';
import { isArchivedPath } from '../../../src/engine/files/names.ts';

describe('a path', () => {
  it.each([
    ['archive/terms.pdf', true],
    ['Регламенты/Архив/приказ.docx', true],
    ['2023/ARCHIVE/a/b.txt', true],
    ['archive.txt', false],
    ['archive plan/terms.pdf', false],
    ['terms/archive', false],
  ])('%s is archived: %s', (path, expected) => {
    expect(isArchivedPath(path)).toBe(expected);
  });
});
