import { expect, test } from "vitest";
import type { Turn, Verdict } from "../core/types.ts";
import { surroundingsMetrics } from "./surroundings.ts";

/** A turn whose neighbours are given as "truth" or "truth/what the reply says". */
function turn(status: Verdict["status"], ...neighbours: string[]): Turn {
  const fields = neighbours.map((neighbour, i) => {
    const [truth, predicted = truth] = neighbour.split("/");
    return { name: String(i), truth, predicted, ok: truth === predicted };
  });
  const score = fields.filter(({ ok }) => ok).length / 4;
  return { verdicts: { surroundings: { status, score, fields } } } as unknown as Turn;
}

test("metrics of the neighbours, worked out by hand", () => {
  const turns = [
    turn("match", "edge", "hole", "free", "goal"),
    turn("partial", "edge", "hole/free", "free/hole", "stuck box/not stated"),
    turn("format"),
    { verdicts: {} } as Turn,
  ];
  expect(surroundingsMetrics(turns)).toEqual({
    surroundings_accuracy: (1 + 1 / 4) / 2,
    "surroundings_accuracy/all": 1 / 2,
    "surroundings_miss/edge": 0,
    "surroundings_false_alarm/edge": 0,
    "surroundings_miss/hole": 1 / 2,
    "surroundings_false_alarm/hole": 1 / 6,
    "surroundings_miss/free": 1 / 2,
    "surroundings_false_alarm/free": 1 / 6,
    "surroundings_miss/goal": 0,
    "surroundings_false_alarm/goal": 0,
    "surroundings_miss/stuck_box": 1,
    "surroundings_false_alarm/stuck_box": 0,
  });
});

test("a reply that states no neighbour misses all of them", () => {
  const silent = ["edge", "hole", "free", "goal"].map((truth) => `${truth}/not stated`);
  expect(surroundingsMetrics([turn("unreadable", ...silent)])).toMatchObject({
    surroundings_accuracy: 0,
    "surroundings_miss/hole": 1,
    "surroundings_false_alarm/hole": 0,
  });
});

test("a kind that is only claimed has false alarms and no misses", () => {
  const metrics = surroundingsMetrics([turn("partial", "free/hole", "free", "free", "free")]);
  expect(metrics["surroundings_false_alarm/hole"]).toBe(1 / 4);
  expect(metrics).not.toHaveProperty(["surroundings_miss/hole"]);
});

test("nothing is measured where nothing was judged", () => {
  expect(surroundingsMetrics([turn("format"), turn("off")])).toEqual({});
});
