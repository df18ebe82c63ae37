// Software drawing into a Frame: anti-aliased shapes, sprites and integer scaling. No DOM, so the model in a worker, the
// command line and the page see the same bytes. What runs for each pixel allocates nothing: the front page draws its first
// picture before the engine has optimised any of this, and arrays that are taken apart at once are then the largest cost.
import type { Frame } from "./types.ts";

/** Red, green, blue 0 … 255 and opacity 0 … 1. */
export interface Color {
  r: number;
  g: number;
  b: number;
  a: number;
}

/** One colour, or a colour for each place (in the drawing's own units). */
export type Paint = Color | ((x: number, y: number) => Color);

/** An area: signed distance to its edge (negative inside) and a box that holds it, both in the drawing's units. */
export interface Shape {
  distance(x: number, y: number): number;
  /** Whether no place is nearer to the edge than `distance` says, so that places within it need no look of their own. */
  exact?: boolean;
  box: readonly [left: number, top: number, right: number, bottom: number];
}

export type Point = readonly [x: number, y: number];

/** Points as SVG writes them: "10,22 22,10". */
export const points = (text: string): Point[] =>
  text.split(" ").map((pair) => pair.split(",").map(Number) as [number, number]);

/** A colour from "#rrggbb". */
export function hex(code: string, opacity = 1): Color {
  const value = Number.parseInt(code.slice(1), 16);
  return { r: value >> 16, g: (value >> 8) & 255, b: value & 255, a: opacity };
}

/** The colour `t` of the way from `from` to `to`; t outside 0 … 1 is clamped. */
export function mix(from: Color, to: Color, t: number): Color {
  const k = clamp01(t);
  const blend = (x: number, y: number) => x + (y - x) * k;
  return { r: blend(from.r, to.r), g: blend(from.g, to.g), b: blend(from.b, to.b), a: blend(from.a, to.a) };
}

/** A new picture, transparent or of one colour. */
export function createFrame(width: number, height: number, color?: Color): Frame {
  const frame = { width, height, data: new Uint8ClampedArray(width * height * 4) };
  if (color) fillRect(frame, 0, 0, width, height, color);
  return frame;
}

/** Lays a colour over whole pixels; parts outside the frame are ignored. */
export function fillRect(
  frame: Frame,
  x: number,
  y: number,
  width: number,
  height: number,
  color: Color,
): void {
  const [left, top] = [Math.max(0, x), Math.max(0, y)];
  const [right, bottom] = [Math.min(frame.width, x + width), Math.min(frame.height, y + height)];
  for (let row = top; row < bottom; row++) {
    for (let col = left; col < right; col++) lay(frame, (row * frame.width + col) * 4, color, 1);
  }
}

/** Lays `source` over `target` with its top left corner at (x, y); parts outside the target are ignored. */
export function blit(target: Frame, source: Frame, x: number, y: number): void {
  const [to, from] = [pixelsOf(target), pixelsOf(source)];
  const over: Color = { r: 0, g: 0, b: 0, a: 0 };
  for (let row = Math.max(0, -y); row < Math.min(source.height, target.height - y); row++) {
    for (let col = Math.max(0, -x); col < Math.min(source.width, target.width - x); col++) {
      const at = (y + row) * target.width + x + col;
      const pixel = row * source.width + col;
      const opacity = source.data[pixel * 4 + 3];
      // Most pixels of a sprite are opaque or empty and need no arithmetic.
      if (opacity === 255) to[at] = from[pixel];
      else if (opacity > 0) {
        over.r = source.data[pixel * 4];
        over.g = source.data[pixel * 4 + 1];
        over.b = source.data[pixel * 4 + 2];
        over.a = opacity / 255;
        lay(target, at * 4, over, 1);
      }
    }
  }
}

/** The pixels of a frame, four bytes each, which can be copied at once. */
const pixelsOf = ({ data }: Frame) => new Uint32Array(data.buffer, data.byteOffset, data.length / 4);

