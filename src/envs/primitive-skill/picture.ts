// The picture of a state.
import { type Canvas, createCanvas, frameOf } from "../../core/raster/canvas.ts";
import { drawMesh, shadeMesh } from "../../core/raster/draw.ts";
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

/** A picture's canvas, and what does not move by task and camera. */
interface Canvases {
  picture: Canvas;
  still: Map<PictureCamera, Map<Task, Canvas>>;
}

/** Canvases by size, reused for every picture. */
const canvases = new Map<number, Canvases>();
/** Sizes that are kept; a page may ask for many while its window is resized. */
const MOST_SIZES = 4;

function canvasesOf(size: number): Canvases {
  const known = canvases.get(size);
  if (known) return known;
  if (canvases.size >= MOST_SIZES) canvases.clear();
  const made = { picture: createCanvas(size, detailOf(size)), still: new Map() };
  canvases.set(size, made);
  return made;
}

/** Draws a task as a camera sees it. */
export function draw(task: Task, seen: Snapshot, camera: PictureCamera, size: number): Frame {
  const all = canvasesOf(size);
  const { picture } = all;
  copyCanvas(stillOf(all, task, camera), picture);
  const moving = movingOf(task, seen);
  drawMesh(picture, meshOf(moving, OTHER), camera);
  const standing = task.hasDrawer ? cabinet() : [];
  const shadows = [...moving, ...standing].flatMap((solid) => shadowOf(solid) ?? []);
  shadeMesh(picture, meshOf([shadows], OTHER), camera, TABLE, SHADOW);
  return frameOf(picture);
}

/** What does not move, drawn once: its patterns take longer than all the rest. */
function stillOf({ picture, still }: Canvases, task: Task, camera: PictureCamera): Canvas {
  const byTask = still.get(camera) ?? new Map<Task, Canvas>();
  still.set(camera, byTask);
  let canvas = byTask.get(task);
  if (!canvas) {
    canvas = createCanvas(picture.size, picture.detail);
    const standing = [...room(), ...(task.hasDrawer ? cabinet() : [])];
    drawMesh(canvas, meshOf([tableTop(task)], TABLE), camera);
    drawMesh(canvas, meshOf(standing, OTHER), camera);
    byTask.set(task, canvas);
  }
  return canvas;
}

function copyCanvas(from: Canvas, to: Canvas): void {
  to.colors.set(from.colors);
  to.nearness.set(from.nearness);
  to.ids.set(from.ids);
}

const movingOf = (task: Task, seen: Snapshot): Solid[] => [
  ...task.objects.flatMap((name, i) => thing(name, seen.objects[i])),
  ...robot(seen),
  ...(task.hasDrawer ? drawer(seen.drawer) : []),
];

const meshOf = (solids: readonly Solid[], id: number): Mesh =>
  buildMesh(solids.map((solid) => groupOf(solid, id)));

const groupOf = (solid: Solid, id: number) => ({ id, faces: solid.map(inRaster) });

const inRaster = (face: Face): Face =>
  shaded({
    ...face,
    points: face.points.map(toRaster),
    normal: toRaster(face.normal),
  });
