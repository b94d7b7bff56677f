/** Which functions and classes does a file of source code hold? */
import { text as limits } from '../../config.ts';
import type { Parser, Part } from '../../document.ts';
import { type CodeShape, codeShapeOf } from '../kinds.ts';
import { blockOfLines, isBlank } from './block-of-lines.ts';
import { braceBalance, indentOf, isContainer, isContinuation, isPrefix, isRoutine } from './code-lines.ts';
import { decodeText, type Line, readLines } from './decode-text.ts';

/**
 * Reads source code by indentation and braces: a block is a function, or a run of simple statements; the line that opens a
 * class is a heading, so that its members carry it. The text is the source itself, without blank lines between blocks.
 */
export const parseCode: Parser = async function* (file, signal) {
  const { encoding, pieces } = await decodeText(file, signal);
  yield { type: 'metadata', metadata: { kind: 'code', encoding } };
  const shape = codeShapeOf(file.name) ?? 'none';
  const reader = shape === 'none' ? new ParagraphReader() : new CodeReader(shape);
  for await (const lines of readLines(pieces())) {
    for (const line of lines) yield* reader.read(line);
  }
  yield* reader.end();
};

const codePart = (lines: Line[], level = 0): Part => ({
  type: 'block',
  block: blockOfLines('code', lines, level),
});

/** Data, scripts and markup: cut at blank lines and at the limit. */
class ParagraphReader {
  private lines: Line[] = [];
  private length = 0;

  *read(line: Line): Iterable<Part> {
    const isFull = this.length + line.text.length > limits.maxCodeBlockLength;
    if (isBlank(line) || (isFull && this.lines.length > 0)) yield* this.end();
    if (isBlank(line)) return;
    this.lines.push(line);
    this.length += line.text.length + 1;
  }

  *end(): Iterable<Part> {
    if (this.lines.length > 0) yield codePart(this.lines);
    this.lines = [];
    this.length = 0;
  }
}

/** A class that is open: where it stands and where its members do. */
interface Container {
  indent: number;
  /** Indentation of its members; known from the first one. */
  memberIndent: number;
  /** Braces that are open inside it. */
  depth: number;
}

class CodeReader {
  private readonly shape: CodeShape;
  private readonly containers: Container[] = [];
  private depth = 0;
  /** Simple statements in a row. */
  private simple: Line[] = [];
  /** The statement or function that is being read; complex once it has lines of its own inside. */
  private current: Line[] = [];
  private isComplex = false;
  private length = 0;
  /** The lines that open a class, until a member or something else follows. */
  private opening: { lines: Line[]; indent: number } | undefined;
  private blanks: Line[] = [];

  constructor(shape: CodeShape) {
    this.shape = shape;
  }

  *read(line: Line): Iterable<Part> {
    if (isBlank(line)) {
      if (this.current.length > 0) this.blanks.push(line);
      return;
    }
    const text = line.text.trim();
    const indent = indentOf(line.text);
    const depthBefore = this.depth;
    this.depth = Math.max(0, this.depth + braceBalance(text, this.shape));
    if (this.opening) {
      const isUnopened =
        depthBefore === this.innerDepth() && !/[{};]\s*$/.test(this.opening.lines.at(-1)!.text);
      const isOpeningGoingOn =
        this.shape === 'braces' && isUnopened && (text === '{' || indent > this.opening.indent);
      if (isOpeningGoingOn && this.opening.lines.length < 10) {
        this.opening.lines.push(line);
        return;
      }
      yield* this.settleOpening(indent, depthBefore);
    }
    // A closing line stays with what it closes.
    if (!(isContinuation(text) && this.current.length > 0))
      yield* this.closeContainers(text, indent, depthBefore);
    if (this.startsItem(text, indent, depthBefore)) yield* this.startItem(line, text, indent);
    else yield* this.continueItem(line, indent);
  }

  *end(): Iterable<Part> {
    if (this.opening) {
      this.simple.push(...this.opening.lines);
      this.opening = undefined;
    }
    yield* this.flushCurrent();
    yield* this.flushSimple();
  }

