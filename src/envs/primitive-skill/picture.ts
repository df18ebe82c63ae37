// The picture of a state.
import { type Canvas, clearCanvas, createCanvas, frameOf } from "../../core/raster/canvas.ts";
import { drawMesh } from "../../core/raster/draw.ts";
import { buildMesh, type Mesh } from "../../core/raster/mesh.ts";
import type { Face } from "../../core/raster/solid.ts";
import type { Frame } from "../../core/types.ts";
import { cabinet, drawer, room, tableTop, thing } from "./furniture.ts";
import type { Snapshot } from "./physics.ts";
import { robot } from "./robot.ts";
import { shaded, shadowOf } from "./shade.ts";
import type { Solid } from "./shapes.ts";
import type { Task } from "./tasks.ts";
import { type PictureCamera, toRaster } from "./view.ts";

/** Samples per pixel along each side: more in small pictures, where a cube is a few pixels wide. */
const detailOf = (size: number): number => (size <= 128 ? 3 : 2);

/** What the canvas holds where the table is seen, and elsewhere. */
const TABLE = 1;
const OTHER = 2;
/** Light that is left in a shadow, in 256ths. */
const SHADOW = 186;

/** A picture's canvas, and one that marks where a shadow falls. */
interface Canvases {
  picture: Canvas;
  shadow: Canvas;
}

/** Canvases by size, reused for every picture. */
const canvases = new Map<number, Canvases>();
/** What does not move, by task. */
const still = new Map<Task, Mesh>();

function canvasesOf(size: number): Canvases {
  let both = canvases.get(size);
  if (!both) {
    both = { picture: createCanvas(size, detailOf(size)), shadow: createCanvas(size, detailOf(size)) };
    canvases.set(size, both);
  }
  clearCanvas(both.picture);
  clearCanvas(both.shadow);
  return both;
}

/** Draws a task as a camera sees it. */
export function draw(task: Task, seen: Snapshot, camera: PictureCamera, size: number): Frame {
  const { picture, shadow } = canvasesOf(size);
  const moving = movingOf(task, seen);
  const standing = task.hasDrawer ? cabinet() : [];
  drawMesh(picture, stillOf(task), camera);
  drawMesh(picture, meshOf(moving, OTHER), camera);
  const shadows = [...moving, ...standing].flatMap((solid) => shadowOf(solid) ?? []);
  drawMesh(shadow, meshOf([shadows], OTHER), camera);
  darken(picture, shadow);
  return frameOf(picture);
}

const movingOf = (task: Task, seen: Snapshot): Solid[] => [
  ...task.objects.flatMap((name, i) => thing(name, seen.objects[i])),
  ...robot(seen),
  ...(task.hasDrawer ? drawer(seen.drawer) : []),
];

function stillOf(task: Task): Mesh {
  let mesh = still.get(task);
  if (!mesh) {
    const standing = [...room(), ...(task.hasDrawer ? cabinet() : [])];
    mesh = buildMesh([groupOf(tableTop(task), TABLE), ...standing.map((solid) => groupOf(solid, OTHER))]);
    still.set(task, mesh);
  }
  return mesh;
}

const meshOf = (solids: readonly Solid[], id: number): Mesh =>
  buildMesh(solids.map((solid) => groupOf(solid, id)));

const groupOf = (solid: Solid, id: number) => ({ id, faces: solid.map(inRaster) });

const inRaster = (face: Face): Face =>
  shaded({
    ...face,
    points: face.points.map(toRaster),
    normal: toRaster(face.normal),
  });

/** Takes light from the samples of the table on which a shadow falls. */
function darken({ colors, ids }: Canvas, shadow: Canvas): void {
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] !== TABLE || shadow.ids[i] === 0) continue;
    const color = colors[i];
    const redBlue = (((color & 0xff00ff) * SHADOW) >>> 8) & 0xff00ff;
    colors[i] = redBlue | ((((color & 0x00ff00) * SHADOW) >>> 8) & 0x00ff00);
  }
}
