// The map of SpatialGym for people: the objects of the task and the agent, around the start, which looks up.
import type { WorldTruth } from "../../core/types.ts";
import { type FloorMap, type GivenMark, type MapView, seenFrom } from "../floor-map.ts";
import { asksForMap, asSpatial, claimedPlace, objectsIn, type SpatialTruth, seenIn } from "./claims.ts";
import { SIDES, type Side } from "./heading.ts";
import { type Entry, partsOf, readEntry, STEP } from "./map.ts";

export const floorMap: FloorMap = {
  show,
  claimedPlace: (about, words) => claimedPlace(asSpatial(about), words),
  claimedTurn: (about, words) =>
    asksForMap(asSpatial(about)) ? turnOf(/ facing (\w+)$/.exec(words)?.[1]) : undefined,
};

/** A side as seen from the start, which looks up, in degrees. */
function turnOf(side: string | undefined): number | undefined {
  const quarter = SIDES.indexOf(side as Side);
  return quarter < 0 ? undefined : 90 * quarter;
}

function show(state: WorldTruth): MapView {
  const truth = asSpatial(state);
  const onMap = seenFrom(truth, "start_");
  const seen = seenIn(truth);
  const { x, z, yaw, start_yaw } = truth.facts;
  return {
    marks: objectsIn(truth).map(({ name, at, facing }) => ({
      ...{ name, ...onMap(at) },
      kind: seen.includes(name) ? "seen" : "unseen",
      turn: asksForMap(truth) ? turnOf(facing) : undefined,
    })),
    given: asksForMap(truth) ? givenIn(truth) : [],
    onMap,
    agent: { ...onMap([x, z]), turn: yaw - start_yaw },
    reach: 0,
    caption: `From above, around the start, which looks up. Circles are a metre apart; hollow: not seen yet.${
      asksForMap(truth) ? " A short line shows which way a front faces." : ""
    }`,
  };
}

/** The entries of the agent's map that count: the first readable one about each object. Like the map, they are around the start. */
function givenIn({ facts }: SpatialTruth): GivenMark[] {
  const right = entriesOf(facts.answer);
  const given = entriesOf(facts.given);
  const counted = given.filter(({ name }, i) => given.findIndex((one) => one.name === name) === i);
  return counted.map(({ words, ...entry }) => {
    const [ahead, aside] = entry.offset.map((steps) => (steps * STEP) / 100) as [number, number];
    const ok = right.some((one) => saysSame(one, entry));
    return { name: entry.name, words, ahead, right: aside, turn: turnOf(entry.facing), ok };
  });
}

const entriesOf = (map: unknown) =>
  partsOf(String(map)).flatMap((part) => {
    const entry = readEntry(part);
    return entry ? [{ ...entry, words: part.slice(entry.name.length + 1) }] : [];
  });

const saysSame = (one: Entry, other: Entry): boolean =>
  one.name === other.name &&
  one.facing === other.facing &&
  one.offset.every((steps, axis) => steps === other.offset[axis]);
