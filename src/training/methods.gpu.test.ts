// Every method is a configuration of the same update: the GPU's advantages of a whole batch are what the estimators' functions
// say of it, and every loss takes a step.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { play } from "../agent/play.ts";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import type { Trajectory } from "../core/types.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { expectClose } from "../gpu/testing.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { flopsOfPasses } from "../policy/wgsl/flops.ts";
import type { AdvantageTokens } from "../rl/advantage/estimator.ts";
import { estimators } from "../rl/advantage/index.ts";
import { buildRun } from "../run/build-run.ts";
import { packBatch } from "./batch.ts";
import { passes } from "./ppo-cost.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { watchNonFinite } from "./skipped-steps.ts";
import { flopsOf, type UpdateResult } from "./update.ts";

const warmedUp = join(process.cwd(), "public/checkpoints/frozenlake-nano-warmup.safetensors");

/** A policy that talks well and plays a little: six episodes, three of each level. */
async function smallRun(changes: Readonly<Record<string, unknown>>, isWarm = true): Promise<Run> {
  const config = applyChanges(getPreset("frozenlake-nano").config, {
    "rollout.train_batch_size": 6,
    "rollout.n_trajectory": 3,
    "rollout.max_turns": 2,
    "actor.ppo_mini_batch_size": 3,
    "actor.ppo_epochs": 1,
    "actor.lr": 6e-4,
    "algorithm.lam": 0.9,
    "algorithm.gamma": 0.99,
    "algorithm.whiten_advantages": false,
    "actor.recompute_logprob": true,
    ...changes,
  });
  const checkpoint = await decodeCheckpoint(new Uint8Array(readFileSync(warmedUp)), "SFT");
  return buildRun("methods", config, await requestNodeGpu(), isWarm ? checkpoint : undefined);
}

async function oneUpdate(run: Run): Promise<UpdateResult> {
  const update = ppoUpdate(run, 1, watchNonFinite(0));
  for (;;) {
    const next = await update.next();
    if (!next.done) continue;
    for (const [name, value] of Object.entries(next.value.metrics))
      expect(value, name).toSatisfy(Number.isFinite);
    return next.value;
  }
}

const joined = (
  trajectories: readonly Trajectory[],
  pick: (tokens: Trajectory["tokens"]) => ArrayLike<number>,
) => trajectories.flatMap(({ tokens }) => Array.from(pick(tokens)));

/** The batch as the estimators' functions take it. */
function advantageTokens(trajectories: readonly Trajectory[]): AdvantageTokens {
  const starts = [0];
  for (const { tokens } of trajectories) starts.push((starts.at(-1) as number) + tokens.ids.length);
  const groups = [...new Set(trajectories.map(({ groupId }) => groupId))];
  return {
    starts,
    rewards: joined(trajectories, (t) => t.trainRewards ?? t.rewards),
    values: joined(trajectories, (t) => t.values),
    gaeMask: joined(trajectories, (t) => t.responseMask),
    turnEndMask: joined(trajectories, (t) => t.turnEndMask),
    groups: trajectories.map(({ groupId }) => groups.indexOf(groupId)),
  };
}

function lambdaByLength({ lam_by_length: kind, ...algorithm }: Run["config"]["algorithm"]) {
  if (kind === "off") return {};
  const value = kind === "vapo" ? algorithm.vapo_alpha : algorithm.relative_position_q;
  return { lambdaByLength: { kind, value } };
}

/** A row for each turn; a turn with the one before it is all of an episode of two. */
const rows = (history: number) => ({ "trainer.harness": "no_concat", "rollout.window_size": history });

