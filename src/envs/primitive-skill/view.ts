// Where pictures are taken from, and which pixel a place of the world falls on.
import type { Camera } from "../../core/raster/camera.ts";
import { dot, minus, type Vec3 } from "../../core/raster/solid.ts";
import { cross, normalised, times } from "./geometry.ts";
import type { TaskId } from "./task-ids.ts";

/** A camera in the axes of the rasteriser, see `toRaster`. */
export type PictureCamera = Camera;

interface Placement {
  eye: Vec3;
  target: Vec3;
  /** Tangent of half the vertical field of view; pictures are square. */
  tangent: number;
}

/** VAGEN's camera: a field of view of 1 rad. */
const REFERENCE: Placement = { eye: [1, 0, 0.6], target: [-0.2, 0, 0.2], tangent: 0.5463024898437905 };
/** Cameras in which the whole workspace, and the hand at home, fill the picture. Like VAGEN's they look towards −x. */
const CUBES: Placement = { eye: [0.85, 0, 0.62], target: [-0.05, 0, 0.115], tangent: 0.32 };
const DRAWER: Placement = { eye: [1.1, -0.3, 0.85], target: [-0.4, -0.3, 0.3], tangent: 0.43 };

/** The rasteriser's axes are right, up and towards the camera: y, z and x of the world. */
export const toRaster = (place: Vec3): Vec3 => [place[1], place[2], place[0]];

const REFERENCE_CAMERA = placed(REFERENCE);
const CUBES_CAMERA = placed(CUBES);
const DRAWER_CAMERA = placed(DRAWER);

/** The camera of a task. Equal arguments give the same object. */
export function cameraOf(task: TaskId, kind: "close" | "reference"): PictureCamera {
  if (kind === "reference") return REFERENCE_CAMERA;
  return task === "PutAppleInDrawer" ? DRAWER_CAMERA : CUBES_CAMERA;
}

function placed({ eye, target, tangent }: Placement): PictureCamera {
  const forward = normalised(minus(target, eye));
  const right = normalised(cross(forward, [0, 0, 1]));
  const up = cross(right, forward);
  return {
    position: toRaster(eye),
    right: toRaster(right),
    up: toRaster(up),
    forward: toRaster(forward),
    tangent,
    near: 0.05,
    clear: 1.6,
  };
}

/** Where a place shows in a picture. */
interface Projected {
  /** Pixels from the left and from the top of the picture; outside of it they are negative or larger than its side. */
  x: number;
  y: number;
  /** Pixels that a metre across the view takes at this place. */
  pixelsPerMetre: number;
}

/**
 * The pixel on which a place of the workspace falls, hidden or not; null behind the camera.
 * @param size side of the picture in pixels.
 * @param position in millimetres, as skills and claims name it.
 */
export function project(camera: PictureCamera, size: number, position: Vec3): Projected | null {
  const way = minus(toRaster(times(position, 0.001)), camera.position);
  const depth = dot(way, camera.forward);
  if (depth < camera.near) return null;
  const pixelsPerMetre = size / 2 / (camera.tangent * depth);
  const x = size / 2 + dot(way, camera.right) * pixelsPerMetre;
  return { x, y: size / 2 - dot(way, camera.up) * pixelsPerMetre, pixelsPerMetre };
}
