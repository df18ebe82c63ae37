import { expect, test } from "vitest";
import { readPlaces } from "./statement.ts";

const said = (text: string) => Object.fromEntries(readPlaces(text, ["player", "goal", "hole"]));
const cells = (player: number[][], goal: number[][], hole: number[][] = []) => ({ player, goal, hole });

test.each([
  ["The player is not at row 1 col 1 and the goal is not at row 2 col 3."],
  ["no player at row 1 col 1; there is no goal at row 2 col 3"],
  ["The player isn't at (1, 1). Goal: never at (2, 3)"],
  ["Neither the player is at row 1 col 1 nor the goal at row 2 col 3"],
  ["The goal is not at row 1 col 1 or row 2 col 3"],
])("a place that is denied is none: %s", (text) => {
  expect(said(text)).toEqual(cells([], []));
});

test.each([
  ["player at row 1 col 1 , no hole at row 2 col 2 , goal at row 2 col 3", cells([[1, 1]], [[2, 3]])],
  ["The player is not at (0, 0) but at (1, 1); the goal is at (2, 3)", cells([[1, 1]], [[2, 3]])],
  ["I am not moving. I am at row 1 col 1. The goal at (2, 3) is not near.", cells([[1, 1]], [[2, 3]])],
  ["There is no other hole; the player is at (1, 1), the goal at (2, 3)", cells([[1, 1]], [[2, 3]])],
])("what is denied of one thing is not denied of another: %s", (text, expected) => {
  expect(said(text)).toEqual(expected);
});
