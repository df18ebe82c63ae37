// Updates of AReaL's workflow: the rewards and advantages of a batch are what the pure functions say of its attempts.
import { afterEach, expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { sequenceSpans } from "../core/token-sequences.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { replaceExtensions } from "../extension/index.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { expectClose } from "../gpu/testing.ts";
import { estimators } from "../rl/advantage/index.ts";
import { buildRun } from "../run/build-run.ts";
import { ppoUpdate } from "./ppo-update.ts";
import type { Run } from "./run.ts";
import { watchNonFinite } from "./skipped-steps.ts";
import type { UpdateResult } from "./update.ts";

afterEach(() => void replaceExtensions([]));

const DISCOUNT = 0.5;

/** An untrained policy earns nothing; this pays what it happens to write, on some of the levels. */
function payForLength(): void {
  const score = ({ reply, before }: Turn) =>
    JSON.stringify(before).length % 2 ? 0 : (1 + (reply.length % 3)) / 8;
  const factory = ({ rewardTerm }: { rewardTerm(own: object): void }) =>
    rewardTerm({ id: "length", title: "Length", score });
  replaceExtensions([{ name: "test", factory }]);
}

/** Twelve episodes of three attempts, three of each question. */
async function arealRun(rollout: object, algorithm: object): Promise<Run> {
  payForLength();
  const config = checkedRunConfig({
    env: { name: "visual-math", config: { grid_size: 4, max_answer: 12 } },
    rollout: {
      workflow: "areal",
      prompt_format: "boxed",
      max_turns: 3,
      response_length: 12,
      turn_discount: DISCOUNT,
      train_batch_size: 12,
      n_trajectory: 3,
      use_multi_turn_reward: false,
      ...rollout,
    },
    reward: { scale_by_turns: false, use_state_reward: false, weights: { length: 1 } },
    judge: { name: "off" },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    algorithm: { lam: 0.9, gamma: 0.99, whiten_advantages: false, ...algorithm },
    sft: { total_updates: 0 },
    actor: { ppo_mini_batch_size: 12, ppo_epochs: 1, use_kl_loss: false },
    trainer: { micro_batch_tokens: 1024, val_size: 4 },
  });
  return buildRun("areal", config, await requestNodeGpu());
}

async function oneUpdate(run: Run): Promise<UpdateResult> {
  if (run.engine.options.refPolicy) run.engine.freezeRefPolicy();
  const update = ppoUpdate(run, 1, watchNonFinite(0));
  for (;;) {
    const next = await update.next();
    if (!next.done) continue;
    for (const [name, value] of Object.entries(next.value.metrics))
      expect(value, name).toSatisfy(Number.isFinite);
    return next.value;
  }
}

/** What each attempt earned: of a conversation as discounted, of separate rows as it was. */
const earned = ({ turns }: Trajectory): number[] =>
  turns.map(({ rewards: { best_so_far: _, ...terms } }) => Object.values(terms).reduce((a, b) => a + b));

/** A conversation is paid its best attempt; separate rows are paid backwards. */
function paid(trajectory: Trajectory, separately: boolean): number[] {
  const rewards = earned(trajectory);
  if (!separately) return [Math.max(...rewards)];
  return rewards.map((_, k) => rewards.slice(k).reduce((sum, reward, t) => sum + reward * DISCOUNT ** t, 0));
}

/** Rows as the estimators' functions take them, each a trajectory of its own. */
function advantageTokens(trajectories: readonly Trajectory[]) {
  const starts = [0];
  const groups: string[] = [];
  for (const trajectory of trajectories)
    for (const { from, to } of sequenceSpans(trajectory)) {
      starts.push((starts.at(-1) as number) + to - from);
      groups.push(trajectory.groupId);
    }
  const joined = (pick: (tokens: Trajectory["tokens"]) => ArrayLike<number>) =>
    trajectories.flatMap(({ tokens }) => Array.from(pick(tokens)));
  return {
    starts,
    groups: groups.map((group) => groups.indexOf(group)),
    rewards: joined((t) => t.trainRewards ?? t.rewards),
    values: joined((t) => t.values),
    gaeMask: joined((t) => t.responseMask),
    turnEndMask: joined((t) => t.turnEndMask),
    advantages: joined((t) => t.advantages),
    returns: joined((t) => t.returns),
  };
}

const shaping = { reward_bias: -0.25, reward_scaling: 4, reward_clip: 0.9 };
const shaped = (reward: number) => Math.max(-0.9, Math.min(0.9, (reward - 0.25) * 4));

it.each([
  ["concat", "bi_level_gae", {}],
  [
    "individual",
    "masked_gae",
    {
      filter: "reward_variance",
      filter_topk: 0.5,
      use_kl_in_reward: true,
      kl_ctrl_type: "adaptive",
      kl_coef: 0.01,
      horizon: 100,
    },
  ],
] as const)(
  "%s: pays, shapes and estimates every sequence as the functions of %s do",
  async (export_style, adv_estimator, algorithm) => {
    const run = await arealRun({ export_style }, { adv_estimator, ...shaping, ...algorithm });
    try {
      const before = await run.engine.readFlat(run.engine.buffers.params);
      const { trajectories, metrics } = await oneUpdate(run);
      const separately = export_style === "individual";
      const rewards = trajectories.flatMap((trajectory) => {
        const amounts = paid(trajectory, separately).map(shaped);
        for (const [k, { from, to }] of sequenceSpans(trajectory).entries()) {
          const { rewards: recorded, trainRewards, turnEndMask } = trajectory.tokens;
          const last = turnEndMask.subarray(from, to).lastIndexOf(1);
          const want = Array.from({ length: to - from }, (_, t) => (t === last ? (amounts[k] as number) : 0));
          expectClose(trainRewards!.subarray(from, to), want, { rtol: 1e-5, atol: 1e-6 });
          const sum = recorded.subarray(from, to).reduce((a, b) => a + b);
          expect(sum).toBeCloseTo(paid(trajectory, separately)[k] as number, 5);
        }
        return amounts;
      });
      expect(rewards).toHaveLength(separately ? 36 : 12);
      expect(new Set(rewards).size).toBeGreaterThan(3);

      const tokens = advantageTokens(trajectories);
      const { lam: lambda, gamma, high_level_gamma: turnGamma } = run.config.algorithm;
      const want = estimators.get(adv_estimator).estimate(tokens, { gamma, lambda, turnGamma });
      expect(Math.max(...want.advantages.map(Math.abs))).toBeGreaterThan(0.1);
      expectClose(tokens.advantages, want.advantages, { rtol: 1e-4, atol: 1e-5 });
      expectClose(tokens.returns, want.returns, { rtol: 1e-4, atol: 1e-5 });

      expect(metrics["actor/grad_norm"]).toBeGreaterThan(0);
      expect(await run.engine.readFlat(run.engine.buffers.params)).not.toEqual(before);
      if (!separately) return;
      expect(metrics["filter/train/topk/num_selected_groups"]).toBe(2);
      // The policy is the refPolicy: as far below the target as adaptive control heeds, by 12 episodes of a horizon of 100.
      expect(metrics["critic/kl"]).toBeCloseTo(0, 3);
      expect(run.counters.klCoef).toBeCloseTo(0.01 * (1 - (0.2 * 12) / 100), 8);
    } finally {
      run.dispose();
    }
  },
  300_000,
);