  private innerDepth(): number {
    return this.containers.at(-1)?.depth ?? 0;
  }

  private memberIndent(): number {
    return this.containers.at(-1)?.memberIndent ?? 0;
  }

  /** A class is open when its next line stands deeper, or inside its braces. */
  private *settleOpening(indent: number, depthBefore: number): Iterable<Part> {
    const { lines, indent: own } = this.opening!;
    this.opening = undefined;
    const isOpen = this.shape === 'braces' ? depthBefore > this.innerDepth() : indent > own;
    if (!isOpen) {
      this.current = lines;
      this.isComplex = lines.length > 1;
      return;
    }
    const level = Math.min(9, this.containers.length + 1);
    yield* this.flushSimple();
    yield { type: 'block', block: blockOfLines('heading', lines, level) };
    this.containers.push({ indent: own, memberIndent: Math.max(own, indent), depth: depthBefore });
  }

  private *closeContainers(text: string, indent: number, depthBefore: number): Iterable<Part> {
    for (let top = this.containers.at(-1); top; top = this.containers.at(-1)) {
      const isLeft =
        this.shape === 'braces' ? depthBefore < top.depth : indent <= top.indent && !isContinuation(text);
      const isBroken =
        indent <= top.indent && indent < top.memberIndent && (isContainer(text) || isRoutine(text));
      if (!isLeft && !isBroken) return;
      yield* this.flushCurrent();
      yield* this.flushSimple();
      this.containers.pop();
      if (isBroken && this.shape === 'braces') {
        this.depth += (this.containers.at(-1)?.depth ?? 0) - depthBefore;
      }
    }
  }

  private startsItem(text: string, indent: number, depthBefore: number): boolean {
    if (this.current.at(-1)?.isCut || isContinuation(text)) return false;
    if (this.current.length === 0) return true;
    if (indent > this.memberIndent()) return false;
    return depthBefore <= this.innerDepth() || isRoutine(text) || isContainer(text);
  }

  private *startItem(line: Line, text: string, indent: number): Iterable<Part> {
    // A comment with a blank line below it belongs to nothing that follows.
    const isOnlyPrefix =
      !this.isComplex &&
      this.blanks.length === 0 &&
      this.current.length > 0 &&
      this.current.every((other) => isPrefix(other.text.trim()));
    if (!isOnlyPrefix) yield* this.flushCurrent();
    const declares = isContainer(text);
    if (declares || isRoutine(text)) {
      yield* this.flushSimple();
    }
    if (declares) {
      yield* this.flushCurrent();
      yield* this.flushSimple();
      this.opening = { lines: [line], indent };
      return;
    }
    this.append(line);
  }

  private *continueItem(line: Line, indent: number): Iterable<Part> {
    const isInside = indent > this.memberIndent();
    if (isInside && !this.isComplex && this.current.length > 0) {
      // What was simple so far turns out to hold lines: the statements before it are a block of their own.
      this.isComplex = true;
      yield* this.flushSimple();
    }
    if (this.length > limits.maxCodeBlockLength) {
      yield codePart(this.current, this.containers.length);
      this.current = [];
      this.blanks = [];
      this.length = 0;
    }
    this.append(line);
  }

  private append(line: Line): void {
    this.current.push(...this.blanks, line);
    this.blanks = [];
    this.length += line.text.length + 1;
  }

  private *flushCurrent(): Iterable<Part> {
    const lines = this.current;
    this.current = [];
    this.blanks = [];
    const isComplex = this.isComplex;
    this.isComplex = false;
    const { length } = this;
    this.length = 0;
    if (lines.length === 0) return;
    if (isComplex) {
      yield* this.flushSimple();
      yield codePart(lines, this.containers.length);
      return;
    }
    const gathered = this.simple.reduce((sum, line) => sum + line.text.length, 0);
    if (gathered + length > limits.maxCodeBlockLength) yield* this.flushSimple();
    this.simple.push(...lines);
  }

  private *flushSimple(): Iterable<Part> {
    if (this.simple.length > 0) yield codePart(this.simple, this.containers.length);
    this.simple = [];
  }
}
