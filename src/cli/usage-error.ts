/** Which mistake in the words of a command is told with exit status 2? */

/** The command can't be understood; the message is one line. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
