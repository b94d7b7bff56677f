/** Which models are there, which can be had, what is being downloaded, and what does the machine have? */
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { AppError } from '../../../api/errors.ts';
import type { CatalogueModel, Machine, ModelDownload, ModelInfo } from '../../../api/types.ts';
import { useReading } from '../engine/engine-context.tsx';
import type { Downloads } from './downloads.ts';

export interface Models {
  /** Undefined until they were read for the first time. */
  installed: ModelInfo[] | undefined;
  catalogue: CatalogueModel[] | undefined;
  machine: Machine | undefined;
  downloads: ReadonlyMap<string, ModelDownload>;
  failure: AppError | undefined;
  /** Reads everything again; the page's own account too. */
  refresh(): void;
  /** Shows a list that a call gave, until it is read again. */
  show(installed: ModelInfo[]): void;
}

/** While the window is open, what changes by itself is read again this often, in milliseconds. */
const refreshMs = 3000;

export function useModels(downloads: Downloads, onChanged: () => void): Models {
  const list = useReading('models', (engine, signal) => engine.models.list(undefined, { signal }));
  const catalogue = useReading('catalogue', (engine, signal) =>
    engine.models.catalogue(undefined, { signal }),
  );
  const machine = useReading('machine', (engine, signal) => engine.models.machine(undefined, { signal }));
  const [shown, setShown] = useState<ModelInfo[]>();
  const changed = useRef(onChanged);
  changed.current = onChanged;
  const readAll = useRef(() => {
    list.refresh();
    catalogue.refresh();
    machine.refresh();
  }).current;
  const refresh = useCallback(() => {
    setShown(undefined);
    readAll();
    changed.current();
  }, [readAll]);
  const { all, failure, ended } = useSyncExternalStore(downloads.subscribe, downloads.get);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for every one that ended
  useEffect(readAll, [ended]);
  // How much a model knows of the library changes without a word.
  const readList = list.refresh;
  useEffect(() => {
    const timer = setInterval(readList, refreshMs);
    return () => clearInterval(timer);
  }, [readList]);
  return {
    installed: shown ?? list.value,
    catalogue: catalogue.value,
    machine: machine.value,
    downloads: all,
    failure: list.error ?? catalogue.error ?? machine.error ?? failure,
    refresh,
    show: setShown,
  };
}
