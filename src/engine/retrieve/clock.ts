/** How long did each stage take? */
import type { StageTime } from '../../api/types.ts';

export interface StageClock {
  /** In order; times in milliseconds. */
  readonly stages: StageTime[];
  /** Ends the stage that began at the last mark. */
  mark(stage: string): void;
  elapsedMs(): number;
}

export function startClock(): StageClock {
  const start = performance.now();
  const stages: StageTime[] = [];
  let last = start;
  return {
    stages,
    mark(stage) {
      const now = performance.now();
      stages.push({ stage, ms: now - last });
      last = now;
    },
    elapsedMs: () => performance.now() - start,
  };
}