it.each([
  ["no_concat_gae", rows(0)],
  ["no_concat_gae_last", rows(1)],
  ["bi_level_gae", {}],
  ["bi_level_gae", { "algorithm.turn_value_anchor": "start", "algorithm.use_high_level_lam": true }],
  ["turn_wise_gae", {}],
  ["turn_wise_gae", { "algorithm.turn_value_anchor": "start" }],
  ["grpo", {}],
  ["grpo", { "algorithm.norm_adv_by_std_in_grpo": false }],
  ["rloo", {}],
  ["reinforce_plus_plus", { "algorithm.carry_across_turns": true }],
  ["reinforce_plus_plus_baseline", {}],
  ["trajectory_grpo", { "algorithm.norm_adv_by_std_in_grpo": false, ...rows(1) }],
  ["opo", {}],
  ["grpo_passk", rows(0)],
  ["token_level_gae", rows(0)],
  ["default_gae", {}],
  ["default_gae", { ...rows(0), "algorithm.lam_by_length": "vapo" }],
  ["turn_level_gae", {}],
  ["areal_turn_gae", { "algorithm.lam_by_length": "relative_position" }],
  ["bi_level_gae_variable_clock", { "algorithm.gamma": 1, "algorithm.lambda_token": 0.9, ...rows(1) }],
  ["no_concat_gae", {}],
  ["no_concat_gae_last", { "rollout.use_multi_turn_reward": false }],
] as const)(
  "%s %j estimates a batch as its function does",
  async (id, changes) => {
    const run = await smallRun({ "algorithm.adv_estimator": id, ...changes });
    const { algorithm } = run.config;
    const before = await run.engine.readFlat(run.engine.buffers.params);
    const { trajectories, metrics } = await oneUpdate(run);
    const tokens = advantageTokens(trajectories);
    const want = estimators.get(id).estimate(tokens, {
      gamma: algorithm.gamma,
      lambda: algorithm.lam,
      turnGamma: algorithm.high_level_gamma,
      turnLambda: algorithm.use_high_level_lam ? algorithm.high_level_lam : algorithm.lam,
      turnAnchor: algorithm.turn_value_anchor,
      groupStd: algorithm.norm_adv_by_std_in_grpo,
      carry: algorithm.carry_across_turns,
      clock: {
        gammaTurn: algorithm.gamma_turn,
        lambdaTurn: algorithm.lambda_turn,
        lambdaToken: algorithm.lambda_token,
        mix: algorithm.bi_level_mix,
      },
      ...lambdaByLength(algorithm),
    });
    expect(Math.max(...want.advantages.map(Math.abs))).toBeGreaterThan(0.01);
    expectClose(
      joined(trajectories, (t) => t.advantages),
      want.advantages,
      { rtol: 1e-4, atol: 1e-5 },
    );
    expectClose(
      joined(trajectories, (t) => t.returns),
      want.returns,
      { rtol: 1e-4, atol: 1e-5 },
    );
    // Only an estimator with returns has a critic to report on.
    expect("critic/vf_loss" in metrics).toBe(estimators.get(id).valueTokens !== "none");
    expect(await run.engine.readFlat(run.engine.buffers.params)).not.toEqual(before);
    run.dispose();
  },
  120_000,
);

it("AReaL's turns leave the KL to the advantages of single tokens", async () => {
  const run = await smallRun({
    "algorithm.adv_estimator": "areal_turn_gae",
    "algorithm.use_kl_in_reward": true,
    "algorithm.kl_coef": 0.05,
  });
  const { trajectories, metrics } = await oneUpdate(run);
  run.dispose();
  const tokens = { ...advantageTokens(trajectories), rewards: joined(trajectories, (t) => t.rewards) };
  const want = estimators.get("areal_turn_gae").estimate(tokens, { gamma: 0.99, lambda: 0.9, turnGamma: 1 });
  const ref = joined(trajectories, (t) => t.refLogprobs);
  const own = joined(trajectories, (t) => t.responseMask);
  const sampled = joined(trajectories, (t) => t.rolloutLogprobs);
  const penalty = own.map((mine, i) => (mine ? 0.05 * ((sampled[i] as number) - (ref[i] as number)) : 0));
  expect(Math.max(...penalty.map(Math.abs))).toBeGreaterThan(0.01);
  const close = { rtol: 1e-4, atol: 1e-4 };
  const less = (from: ArrayLike<number>) => penalty.map((kl, i) => (from[i] as number) - kl);
  expectClose(
    joined(trajectories, (t) => t.advantages),
    less(want.advantages),
    close,
  );
  expectClose(
    joined(trajectories, (t) => t.returns),
    want.returns,
    close,
  );
  expectClose(
    joined(trajectories, (t) => t.trainRewards ?? []),
    less(tokens.rewards),
    close,
  );
  expect(metrics["critic/kl"]).toBeGreaterThan(0.1);
}, 120_000);

