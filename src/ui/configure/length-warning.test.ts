import { expect, it } from "vitest";
import { setPath } from "../../config/changes.ts";
import { inspectRunConfig } from "../../config/check.ts";
import { lengthWarning } from "./length-warning.ts";

const running = inspectRunConfig({
  sft: { total_updates: 6, one_turn_updates: 0 },
  trainer: { total_updates: 160 },
}).config!;
const warning = (total: number, done: number) =>
  lengthWarning(running, setPath(running, "trainer.total_updates", total), done);

it("says that a total which is reached already ends the run", () => {
  expect(warning(10, 105)).toBe(
    "The run has done 99 PPO updates. With PPO updates at 10 it ends after the present one, with a validation.",
  );
  expect(warning(99, 105)).not.toBe("");
  expect(warning(100, 105)).toBe("");
});

it("says nothing of an unchanged total, or while SFT lasts", () => {
  expect(warning(160, 166)).toBe("");
  expect(warning(0, 6)).toBe("");
  expect(lengthWarning(null, running, 9)).toBe("");
});