/** Nearest-neighbour resampling; exact for whole factors, so pixel art keeps its edges. */
export function resample(source: Frame, width: number, height: number): Frame {
  const frame = createFrame(width, height);
  const [pixels, from] = [pixelsOf(frame), pixelsOf(source)];
  for (let y = 0; y < height; y++) {
    const row = Math.floor((y * source.height) / height) * source.width;
    for (let x = 0; x < width; x++)
      pixels[y * width + x] = from[row + Math.floor((x * source.width) / width)];
  }
  return frame;
}

/**
 * Fills a shape with smooth edges. `scale` is pixels per unit of the shape, so that one drawing serves every size.
 * A pixel on the edge is covered as far as its centre lies inside.
 */
export function fill(frame: Frame, shape: Shape, paint: Paint, scale = 1): void {
  const [left, top, right, bottom] = shape.box;
  const [firstRow, endRow] = pixelSpan(top, bottom, scale, frame.height);
  const [firstCol, endCol] = pixelSpan(left, right, scale, frame.width);
  const line: Line = { frame, paint, scale, opaque: typeof paint !== "function" && paint.a === 1 };
  for (let row = firstRow; row < endRow; row++) {
    const y = (row + 0.5) / scale;
    for (let col = firstCol; col < endCol; ) {
      const inside = 0.5 - shape.distance((col + 0.5) / scale, y) * scale;
      const coverage = clamp01(inside);
      // The next pixels are on the same side of the edge; one that touches it is left for a look of its own.
      const away = (inside > 0 ? inside : 1 - inside) - TOUCHES;
      const alike = shape.exact ? Math.max(1, Math.floor(away)) : 1;
      const end = Math.min(endCol, col + alike);
      if (coverage > 0) layLine(line, row, col, end, coverage);
      col = end;
    }
  }
}

/** Nearer than this, in pixels, rounding errors decide on which side of an edge a pixel is. */
const TOUCHES = 1e-6;

/** What a line of pixels is filled with. */
interface Line {
  frame: Frame;
  paint: Paint;
  scale: number;
  /** One colour that hides what is below it. */
  opaque: boolean;
}

/** Lays a paint over the pixels `from` … `end` − 1 of a row. */
function layLine(
  { frame, paint, scale, opaque }: Line,
  row: number,
  from: number,
  end: number,
  coverage: number,
): void {
  const start = row * frame.width;
  if (typeof paint === "function") {
    for (let col = from; col < end; col++)
      lay(frame, (start + col) * 4, paint((col + 0.5) / scale, (row + 0.5) / scale), coverage);
    return;
  }
  if (opaque && coverage === 1) {
    lay(frame, (start + from) * 4, paint, 1);
    const pixels = pixelsOf(frame);
    pixels.fill(pixels[start + from], start + from + 1, start + end);
    return;
  }
  for (let col = from; col < end; col++) lay(frame, (start + col) * 4, paint, coverage);
}

/** The pixels that a range of the drawing can touch, with one more on each side for its soft edge; `end` is not included. */
const pixelSpan = (low: number, high: number, scale: number, size: number): [first: number, end: number] => [
  Math.max(0, Math.floor(low * scale) - 1),
  Math.min(size, high * scale + 1),
];

export function circle(cx: number, cy: number, radius: number): Shape {
  return ellipse(cx, cy, radius, radius);
}

/** The distance is exact for a circle and close near the edge otherwise, which is where it matters. */
export function ellipse(cx: number, cy: number, rx: number, ry: number): Shape {
  return {
    exact: rx === ry,
    box: [cx - rx, cy - ry, cx + rx, cy + ry],
    distance(x, y) {
      const dx = (x - cx) / rx;
      const dy = (y - cy) / ry;
      const k = Math.sqrt(dx * dx + dy * dy);
      if (k === 0) return -Math.min(rx, ry);
      const gx = dx / rx;
      const gy = dy / ry;
      return ((k - 1) * k) / Math.sqrt(gx * gx + gy * gy);
    },
  };
}

/** A rectangle with rounded corners; radius 0 gives sharp ones. */
export function roundRect(left: number, top: number, width: number, height: number, radius: number): Shape {
  const [cx, cy] = [left + width / 2, top + height / 2];
  return {
    exact: true,
    box: [left, top, left + width, top + height],
    distance(x, y) {
      const dx = Math.abs(x - cx) - width / 2 + radius;
      const dy = Math.abs(y - cy) - height / 2 + radius;
      const ox = Math.max(dx, 0);
      const oy = Math.max(dy, 0);
      return Math.sqrt(ox * ox + oy * oy) + Math.min(Math.max(dx, dy), 0) - radius;
    },
  };
}

