/** Where on the slide does a shape stand, which may be inside groups that are moved, stretched and turned? */
import type { Box } from '../deck.ts';
import type { XmlNode } from '../xml-tree.ts';
import { EMU } from './text.ts';

export interface Place {
  box: Box;
  rotation: number;
  isFlippedX: boolean;
  isFlippedY: boolean;
}

/** From a group's coordinates to the slide's. */
export type Transform = (place: Place) => Place;

/** Farther than any slide is large, in pixels: a broken number must not stretch the page. */
const FAR = 20_000;

export const onSlide: Transform = (place) => place;

export function placeOf(frame: XmlNode | undefined, transform: Transform): Place | undefined {
  const offset = frame?.child('off');
  const extent = frame?.child('ext');
  if (!frame || !offset || !extent) return undefined;
  const place = transform({
    box: readBox(offset, extent),
    rotation: (frame.number('rot') ?? 0) / 60_000,
    isFlippedX: frame.isOn('flipH'),
    isFlippedY: frame.isOn('flipV'),
  });
  const { x, y, width, height } = place.box;
  const isSound = [x, y, width, height].every((value) => Math.abs(value) < FAR);
  return isSound ? place : undefined;
}

function readBox(offset: XmlNode, extent: XmlNode): Box {
  return {
    x: (offset.number('x') ?? 0) * EMU,
    y: (offset.number('y') ?? 0) * EMU,
    width: Math.max(0, (extent.number('cx') ?? 0) * EMU),
    height: Math.max(0, (extent.number('cy') ?? 0) * EMU),
  };
}

/** Of what stands in a group. */
export function childTransform(frame: XmlNode | undefined, transform: Transform): Transform {
  const outer = frame && placeOf(frame, onSlide);
  const [innerOffset, innerExtent] = [frame?.child('chOff'), frame?.child('chExt')];
  if (!outer || !innerOffset || !innerExtent) return transform;
  const inner = readBox(innerOffset, innerExtent);
  const across = inner.width > 0 ? outer.box.width / inner.width : 1;
  const down = inner.height > 0 ? outer.box.height / inner.height : 1;
  return (place) => {
    const box = {
      x: outer.box.x + (place.box.x - inner.x) * across,
      y: outer.box.y + (place.box.y - inner.y) * down,
      width: place.box.width * across,
      height: place.box.height * down,
    };
    return transform(turned({ ...place, box }, outer));
  };
}

/** A child goes with its group's turn and its mirror. */
function turned(child: Place, group: Place): Place {
  let { x, y } = child.box;
  const middle = { x: group.box.x + group.box.width / 2, y: group.box.y + group.box.height / 2 };
  if (group.isFlippedX) x = 2 * middle.x - x - child.box.width;
  if (group.isFlippedY) y = 2 * middle.y - y - child.box.height;
  const isMirrored = group.isFlippedX !== group.isFlippedY;
  if (group.rotation !== 0) {
    const angle = (group.rotation * Math.PI) / 180;
    const [dx, dy] = [x + child.box.width / 2 - middle.x, y + child.box.height / 2 - middle.y];
    x = middle.x + dx * Math.cos(angle) - dy * Math.sin(angle) - child.box.width / 2;
    y = middle.y + dx * Math.sin(angle) + dy * Math.cos(angle) - child.box.height / 2;
  }
  return {
    box: { ...child.box, x, y },
    rotation: (isMirrored ? -child.rotation : child.rotation) + group.rotation,
    isFlippedX: child.isFlippedX !== group.isFlippedX,
    isFlippedY: child.isFlippedY !== group.isFlippedY,
  };
}
