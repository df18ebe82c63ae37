// What alarms are given of a validation.
import { expect, test } from "vitest";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";
import { alarmsOf, watchesOf } from "./history.ts";

/** A first validation in which Sokoban, beside FrozenLake, was played that often on each level, and never solved. */
function validation(episodes: number, samples = 1): TrainerEvent {
  const interval = [0, 1] as const;
  const expected = { "expected/sokoban/success": 0.81, "expected/sokoban/success/low": 0.76 };
  const report: ValidationReport = {
    ...{ update: 0, stage: "ppo", temperature: 1, samples, expected },
    ...{ episodes: 64, successes: 48, interval },
    metrics: { "val/success/frozenlake": 0.75, "val/success/sokoban": 0 },
    further: { sokoban: { episodes, successes: 0, interval } },
  };
  return { type: "validation", report };
}

test("the levels of a further environment are counted, each once", () => {
  const alarms = (event: TrainerEvent) => alarmsOf(watchesOf([]), event);
  expect(alarms(validation(64))).toMatchObject([
    { type: "alarm", alarm: "weak_start", evidence: [{ metric: "val/success/sokoban", now: 0 }] },
  ]);
  expect(alarms(validation(8))).toEqual([]);
  expect(alarms(validation(64, 8))).toEqual([]);
});
