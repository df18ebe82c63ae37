import { expect, test } from "vitest";
import { demonstrationBatch } from "../agent/players.ts";
import { applyChanges, getPath, setPath } from "../config/changes.ts";
import { checkedRunConfig, inspectRunConfig } from "../config/check.ts";
import { type ConfigField, describeRunConfig } from "../config/describe.ts";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sequenceSpans } from "../core/token-sequences.ts";
import type { Trajectory } from "../core/types.ts";
import { microBatches } from "../policy/wgsl/pack.ts";
import { packBatch, withBootstrapTargets } from "../training/batch.ts";
import { runSize } from "./size.ts";

const MICRO = "trainer.micro_batch_tokens";
const nano = getPreset("frozenlake-nano").config;
const sizeWith = (changes: Readonly<Record<string, unknown>>) => runSize(applyChanges(nano, changes));

test("sequences need no more context than their history, and the batch holds all of them", () => {
  const whole = sizeWith({});
  const alone = sizeWith({ "trainer.harness": "no_concat", "rollout.window_size": 0 });
  const all = sizeWith({ "trainer.harness": "no_concat" });
  expect(all.generatorOptions.maxContext).toBe(whole.generatorOptions.maxContext);
  expect(alone.generatorOptions.maxContext).toBeLessThan(whole.generatorOptions.maxContext / 3);
  expect(alone.buffers.arena.bytesByCategory["KV cache"]).toBeLessThan(
    whole.buffers.arena.bytesByCategory["KV cache"]! / 3,
  );
  // Every sequence repeats the opening words.
  expect(alone.options.batchTokens).toBeGreaterThan(whole.options.batchTokens);
  expect(all.options.batchTokens).toBeGreaterThan(2 * whole.options.batchTokens);
  expect(alone.options.batchSequences).toBe(whole.options.batchEpisodes * 5);
});

test.each([undefined, 0, 1, 2])(
  "no episode with %s turns of history is longer than foreseen",
  async (window) => {
    const { task, options, generatorOptions } = sizeWith(
      window === undefined ? {} : { "trainer.harness": "no_concat", "rollout.window_size": window },
    );
    const episodes = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, seed: i, groupId: "", rngKey: i }));
    const skill = { randomFraction: 1, expertFraction: 0 };
    for (const trajectory of await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 0 })) {
      expect(trajectory.tokens.ids.length).toBeLessThanOrEqual(options.batchTokens / options.batchEpisodes);
      for (const { from, to } of sequenceSpans(trajectory))
        expect(to - from).toBeLessThanOrEqual(generatorOptions.maxContext);
    }
  },
);

/** The sequence of an episode that was cut when it was as long as it can be. */
function longestSequence(length: number): Trajectory {
  const zeros = new Float32Array(length);
  const tokens = {
    ids: new Int32Array(length),
    imagePatch: new Int32Array(length).fill(-1),
    responseMask: new Uint8Array(length).fill(1),
    turnEndMask: new Uint8Array(length),
    turnIndex: new Int32Array(length),
    rewards: zeros,
    rolloutLogprobs: zeros,
  };
  const turns = [{ observation: { text: "", images: [] } }];
  return { id: "cut", turns, truncated: true, tokens } as unknown as Trajectory;
}

test("the value after the last token of the longest sequence fits into one micro-step, asked for or not", () => {
  const { generatorOptions, options } = sizeWith({ [MICRO]: 400 });
  expect(generatorOptions.maxContext).toBeGreaterThan(400);
  const sequences = withBootstrapTargets(packBatch([longestSequence(generatorOptions.maxContext)]));
  expect(microBatches(sequences, options.microTokens)).toHaveLength(1);
});

/** Values that a field can have instead of its present one. */
function others({ path, type, options, min, max }: ConfigField, present: unknown): unknown[] {
  if (type === "boolean") return [!present];
  if (type === "choice") return (options ?? []).filter((option) => option !== present);
  if (type === "text") return ["something else"];
  if (type === "options") return [];
  const bounds = [min, max].filter((value) => value !== undefined);
  expect(bounds, path).toHaveLength(2);
  return bounds;
}

/** Everything that a run allocates and compiles for. */
const allocated = (config: RunConfig) => {
  const { task, architecture, options, generatorOptions, buffers } = runSize(config);
  const { bytesByCategory } = buffers.arena;
  return { vocabulary: task.vocabulary.hash, architecture, options, generatorOptions, bytesByCategory };
};

/** Where a run has few episodes, its number of slots follows this; with fewer slots, validations take more rounds. */
const OF_ROUNDS = "trainer.val_size";

test("no change that a running run takes outgrows what was allocated for it", () => {
  const grouped = {
    "rollout.n_trajectory": 4,
    "rollout.train_batch_size": 16,
    "actor.ppo_mini_batch_size": 16,
  };
  const small = setPath(applyChanges(nano, grouped), MICRO, 256);
  // The least that the rules allow, which is less than the longest sequence has.
  const config = setPath(small, MICRO, inspectRunConfig(small).problems[0]!.fix!.value);
  const before = allocated(config);
  expect(before.options.microTokens).toBeGreaterThan(config.trainer.micro_batch_tokens);
  const fields = describeRunConfig().filter(({ apply, path }) => apply !== "restart" && path !== OF_ROUNDS);
  const taken = fields.flatMap((field) =>
    others(field, getPath(config, field.path)).flatMap((value) => {
      const changed = setPath(config, field.path, value);
      if (inspectRunConfig(changed).problems.length > 0) return [];
      expect(allocated(changed), `${field.path}: ${value}`).toEqual(before);
      return [field.path];
    }),
  );
  expect(new Set(taken).size).toBeGreaterThan(60);
  expect(taken).toEqual(expect.arrayContaining(["algorithm.bootstrap_truncated", "actor.kl_loss_type"]));
});

test("a conversation has room for the longer questions of a validation set", () => {
  const navigation = (sets: object) =>
    runSize(
      checkedRunConfig({
        env: { name: "navigation", config: { eval_set: "base_train" } },
        trainer: { val_sets: sets },
      }),
    ).generatorOptions.maxContext;
  const sets = { chatter: { seeds: "600000-600059", config: { eval_set: "complex_instruction" } } };
  expect(navigation(sets)).toBeGreaterThan(navigation({}));
});
