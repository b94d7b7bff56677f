/** Which documents does the ledger show, and which pages of its list are loaded? */
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '../../../api/errors.ts';
import type { Exclusion, LedgerFilter as StateFilter } from '../../../api/ledger.ts';
import type { DocumentRow } from '../../../api/types.ts';
import { cancelled, type EngineClient, toAppError } from '../engine/connection.ts';
import { useConnectionState, useEngine } from '../engine/engine-context.tsx';

/** Documents per call. */
export const pageSize = 200;

export interface LedgerFilter {
  state: StateFilter | undefined;
  text: string;
}

/** A document, or what was left out. */
export type LedgerEntry = DocumentRow | Exclusion;

export interface Ledger {
  /** Undefined until the first page is there. */
  total: number | undefined;
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
  const { state, text } = filter;

  const load = useCallback(
    (page: number) => {
      const { pages: known, controller } = asked.current;
      if (known.has(page)) return;
      known.add(page);
      pageOf(engine, { state, text }, page, controller.signal).then(
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
    [engine, state, text],
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
    rowAt: (index) => pages.get(Math.floor(index / pageSize))?.[index % pageSize],
    need: (from, to) => {
      for (let page = Math.floor(from / pageSize); page <= Math.floor(to / pageSize); page++) load(page);
    },
    replace: (row) => {
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
  { state, text }: LedgerFilter,
  page: number,
  signal: AbortSignal,
): Promise<{ total: number; rows: LedgerEntry[] }> {
  const named = text === '' ? {} : { text };
  const offset = page * pageSize;
  if (state !== 'excluded')
    return engine.documents.list({ state, ...named, limit: pageSize, offset }, { signal });
  const all = await engine.documents.excluded(named, { signal });
  return { total: all.length, rows: all.slice(offset, offset + pageSize) };
}

/** Most documents per call of an export. */
const exportPage = 1000;

/** Every document that the filter lets through. */
export async function allRows(
  engine: EngineClient,
  filter: LedgerFilter,
): Promise<{ rows: DocumentRow[]; excluded: Exclusion[] }> {
  const rows: DocumentRow[] = [];
  const takesExcluded = filter.state === undefined || filter.state === 'excluded';
  const named = filter.text === '' ? {} : { text: filter.text };
  const excluded = takesExcluded ? await engine.documents.excluded(named) : [];
  if (filter.state === 'excluded') return { rows, excluded };
  while (true) {
    const { state, text } = filter;
    const input = { state, text: text === '' ? undefined : text, limit: exportPage, offset: rows.length };
    const found = await engine.documents.list(input);
    rows.push(...found.rows);
    if (found.rows.length === 0 || rows.length >= found.total) return { rows, excluded };
  }
}
