// A scene in typed arrays, which is what the rasteriser reads for every picture. Built once per scene.
import { dot, type Face, type Rgb, type Vec3 } from "./solid.ts";
import { Tones } from "./tones.ts";

/** Faces that are drawn or left out together. */
export interface Group {
  /** What the id buffer holds where one of the faces is seen: 0 … 65535. */
  id: number;
  faces: readonly Face[];
}

/** Numbers per face in `Mesh.planes`: the normal and its distance from the origin. */
export const PLANE = 4;
/** Numbers per group in `Mesh.bounds`: centre and half extents of a box around it. */
export const BOUNDS = 6;
/** Numbers per face in `Mesh.paints`: one of `PAINT_KINDS`, colour, start of its tones, one over the size of the pattern. */
export const PAINT = 4;

const PAINT_KINDS = ["flat", "plain", "checker", "planks", "tiles"] as const;

/** Corners that a face may have. */
export const MOST_CORNERS = 12;

export interface Mesh {
  groups: number;
  ids: Uint16Array;
  bounds: Float64Array;
  /** First face of each group, and the number of faces at the end. */
  firstFace: Int32Array;
  /** First point of each face, and the number of points at the end. */
  firstPoint: Int32Array;
  /** x, y, z of each point. */
  points: Float64Array;
  planes: Float64Array;
  paints: Float64Array;
  /** See `Tones`. */
  tones: Uint32Array;
}

/** Direction to the light, of length 1 within rounding. */
const LIGHT: Vec3 = [0.36, 0.8, 0.48];
/** Light on a face that stands square to `LIGHT`, what direction adds or takes, and what the floor throws back at faces that look down. */
const EVEN = 0.82;
const DIRECTED = 0.2;
const BOUNCED = 0.3;

/**
 * The scene of the groups, which are drawn in this order; the nearest ones first are drawn fastest.
 * @throws RangeError for a face with too many corners, or fewer than three.
 */
export function buildMesh(groups: readonly Group[]): Mesh {
  const faces = groups.flatMap((group) => group.faces);
  for (const { points } of faces)
    if (points.length < 3 || points.length > MOST_CORNERS)
      throw new RangeError(`a face has ${points.length} corners; use 3 to ${MOST_CORNERS}`);
  const firstPoint = starts(faces.map((face) => face.points.length));
  const mesh: Mesh = {
    groups: groups.length,
    ids: Uint16Array.from(groups, ({ id }) => id),
    bounds: new Float64Array(groups.length * BOUNDS),
    firstFace: starts(groups.map((group) => group.faces.length)),
    firstPoint,
    points: new Float64Array(firstPoint[faces.length] * 3),
    planes: new Float64Array(faces.length * PLANE),
    paints: new Float64Array(faces.length * PAINT),
    tones: new Uint32Array(0),
  };
  const tones = new Tones();
  let at = 0;
  for (const { points } of faces)
    for (const point of points) {
      mesh.points[at++] = point[0];
      mesh.points[at++] = point[1];
      mesh.points[at++] = point[2];
    }
  faces.forEach((face, i) => {
    mesh.planes.set(face.normal, i * PLANE);
    mesh.planes[i * PLANE + 3] = dot(face.normal, face.points[0]);
    setPaint(mesh.paints, i * PAINT, face, tones);
  });
  mesh.tones = tones.table();
  for (let group = 0; group < groups.length; group++) setBounds(mesh, group);
  return mesh;
}

function starts(counts: readonly number[]): Int32Array {
  const first = new Int32Array(counts.length + 1);
  counts.forEach((count, i) => {
    first[i + 1] = first[i] + count;
  });
  return first;
}

function setBounds({ bounds, points, firstFace, firstPoint }: Mesh, group: number): void {
  const first = firstPoint[firstFace[group]] * 3;
  const end = firstPoint[firstFace[group + 1]] * 3;
  for (let axis = 0; axis < 3; axis++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let i = first + axis; i < end; i += 3) {
      if (points[i] < low) low = points[i];
      if (points[i] > high) high = points[i];
    }
    bounds[group * BOUNDS + axis] = (low + high) / 2;
    bounds[group * BOUNDS + 3 + axis] = (high - low) / 2;
  }
}

function setPaint(paints: Float64Array, at: number, { normal, color, pattern }: Face, tones: Tones): void {
  const light = EVEN + DIRECTED * dot(normal, LIGHT) + BOUNCED * Math.max(0, -normal[1]);
  paints[at] = PAINT_KINDS.indexOf(pattern?.kind ?? "flat");
  paints[at + 1] = packed(color, light);
  if (!pattern) return;
  paints[at + 2] = tones.startOf(paints[at + 1], packed(pattern.second, light));
  paints[at + 3] = 1 / pattern.size;
}

/** A colour in one number, 0xrrggbb. */
const packed = ([r, g, b]: Rgb, light: number): number =>
  (channel(r * light) << 16) | (channel(g * light) << 8) | channel(b * light);
const channel = (value: number): number => Math.min(255, Math.max(0, Math.round(value)));