/** A line through points with round ends and joints. */
export function stroke(points: readonly Point[], width: number): Shape {
  return {
    exact: true,
    box: grow(boxOf(points), width / 2),
    distance(x, y) {
      let nearest = Number.POSITIVE_INFINITY;
      for (let i = 1; i < points.length; i++) {
        nearest = Math.min(nearest, squaredDistance(x, y, points[i - 1], points[i]));
      }
      return Math.sqrt(nearest) - width / 2;
    },
  };
}

/** A closed polygon, convex or not. */
export function polygon(points: readonly Point[]): Shape {
  return {
    exact: true,
    box: boxOf(points),
    distance(x, y) {
      let nearest = Number.POSITIVE_INFINITY;
      let inside = false;
      for (let i = 0; i < points.length; i++) {
        const from = points[i];
        const to = points[(i + 1) % points.length];
        nearest = Math.min(nearest, squaredDistance(x, y, from, to));
        // Each edge that a ray to the right crosses changes sides.
        const crosses = from[1] > y !== to[1] > y;
        if (crosses && x < from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]))
          inside = !inside;
      }
      return inside ? -Math.sqrt(nearest) : Math.sqrt(nearest);
    },
  };
}

/** What two shapes share. */
export function intersect(one: Shape, other: Shape): Shape {
  return {
    exact: one.exact === true && other.exact === true,
    box: one.box,
    distance: (x, y) => Math.max(one.distance(x, y), other.distance(x, y)),
  };
}

/** The edge of a shape as a line of that width. */
export function outline(shape: Shape, width: number): Shape {
  return {
    exact: shape.exact === true,
    box: grow(shape.box, width / 2),
    distance: (x, y) => Math.abs(shape.distance(x, y)) - width / 2,
  };
}

/** Smooth noise from 0 to 1, about one bump per unit; the same for the same place and salt, everywhere. */
export function noise(x: number, y: number, salt = 0): number {
  const col = Math.floor(x);
  const row = Math.floor(y);
  const u = ease(x - col);
  const v = ease(y - row);
  const top = grain(col, row, salt) * (1 - u) + grain(col + 1, row, salt) * u;
  const bottom = grain(col, row + 1, salt) * (1 - u) + grain(col + 1, row + 1, salt) * u;
  return top * (1 - v) + bottom * v;
}

/** A hash of a lattice point, 0 … 1. */
export function grain(col: number, row: number, salt = 0): number {
  let h = Math.imul(col, 0x27d4eb2d) ^ Math.imul(row, 0x165667b1) ^ Math.imul(salt, 0x9e3779b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 2 ** 32;
}

const ease = (t: number) => t * t * (3 - 2 * t);
const clamp01 = (x: number) => Math.min(1, Math.max(0, x));

/** Source over destination at byte offset `at`, for straight (not premultiplied) colours. */
function lay(frame: Frame, at: number, color: Color, coverage: number): void {
  const { data } = frame;
  const over = color.a * coverage;
  const under = (data[at + 3] / 255) * (1 - over);
  const opacity = over + under;
  if (opacity === 0) return;
  data[at] = (color.r * over + data[at] * under) / opacity;
  data[at + 1] = (color.g * over + data[at + 1] * under) / opacity;
  data[at + 2] = (color.b * over + data[at + 2] * under) / opacity;
  data[at + 3] = opacity * 255;
}

function squaredDistance(x: number, y: number, from: Point, to: Point): number {
  const px = x - from[0];
  const py = y - from[1];
  const dx = to[0] - from[0];
  const dy = to[1] - from[1];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : clamp01((px * dx + py * dy) / length);
  return (px - t * dx) ** 2 + (py - t * dy) ** 2;
}

function boxOf(points: readonly Point[]): Shape["box"] {
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

const grow = ([left, top, right, bottom]: Shape["box"], by: number): Shape["box"] => [
  left - by,
  top - by,
  right + by,
  bottom + by,
];
