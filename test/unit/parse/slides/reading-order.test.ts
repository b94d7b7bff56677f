/** In which order are the shapes of a slide read? */
import { describe, expect, it } from 'vitest';
import { plainParagraph, type Shape } from '../../../../src/engine/parse/slides/deck.ts';
import { inReadingOrder } from '../../../../src/engine/parse/slides/reading-order.ts';

function box(
  text: string,
  x: number,
  y: number,
  width: number,
  height: number,
  more: Partial<Shape> = {},
): Shape {
  return {
    role: 'text',
    isBackdrop: false,
    rotation: 0,
    isFlippedX: false,
    isFlippedY: false,
    box: { x, y, width, height },
    text: {
      paragraphs: [plainParagraph(text)],
      vertical: 'top',
      insets: { left: 0, top: 0, right: 0, bottom: 0 },
      isUnwrapped: false,
      turn: 0,
      columns: 1,
      scale: 1,
    },
    ...more,
  };
}

function group(...children: Shape[]): Shape {
  const { text: _text, ...rest } = box('', 0, 0, 0, 0);
  const x = Math.min(...children.map((child) => child.box!.x));
  const y = Math.min(...children.map((child) => child.box!.y));
  const right = Math.max(...children.map((child) => child.box!.x + child.box!.width));
  const bottom = Math.max(...children.map((child) => child.box!.y + child.box!.height));
  return { ...rest, box: { x, y, width: right - x, height: bottom - y }, children };
}

function check(shapes: Shape[], expected: string): void {
  const { body, margins } = inReadingOrder(shapes);
  const words = [...body, ...margins].map(({ text }) => text!.paragraphs[0]!.runs[0]!.text);
  expect(words.join(' ')).toBe(expected);
}

describe('the shapes of a slide', () => {
  it('begin with the title, wherever it stands and whenever it was drawn', () =>
    check([box('b', 0, 0, 500, 50), box('a', 0, 400, 500, 50, { role: 'title' })], 'a b'));

  it('are read in rows from the left, and the rows from the top', () =>
    check(
      [
        box('d', 500, 300, 400, 100),
        box('c', 0, 300, 400, 100),
        box('b', 500, 100, 400, 100),
        box('a', 0, 100, 400, 100),
      ],
      'a b c d',
    ));

  it('are read column by column where the columns stand farther apart than what is in them', () =>
    check(
      [
        box('head 1', 0, 0, 200, 40),
        box('head 2', 300, 0, 200, 40),
        box('text 1', 0, 45, 200, 300),
        box('text 2', 300, 45, 200, 300),
      ],
      'head 1 text 1 head 2 text 2',
    ));

  it('stay together in their group', () =>
    check(
      [box('after', 300, 10, 100, 100), group(box('one', 0, 0, 100, 50), box('two', 0, 60, 100, 200))],
      'one two after',
    ));

  it('are read from the top in a long list that was drawn the other way round', () => {
    const list = Array.from({ length: 200 }, (_, at) => box(String(at), 0, at * 12, 300, 10));
    check(list.toReversed(), Array.from({ length: 200 }, (_, at) => String(at)).join(' '));
  });

  it('end with what runs along the edge', () =>
    check(
      [
        box('7', 900, 0, 50, 20, { role: 'margin' }),
        box('Holding', 0, 0, 90, 20, { isBackdrop: true }),
        box('a', 0, 200, 500, 50),
      ],
      'a 7 Holding',
    ));

  it('without places keep the order in which they were drawn', () => {
    const bare = (text: string): Shape => {
      const { box: _box, ...rest } = box(text, 0, 0, 0, 0);
      return rest;
    };
    check([bare('b'), box('a', 0, 0, 10, 10), bare('c')], 'b a c');
  });
});
