// Fixed poses in a home of each family. Node compares their pictures with `golden/pictures.json`; a browser that runs this module has to come
// to the same bytes.
import type { Frame } from "../../core/types.ts";
import { drawHome } from "./draw-home.ts";
import { FAMILIES } from "./home.ts";
import { type Pose, tangentOf } from "./pose.ts";
import { draw } from "./view.ts";

const SEED = 7;
/** VAGEN's field of view. */
const TANGENT = tangentOf(100);
/** Sides of the pictures in pixels. */
const SIZES = [64, 320];

/** The pictures of every home in four headings and several tilts, each in both sizes. */
export const goldenPictures = (): Frame[] =>
  FAMILIES.flatMap((family, i) => {
    const home = drawHome(family, SEED);
    return ([0, 1, 2, 3] as const).flatMap((yaw) => {
      const pose: Pose = { x: 20, z: 20, yaw, tilt: ((i + yaw) % 4) - 1 };
      return SIZES.map((size) => draw(home, pose, size, TANGENT));
    });
  });
