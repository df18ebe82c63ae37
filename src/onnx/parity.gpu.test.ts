// The exported policies say what the policies on the GPU say: the same logits, the same greedy episodes token by token, and
// the same sampled ones.
import { describe, expect, it } from "vitest";
import { validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import type { Task } from "../agent/task.ts";
import { BUNDLED } from "../config/bundled.ts";
import { VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import type { Trajectory } from "../core/types.ts";
import { testGpu } from "../gpu/testing.ts";
import { PARAM } from "../persistence/checkpoint.ts";
import type { Policy } from "../policy/policy.ts";
import { Engine } from "../policy/wgsl/engine.ts";
import { Generator } from "../policy/wgsl/generator.ts";
import { packSequences } from "../policy/wgsl/pack.ts";
import { flatFromTensors } from "../run/parameter-tensors.ts";
import { runSize } from "../run/size.ts";
import { packBatch, withAllTargets } from "../training/batch.ts";
import type { OrtSession } from "./ort-policy.ts";
import { bundledPolicy, logitsOf, ortPolicy } from "./testing.ts";

/** The bound of the issue. Both are f32 with sums in another order: SwiftShader showed at most 1.2e-5. */
const TOLERANCE = 1e-4;

/** Episodes at a time: as many as `bundledPolicy` has room for. */
const PARALLEL = 2;

const playLevels = (policy: Policy, task: Task, levels: number, temperature: number, maxTokens: number) =>
  play({
    task,
    policy,
    episodes: validationEpisodes(consecutive(VALIDATION_FIRST_SEED, levels)),
    parallel: PARALLEL,
    sampling: { temperature, topP: 1, topK: 0, maxTokens, seed: 17 },
  });

/** What the GPU gives for every target position of one trajectory, and what the session gives there. */
async function largestLogitDifference(engine: Engine, session: OrtSession, trajectory: Trajectory) {
  const sequences = withAllTargets(packBatch([trajectory]));
  await engine.score(sequences, 1);
  const { ws, batch } = engine.buffers;
  const [gpuLogits, gpuValues] = [await engine.readFlat(ws.logits), await engine.readFlat(batch.values)];
  const { targets, tokenOfTarget } = packSequences(sequences, engine.architecture);
  const ort = await logitsOf(session, engine.architecture, trajectory);
  const { vocab, vocabStride } = engine.architecture;
  let most = 0;
  for (let row = 0; row < targets; row++) {
    const token = tokenOfTarget[row];
    for (let i = 0; i < vocab; i++)
      most = Math.max(most, Math.abs(gpuLogits[row * vocabStride + i] - ort.logits[token * vocab + i]));
    most = Math.max(most, Math.abs(gpuValues[token + 1] - ort.values[token]));
  }
  return { most, targets };
}

/**
 * The last policy of each kind: those of a kind differ in their weights alone, and export-policy.test.ts compares the graph of every
 * policy with the twin of the network.
 */
const ONE_OF_A_KIND = BUNDLED.filter(
  (one, i) => i === BUNDLED.findLastIndex((other) => kindOf(other) === kindOf(one)),
);

/** What a policy sees, says, and is made of. */
function kindOf({ needs, further, turns }: (typeof BUNDLED)[number]): string {
  return JSON.stringify([needs, further, turns]);
}

describe.each(ONE_OF_A_KIND.map(({ id }) => id))("%s", (name) => {
  it("plays and computes in ONNX Runtime as on the GPU", async () => {
    const { checkpoint, config } = await bundledPolicy(name);
    const { options, buffers, generatorBuffers, generatorOptions } = runSize(config);
    const engine = await Engine.create(await testGpu(), options, buffers);
    engine.setParameters(flatFromTensors(buffers.layout, checkpoint.tensors, PARAM));
    const { task, session, policy } = await ortPolicy(checkpoint, config);
    const { image } = task.vocabulary;
    const generator = new Generator(engine, generatorBuffers, generatorOptions, (id) => id === image);

    // One level more than are played at a time, so that a slot is used again. The small ones are the same graph, wider.
    const plays = name.includes("nano") ? { 0: 3, 1: 1 } : { 0: 1 };
    const { response_length: maxTokens } = config.rollout;
    for (const [temperature, levels] of Object.entries(plays).map(([t, n]) => [Number(t), n])) {
      const want = await playLevels(generator, task, levels, temperature, maxTokens);
      const got = await playLevels(policy, task, levels, temperature, maxTokens);
      for (const [i, { tokens, success }] of got.entries()) {
        expect(tokens.ids).toEqual(want[i].tokens.ids);
        expect(success).toBe(want[i].success);
        tokens.rolloutLogprobs.forEach((logprob, t) => {
          expect(Math.abs(logprob - want[i].tokens.rolloutLogprobs[t])).toBeLessThan(TOLERANCE);
        });
      }
      if (temperature > 0) continue;
      const { most, targets } = await largestLogitDifference(engine, session, want[0]);
      expect(targets).toBeGreaterThan(30);
      expect(most).toBeLessThan(TOLERANCE);
    }
    await session.release();
    engine.dispose();
  });
});
