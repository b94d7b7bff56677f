/** Does the page learn when a download ended, and only then? */
import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../../src/api/errors.ts';
import type { ModelDownload } from '../../../src/api/types.ts';
import { Downloads } from '../../../src/renderer/src/models/downloads.ts';

const one = (phase: ModelDownload['phase'], id = 'one'): ModelDownload => ({
  id,
  name: id,
  host: 'example.org',
  phase,
  doneBytes: 0,
  files: [],
});

describe('the downloads', () => {
  it.each([
    ['begins', [], ['resolving'], 0],
    ['goes on', ['downloading'], ['checking'], 0],
    ['ends', ['checking'], ['done'], 1],
    ['fails', ['downloading'], ['failed'], 1],
    ['is stopped', ['resolving'], ['cancelled'], 1],
    ['is forgotten with its engine', ['downloading'], [], 1],
    ['had ended before', ['done'], ['done'], 0],
  ] as const)('one that %s counts as ended: %s → %s', (_, before, after, ended) => {
    const downloads = new Downloads();
    downloads.take(before.map((phase) => one(phase)));
    downloads.take(after.map((phase) => one(phase)));
    expect(downloads.get().ended).toBe(ended);
  });

  it('one may end while another begins', () => {
    const downloads = new Downloads();
    downloads.take([one('downloading')]);
    downloads.take([one('done'), one('resolving', 'two')]);
    expect(downloads.get().ended).toBe(1);
  });

  it('keep what is known when following them fails, and say so until they are followed again', () => {
    const downloads = new Downloads();
    const told = vi.fn();
    downloads.subscribe(told);
    downloads.take([one('downloading')]);
    downloads.fail(new AppError('INTERNAL', 'Downloads: not followed: try again.'));
    expect(downloads.get().all.size).toBe(1);
    expect(downloads.get().failure?.code).toBe('INTERNAL');
    downloads.take([one('downloading')]);
    expect(downloads.get().failure).toBeUndefined();
    expect(told).toHaveBeenCalledTimes(3);
  });
});
