import { expect, test } from "vitest";
import { getPreset } from "../config/presets.ts";
import { presetTable, RECORDED } from "./presets.ts";

test("every preset of FrozenLake and Sokoban has a row, with what its recorded run needed", () => {
  const seconds = new Map(Object.keys(RECORDED).map((id) => [id, [1, 2, 3]]));
  const lines = presetTable(seconds).split("\n");
  const cells = (line: string) => line.trim().split(/ {2,}/);
  expect(cells(lines[0]!)).toEqual(["preset", "s per update", "quartiles", "to a success of 0.74"]);
  expect(Object.fromEntries(lines.slice(1).map((line) => [cells(line)[0], cells(line).slice(1)]))).toEqual({
    "frozenlake-nano": ["2.00", "1.50–2.50", "at most 10 updates, 20 s"],
    "frozenlake-small": ["2.00", "1.50–2.50", "at most 10 updates, 20 s"],
    "frozenlake-base": ["–", "–", "not measured"],
    "frozenlake-large": ["–", "–", "not measured"],
    "frozenlake-critic-small": ["–", "–", "not measured"],
    "sokoban-nano": ["2.00", "1.50–2.50", "at most 20 updates, 40 s"],
    "sokoban-recipe-nano": ["2.00", "1.50–2.50", "at most 20 updates, 40 s"],
    "sokoban-small": ["2.00", "1.50–2.50", "at the start"],
    "sokoban-long-small": ["2.00", "1.50–2.50", "at the start"],
    "sokoban-base": ["–", "–", "not measured"],
  });
});

test.each(Object.entries(RECORDED))(
  "%s still plays as many episodes an update as its recorded run",
  (id, run) => {
    expect(getPreset(id).config.rollout.train_batch_size).toBe(run.episodes);
  },
);
