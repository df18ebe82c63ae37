// SFT that ends when the policy's facts are right, and runs that are resumed before that.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { type Checkpoint, decodeCheckpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "../run/build-run.ts";
import type { TrainingFact } from "./events.ts";
import type { Run } from "./run.ts";
import { train } from "./trainer.ts";

const warmedUp = join(process.cwd(), "public/checkpoints/frozenlake-nano-warmup.safetensors");

/** Two updates of single turns, then tests after the updates 4 and 5. */
const config = (target: number): RunConfig =>
  applyChanges(getPreset("frozenlake-nano").config, {
    "trainer.init_checkpoint": "",
    "rollout.train_batch_size": 2,
    "rollout.max_turns": 2,
    "actor.ppo_mini_batch_size": 2,
    "sft.total_updates": 5,
    "sft.one_turn_updates": 2,
    "sft.train_batch_size": 2,
    "sft.lr": 1e-4,
    "sft.target_accuracy": target,
    "sft.test_freq": 2,
    "sft.test_levels": 4,
    "trainer.total_updates": 1,
    "trainer.val_size": 2,
    "trainer.val_temperature": 0,
  });

const built = async (of: RunConfig, checkpoint?: Checkpoint) =>
  buildRun("sft-test", of, await requestNodeGpu(), checkpoint);

/** Trains to the end, or until the facts of update `last` are known. */
async function factsOf(run: Run, last = Number.POSITIVE_INFINITY): Promise<TrainingFact[]> {
  const facts: TrainingFact[] = [];
  for await (const fact of train(run, new AbortController().signal)) {
    facts.push(fact);
    if (fact.type === "metrics" && fact.update === last) break;
  }
  return facts;
}

const metricsOf = (facts: readonly TrainingFact[]) =>
  facts.flatMap((fact) => (fact.type === "metrics" ? [fact] : []));

/** The stage of every update, and the updates that ended with a test. */
const courseOf = (facts: readonly TrainingFact[]) => ({
  stages: metricsOf(facts).map(({ stage }) => stage),
  tested: metricsOf(facts).flatMap(({ update, values }) => ("sft/facts_right" in values ? [update] : [])),
});

const weights = (run: Run) => run.engine.readFlat(run.engine.buffers.params);

it("ends with the first test whose facts are right, and with the same weights when it is resumed before", async () => {
  // Knows what it sees in about half of its turns, so the first test is passed.
  const policy = await decodeCheckpoint(new Uint8Array(readFileSync(warmedUp)), "SFT");
  const run = await built(config(0.1), policy);
  const before = await factsOf(run, 3);
  const saved = await run.save();
  const after = await factsOf(run);
  expect(courseOf([...before, ...after])).toEqual({
    stages: ["warmup", "warmup", "warmup", "warmup", "ppo"],
    tested: [4],
  });
  const order = after.flatMap(({ type, ...fact }) =>
    ["sft_ended", "metrics", "checkpoint_due"].includes(type) && "update" in fact
      ? [`${type} ${fact.update}`]
      : [],
  );
  expect(order.slice(0, 3)).toEqual(["sft_ended 4", "metrics 4", "checkpoint_due 4"]);
  const end = after.find(({ type }) => type === "sft_ended");
  expect(end).toHaveProperty(
    "message",
    expect.stringMatching(
      /^SFT ended after 4 updates: \d+\.\d % of the facts are right \(target 10\.0 %\)\.$/,
    ),
  );
  expect(run.config.sft).toMatchObject({ total_updates: 4, lr_decay_updates: 5 });

  for (const [what, resumedWith] of [
    ["as it was", saved.meta.config as RunConfig],
    // After the loss of a device the run is built with its newest configuration.
    ["as it has become", run.config],
  ] as const) {
    const resumed = await built(resumedWith, saved);
    const again = await factsOf(resumed);
    expect(courseOf(again), what).toEqual({ stages: ["warmup", "ppo"], tested: [4] });
    expect(await weights(resumed), what).toEqual(await weights(run));
    resumed.dispose();
  }
  run.dispose();
});

it("is done in full without the facts right, and warns", async () => {
  const run = await built(config(1));
  const facts = await factsOf(run);
  expect(courseOf(facts)).toEqual({
    stages: ["warmup", "warmup", "warmup", "warmup", "warmup", "ppo"],
    tested: [4, 5],
  });
  const warnings = facts.flatMap((fact) => (fact.type === "warning" ? [fact] : []));
  expect(warnings.map(({ code }) => code)).toContain("sft_target_missed");
  expect(warnings.find(({ code }) => code === "sft_target_missed")?.message).toMatch(
    /^SFT ended at its ceiling of 5 updates: 0\.0 % of the facts are right \(target 100\.0 %\)\.$/,
  );
  expect(run.config.sft).toMatchObject({ total_updates: 5, lr_decay_updates: 0 });
  run.dispose();
});
