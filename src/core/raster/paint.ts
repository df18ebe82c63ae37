// Faces with a pattern: the place on the face is found for every sample, so lines run true in perspective.
import type { Camera } from "./camera.ts";
import type { Canvas } from "./canvas.ts";
import { type Mesh, PAINT, PLANE } from "./mesh.ts";
import { LEVELS } from "./tones.ts";

/** What the spans of a face share: its rows on the canvas, and where it begins and ends in each. */
export interface Spans {
  first: number;
  end: number;
  left: Float64Array;
  right: Float64Array;
}

/** Fills the spans of a face where it is nearer than what is drawn; `at`, `perCol`, `perRow` give one over its depth. */
export function paintPattern(
  { side, colors, nearness, ids }: Canvas,
  { first, end, left, right }: Spans,
  at: number,
  perCol: number,
  perRow: number,
  { paints, planes, tones }: Mesh,
  face: number,
  camera: Camera,
  id: number,
): void {
  const kind = paints[face * PAINT];
  const tone = paints[face * PAINT + 2];
  const perSize = paints[face * PAINT + 3];
  // The two world axes that the face lies in.
  const u = Math.abs(planes[face * PLANE]) > 0.5 ? 2 : 0;
  const v = Math.abs(planes[face * PLANE + 1]) > 0.5 ? 2 : 1;
  const { position, up, forward, tangent } = camera;
  const levels = camera.clear * LEVELS;
  const originU = position[u] * perSize;
  const originV = position[v] * perSize;
  const perSample = ((2 * tangent) / side) * perSize;
  const perU = camera.right[u] * perSample;
  const perV = camera.right[v] * perSample;
  for (let row = first; row < end; row++) {
    const from = Math.max(0, Math.ceil(left[row] - 0.5));
    const to = Math.min(side, Math.ceil(right[row] - 0.5));
    const atRow = at + row * perRow;
    const high = tangent * perSize - (row + 0.5) * perSample;
    const startU = (forward[u] - camera.right[u] * tangent) * perSize + up[u] * high + perU * 0.5;
    const startV = (forward[v] - camera.right[v] * tangent) * perSize + up[v] * high + perV * 0.5;
    const start = row * side;
    for (let col = from; col < to; col++) {
      const near = atRow + col * perCol;
      if (near <= nearness[start + col]) continue;
      const level = near * levels < LEVELS - 1 ? Math.floor(near * levels) : LEVELS - 1;
      const depth = 1 / near;
      const quarters = quartersAt(
        kind,
        originU + (startU + perU * col) * depth,
        originV + (startV + perV * col) * depth,
      );
      nearness[start + col] = near;
      colors[start + col] = tones[tone + quarters * LEVELS + level];
      ids[start + col] = id;
    }
  }
}

/** How many quarters of the second colour a place has, 0 … 4; places are counted in sizes of the pattern. */
function quartersAt(kind: number, u: number, v: number): number {
  if (kind === 1) return 0;
  const column = Math.floor(u);
  if (kind === 2) return ((column + Math.floor(v)) & 1) * 4;
  if (kind === 4) return u - column < 0.08 || v - Math.floor(v) < 0.08 ? 4 : 0;
  // Boards are six times as long as wide, and each begins somewhere else.
  const lengthwise = v / 6 + (column & 3) * 0.3;
  const board = Math.floor(lengthwise);
  if (u - column < 0.06 || lengthwise - board < 0.015) return 4;
  return (column & 1) + (board & 1);
}
