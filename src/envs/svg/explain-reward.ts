// What a drawing was paid for: the weighted measures of its score, what earlier drawings had earned, and success.
import { isNothing, type PaidTurn, written } from "../explained-reward.ts";
import type { SvgConfig } from "./config.ts";

/** The measures of a drawing: its title, its fact in a state, and the option that weighs it in the score. */
const SCORED = [
  ["MS-SSIM", "ms_ssim", "ms_ssim_weight"],
  ["edges", "edges", "edge_weight"],
  ["colour", "color", "color_weight"],
  ["structure", "structure", "structural_weight"],
  ["DINOv2", "dino", "dino_weight"],
  ["DreamSim", "dreamsim", "dreamsim_weight"],
] as const;

/** The measures that people are shown, with the mean that decides on success. */
export const MEASURES = [
  ["Similarity", "similarity"],
  ...SCORED.map(([title, fact]) => [title, fact] as const),
] as const;

export function explainReward({ after, executed, taskReward }: PaidTurn, config: SvgConfig): string {
  if (!executed.some(({ valid }) => valid)) return "there is no valid drawing to pay";
  const terms = SCORED.flatMap(([title, fact, option]) => {
    const measured = after.facts?.[fact];
    return config[option] > 0 && typeof measured === "number"
      ? [{ title, measured, weight: config[option] }]
      : [];
  });
  const score = terms.reduce((sum, { measured, weight }) => sum + measured * weight, 0);
  const sum = terms
    .map(({ title, measured, weight }) => `${written(weight)} × ${title} ${written(measured)}`)
    .join(" + ");
  const success = after.facts?.solved === true ? config.success_reward : 0;
  return [
    `the drawing scores ${sum} = ${written(score)}`,
    lessBefore(score, taskReward - success),
    success === 0 ? "" : `, and success adds ${written(success)}`,
  ].join("");
}

/** What is not paid again. */
function lessBefore(score: number, paid: number): string {
  if (isNothing(score - paid)) return "";
  if (isNothing(paid)) return ", no more than an earlier drawing";
  return `, of which earlier drawings have earned ${written(score - paid)}`;
}
