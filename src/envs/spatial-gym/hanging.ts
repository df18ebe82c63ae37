// Where claims about what hangs on a wall show in a picture of SpatialGym.
import type { Outline, WorldTruth } from "../../core/types.ts";
import type { ClaimedField } from "../env.ts";
import { hungThrough } from "../navigation/hanging.ts";
import { tangentOf } from "../navigation/pose.ts";
import { asSpatial, cameraIn, claimedPlace } from "./claims.ts";

/** See `EnvSpec.hungAt`. */
export function hungAt(
  { name, words }: ClaimedField,
  state: WorldTruth,
  { fov }: { fov: number },
): Outline | null | undefined {
  const truth = asSpatial(state);
  const place = claimedPlace(truth, words.replace(/ facing .*$/, ""));
  return place ? hungThrough(cameraIn(truth, tangentOf(fov)), name, place) : undefined;
}
