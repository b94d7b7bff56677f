/** What does the reader look for in the open document, and how many places were found? */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { type FindRequest, stepTo } from './find-all.ts';

export interface Find {
  isOpen: boolean;
  /** Rises with every opening, also of an open one: its words are selected again. */
  opened: number;
  text: string;
  /** For the view; undefined when nothing is looked for. */
  request: FindRequest | undefined;
  /** Undefined until the view has looked. */
  found: { count: number; isWhole: boolean } | undefined;
  open(): void;
  close(): void;
  type(text: string): void;
  step(by: 1 | -1): void;
  onFound(count: number, isWhole: boolean): void;
}

/** Looked for once nothing was typed for this long, in milliseconds: every letter would search a long document anew. */
const restMs = 150;

interface Walk {
  key: string;
  at: number;
  found: Find['found'];
}

const nothing: Walk = { key: '', at: 0, found: undefined };

/** @param documentId what was found belongs to one document; the words stay for the next */
export function useFind(documentId: number | undefined): Find {
  const [isOpen, setOpen] = useState(false);
  const [opened, setOpened] = useState(0);
  const [text, setText] = useState('');
  const [words, setWords] = useState('');
  const [state, setState] = useState<Walk>(nothing);
  useEffect(() => {
    const timer = setTimeout(() => setWords(text.trim()), restMs);
    return () => clearTimeout(timer);
  }, [text]);
  // What was found, and how far the reader walked, is of these words in this document only.
  const key = `${documentId} ${words}`;
  const { at, found } = state.key === key ? state : nothing;
  const request = useMemo(() => (isOpen && words !== '' ? { words, at } : undefined), [isOpen, words, at]);
  const step = useCallback(
    (by: 1 | -1) =>
      setState((before) => {
        if (before.key !== key || before.found === undefined) return before;
        return { ...before, at: stepTo(before.at, by, before.found.count) };
      }),
    [key],
  );
  const onFound = useCallback(
    (count: number, isWhole: boolean) =>
      setState((before) => ({ key, at: before.key === key ? before.at : 0, found: { count, isWhole } })),
    [key],
  );
  return {
    isOpen,
    opened,
    text,
    request,
    found,
    open: useCallback(() => {
      setOpen(true);
      setOpened((before) => before + 1);
    }, []),
    close: useCallback(() => setOpen(false), []),
    type: setText,
    step,
    onFound,
  };
}
