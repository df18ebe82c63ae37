import { expect, test } from "vitest";
import type { TrainerEvent } from "../events.ts";
import { Console } from "./console.ts";
import { testIo } from "./testing/io.ts";

const alarm = (state: "begun" | "over"): TrainerEvent => ({
  type: "alarm",
  alarm: "entropy_collapse",
  state,
  update: 43,
  began: 41,
  severity: "danger",
  title: "Entropy collapse",
  meaning: "Nothing is explored.",
  remedy: "Go slower.",
  evidence: [{ metric: "actor/entropy", title: "entropy", before: 0.1, now: 0.004, limit: 0.008 }],
});

test("an alarm is one line when it begins and one when it is over", () => {
  const io = testIo();
  const screen = new Console(io, () => 0);
  screen.show(alarm("begun"));
  screen.show(alarm("over"));
  expect(io.written.err.trim().split("\n")).toEqual([
    "alarm: Entropy collapse since update 41 (entropy 0.1 → 0.004). Go slower.",
    "alarm over at update 43: Entropy collapse",
  ]);
});
