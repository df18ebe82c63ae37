// The map of Navigation: the target and the things in view, around the agent, which looks up.
import { formatFixed } from "../../core/format.ts";
import type { WorldTruth } from "../../core/types.ts";
import { type FloorMap, type MapMark, type MapView, numberIn, seenFrom } from "../floor-map.ts";
import { asNavigation, claimedPlace, targetSeen } from "./claims.ts";

export const floorMap: FloorMap = {
  show,
  claimedPlace: (about, words) => claimedPlace(asNavigation(about), words),
};

function show(truth: WorldTruth): MapView {
  const onMap = seenFrom(truth, "");
  const name = String(truth.facts?.target);
  const target = onMap([numberIn(truth, "target_x"), numberIn(truth, "target_z")]);
  const others = truth.things
    .filter((thing) => thing.name !== name)
    .map((thing): MapMark => ({ name: thing.name, ...onMap(thing.at), kind: "seen" }));
  return {
    marks: [{ name, ...target, kind: "target" }, ...others],
    onMap,
    agent: { right: 0, ahead: 0, turn: 0 },
    reach: numberIn(truth, "reach"),
    caption: `From above, around the agent. The ${name} is ${whereIs(truth)}. Circles are a metre apart; the dashed one is where the task is solved.`,
  };
}

/** "2.51 m away, to the right". */
function whereIs(truth: WorldTruth): string {
  const { direction, distance } = targetSeen(asNavigation(truth));
  const words = { ahead: "ahead", right: "to the right", back: "behind", left: "to the left" } as const;
  return `${formatFixed(distance, 2)}\u00a0m away, ${words[direction]}`;
}
