// An estimator without kernels: what it reads comes from the GPU, and what it says trains as a kernel's advantages do.
import { readFileSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import type { Trajectory } from "../core/types.ts";
import { replaceExtensions } from "../extension/index.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import type { AdvantageParams, AdvantageTokens } from "../rl/advantage/estimator.ts";
import { grpo } from "../rl/advantage/group.ts";
import { maskedGae } from "../rl/advantage/masked-gae.ts";
import { buildRun } from "../run/build-run.ts";
import { Demonstrations } from "./demonstrations.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { sftUpdate } from "./sft-update.ts";
import { watchNonFinite } from "./skipped-steps.ts";
import type { UpdateResult } from "./update.ts";

afterEach(() => void replaceExtensions([]));

type Estimate = (tokens: AdvantageTokens, params: AdvantageParams) => object;

/** Registers an estimator as somebody's own. */
function own(estimate: Estimate, more: object = {}): void {
  const factory = ({ estimator }: { estimator(own: object): void }) =>
    estimator({ id: "mine", usesTurnGamma: false, estimate, ...more });
  replaceExtensions([{ name: "test", factory }]);
}

async function lastOf(update: AsyncGenerator<unknown, UpdateResult>): Promise<UpdateResult> {
  for (;;) {
    const next = await update.next();
    if (next.done) return next.value;
  }
}

const everything = {
  "rollout.train_batch_size": 8,
  "rollout.max_turns": 2,
  "actor.ppo_mini_batch_size": 8,
  "algorithm.lam": 0.9,
  "algorithm.gamma": 0.99,
  "algorithm.bootstrap_truncated": true,
  "algorithm.use_kl_in_reward": true,
  "algorithm.kl_coef": 0.05,
};

/** A run with an estimator that the first update of a stage may take; its ref policy is the policy. */
async function freshRun(id: string, changes: object = {}, stage: "ppo" | "warmup" = "ppo"): Promise<Run> {
  const config = applyChanges(getPreset("frozenlake-nano").config, {
    ...everything,
    ...(stage === "warmup" && { "trainer.init_checkpoint": "", "sft.train_batch_size": 4 }),
    ...changes,
    "algorithm.adv_estimator": id,
  });
  const file = "public/checkpoints/frozenlake-nano-warmup.safetensors";
  const start =
    stage === "ppo" ? await decodeCheckpoint(new Uint8Array(readFileSync(file)), "SFT") : undefined;
  const run = await buildRun("advantages", config, await requestNodeGpu(), start);
  if (run.engine.options.refPolicy) run.engine.freezeRefPolicy();
  return run;
}

/** Parameters, metrics and episodes of one update with an estimator; under `warmup` an update of the first stage. */
async function oneUpdate(id: string, changes: object = {}, stage: "ppo" | "warmup" = "ppo") {
  const run = await freshRun(id, changes, stage);
  try {
    const watch = watchNonFinite(0);
    const update =
      stage === "ppo" ? ppoUpdate(run, 1, watch) : sftUpdate(run, 1, watch, new Demonstrations(run));
    const { metrics, trajectories } = await lastOf(update);
    const { params, grads } = run.engine.buffers;
    return {
      metrics,
      trajectories,
      grads: await run.engine.readFlat(grads),
      params: await run.engine.readFlat(params),
    };
  } finally {
    run.dispose();
  }
}

/** ‖a − b‖ / ‖b‖. */
function relativeDistance(a: Float32Array, b: Float32Array): number {
  const norm = (x: Float32Array) => Math.sqrt(x.reduce((sum, value) => sum + value * value, 0));
  return norm(a.map((x, i) => x - (b[i] as number))) / norm(b);
}

const joined = (
  trajectories: readonly Trajectory[],
  pick: (tokens: Trajectory["tokens"]) => ArrayLike<number>,
) => trajectories.flatMap(({ tokens }) => Array.from(pick(tokens)));

it("trains as the kernel of the same formula does, with whitening, bootstrap and a KL penalty", async () => {
  let seen: AdvantageTokens | undefined;
  own((tokens, params) => {
    seen = tokens;
    return maskedGae.estimate(tokens, params);
  });
  const mine = await oneUpdate("mine");
  const kernel = await oneUpdate("masked_gae");
  // Sums of a trajectory in double precision on one side, in single on the other: measured 5e-7 and 6e-8.
  expect(relativeDistance(mine.grads, kernel.grads)).toBeLessThan(1e-5);
  expect(relativeDistance(mine.params, kernel.params)).toBeLessThan(1e-6);

  const read = seen as Required<AdvantageTokens>;
  const { trajectories } = mine;
  const responseMask = joined(trajectories, (t) => t.responseMask);
  expect([...(read.gaeMask as Float32Array)]).toEqual(responseMask);
  expect([...(read.rolloutLogprobs as Float32Array)]).toEqual(joined(trajectories, (t) => t.rolloutLogprobs));
  expect([...(read.values as Float32Array)]).toEqual(joined(trajectories, (t) => t.values));
  // The rewards are those less the KL penalty, which the update tells of.
  expect([...(read.rewards as Float32Array)]).toEqual(joined(trajectories, (t) => t.trainRewards ?? []));
  expect([...(read.refLogprobs as Float32Array)]).toEqual(joined(trajectories, (t) => t.refLogprobs));
  for (const [i, own] of responseMask.entries())
    if (own) expect(read.oldLogprobs[i]).toBeCloseTo(read.rolloutLogprobs[i] as number, 3);
    else expect([read.oldLogprobs[i], read.values[i]]).toEqual([0, 0]);
  const cut = trajectories.map(({ truncated }) => truncated);
  expect(Array.from(read.bootstrap, (value) => value !== 0)).toEqual(cut);
  expect(cut).toContain(true);
}, 300_000);

it.each([true, false])(
  "penalises the policy's own tokens alone, whatever carries advantage (loss mask %s)",
  async (lossMask) => {
    const run = await freshRun("gae", { "rollout.use_gae_mask": false, "rollout.use_loss_mask": lossMask });
    try {
      const { batch, refParams, params } = run.engine.buffers;
      // A ref policy that differs, and leftovers wherever it is not scored.
      const weights = await run.engine.readFlat(params);
      run.engine.write(
        refParams,
        weights.map((w, i) => w * (1 + 0.02 * Math.sin(i))),
      );
      run.engine.write(batch.refLogprobs, new Float32Array(batch.refLogprobs.length).fill(-1000));
      const { trajectories, metrics } = await lastOf(ppoUpdate(run, 1, watchNonFinite(0)));
      const kls = trajectories.map(({ tokens }) => {
        const kl = tokens.rewards.map((reward, i) => (reward - (tokens.trainRewards?.[i] ?? 0)) / 0.05);
        for (const [i, own] of tokens.responseMask.entries()) {
          const want = own ? (tokens.rolloutLogprobs[i] as number) - (tokens.refLogprobs?.[i] ?? 0) : 0;
          expect(kl[i]).toBeCloseTo(want, 2);
        }
        return kl.reduce((a, b) => a + b) / tokens.responseMask.reduce((a, b) => a + b);
      });
      expect(Math.max(...kls.map(Math.abs))).toBeGreaterThan(0.001);
      expect(metrics["critic/kl"]).toBeCloseTo(kls.reduce((a, b) => a + b) / kls.length, 3);
    } finally {
      run.dispose();
    }
  },
  300_000,
);

it("takes the KL at every token if it is to, and GRPO counts it in scores, as legacy VAGEN does", async () => {
  const all = { "algorithm.kl_in_reward_tokens": "all", "algorithm.whiten_advantages": false };
  const run = await freshRun("grpo", { ...all, "rollout.n_trajectory": 4 });
  try {
    const { batch, refParams, params } = run.engine.buffers;
    const weights = await run.engine.readFlat(params);
    run.engine.write(
      refParams,
      weights.map((w, i) => w * (1 + 0.02 * Math.sin(i))),
    );
    for (const leftovers of [batch.oldLogprobs, batch.refLogprobs])
      run.engine.write(
        leftovers,
        new Float32Array(leftovers.length).map((_, i) => -1000 - i),
      );
    const { trajectories } = await lastOf(ppoUpdate(run, 1, watchNonFinite(0)));
    const [rewards, old, ref] = await Promise.all(
      [batch.rewards, batch.oldLogprobs, batch.refLogprobs].map((tensor) => run.engine.readFlat(tensor)),
    );
    const before = joined(trajectories, (t) => t.rewards);
    const starts = [0];
    for (const { tokens } of trajectories) starts.push(starts.at(-1)! + tokens.ids.length);
    for (const [i, reward] of before.entries())
      expect(rewards![i]).toBeCloseTo(reward - (starts.includes(i) ? 0 : 0.05 * (old![i]! - ref![i]!)), 4);
    const responseMask = joined(trajectories, (t) => t.responseMask);
    const elsewhere = before.flatMap((_, i) => (responseMask[i] ? [] : [Math.abs(rewards![i]!)]));
    expect(Math.max(...elsewhere)).toBeGreaterThan(1e-4);
    const tokens = {
      starts,
      rewards: rewards!,
      values: rewards!,
      gaeMask: responseMask,
      turnEndMask: responseMask,
      groups: trajectories.map(({ groupId }) => Number(groupId.at(-1))),
    };
    const params1 = { gamma: 1, lambda: 1, turnGamma: 1, scoreEveryToken: true };
    const want = grpo.estimate(tokens, params1);
    const got = joined(trajectories, (t) => t.advantages);
    for (const [i, advantage] of got.entries()) expect(advantage).toBeCloseTo(want.advantages[i]!, 3);
    const own = grpo.estimate(tokens, { ...params1, scoreEveryToken: false }).advantages;
    expect(Math.max(...got.map((x, i) => Math.abs(x - own[i]!)))).toBeGreaterThan(1e-3);
  } finally {
    run.dispose();
  }
}, 300_000);

it("trains the values that the estimator names, and no others", async () => {
  own(({ turnEndMask }) => ({
    advantages: Array.from(turnEndMask, () => 0.1),
    returns: Array.from(turnEndMask, (end) => (end ? 7 : 1000)),
    valueMask: turnEndMask,
  }));
  const { metrics } = await oneUpdate("mine", { "algorithm.whiten_advantages": false });
  expect(metrics["critic/returns/max"]).toBe(7);
  expect(metrics["critic/returns/min"]).toBe(7);
  // Half a square of 7; with the others it would be half a million.
  expect(metrics["critic/vf_loss"]).toBeLessThan(60);
}, 300_000);

it("gives SFT the returns of the demonstrations, with values of 0", async () => {
  let values: ArrayLike<number> = [1];
  own((tokens, params) => {
    values = tokens.values;
    return maskedGae.estimate(tokens, params);
  });
  const mine = await oneUpdate("mine", {}, "warmup");
  const kernel = await oneUpdate("masked_gae", {}, "warmup");
  expect(Array.from(values).every((value) => value === 0)).toBe(true);
  expect(mine.metrics["critic/vf_loss"]).toBeGreaterThan(0);
  expect(mine.metrics["critic/vf_loss"]).toBeCloseTo(kernel.metrics["critic/vf_loss"] as number, 5);
}, 300_000);

it("pays demonstrations as PPO pays episodes: once, at the end, after bias, scale and clip", async () => {
  let seen: AdvantageTokens | undefined;
  own((tokens, params) => {
    seen = tokens;
    return maskedGae.estimate(tokens, params);
  });
  const changes = {
    "rollout.use_multi_turn_reward": false,
    "algorithm.reward_bias": 1,
    "algorithm.reward_scaling": 2,
    "algorithm.reward_clip": 3.2,
  };
  const { trajectories } = await oneUpdate("mine", changes, "warmup");
  const paid = trajectories.map(({ turns }) => {
    const reward = turns.reduce((sum, turn) => sum + turn.reward, 0);
    return Math.min(3.2, (reward + 1) * 2);
  });
  const { rewards, starts } = seen as AdvantageTokens;
  for (const [i, { tokens }] of trajectories.entries()) {
    const own = Array.from(rewards).slice(starts[i], starts[i + 1]);
    const last = tokens.turnEndMask.lastIndexOf(1);
    for (const [t, reward] of own.entries())
      expect(reward).toBeCloseTo(t === last ? (paid[i] as number) : 0, 5);
  }
  expect(Math.min(...paid)).toBeGreaterThan(2);
}, 300_000);
