// Optimiser steps that were skipped because their gradient was not finite: how many, and when to give up.
import { PolicyError } from "../core/errors.ts";
import { message, setting } from "../core/message.ts";
import { MAX_SKIPPED_IN_A_ROW, OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import type { UpdateReadback } from "./update-readback.ts";

/** The states of both optimisers. A step of both counts in the policy's alone. */
export type OptimizerStates = Pick<UpdateReadback, "optimizer" | "criticOptimizer">;

/** Skipped steps since the optimisers were reset. */
export const skippedSteps = ({ optimizer, criticOptimizer }: OptimizerStates): number =>
  (optimizer[OPTIMIZER_STATE.skipped] as number) + (criticOptimizer[OPTIMIZER_STATE.skipped] as number);

/** The most steps that either optimiser has just skipped in a row. */
export const skippedInARow = (states: OptimizerStates): number =>
  Math.max(ofPolicy(states), states.criticOptimizer[OPTIMIZER_STATE.skippedInARow] as number);

/** Skipped steps in a row of the policy, or of policy and critic together. */
const ofPolicy = ({ optimizer }: OptimizerStates): number =>
  optimizer[OPTIMIZER_STATE.skippedInARow] as number;

/** Counts the skipped steps of an update. @param rate the setting of its learning rate. */
export type NonFiniteWatch = (states: OptimizerStates, rate: "sft.lr" | "actor.lr") => number;

/**
 * Counts skipped optimiser steps; @throws PolicyError("non_finite") after an update with three skipped in a row.
 * @param before the skipped steps at the start.
 */
export function watchNonFinite(before: number): NonFiniteWatch {
  return (states, rate) => {
    const total = skippedSteps(states);
    const skipped = total - before;
    before = total;
    if (skippedInARow(states) >= MAX_SKIPPED_IN_A_ROW) {
      throw new PolicyError(
        "non_finite",
        `The loss or its gradient was not finite in ${MAX_SKIPPED_IN_A_ROW} steps in a row.`,
        // Steps of the critic alone have a rate of their own.
        message`Go back to the last checkpoint and halve ${setting(ofPolicy(states) >= MAX_SKIPPED_IN_A_ROW ? rate : "critic.lr")}.`,
      );
    }
    return skipped;
  };
}
