// A rasteriser with perspective and a depth buffer. It computes with + − × ÷ alone, which every engine rounds in the same way,
// so page, worker and Node draw the same bytes. What runs for each face allocates nothing.
import type { Camera } from "./camera.ts";
import type { Canvas } from "./canvas.ts";
import { BOUNDS, type Mesh, MOST_CORNERS, PAINT, PLANE } from "./mesh.ts";
import { paintPattern, type Spans } from "./paint.ts";
import type { Vec3 } from "./solid.ts";

/** The near plane cuts one corner off a face and leaves two in its place. */
const CUT_CORNERS = MOST_CORNERS + 1;
const cornerX = new Float64Array(CUT_CORNERS);
const cornerY = new Float64Array(CUT_CORNERS);
const cornerZ = new Float64Array(CUT_CORNERS);
const screenX = new Float64Array(CUT_CORNERS);
const screenY = new Float64Array(CUT_CORNERS);

const spans: Spans = { first: 0, end: 0, left: new Float64Array(0), right: new Float64Array(0) };

/**
 * Draws a scene over what the canvas holds; nearer things hide farther ones, whatever the order.
 * @param patterned false: every face in one colour, which is faster where only depths and ids count.
 */
export function drawMesh(canvas: Canvas, mesh: Mesh, camera: Camera, patterned = true): void {
  paintMesh(canvas, mesh, camera, patterned ? paintFace : paintFlat);
}

/**
 * Darkens the samples with the id `seen` that a scene covers, at any depth. A darkened sample takes the id of the scene's group, so it is
 * darkened only once.
 * @param seen the id of the samples to darken; no group of the scene has it.
 * @param light what is left of their light, in 256ths.
 */
export function shadeMesh(canvas: Canvas, mesh: Mesh, camera: Camera, seen: number, light: number): void {
  paintMesh(canvas, mesh, camera, (on, covered, _at, _perCol, _perRow, _mesh, _face, _camera, id) =>
    darken(on, covered, seen, light, id),
  );
}

/** Paints the samples of a face. One over the depth of a sample is at + col · perCol + row · perRow. */
type Painter = typeof paintPattern;

function paintMesh(canvas: Canvas, mesh: Mesh, camera: Camera, paint: Painter): void {
  if (spans.left.length < canvas.side) {
    spans.left = new Float64Array(canvas.side);
    spans.right = new Float64Array(canvas.side);
  }
  for (let group = 0; group < mesh.groups; group++) {
    if (isOutside(mesh.bounds, group * BOUNDS, camera)) continue;
    const end = mesh.firstFace[group + 1];
    for (let face = mesh.firstFace[group]; face < end; face++)
      drawFace(canvas, mesh, camera, face, mesh.ids[group], paint);
  }
}

/** Whether a box lies wholly outside of what the camera sees. It may say no for a box that does. */
function isOutside(bounds: Float64Array, at: number, camera: Camera): boolean {
  const { position, right, up, forward, tangent, near } = camera;
  const dx = bounds[at] - position[0];
  const dy = bounds[at + 1] - position[1];
  const dz = bounds[at + 2] - position[2];
  const far = along(forward, dx, dy, dz) + reach(forward, bounds, at);
  if (far < near) return true;
  const most = far * tangent;
  if (Math.abs(along(right, dx, dy, dz)) - reach(right, bounds, at) > most) return true;
  return Math.abs(along(up, dx, dy, dz)) - reach(up, bounds, at) > most;
}

const along = (axis: Vec3, dx: number, dy: number, dz: number): number =>
  axis[0] * dx + axis[1] * dy + axis[2] * dz;

/** Half the length of a box along an axis. */
const reach = (axis: Vec3, bounds: Float64Array, at: number): number =>
  Math.abs(axis[0]) * bounds[at + 3] +
  Math.abs(axis[1]) * bounds[at + 4] +
  Math.abs(axis[2]) * bounds[at + 5];

function drawFace(
  canvas: Canvas,
  mesh: Mesh,
  camera: Camera,
  face: number,
  id: number,
  paint: Painter,
): void {
  const { position } = camera;
  const nx = mesh.planes[face * PLANE];
  const ny = mesh.planes[face * PLANE + 1];
  const nz = mesh.planes[face * PLANE + 2];
  const distance = mesh.planes[face * PLANE + 3] - nx * position[0] - ny * position[1] - nz * position[2];
  // Not negative: the camera is behind the face or in its plane.
  if (distance >= 0) return;
  const corners = clippedCorners(mesh, camera, face);
  if (corners < 3) return;
  const half = canvas.side / 2;
  const scale = half / camera.tangent;
  project(corners, half, scale);
  if (!findSpans(corners, canvas.side)) return;
  // On the plane of the face, one over the depth is linear in the picture: at + col · perCol + row · perRow.
  const perCol = along(camera.right, nx, ny, nz) / (distance * scale);
  const perRow = -along(camera.up, nx, ny, nz) / (distance * scale);
  const at = along(camera.forward, nx, ny, nz) / distance + (0.5 - half) * (perCol + perRow);
  paint(canvas, spans, at, perCol, perRow, mesh, face, camera, id);
}

const paintFace: Painter = (canvas, covered, at, perCol, perRow, mesh, face, camera, id) =>
  mesh.paints[face * PAINT] === 0
    ? paintFlat(canvas, covered, at, perCol, perRow, mesh, face, camera, id)
    : paintPattern(canvas, covered, at, perCol, perRow, mesh, face, camera, id);

