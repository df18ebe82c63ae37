// What people see of a world on a floor from above, in the debug view. The agent never sees it.
import type { WorldTruth } from "../core/types.ts";

/** A place on a map: metres to the right of its middle, and ahead of it, which is up. */
export interface MapPlace {
  right: number;
  ahead: number;
}

/** A thing on a map. What was never in view is drawn hollow. */
export interface MapMark extends MapPlace {
  name: string;
  kind: "target" | "seen" | "unseen";
  /** Which way its front faces, in degrees clockwise from up, a multiple of 90; absent if that is not asked for, or it has no front. */
  turn?: number | undefined;
}

/** A place on a map that the agent has given. */
export interface GivenMark extends MapPlace {
  name: string;
  /** What the agent's map says of the thing. */
  words: string;
  turn?: number | undefined;
  /** Whether it is what the right map says. */
  ok: boolean;
}

/** What a map shows of a state around its middle. The page adds the floor of the level, and circles that are a metre apart. */
export interface MapView {
  marks: readonly MapMark[];
  /** The agent's own map, where the task asks for one and it has been given; absent: none. */
  given?: readonly GivenMark[];
  /** Where a place of the floor, [x, z] in metres, lies on the map. It moves and turns the floor, and keeps its shapes. */
  onMap(place: readonly number[]): MapPlace;
  /** Where the agent is, and how far it is turned clockwise from up, in degrees. */
  agent: MapPlace & { turn: number };
  /** A dashed circle around the first mark, in metres: within it the task is solved. 0: none. */
  reach: number;
  /** Below the map. */
  caption: string;
}

/** How the states of a world are shown on a map. */
export interface FloorMap {
  show(truth: WorldTruth): MapView;
  /** The place on the floor, [x, z] in metres, that a claim about a state gives in the judge's words; null if it gives none. */
  claimedPlace(about: WorldTruth, words: string): readonly number[] | null;
  /** Which way a claim about a state says that a front faces, as `MapMark.turn`; absent where claims never say it. */
  claimedTurn?(about: WorldTruth, words: string): number | undefined;
}

/** A number among the facts of a state; 0 where there is none, because a recording may come from anywhere. */
export const numberIn = ({ facts }: WorldTruth, name: string): number => Number(facts?.[name] ?? 0);

/** `MapView.onMap` for a map whose middle is the standpoint of the facts `x`, `z` and `yaw`, behind a prefix, which looks up. */
export function seenFrom(truth: WorldTruth, prefix: "" | "start_"): MapView["onMap"] {
  const yaw = (numberIn(truth, `${prefix}yaw`) * Math.PI) / 180;
  return ([x = 0, z = 0]) => {
    const [dx, dz] = [x - numberIn(truth, `${prefix}x`), z - numberIn(truth, `${prefix}z`)];
    return {
      ahead: dx * Math.sin(yaw) + dz * Math.cos(yaw),
      right: dx * Math.cos(yaw) - dz * Math.sin(yaw),
    };
  };
}
