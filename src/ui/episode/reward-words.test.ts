import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { rewardWords } from "./reward-words.ts";

const { config: run } = getPreset("frozenlake-nano");
const words = (
  reward: Partial<typeof run.reward>,
  options: object = {},
  prompt_format: typeof run.rollout.prompt_format = "grounding_worldmodeling",
) =>
  rewardWords(
    { reward: { ...run.reward, ...reward }, rollout: { ...run.rollout, prompt_format } },
    { ...run.env, config: { ...run.env.config, ...options } },
  );
const WEIGHTS = {
  use_state_reward: true,
  grounding_reward_weight: 0.25,
  worldmodeling_reward_weight: 0.5,
  surroundings_reward_weight: 0,
  scale_by_turns: true,
  turn_cost: 0,
  action_cost: 0,
};

it("names the weights that a configuration has", () => {
  expect(words(WEIGHTS, { format_reward: 0.1 })).toBe(
    "Rewards as configured: those of the environment, and 0.1 for format, 0.25 for grounding and 0.5 for prediction, divided by the turns of an episode.",
  );
  expect(words({ ...WEIGHTS, surroundings_reward_weight: 1, scale_by_turns: false })).toMatch(
    /and 1 for neighbours\.$/,
  );
});

it("leaves out what pays nothing", () => {
  const off = { ...WEIGHTS, use_state_reward: false };
  expect(words(off, { format_reward: 0.1 })).not.toContain("grounding");
  expect(words(off, { format_reward: 0 })).toBe("Rewards as configured: those of the environment.");
});

it("leaves out what replies in the format do not state", () => {
  const judged = { ...WEIGHTS, surroundings_reward_weight: 1 };
  const paidIn = (format: typeof run.rollout.prompt_format) => words(judged, { format_reward: 0 }, format);
  expect(paidIn("grounding")).toMatch(/ 0\.25 for grounding and 1 for neighbours, divided/);
  expect(paidIn("worldmodeling")).toMatch(/ 0\.5 for prediction and 1 for neighbours, divided/);
  expect(paidIn("free_think")).toMatch(/and 1 for neighbours, divided/);
  expect(paidIn("no_think")).toBe("Rewards as configured: those of the environment.");
});

it("says that there is more", () => {
  expect(words({ ...WEIGHTS, repetition_penalty_weight: 0.5 })).toMatch(
    /Other terms of the configuration count, too\.$/,
  );
  expect(words(WEIGHTS)).not.toContain("Other terms");
});

it("names what turns and actions cost", () => {
  expect(words({ ...WEIGHTS, turn_cost: 0.15 })).toMatch(/of an episode; less 0\.15 for each turn\.$/);
  expect(words({ ...WEIGHTS, turn_cost: 0.15, action_cost: 0.01 })).toMatch(
    /; less 0\.15 for each turn and 0\.01 for each action\.$/,
  );
});