it("ReMax subtracts what the greedy policy earns on the level", async () => {
  const run = await smallRun({ "algorithm.adv_estimator": "remax", "rollout.n_trajectory": 2 });
  const { trajectories, metrics } = await oneUpdate(run);
  const greedy = await smallRun({});
  const levels = new Map(trajectories.map(({ groupId, seed }) => [groupId, seed]));
  const scores = new Map<string, number>();
  const episodes: Trajectory[] = [];
  for (const [groupId, seed] of levels) {
    const [episode] = await play({
      task: greedy.task,
      policy: greedy.policy,
      episodes: [{ id: groupId, seed, groupId, rngKey: 99 }],
      parallel: 1,
      sampling: {
        temperature: 0,
        topP: 1,
        topK: 0,
        maxTokens: greedy.config.rollout.response_length,
        seed: 1,
      },
    });
    episodes.push(episode!);
    scores.set(
      groupId,
      episode!.tokens.rewards.reduce((sum, reward) => sum + reward, 0),
    );
  }
  expect(levels.size).toBe(3);
  const want = estimators.get("remax").estimate(
    {
      ...advantageTokens(trajectories),
      baselines: trajectories.map(({ groupId }) => scores.get(groupId)!),
    },
    { gamma: 1, lambda: 1, turnGamma: 1 },
  );
  expectClose(
    joined(trajectories, (t) => t.advantages),
    want.advantages,
    { rtol: 1e-4, atol: 1e-5 },
  );
  const earned = [...scores.values()];
  expect(Math.max(...earned.map(Math.abs))).toBeGreaterThan(0.01);
  expect(metrics["critic/greedy_score/mean"]).toBeCloseTo(earned.reduce((a, b) => a + b) / 3, 5);
  // Its greedy episodes cost one forward pass more.
  const update = flopsOfPasses(
    passes(run.config, run.engine.keepsRefDistributions),
    flopsOf(run, packBatch(trajectories)),
  );
  const baseline = flopsOf(run, packBatch(episodes)).policy;
  expect(run.counters.flops / (update + baseline)).toBeCloseTo(1, 9);
  for (const one of [run, greedy]) one.dispose();
}, 120_000);

