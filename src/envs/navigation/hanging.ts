// Where claims about what hangs on a wall show in a picture. A verdict marks a place on the floor for every object, and recorded verdicts
// stay as they are; pictures show the mark at the height where the object hangs.
import type { Camera } from "../../core/raster/camera.ts";
import type { Outline, WorldTruth } from "../../core/types.ts";
import type { ClaimedField } from "../env.ts";
import { asNavigation, cameraIn, claimedPlace, outlineThrough, TARGET } from "./claims.ts";
import { factsOf, isKind } from "./kinds.ts";
import { tangentOf } from "./pose.ts";

/**
 * Where an object of a kind would show if it hung at a place, [x, z] in metres: null outside the picture, undefined if no object of that
 * kind hangs.
 */
export function hungThrough(
  camera: Camera,
  kind: string,
  place: readonly number[],
): Outline | null | undefined {
  const { hangs, model } = isKind(kind) ? factsOf(kind) : {};
  if (hangs === undefined || !model) return undefined;
  const [width, height] = model.size;
  return outlineThrough(camera, place, { half: width / 2, from: hangs, to: hangs + height });
}

/** The same for a claim about a state of Navigation; see `EnvSpec.hungAt`. */
export function hungAt(
  { name, words }: ClaimedField,
  state: WorldTruth,
  { fov }: { fov: number },
): Outline | null | undefined {
  const truth = asNavigation(state);
  const [camera, place] = [cameraIn(truth, tangentOf(fov)), claimedPlace(truth, words)];
  // The words about a target begin with its kind.
  const kind = name === TARGET ? words.split(" ", 1)[0]! : name;
  return camera && place ? hungThrough(camera, kind, place) : undefined;
}
