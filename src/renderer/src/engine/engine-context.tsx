/** How do the parts of the page reach the engine and learn that it came back? */
import {
  createContext,
  type ReactNode,
  startTransition,
  useCallback,
  useContext,
  useEffect,
  useState,
  useSyncExternalStore,
} from 'react';
import type { AppError } from '../../../api/errors.ts';
import {
  type Connection,
  type ConnectionState,
  cancelled,
  type EngineClient,
  toAppError,
} from './connection.ts';
import { isSameValue } from './same-value.ts';

const ConnectionContext = createContext<Connection | undefined>(undefined);

export function EngineProvider({ connection, children }: { connection: Connection; children: ReactNode }) {
  return <ConnectionContext value={connection}>{children}</ConnectionContext>;
}

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) throw new Error('A part of the page stands outside its EngineProvider.');
  return connection;
}

export const useEngine = (): EngineClient => useConnection().client;

export function useConnectionState(): ConnectionState {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribe, connection.getState);
}

export interface Reading<T> {
  value?: T;
  error?: AppError;
  /** Reads again and keeps the old value until the new one is there. */
  refresh(): void;
}

/**
 * The latest value of a call, read again when the engine comes back, when `key` changes and on `refresh`.
 * A value of another key is dropped at once.
 */
export function useReading<T>(
  key: string,
  read: (engine: EngineClient, signal: AbortSignal) => Promise<T>,
): Reading<T> {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [round, setRound] = useState(0);
  const [state, setState] = useState<{ key: string; value?: T; error?: AppError }>({ key });

  // biome-ignore lint/correctness/useExhaustiveDependencies: `read` is what `key` names; `round` and `generation` ask for another reading
  useEffect(() => {
    const controller = new AbortController();
    read(engine, controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        // A value read again is no hurry: drawn in small pieces between what the user does, and not at all when it is the same.
        startTransition(() =>
          setState((before) =>
            before.key === key && before.error === undefined && isSameValue(before.value, value)
              ? before
              : { key, value },
          ),
        );
      },
      (error: unknown) => {
        if (cancelled(error, controller.signal)) return;
        const failure = toAppError(error);
        // The banner speaks of a lost engine; what is on screen stays.
        if (failure.code === 'ENGINE_GONE') return;
        setState((before) => ({ ...(before.key === key ? before : { key }), error: failure }));
      },
    );
    return () => controller.abort();
  }, [engine, key, round, generation]);

  const refresh = useCallback(() => setRound((before) => before + 1), []);
  const current = state.key === key ? state : { key };
  return { value: current.value, error: current.error, refresh };
}