it.each([
  [
    "GSPO over rows, filtered",
    {
      ...rows(0),
      "actor.loss_mode": "gspo",
      "actor.loss_agg_mode": "seq-mean-token-mean",
      "algorithm.filter": "reward_variance_top_p",
    },
  ],
  ...(["turn_ppo", "turn_gspo", "gpg", "cispo", "sapo", "clip_cov", "kl_cov", "geo_mean"] as const).map(
    (id) => [id, { "actor.loss_mode": id, "actor.clip_cov_lb": -1, "actor.kl_cov_ratio": 0.1 }] as const,
  ),
  ["GSPO beside means over tokens", { "actor.loss_mode": "gspo" }],
  ["GSPO", { "actor.loss_mode": "gspo", "actor.loss_agg_mode": "seq-mean-token-mean" }],
  [
    "sums over episodes, two clips",
    { "actor.loss_agg_mode": "seq-mean-token-sum", "actor.clip_ratio_c": 3, "actor.clip_ratio_high": 0.28 },
  ],
  [
    "the decoupled objective",
    // Four steps drift too far on three episodes each.
    {
      "actor.use_decoupled_loss": true,
      "actor.ppo_epochs": 2,
      "rollout.train_batch_size": 12,
      "actor.ppo_mini_batch_size": 6,
    },
  ],
  [
    "no masks",
    {
      "rollout.use_loss_mask": false,
      "rollout.use_gae_mask": false,
      "algorithm.adv_estimator": "gae",
      // One step, as tokens that the policy never learned to write soon drift.
      "actor.ppo_mini_batch_size": 6,
    },
  ],
  [
    "the loss over every token, advantages over the policy's",
    { "rollout.use_loss_mask": false, "actor.ppo_mini_batch_size": 6 },
  ],
  [
    "a filter and adaptive KL",
    {
      "algorithm.filter": "reward_variance_top_p",
      "algorithm.use_kl_in_reward": true,
      "algorithm.kl_ctrl_type": "adaptive",
      "actor.loss_agg_mode": "token-mean",
    },
  ],
] as const)(
  "takes a step with %s",
  async (_, changes) => {
    const run = await smallRun(changes);
    const before = await run.engine.readFlat(run.engine.buffers.params);
    const { metrics } = await oneUpdate(run);
    expect(metrics["actor/grad_norm"]).toBeGreaterThan(0);
    // On the data that it was sampled from, the first ratios are 1: whatever is wrong with one shows here.
    expect(Math.abs(metrics["actor/ppo_kl"] as number)).toBeLessThan(0.05);
    expect(await run.engine.readFlat(run.engine.buffers.params)).not.toEqual(before);
    run.dispose();
  },
  120_000,
);

it("clips a separate critic by a norm of its own, and skips a step above the threshold", async () => {
  const changes = { "model.critic": "separate", "critic.grad_clip": 1, "sft.total_updates": 0 };
  const run = await smallRun({ ...changes, "trainer.init_checkpoint": "" }, false);
  const { metrics } = await oneUpdate(run);
  expect(metrics["critic/grad_norm"]).toBeGreaterThan(0);
  expect(metrics["critic/grad_norm"]).not.toBe(metrics["actor/grad_norm"]);
  run.dispose();
  const cautious = await smallRun({ "actor.grad_norm_threshold": 1e-6 });
  const before = await cautious.engine.readFlat(cautious.engine.buffers.params);
  const skipped = (await oneUpdate(cautious)).metrics;
  expect(skipped["training/skipped_steps"]).toBe(2);
  expect(skipped["training/skipped_in_a_row"]).toBe(0);
  expect(skipped).not.toHaveProperty("critic/grad_norm");
  expect(await cautious.engine.readFlat(cautious.engine.buffers.params)).toEqual(before);
  cautious.dispose();
}, 120_000);

it("trains the critic alone while it goes first", async () => {
  const run = await smallRun({ "trainer.critic_warmup": 1 });
  const { layout, params } = run.engine.buffers;
  const before = await run.engine.readFlat(params);
  await oneUpdate(run);
  const after = await run.engine.readFlat(params);
  const moved = layout.specs.filter(({ offset, length }) =>
    after.subarray(offset, offset + length).some((x, i) => x !== before[offset + i]),
  );
  expect(moved.length).toBeGreaterThan(0);
  expect(moved.every(({ name }) => name.startsWith("value."))).toBe(true);
  run.dispose();
}, 120_000);

