/** Which documents does the ledger show, and which pages of its list are loaded? */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../api/errors.ts';
import type { Exclusion, LedgerCounts, LedgerFilter as StateFilter } from '../../../api/ledger.ts';
import type { LedgerTable } from '../../../api/ledger-csv.ts';
import type { DocumentRow, Scope } from '../../../api/types.ts';
import { cancelled, type EngineClient, toAppError } from '../engine/connection.ts';
import { useConnectionState, useEngine } from '../engine/engine-context.tsx';

/** Documents per call. */
export const pageSize = 200;

export interface LedgerFilter {
  state: StateFilter | undefined;
  text: string;
  /** Only what a question in this scope is asked of. */
  scope: Scope | undefined;
}

/** A document, or what was left out. */
export type LedgerEntry = DocumentRow | Exclusion;

export interface Ledger {
  /** Undefined until the first page is there. */
  total: number | undefined;
  /** Documents by state, whatever state is chosen; undefined until they are there. */
  counts: LedgerCounts | undefined;
  rowAt(index: number): LedgerEntry | undefined;
  /** Makes sure that the rows in a range are loaded or on their way. */
  need(from: number, to: number): void;
  replace(row: DocumentRow): void;
  failure: AppError | undefined;
}

export function useLedger(filter: LedgerFilter): Ledger {
  const engine = useEngine();
  const { generation } = useConnectionState();
  const [pages, setPages] = useState<ReadonlyMap<number, LedgerEntry[]>>(new Map());
  const [total, setTotal] = useState<number>();
  const [failure, setFailure] = useState<AppError>();
  const asked = useRef({ pages: new Set<number>(), controller: new AbortController() });
  const { state, text, scope } = filter;
  const [reread, setReread] = useState(0);
  const counts = useCounts(filter, `${generation} ${reread}`);

  const load = useCallback(
    (page: number) => {
      const { pages: known, controller } = asked.current;
      if (known.has(page)) return;
      known.add(page);
      pageOf(engine, { state, text, scope }, page, controller.signal).then(
        (found) => {
          if (controller.signal.aborted) return;
          setTotal(found.total);
          setPages((before) => new Map(before).set(page, found.rows));
        },
        (error: unknown) => {
          if (!cancelled(error, controller.signal)) setFailure(toAppError(error));
        },
      );
    },
    [engine, state, text, scope],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: another engine or filter is another list
  useEffect(() => {
    asked.current = { pages: new Set(), controller: new AbortController() };
    setPages(new Map());
    setTotal(undefined);
    setFailure(undefined);
    load(0);
    const { controller } = asked.current;
    return () => controller.abort();
  }, [load, generation]);

  return {
    total,
    counts,
    rowAt: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    need: (from, to) => {
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page++) load(page);
    },
    replace: (row) => {
      setReread((times) => times + 1);
      setPages((before) => {
        const next = new Map(before);
        for (const [page, rows] of before) {
          if (rows.some((one) => 'id' in one && one.id === row.id)) {
            next.set(
              page,
              rows.map((one) => ('id' in one && one.id === row.id ? row : one)),
            );
          }
        }
        return next;
      });
    },
    failure,
  };
}

/** What was left out comes in one piece: it is a short list. */
async function pageOf(
  engine: EngineClient,
  { state, ...part }: LedgerFilter,
  page: number,
  signal: AbortSignal,
): Promise<{ total: number; rows: LedgerEntry[] }> {
  const offset = page * pageSize;
  if (state !== 'excluded')
    return engine.documents.list({ state, ...partOf(part), limit: pageSize, offset }, { signal });
  const all = await excludedOf(engine, part, signal);
  return { total: all.length, rows: all.slice(offset, offset + pageSize) };
}

/** Most documents per call of an export. */
const exportPage = 1000;

/** Everything that the filter lets through; with the whole library also what was left out of it. */
export async function wholeTable(engine: EngineClient, filter: LedgerFilter): Promise<LedgerTable> {
  const { state, ...part } = filter;
  const takesExcluded = state === undefined || state === 'excluded';
  const [excluded, folders] = await Promise.all([
    takesExcluded ? excludedOf(engine, part) : [],
    engine.folders.list(),
  ]);
  const names = new Map(folders.map(({ id, name }) => [id, name]));
  const rows: DocumentRow[] = [];
  while (state !== 'excluded') {
    const found = await engine.documents.list({
      state,
      ...partOf(part),
      limit: exportPage,
      offset: rows.length,
    });
    rows.push(...found.rows);
    if (found.rows.length === 0 || rows.length >= found.total) break;
  }
  return { rows, excluded, folders: names };
}

type Part = Omit<LedgerFilter, 'state'>;

function partOf({ text, scope }: Part): { text?: string; scope?: Scope } {
  return { ...(text === '' ? {} : { text }), ...(scope === undefined ? {} : { scope }) };
}

/** A question is asked of documents: nothing that was left out is in its scope. */
async function excludedOf(
  engine: EngineClient,
  { text, scope }: Part,
  signal?: AbortSignal,
): Promise<Exclusion[]> {
  if (scope !== undefined) return [];
  return engine.documents.excluded(text === '' ? {} : { text }, { signal });
}

/** Asked anew for every other value of `library`. */
function useCounts({ text, scope }: Part, library: string): LedgerCounts | undefined {
  const engine = useEngine();
  const [counts, setCounts] = useState<LedgerCounts>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const controller = new AbortController();
    engine.documents.counts(partOf({ text, scope }), { signal: controller.signal }).then(
      (found) => {
        if (!controller.signal.aborted) setCounts(found);
      },
      // The list itself says what failed.
      () => undefined,
    );
    return () => controller.abort();
  }, [engine, text, scope, library]);
  return counts;
}
