import { expect, test } from "vitest";
import { RunConfig, type RunConfigInput } from "../config/run-config.ts";
import type { TrainingFact } from "./events.ts";
import type { Run } from "./run.ts";
import { watchUpdates } from "./watch-updates.ts";

const runWith = (config: RunConfigInput, update: number) =>
  ({
    config: RunConfig.parse(config),
    task: { imageTokens: 16 },
    update,
  }) as unknown as Run;

const codesOf = (facts: Iterable<TrainingFact>) =>
  [...facts].map((fact) => (fact.type === "warning" ? [fact.code, fact.update] : fact));

/** Most replies are cut, some demonstrations are too long, and the episodes are an update old. */
const metrics = {
  "response_length/clip_ratio": 1,
  "sft/too_long": 0.1,
  "version_stats/sample_staleness_proximal_avg": 1,
};

test("an update of PPO is checked for everything, and nothing is said twice", () => {
  const run = runWith({}, 3);
  const watch = watchUpdates(run);
  expect(codesOf(watch.check("ppo", { metrics, trajectories: [] }))).toEqual([
    ["replies_cut", 3],
    ["demonstrations_too_long", 3],
    ["stale_uncorrected", 3],
  ]);
  run.update = 4;
  expect(codesOf(watch.check("ppo", { metrics, trajectories: [] }))).toEqual([]);
});

test("replies of demonstrations may be cut, and do not hide that the policy's are", () => {
  const run = runWith({}, 1);
  const watch = watchUpdates(run);
  const cut = { "response_length/clip_ratio": 1 };
  expect(codesOf(watch.check("warmup", { metrics: cut, trajectories: [] }))).toEqual([]);
  expect(codesOf(watch.check("ppo", { metrics: cut, trajectories: [] }))).toEqual([["replies_cut", 1]]);
});

/** Two levels are in both, and an episode's replies can exceed its room. */
const doubtful = {
  trainer: { train_seeds: "1-20", val_seeds: "19-23" },
  rollout: { max_turns: 5, response_length: 56, max_episode_tokens: 279 },
};

test("what is wrong with the settings is reported at the start, and after an update only if they have changed", () => {
  const run = runWith(doubtful, 0);
  const watch = watchUpdates(run);
  expect(codesOf(watch.begin())).toEqual([
    ["levels_shared", 0],
    ["layout_room", 0],
  ]);
  run.update = 1;
  expect(codesOf(watch.check("ppo", { metrics: {}, trajectories: [] }))).toEqual([]);
  run.config.trainer.val_seeds = "20-23";
  expect(codesOf(watch.check("ppo", { metrics: {}, trajectories: [] }))).toEqual([["levels_shared", 1]]);
});

test("too few turns for the levels are reported at the start only", () => {
  const env = { name: "spatial-gym", config: { rooms: 2 } };
  expect(codesOf(watchUpdates(runWith({ env }, 0)).begin())).toEqual([["few_turns", 0]]);
  expect(codesOf(watchUpdates(runWith({ env }, 1)).begin())).toEqual([]);
});

test("a model whose verdicts pay nothing is reported at the start only", () => {
  const settings = { judge: { name: "llm" as const }, reward: { use_state_reward: false } };
  expect(codesOf(watchUpdates(runWith(settings, 0)).begin())).toEqual([["judge_unpaid", 0]]);
  expect(codesOf(watchUpdates(runWith(settings, 1)).begin())).toEqual([]);
});

test("a run that was resumed does not report its layout again", () => {
  expect(codesOf(watchUpdates(runWith(doubtful, 7)).begin())).toEqual([["levels_shared", 7]]);
});
