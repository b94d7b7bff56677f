/** Is the page told of reading at once where it matters, and seldom in between? */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { IndexProgress } from '../../../src/api/types.ts';
import { FolderProgress, tellEveryMs } from '../../../src/renderer/src/library/folder-progress.ts';

const at = (
  folderId: number,
  processed: number,
  phase: IndexProgress['phase'] = 'reading',
): IndexProgress => ({
  folderId,
  phase,
  found: 100,
  processed,
  failed: 0,
  current: [],
});

describe('the progress of folders', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('tells of the first and the last state at once', () => {
    const progress = new FolderProgress();
    const told = vi.fn();
    progress.subscribe(told);
    progress.take([at(1, 0)]);
    expect(told).toHaveBeenCalledTimes(1);
    expect(progress.count()).toBe(1);
    progress.take([at(1, 100, 'done')]);
    expect(told).toHaveBeenCalledTimes(2);
    expect(progress.of(1)).toBeUndefined();
  });

  it('tells of a hundred states in between twice a second, the newest each time', () => {
    const progress = new FolderProgress();
    const seen: (number | undefined)[] = [];
    progress.take([at(1, 0)]);
    progress.subscribe(() => seen.push(progress.of(1)?.processed));
    for (let processed = 1; processed <= 100; processed++) {
      progress.take([at(1, processed)]);
      vi.advanceTimersByTime(20);
    }
    expect(seen.length).toBeLessThanOrEqual(2000 / tellEveryMs);
    expect(seen).toEqual([...seen].sort((one, other) => one! - other!));
    vi.advanceTimersByTime(tellEveryMs);
    expect(progress.of(1)?.processed).toBe(100);
  });

  it('gives the same object while nothing was told, so that nothing is drawn', () => {
    const progress = new FolderProgress();
    progress.take([at(1, 0), at(2, 0)]);
    const before = progress.of(2);
    progress.take([at(1, 5), at(2, 5)]);
    expect(progress.of(2)).toBe(before);
  });

  it('tells nobody who went away', () => {
    const progress = new FolderProgress();
    const told = vi.fn();
    progress.subscribe(told)();
    progress.take([at(1, 0)]);
    expect(told).not.toHaveBeenCalled();
  });
});
