import { expect, test } from "vitest";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import { type OptimizerStates, watchNonFinite } from "./skipped-steps.ts";

test("the rate of the network whose steps are not finite is named", () => {
  const none = { optimizer: new Float32Array(8), criticOptimizer: new Float32Array(8) };
  const skipped = new Float32Array(8);
  skipped[OPTIMIZER_STATE.skippedInARow] = 3;
  const hint = (states: Partial<OptimizerStates>) => {
    try {
      watchNonFinite(0)({ ...none, ...states }, "actor.lr");
    } catch (error) {
      return (error as { hint: string }).hint;
    }
  };
  expect(hint({ optimizer: skipped, criticOptimizer: skipped })).toContain("halve actor.lr");
  expect(hint({ criticOptimizer: skipped })).toContain("halve critic.lr");
});