it.each(["head", "separate"])(
  "trains a critic (%s) in steps of its own, which change nothing for the policy",
  async (critic) => {
    const start = { "model.critic": critic, "critic.grad_clip": 1, "trainer.init_checkpoint": "" };
    const isWarm = critic === "head";
    const together = await smallRun({ ...start, "sft.total_updates": 0 }, isWarm);
    const own = { "critic.ppo_epochs": 3, "critic.ppo_mini_batch_size": 2 };
    const apart = await smallRun({ ...start, ...own, "sft.total_updates": 0 }, isWarm);
    const { layout, params, optimizerState, criticState } = apart.engine.buffers;
    const one = (await oneUpdate(together)).metrics;
    const other = (await oneUpdate(apart)).metrics;
    const [joint, separate] = [
      await together.engine.readFlat(together.engine.buffers.params),
      await apart.engine.readFlat(params),
    ];
    for (const { name, offset, length } of layout.specs) {
      const [a, b] = [joint, separate].map((flat) => flat.slice(offset, offset + length));
      if (/^(value|critic)\./.test(name)) expect(b, name).not.toEqual(a);
      else expect(b, name).toEqual(a);
    }
    // Two steps of the policy; three epochs of three minibatches for the critic.
    const steps = async (state: typeof criticState) =>
      (await apart.engine.readFlat(state))[OPTIMIZER_STATE.t];
    expect([await steps(optimizerState), await steps(criticState)]).toEqual([2, 9]);
    expect(other["critic/vf_loss"]).toBeLessThan(one["critic/vf_loss"] as number);
    together.dispose();
    apart.dispose();
  },
  120_000,
);

describe("an update that takes the numbers of its rollout", () => {
  const off = { "actor.recompute_logprob": false };

  it("is the same up to rounding, a forward pass cheaper", async () => {
    const [scored, reused] = [await smallRun({}), await smallRun(off)];
    const [one, other] = [await oneUpdate(scored), await oneUpdate(reused)];
    expect(one.metrics).toHaveProperty("training/rollout_probs_diff_mean");
    expect(other.metrics).not.toHaveProperty("training/rollout_probs_diff_mean");
    for (const name of [
      "critic/values/mean",
      "critic/advantages/max",
      "critic/vf_loss",
      "actor/entropy",
      "actor/pg_loss",
    ])
      expect(Math.abs(other.metrics[name]! - one.metrics[name]!), name).toBeLessThan(1e-4);
    for (const fact of ["values", "advantages", "returns", "entropy"] as const)
      expectClose(
        joined(other.trajectories, (tokens) => tokens[fact]),
        joined(one.trajectories, (tokens) => tokens[fact]),
        { rtol: 1e-3, atol: 1e-4 },
      );
    const saved = flopsOf(reused, packBatch(one.trajectories)).policy;
    expect(scored.counters.flops - reused.counters.flops).toBe(saved);
    scored.dispose();
    reused.dispose();
  }, 120_000);

  it.each([
    ["without masks", { "rollout.use_gae_mask": false, "algorithm.adv_estimator": "gae" }],
    ["with values after cut episodes", { "algorithm.bootstrap_truncated": true }],
    ["with the decoupled loss", { "actor.use_decoupled_loss": true }],
  ])(
    "does not exist %s",
    async (_, changes) => {
      const run = await smallRun({ ...off, ...changes });
      expect((await oneUpdate(run)).metrics).toHaveProperty("training/rollout_probs_diff_mean");
      run.dispose();
    },
    120_000,
  );
});

it("goes on with the critic's value where an episode was cut, and only there", async () => {
  const run = await smallRun({
    "algorithm.adv_estimator": "masked_gae",
    "algorithm.bootstrap_truncated": true,
    "algorithm.gamma": 1,
    "rollout.max_turns": 1,
  });
  const { trajectories } = await oneUpdate(run);
  const beyond = trajectories.map(({ tokens, truncated }) => {
    const last = tokens.turnEndMask.lastIndexOf(1);
    return { truncated, value: (tokens.returns[last] as number) - (tokens.rewards[last] as number) };
  });
  const cut = beyond.filter(({ truncated }) => truncated);
  expect(cut.length).toBeGreaterThan(0);
  expect(cut.length).toBeLessThan(beyond.length);
  for (const { truncated, value } of beyond)
    if (truncated) expect(Math.abs(value)).toBeGreaterThan(1e-3);
    else expect(value).toBeCloseTo(0, 5);
  run.dispose();
}, 120_000);
