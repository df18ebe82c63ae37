import { expect, test } from "vitest";
import { getPreset, presets } from "../config/presets.ts";
import { presetTable, REASONS, RECORDED, timedPresets } from "./presets.ts";

test("every preset either has a recorded run with that success, or a reason why there is none", () => {
  expect([...Object.keys(RECORDED), ...Object.keys(REASONS)].toSorted()).toEqual(presets.ids.toSorted());
});

test("every preset has a row, with what its recorded run needed", () => {
  const seconds = new Map(timedPresets().map((id) => [id, [1, 2, 3]]));
  const lines = presetTable(seconds).split("\n");
  const cells = (line: string) => line.trim().split(/ {2,}/);
  expect(cells(lines[0]!)).toEqual(["preset", "s per update", "quartiles", "to a success of 0.74"]);
  const rows = Object.fromEntries(lines.slice(1).map((line) => [cells(line)[0], cells(line).slice(1)]));
  expect(Object.keys(rows).toSorted()).toEqual(presets.ids.toSorted());
  expect(rows).toMatchObject({
    "frozenlake-nano": ["2.00", "1.50–2.50", "at most 10 updates, 20 s"],
    "frozenlake-small": ["2.00", "1.50–2.50", "at most 10 updates, 20 s"],
    "frozenlake-base": ["–", "–", "at most 100 updates after SFT, not timed"],
    "frozenlake-large": ["–", "–", "no run was recorded to the end"],
    "three-tasks-small": ["2.00", "1.50–2.50", "at most 60 updates, 120 s"],
    "primitive-skill-nano": ["2.00", "1.50–2.50", "at most 40 updates, 80 s"],
    "blackjack-nano": ["–", "–", "out of reach: the best play wins 0.43 of the hands"],
    "sokoban-nano": ["2.00", "1.50–2.50", "at most 20 updates, 40 s"],
    "sokoban-recipe-nano": ["2.00", "1.50–2.50", "at most 20 updates, 40 s"],
    "sokoban-small": ["2.00", "1.50–2.50", "at the start"],
    "sokoban-long-small": ["2.00", "1.50–2.50", "at the start"],
  });
});

test.each(Object.entries(RECORDED))(
  "%s still plays as many episodes an update as its recorded run",
  (id, run) => {
    expect(getPreset(id).config.rollout.train_batch_size).toBe(run.episodes);
  },
);
