/**
 * Which paragraphs and tables does a part of a Word document hold, in which order, and under which names?
 * Both the parser and the maker of the view walk by this file, so that a name means the same paragraph in both.
 */
import { docx as limits } from '../../config.ts';
import { type Attributes, localName, type XmlListener } from '../zip/read-xml.ts';
import { enterBlock, enterRaw } from './enter-block.ts';
import {
  enterFormulaPart,
  enterListProperty,
  enterParagraph,
  enterParagraphProperty,
  enterRunProperty,
} from './enter-paragraph.ts';
import { enterAlternate, enterAlternatePart, enterDrawingPart, enterRun } from './enter-run.ts';
import { escapeXml, toTag } from './paragraph-builder.ts';
import { type Entered, type Frame, type StoryEvent, type WalkContext, WalkState } from './walk-state.ts';

export class StoryWalker implements XmlListener {
  readonly #state: WalkState;
  readonly #frames: Frame[] = [];
  #skipDepth = 0;
  #root: { name: string; attributes: Attributes } | undefined;
  readonly #namespaces = new Map<string, string>();

  /** `isView`: the part is also written anew for the view. */
  constructor(context: WalkContext, isView: boolean) {
    this.#state = new WalkState(context, isView);
  }

  /** Events since the last call. */
  take(): StoryEvent[] {
    const sink = this.#state.sinks[0]!;
    const { events } = sink;
    sink.events = [];
    return events;
  }

  /** Closes what a part that broke off left open. */
  closeAll(): void {
    this.#skipDepth = 0;
    while (this.#frames.length > 0) this.close();
  }

  /** The part for the view; its root is written last because it must declare every prefix that was met. */
  toXml(): string {
    if (!this.#root) return '';
    this.closeAll();
    const attributes = { ...this.#root.attributes };
    for (const [name, address] of this.#namespaces) attributes[name] ??= address;
    const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
    const body = this.#state.sinks[0]!.xml.join('');
    return `${head}${toTag(this.#root.name, attributes, false)}${body}</${this.#root.name}>`;
  }

  open(name: string, attributes: Attributes): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth += 1;
      return;
    }
    if (this.#state.isView) this.#learnNamespaces(attributes);
    const entered =
      this.#frames.length < limits.maxDepth ? this.#enter(localName(name), name, attributes) : 'skip';
    if (entered === 'skip') this.#skipDepth = 1;
    else this.#frames.push(entered);
  }

  close(): void {
    if (this.#skipDepth > 0) {
      this.#skipDepth -= 1;
      return;
    }
    const frame = this.#frames.pop();
    if (!frame) return;
    this.#state.write(frame.end);
    frame.leave?.();
  }

  text(text: string): void {
    if (this.#skipDepth > 0) return;
    const mode = this.#frames.at(-1)?.mode;
    if (mode === 'text') this.#state.text += text;
    else if (mode === 'formula') {
      this.#state.text += text.trim();
      this.#state.write(escapeXml(text));
    } else if (mode === 'raw' || mode === 'drawing') this.#state.write(escapeXml(text));
  }

  #enter(local: string, name: string, attributes: Attributes): Entered {
    const state = this.#state;
    if (!this.#root) {
      this.#root = { name, attributes };
      state.prefix = name.slice(0, name.length - local.length);
      return { mode: 'block', end: '' };
    }
    const { mode } = this.#frames.at(-1) ?? { mode: 'block' };
    if (local === 'AlternateContent') return enterAlternate(state, mode);
    switch (mode) {
      case 'block':
        return enterBlock(state, local, name, attributes);
      case 'paragraph':
        return enterParagraph(state, local, name, attributes);
      case 'run':
        return enterRun(state, local, name, attributes);
      case 'formula':
        return enterFormulaPart(state, local, name, attributes);
      case 'drawing':
        return enterDrawingPart(state, local, name, attributes);
      case 'alternate':
        return enterAlternatePart(state, local);
      case 'raw':
        return enterRaw(state, local, name, attributes);
      case 'paragraph-properties':
        return enterParagraphProperty(state, local, name, attributes);
      case 'run-properties':
        return enterRunProperty(state, local, name, attributes);
      case 'list-properties':
        return enterListProperty(state, local, attributes);
      case 'text':
        return 'skip';
    }
  }

  #learnNamespaces(attributes: Attributes): void {
    for (const name in attributes) {
      if (name.startsWith('xmlns:') && !this.#namespaces.has(name))
        this.#namespaces.set(name, attributes[name]!);
    }
  }
}
