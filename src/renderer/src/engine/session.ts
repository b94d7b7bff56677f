/** What is one connection to the engine, however it is made? */
import type { ClientContext, ClientLink } from '@orpc/client';

/** One connection from its opening to its end; it is never opened twice. */
export interface Session {
  /** Usable once `opened` is resolved. */
  link(): ClientLink<ClientContext>;
  opened: Promise<void>;
  /** Resolves, never rejects, also when the opening failed. */
  closed: Promise<void>;
  close(): void;
}

export type OpenSession = () => Session;
