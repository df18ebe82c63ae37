// The map of SpatialGym for people: the objects of the task and the agent, around the start, which looks up.
import type { WorldTruth } from "../../core/types.ts";
import { type FloorMap, type MapView, seenFrom } from "../floor-map.ts";
import { asSpatial, claimedPlace, objectsIn, seenIn } from "./claims.ts";

export const floorMap: FloorMap = {
  show,
  claimedPlace: (about, words) => claimedPlace(asSpatial(about), words),
};

function show(state: WorldTruth): MapView {
  const truth = asSpatial(state);
  const onMap = seenFrom(truth, "start_");
  const seen = seenIn(truth);
  const { x, z, yaw, start_yaw } = truth.facts;
  return {
    marks: objectsIn(truth).map(({ name, at }) => ({
      ...{ name, ...onMap(at) },
      kind: seen.includes(name) ? "seen" : "unseen",
    })),
    onMap,
    agent: { ...onMap([x, z]), turn: yaw - start_yaw },
    reach: 0,
    caption: "From above, around the start, which looks up. Circles are a metre apart; hollow: not seen yet.",
  };
}
