// One colour for a term of the reward, wherever it is drawn.
import { rewardTerms } from "../../rl/reward/index.ts";

const COLORS: Readonly<Record<string, string>> = {
  task: "--action",
  format: "--control",
  state_estimation: "--observation",
  transition_modeling: "--prediction",
  surroundings: "--reasoning",
  repetition: "--run-5",
  action_cost: "--run-6",
  turn_cost: "--run-3",
  format_penalty: "--run-4",
  best_so_far: "--run-2",
  episode_format: "--run-1",
};

/** For terms of extensions, in the order in which they were added. */
const OWN = ["--run-2", "--run-4", "--run-5", "--run-3", "--run-1"] as const;

/** A CSS variable of the palette. */
export function rewardColor(id: string): string {
  const at = Math.max(
    0,
    rewardTerms.added.findIndex((term) => term.id === id),
  );
  return COLORS[id] ?? OWN[at % OWN.length]!;
}
