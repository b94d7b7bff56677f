/** How does text that is pushed become text that is read? */

/** One writer pushes pieces, one reader iterates; a failure comes after everything that was pushed before it. */
export class TextStream implements AsyncIterable<string> {
  private readonly pieces: string[] = [];
  private end: { error?: unknown } | undefined;
  private wake: (() => void) | undefined;
  private readonly onStop: () => void;

  /** @param onStop called once when the reader stops before the end */
  constructor(onStop: () => void) {
    this.onStop = onStop;
  }

  push(text: string): void {
    if (this.end || text === '') return;
    this.pieces.push(text);
    this.wake?.();
  }

  /** Ends the stream; with an error, the reader gets it after the last piece. Later calls change nothing. */
  finish(failure?: { error: unknown }): void {
    this.end ??= failure ?? {};
    this.wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, void> {
    let isRead = false;
    try {
      while (true) {
        if (this.pieces.length > 0) {
          // Everything that waits goes out as one piece, so a slow reader never falls behind by more than one.
          yield this.pieces.splice(0).join('');
        } else if (this.end) {
          isRead = true;
          if ('error' in this.end) throw this.end.error;
          return;
        } else {
          await new Promise<void>((resolve) => {
            this.wake = resolve;
          });
          this.wake = undefined;
        }
      }
    } finally {
      if (!isRead) this.onStop();
    }
  }
}
