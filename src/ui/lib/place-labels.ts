// Places for the names in a drawing: within it, and not over each other.

/** The middle and the baseline of a text. */
export interface TextPlace {
  x: number;
  y: number;
}

/** A text and where it may stand, the best place first; at least one. Lengths are in the units of the drawing. */
export interface Label {
  text: string;
  /** Of the font. */
  size: number;
  places: readonly TextPlace[];
}

interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The mean advance of a sign, and the extents above and below the baseline, relative to the size of the font. */
const FONT = { advance: 0.62, ascent: 0.85, descent: 0.25 };

/**
 * A place for every label. Labels are placed in order, each in the first of its places that lies in `area` and is free; where none is, in
 * the one that covers least of those before it. A text that would reach over the left or the right edge is moved inwards.
 */
export function placeLabels(labels: readonly Label[], area: Box): TextPlace[] {
  const taken: Box[] = [];
  return labels.map((label) => {
    const options = label.places.map((place) => moved(place, label, area));
    const costs = options.map((place) => costOf(boxOf(place, label), taken, area));
    const best = options[costs.indexOf(Math.min(...costs))]!;
    taken.push(boxOf(best, label));
    return best;
  });
}

const widthOf = ({ text, size }: Label): number => text.length * FONT.advance * size;

/** Moved sideways into the area; a text that is wider than the area stands in its middle. */
function moved({ x, y }: TextPlace, label: Label, area: Box): TextPlace {
  const half = Math.min(widthOf(label), area.width) / 2;
  return { x: Math.max(area.x + half, Math.min(area.x + area.width - half, x)), y };
}

function boxOf({ x, y }: TextPlace, label: Label): Box {
  const width = widthOf(label);
  const { ascent, descent } = FONT;
  return { x: x - width / 2, y: y - ascent * label.size, width, height: (ascent + descent) * label.size };
}

/** How much of a box lies over others, or above or below the area; exactly 0 where nothing does. */
function costOf(box: Box, taken: readonly Box[], area: Box): number {
  const outside = Math.max(0, area.y - box.y) + Math.max(0, box.y + box.height - area.y - area.height);
  return taken.reduce((sum, other) => sum + shared(box, other), outside * box.width);
}

const shared = (a: Box, b: Box): number =>
  Math.max(0, overlap(a.x, a.width, b.x, b.width)) * Math.max(0, overlap(a.y, a.height, b.y, b.height));

/** The length that two ranges share; negative where they are apart. */
const overlap = (a: number, ofA: number, b: number, ofB: number): number =>
  Math.min(a + ofA, b + ofB) - Math.max(a, b);
