// VAGEN averages over micro-batches, each of one sequence: seq-mean-token-mean gives the gradient of that, for every loss.
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { expectClose, noise as someNoise } from "../gpu/testing.ts";
import { buildRun } from "../run/build-run.ts";
import { packBatch, sequencesOf, tokenCount } from "./batch.ts";
import { averageValues, uploadBatch } from "./batch-upload.ts";
import { lossFactsOptions, maskOptions, ppoSettings } from "./hyperparameters.ts";
import { perTurnTrajectory } from "./testing/sequences.ts";

const noise = (...of: Parameters<typeof someNoise>) => Float32Array.from(someNoise(...of));
const MEANS = ["token-mean", "seq-mean-token-mean"] as const;

it("averages whole sequences as micro-batches of one do, in policy, entropy, KL and value loss", async () => {
  const gradients: Record<string, Float32Array> = {};
  for (const mode of MEANS) {
    const config = applyChanges(getPreset("frozenlake-nano").config, {
      "actor.loss_agg_mode": mode,
      "critic.loss_agg_mode": mode,
      "actor.entropy_coeff": 0.3,
      "actor.kl_loss_coef": 0.5,
      "actor.kl_loss_type": "k3",
      "critic.detach_trunk": false,
      "trainer.harness": "no_concat",
      "trainer.init_checkpoint": "",
    });
    const { engine } = await buildRun("means", config, await requestNodeGpu());
    const packed = packBatch([perTurnTrajectory().trajectory], maskOptions(config));
    const [n, { batch }] = [tokenCount(packed), engine.buffers];
    uploadBatch(engine, packed);
    const nearby = Float32Array.from(noise(n, 1, 0.3), (x) => x - 4);
    for (const logprobs of [batch.oldLogprobs, batch.refLogprobs]) engine.write(logprobs, nearby);
    engine.write(batch.advantages, noise(n, 2));
    engine.write(batch.returns, noise(n, 3));
    engine.write(batch.values, noise(n, 4));
    if (mode === "seq-mean-token-mean") averageValues(engine, packed);
    await engine.lossFacts(lossFactsOptions(config, 1), n);
    const sequences = sequencesOf(packed);
    expect(new Set(sequences.map(({ targetMask }) => targetMask.reduce((a, b) => a + b))).size).toBe(3);
    const gradient = async (...of: typeof sequences) => {
      await engine.gradients(of, ppoSettings(config));
      return engine.readFlat(engine.buffers.grads);
    };
    gradients[`${mode} together`] = await gradient(...sequences);
    if (mode !== "token-mean") continue;
    const alone: Float32Array[] = [];
    for (const sequence of sequences) alone.push(await gradient(sequence));
    gradients.alone = (alone[0] as Float32Array).map(
      (_, i) => alone.reduce((sum, one) => sum + (one[i] as number), 0) / alone.length,
    );
  }
  const { alone, "seq-mean-token-mean together": whole, "token-mean together": tokens } = gradients;
  expectClose(whole as Float32Array, alone as Float32Array, { rtol: 2e-4, atol: 2e-6 });
  const apart = Math.max(...(tokens as Float32Array).map((x, i) => Math.abs(x - (alone?.[i] as number))));
  expect(apart).toBeGreaterThan(1e-3);
}, 300_000);
