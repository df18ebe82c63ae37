// The search for looks, in a made-up level: a lamp that the start shows to the left, and beside it a clock, to the right.
import { expect, it } from "vitest";
import type { Pose } from "./heading.ts";
import type { LevelObject } from "./level.ts";
import { looksFor, withThose } from "./search.ts";

const object = (name: string, x: number): LevelObject => ({
  ...{ name, x: 10 * x, z: 0, turn: 0 as const, index: 0 },
  beside: { x, z: 0 },
});
const OBJECTS = [object("clock", 9), object("lamp", 5)];
const START: Pose = { x: 0, z: 0, heading: 0 };

const shownFrom = ({ x, heading }: Pose) => {
  if (x === 0 && heading === 6) return ["lamp"];
  return x === 5 && heading === 2 ? ["clock"] : [];
};
const search = (count: number, looks: number, pose = START) =>
  looksFor(count, { pose, seen: [], looks }, OBJECTS, shownFrom);

it("finds the fewest turns, looks and jumps", () => {
  expect(search(0, 0)).toEqual([]);
  expect(search(1, 5)).toEqual(["Rotate(270)", "Observe()"]);
  expect(search(2, 5)).toEqual(["Rotate(270)", "Observe()", "Rotate(180)", "JumpTo(lamp)", "Observe()"]);
  expect(search(1, 5, { ...START, heading: 6 })).toEqual(["Observe()"]);
});

it("jumps nowhere where turns are enough", () => {
  const poses: Pose[] = [];
  const shown = (pose: Pose) => {
    poses.push(pose);
    return shownFrom(pose);
  };
  looksFor(1, { pose: START, seen: [], looks: 5 }, OBJECTS, shown);
  expect(poses.every(({ x }) => x === 0)).toBe(true);
});

it("finds nothing where too few looks are left, or nothing shows from a quarter of a turn", () => {
  expect(search(2, 1)).toBeNull();
  expect(search(3, 20)).toBeNull();
  expect(search(1, 5, { ...START, heading: 1 })).toBeNull();
});

it("keeps names in the order of the level", () => {
  expect(withThose(["lamp"], ["clock"], OBJECTS)).toEqual(["clock", "lamp"]);
  expect(withThose([], ["lamp", "bed"], OBJECTS)).toEqual(["lamp"]);
});
