// One policy in several environments: FrozenLake, Sokoban and Navigation in one batch, from SFT to a validation.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { findMetric } from "../ui/metrics/dictionary.ts";
import { shortRun, tinySeeing } from "./testing/short-run.ts";

const config = checkedRunConfig({
  envs: {
    sokoban: { config: { min_solution_steps: [1, 5] }, max_turns: 3 },
    rooms: {
      name: "navigation",
      config: { eval_set: "base_train", resolution: 64 },
      val_seeds: "600000-600001",
    },
  },
  rollout: { train_batch_size: 3, max_turns: 2, response_length: 120, max_head_offpolicyness: 1 },
  model: tinySeeing,
  sft: {
    total_updates: 2,
    one_turn_updates: 1,
    train_batch_size: 6,
    test_freq: 2,
    test_levels: 2,
    target_accuracy: 0,
  },
  actor: { ppo_mini_batch_size: 3 },
  trainer: { total_updates: 2, test_freq: 0, val_size: 2, micro_batch_tokens: 1024 },
});

it("a policy learns from demonstrations and from play in all of them, and continues bit for bit", async () => {
  const { metrics, early, last } = await shortRun(config);
  for (const values of metrics)
    for (const [key, value] of Object.entries(values)) {
      expect(Number.isFinite(value), key).toBe(true);
      expect(findMetric(key), `${key} is not in the metric dictionary`).toBeDefined();
    }
  const names = ["frozenlake", "sokoban", "rooms"];
  const played = metrics.filter((values) => "actor/pg_loss" in values);
  expect(played.length).toBe(2);
  for (const values of played)
    for (const name of names) expect(values).toHaveProperty([`train/success/${name}`]);
  const validated = metrics.filter((values) => "val/success/frozenlake" in values);
  for (const values of validated)
    for (const name of names) expect(values).toHaveProperty([`val/success/${name}`]);
  expect(validated.length).toBeGreaterThan(0);
  const taught = metrics.filter((values) => "sft/loss" in values);
  expect(taught.map((values) => values.grounding_accuracy)).toEqual([1, 1]);
  const resumed = await shortRun(config, early);
  expect(resumed.metrics).toEqual(metrics.slice(1));
  expect(resumed.last.tensors).toEqual(last.tensors);
});
