// Faces with a pattern: the place on the face is found for every sample, so lines run true in perspective.
import type { Camera } from "./camera.ts";
import type { Canvas } from "./canvas.ts";
import { type Mesh, PAINT, PLANE } from "./mesh.ts";

/** What the spans of a face share: its rows on the canvas, and where it begins and ends in each. */
export interface Spans {
  first: number;
  end: number;
  left: Float64Array;
  right: Float64Array;
}

/** Light that is left far away, as a part of the full light. */
const FAR_LIGHT = 0.72;

/** The paint of a face and where it lies, in variables of the module: nothing is allocated for a face. */
let kind = 0;
let size = 1;
let red = 0;
let green = 0;
let blue = 0;
let redChange = 0;
let greenChange = 0;
let blueChange = 0;

function choosePaint({ paints }: Mesh, at: number): void {
  kind = paints[at];
  size = paints[at + 3];
  const base = paints[at + 1];
  const second = paints[at + 2];
  red = base >> 16;
  green = (base >> 8) & 255;
  blue = base & 255;
  redChange = (second >> 16) - red;
  greenChange = ((second >> 8) & 255) - green;
  blueChange = (second & 255) - blue;
}

/** Fills the spans of a face where it is nearer than what is drawn; `at`, `perCol`, `perRow` give one over its depth. */
export function paintPattern(
  { side, colors, nearness, ids }: Canvas,
  { first, end, left, right }: Spans,
  at: number,
  perCol: number,
  perRow: number,
  mesh: Mesh,
  face: number,
  camera: Camera,
  id: number,
): void {
  choosePaint(mesh, face * PAINT);
  const isPlain = kind === 1;
  // The two world axes that the face lies in.
  const u = Math.abs(mesh.planes[face * PLANE]) > 0.5 ? 2 : 0;
  const v = Math.abs(mesh.planes[face * PLANE + 1]) > 0.5 ? 2 : 1;
  const { position, up, forward, tangent, clear } = camera;
  const [originU, originV] = [position[u], position[v]];
  const [perU, perV] = [camera.right[u], camera.right[v]];
  const perSample = (2 * tangent) / side;
  for (let row = first; row < end; row++) {
    const from = Math.max(0, Math.ceil(left[row] - 0.5));
    const to = Math.min(side, Math.ceil(right[row] - 0.5));
    const atRow = at + row * perRow;
    const high = tangent - (row + 0.5) * perSample;
    const startU = forward[u] + up[u] * high - perU * tangent;
    const startV = forward[v] + up[v] * high - perV * tangent;
    const start = row * side;
    for (let col = from; col < to; col++) {
      const near = atRow + col * perCol;
      if (near <= nearness[start + col]) continue;
      let part = 0;
      if (!isPlain) {
        const wide = (col + 0.5) * perSample;
        const depth = 1 / near;
        part = patternAt(originU + (startU + perU * wide) * depth, originV + (startV + perV * wide) * depth);
      }
      nearness[start + col] = near;
      colors[start + col] = toned(part, near * clear < 1 ? near * clear : 1);
      ids[start + col] = id;
    }
  }
}

/** How much of the second colour a place has, 0 … 1. */
function patternAt(u: number, v: number): number {
  const across = u / size;
  const column = Math.floor(across);
  if (kind === 2) return (column + Math.floor(v / size)) & 1;
  if (kind === 4) return across - column < 0.08 || v / size - Math.floor(v / size) < 0.08 ? 1 : 0;
  // Boards are six times as long as wide, and each begins somewhere else.
  const lengthwise = v / (6 * size) + (column & 3) * 0.3;
  if (across - column < 0.06 || lengthwise - Math.floor(lengthwise) < 0.015) return 1;
  return ((column & 1) + (Math.floor(lengthwise) & 1)) * 0.25;
}

function toned(part: number, contrast: number): number {
  const light = FAR_LIGHT + (1 - FAR_LIGHT) * contrast;
  const much = part * contrast;
  return (
    (((red + redChange * much) * light) << 16) |
    (((green + greenChange * much) * light) << 8) |
    ((blue + blueChange * much) * light)
  );
}
