// Runs in worlds that are no boards, from SFT to a validation: pictures of many patches, claims with tolerances, longer questions.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { findMetric } from "../ui/metrics/dictionary.ts";
import { shortRun, tinySeeing } from "./testing/short-run.ts";

const tiny = (env: object, trainer: object = {}) =>
  checkedRunConfig({
    env,
    rollout: { train_batch_size: 2, max_turns: 2, response_length: 200 },
    model: tinySeeing,
    sft: {
      total_updates: 2,
      one_turn_updates: 1,
      train_batch_size: 2,
      random_fraction: 0.2,
      expert_fraction: 1,
    },
    actor: { ppo_mini_batch_size: 2 },
    trainer: { total_updates: 1, test_freq: 0, val_size: 1, micro_batch_tokens: 512, ...trainer },
  });

const WORLDS = {
  navigation: tiny(
    { name: "navigation", config: { eval_set: "base_train", resolution: 32 } },
    { val_sets: { chatter: { seeds: "600000-600001", config: { eval_set: "complex_instruction" } } } },
  ),
  "primitive-skill": tiny({ name: "primitive-skill", config: { env_id: "PlaceTwoCube", resolution: 32 } }),
  "spatial-gym": tiny({ name: "spatial-gym", config: { objects: 3, resolution: 32 } }),
};

it.each(Object.entries(WORLDS))(
  "a run in %s learns from demonstrations and from play, and continues bit for bit",
  async (name, config) => {
    const { metrics, early, last } = await shortRun(config);
    for (const values of metrics)
      for (const [key, value] of Object.entries(values)) {
        expect(Number.isFinite(value), key).toBe(true);
        expect(findMetric(key), `${key} is not in the metric dictionary`).toBeDefined();
      }
    // What demonstrations say of the present state is right.
    const taught = metrics.filter((values) => "sft/loss" in values);
    expect(taught.map((values) => values.grounding_accuracy)).toEqual([1, 1]);
    expect(metrics.some((values) => "actor/pg_loss" in values)).toBe(true);
    expect(metrics.some((values) => `val/success/${name}` in values)).toBe(true);
    const resumed = await shortRun(config, early);
    expect(resumed.metrics).toEqual(metrics.slice(1));
    expect(resumed.last.tensors).toEqual(last.tensors);
  },
);
