/** What does a placeholder of a slide inherit from its layout and its master? After ECMA-376, part 19.3.1.36. */
import type { XmlNode } from '../xml-tree.ts';

export interface Placeholder {
  /** "body" where the file says nothing. */
  type: string;
  index: string | undefined;
}

/** Placeholder of a shape, frame or picture; undefined for one that stands alone. */
export function placeholderOf(shape: XmlNode): Placeholder | undefined {
  const head = shape.children.find(({ name }) => /^nv\w*Pr$/.test(name));
  const node = head?.child('nvPr', 'ph');
  return node && { type: node.get('type') ?? 'body', index: node.get('idx') };
}

/** Shapes that a slide's placeholder is made from, the nearest first: its layout's, then its master's. */
export function ancestors(
  placeholder: Placeholder | undefined,
  layout: XmlNode | undefined,
  master: XmlNode | undefined,
): XmlNode[] {
  if (!placeholder) return [];
  const near = layout && match(layout, placeholder);
  const type = (near && placeholderOf(near)?.type) ?? placeholder.type;
  const far = master && matchType(master, masterType(type));
  return [near, far].filter((one) => one !== undefined);
}

function match(tree: XmlNode, { type, index }: Placeholder): XmlNode | undefined {
  const byIndex =
    index === undefined ? undefined : tree.children.find((shape) => placeholderOf(shape)?.index === index);
  return (
    byIndex ??
    matchType(tree, type) ??
    (isTitle(type) ? tree.children.find((shape) => isTitle(placeholderOf(shape)?.type)) : undefined)
  );
}

function matchType(tree: XmlNode, type: string): XmlNode | undefined {
  return tree.children.find((shape) => placeholderOf(shape)?.type === type);
}

export function isTitle(type: string | undefined): boolean {
  return type === 'title' || type === 'ctrTitle';
}

/** Date, footer, header and number of a slide. */
export function isMarginType(type: string | undefined): boolean {
  return type === 'dt' || type === 'ftr' || type === 'hdr' || type === 'sldNum';
}

function masterType(type: string): string {
  if (isTitle(type)) return 'title';
  return isMarginType(type) ? type : 'body';
}

/** The master's list of styles for a placeholder. */
export function masterStyle(placeholder: Placeholder | undefined): 'titleStyle' | 'bodyStyle' | 'otherStyle' {
  if (!placeholder || isMarginType(placeholder.type)) return 'otherStyle';
  return isTitle(placeholder.type) ? 'titleStyle' : 'bodyStyle';
}
