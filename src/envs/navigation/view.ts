// What the agent sees from a pose: the picture, and in how much of it each thing shows.
import type { Camera } from "../../core/raster/camera.ts";
import { type Canvas, clearCanvas, countIds, createCanvas, frameOf } from "../../core/raster/canvas.ts";
import { drawMesh } from "../../core/raster/draw.ts";
import type { Frame } from "../../core/types.ts";
import type { Home } from "./home.ts";
import { cameraOf, type Pose } from "./pose.ts";
import { sceneOf } from "./scene.ts";

/** Samples per pixel along each side: small things at the edge of a pixel do not vanish. */
const DETAIL = 2;

/** Pixels in which each thing shows, by index; quarters of pixels count. */
type Pixels = Float64Array;

export interface View {
  frame: Frame;
  pixels: Pixels;
}

/** Canvases by size and detail, reused for every picture: a new one costs as much as drawing. */
const canvases = new Map<string, Canvas>();

function canvasOf(size: number, detail: number): Canvas {
  const key = `${size} ${detail}`;
  const known = canvases.get(key);
  if (known) return known;
  const canvas = createCanvas(size, detail);
  canvases.set(key, canvas);
  return canvas;
}

/**
 * Draws a home as the agent sees it.
 * @param size side of the picture in pixels.
 * @param tangent of half the field of view.
 */
export const draw = (home: Home, pose: Pose, size: number, tangent: number): Frame =>
  drawThrough(home, cameraOf(pose, tangent), size);

/** Draws a home as any camera sees it. */
export const drawThrough = (home: Home, camera: Camera, size: number): Frame =>
  frameOf(drawn(home, camera, size));

/** The same with a sample for each pixel, in a quarter of the time or a third: for pictures that move. */
export const sketchThrough = (home: Home, camera: Camera, size: number): Frame =>
  frameOf(drawn(home, camera, size, { detail: 1 }));

/** The picture with what shows in it. */
export const look = (home: Home, pose: Pose, size: number, tangent: number): View =>
  lookThrough(home, cameraOf(pose, tangent), size);

/** The picture of any camera with what shows in it. */
export function lookThrough(home: Home, camera: Camera, size: number): View {
  const canvas = drawn(home, camera, size);
  return { frame: frameOf(canvas), pixels: pixelsOf(canvas, home) };
}

/** Which things show in the picture of a camera, without making the picture. */
export const pixelsThrough = (home: Home, camera: Camera, size: number): Pixels =>
  pixelsOf(drawn(home, camera, size, { patterned: false }), home);

function drawn(home: Home, camera: Camera, size: number, { patterned = true, detail = DETAIL } = {}): Canvas {
  const canvas = canvasOf(size, detail);
  clearCanvas(canvas);
  drawMesh(canvas, sceneOf(home), camera, patterned);
  return canvas;
}

function pixelsOf(canvas: Canvas, { things }: Home): Pixels {
  const counts = countIds(canvas, things.length);
  return Float64Array.from(counts.subarray(1), (samples) => samples / (DETAIL * DETAIL));
}