/** The corners of a face as the camera sees them, cut off at the near plane; returns how many there are. */
function clippedCorners(mesh: Mesh, camera: Camera, face: number): number {
  const { position, right, up, forward, near } = camera;
  const { points } = mesh;
  const [first, end] = [mesh.firstPoint[face], mesh.firstPoint[face + 1]];
  let count = 0;
  let px = 0;
  let py = 0;
  let pz = 0;
  // The last corner comes first, too, as the one before the first.
  for (let i = first - 1; i < end; i++) {
    const at = (i < first ? end - 1 : i) * 3;
    const dx = points[at] - position[0];
    const dy = points[at + 1] - position[1];
    const dz = points[at + 2] - position[2];
    const x = along(right, dx, dy, dz);
    const y = along(up, dx, dy, dz);
    const z = along(forward, dx, dy, dz);
    if (i >= first) {
      if (z >= near !== pz >= near) cut(count++, near, x, y, z, px, py, pz);
      if (z >= near) put(count++, x, y, z);
    }
    px = x;
    py = y;
    pz = z;
  }
  return count;
}

function put(corner: number, x: number, y: number, z: number): void {
  cornerX[corner] = x;
  cornerY[corner] = y;
  cornerZ[corner] = z;
}

/** The place where an edge meets the near plane, computed from its far end, so that two faces agree about their common edge. */
function cut(
  corner: number,
  near: number,
  x: number,
  y: number,
  z: number,
  px: number,
  py: number,
  pz: number,
): void {
  if (z < pz) cut(corner, near, px, py, pz, x, y, z);
  else {
    const t = (z - near) / (z - pz);
    put(corner, x + (px - x) * t, y + (py - y) * t, near);
  }
}

function project(corners: number, half: number, scale: number): void {
  for (let i = 0; i < corners; i++) {
    screenX[i] = half + (cornerX[i] / cornerZ[i]) * scale;
    screenY[i] = half - (cornerY[i] / cornerZ[i]) * scale;
  }
}

/**
 * The rows whose middle the polygon crosses, and its two ends in each. Every edge is followed from its upper end, so that two faces
 * with a common edge leave no gap and share no sample. Returns whether there is anything to draw.
 */
function findSpans(corners: number, side: number): boolean {
  let top = Number.POSITIVE_INFINITY;
  let bottom = Number.NEGATIVE_INFINITY;
  let leftmost = Number.POSITIVE_INFINITY;
  let rightmost = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < corners; i++) {
    if (screenY[i] < top) top = screenY[i];
    if (screenY[i] > bottom) bottom = screenY[i];
    if (screenX[i] < leftmost) leftmost = screenX[i];
    if (screenX[i] > rightmost) rightmost = screenX[i];
  }
  if (rightmost <= 0 || leftmost >= side || bottom <= 0 || top >= side) return false;
  const first = Math.max(0, Math.ceil(top - 0.5));
  const end = Math.min(side, Math.ceil(bottom - 0.5));
  if (first >= end) return false;
  spans.first = first;
  spans.end = end;
  spans.left.fill(Number.POSITIVE_INFINITY, first, end);
  spans.right.fill(Number.NEGATIVE_INFINITY, first, end);
  for (let i = 0; i < corners; i++) followEdge(i, i + 1 < corners ? i + 1 : 0, side);
  return true;
}

function followEdge(one: number, other: number, side: number): void {
  if (screenY[one] === screenY[other]) return;
  const upper = screenY[one] < screenY[other] ? one : other;
  const lower = upper === one ? other : one;
  const x = screenX[upper];
  const y = screenY[upper];
  const slope = (screenX[lower] - x) / (screenY[lower] - y);
  const first = Math.max(0, Math.ceil(y - 0.5));
  const end = Math.min(side, Math.ceil(screenY[lower] - 0.5));
  const { left, right } = spans;
  for (let row = first; row < end; row++) {
    const at = x + (row + 0.5 - y) * slope;
    if (at < left[row]) left[row] = at;
    if (at > right[row]) right[row] = at;
  }
}

function paintFlat(
  { side, colors, nearness, ids }: Canvas,
  { first, end, left, right }: Spans,
  at: number,
  perCol: number,
  perRow: number,
  { paints }: Mesh,
  face: number,
  _camera: Camera,
  id: number,
): void {
  const color = paints[face * PAINT + 1];
  for (let row = first; row < end; row++) {
    const from = Math.max(0, Math.ceil(left[row] - 0.5));
    const to = Math.min(side, Math.ceil(right[row] - 0.5));
    const atRow = at + row * perRow;
    const start = row * side;
    for (let col = from; col < to; col++) {
      const near = atRow + col * perCol;
      if (near <= nearness[start + col]) continue;
      nearness[start + col] = near;
      colors[start + col] = color;
      ids[start + col] = id;
    }
  }
}

function darken(
  { side, colors, ids }: Canvas,
  { first, end, left, right }: Spans,
  seen: number,
  light: number,
  id: number,
): void {
  for (let row = first; row < end; row++) {
    const from = row * side + Math.max(0, Math.ceil(left[row] - 0.5));
    const to = row * side + Math.min(side, Math.ceil(right[row] - 0.5));
    for (let i = from; i < to; i++) {
      if (ids[i] !== seen) continue;
      ids[i] = id;
      const color = colors[i];
      const redBlue = (((color & 0xff00ff) * light) >>> 8) & 0xff00ff;
      colors[i] = redBlue | ((((color & 0x00ff00) * light) >>> 8) & 0x00ff00);
    }
  }
}
