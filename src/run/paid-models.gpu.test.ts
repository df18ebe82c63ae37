// A short training in SVG reconstruction that is paid by models: every drawing of episodes and validations has their scores, also where
// the next batch is played ahead.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { pictureOf } from "../envs/svg/svg.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { openSimilarity } from "../onnx/image-similarity.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { openSession } from "../onnx/testing.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { TrainingFact } from "../training/events.ts";
import { train } from "../training/trainer.ts";
import { findMetric } from "../ui/metrics/dictionary.ts";
import { buildRun } from "./build-run.ts";
import { SimilarityModels } from "./similarity-models.ts";

const config = applyChanges(getPreset("svg-small").config, {
  "env.config.dino_weight": 1,
  "env.config.dreamsim_weight": 5,
  "rollout.train_batch_size": 2,
  "rollout.max_head_offpolicyness": 1,
  "sft.total_updates": 0,
  "sft.one_turn_updates": 0,
  "actor.ppo_epochs": 1,
  "actor.use_kl_loss": false,
  "actor.ppo_mini_batch_size": 2,
  "trainer.total_updates": 2,
  "trainer.test_freq": 0,
  "trainer.val_size": 1,
  "trainer.micro_batch_tokens": 512,
});
const policy = await decodeCheckpoint(
  new Uint8Array(
    readFileSync(new URL("../../public/checkpoints/svg-small-warmup.safetensors", import.meta.url)),
  ),
  "svg-small-warmup",
);
const bytes = pixelModel([1, 3, 8, 8], { output: "vector" });

const open = (kind: string) => openSimilarity({ kind, name: kind, bytes }, openSession);

async function factsOf(): Promise<TrainingFact[]> {
  const models = new SimilarityModels({ kinds: ["dino", "dreamsim"], open, howToGive: () => "" });
  const run = await buildRun("paid", config, await requestNodeGpu(), policy, { models });
  const facts: TrainingFact[] = [];
  for await (const fact of train(run, new AbortController().signal, "all")) facts.push(fact);
  run.dispose();
  await models.release();
  return facts;
}

const metricsOf = (facts: readonly TrainingFact[]): Record<string, number>[] =>
  facts.flatMap((fact) => {
    if (fact.type === "metrics") return [fact.values];
    return fact.type === "validation" ? fact.reports.map(({ metrics }) => metrics) : [];
  });

it("pays and measures what models say of drawings", async () => {
  const facts = await factsOf();
  const metrics = metricsOf(facts);
  const played = metrics.filter((values) => "actor/pg_loss" in values);
  expect(played.length).toBe(2);
  const turns = facts.flatMap((fact) => (fact.type === "trajectory" ? fact.trajectory.turns : []));
  const states = turns.map(({ after }) => after.facts!).filter(({ drawing }) => drawing !== undefined);
  expect(states.length).toBeGreaterThan(0);
  for (const kind of ["dino", "dreamsim"]) {
    for (const values of played) expect(values[`train/measured/${kind}`]).toBeGreaterThan(0.5);
    expect(metrics.some((values) => values[`val/measured/${kind}`]! > 0.5)).toBe(true);
    expect(findMetric(`train/measured/${kind}`)).toBeDefined();
    const model = await open(kind);
    const picture = (code: unknown) => (side: number) => pictureOf(String(code), side);
    for (const { icon, drawing, [kind]: score } of states)
      expect(score).toBe(await model.compare(picture(icon), picture(drawing)));
  }
  for (const { index, after, taskReward } of turns) {
    if (index > 0 || after.facts!.drawing === undefined) continue;
    const paid = Number(after.facts!.dino) + 5 * Number(after.facts!.dreamsim);
    // The studio's own measures add at most 1, and a success half a point.
    expect(taskReward).toBeGreaterThanOrEqual(paid);
    expect(taskReward).toBeLessThanOrEqual(paid + 1.5);
  }
});
