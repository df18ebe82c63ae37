// What VAGEN's losses are means over. The legacy release and Lite apply the mode within a micro-batch and average the micro-batches of
// a step: their veRL's workers (`dp_actor.py`) are given no count of the whole minibatch's tokens, without which `agg_loss` counts
// those of the micro-batch (verl issues 5625 and 7321). The generation of August 2026 runs on veRL 0.9's engine workers, which give it
// (`ppo_loss` and `value_loss` of verl/workers/utils/losses.py): there `token-mean` is over all tokens of the minibatch.
import { AGGREGATIONS, type AggregationId, inMicroBatchesOfOne } from "../../../rl/aggregation.ts";
import type { RunConfig } from "../../run-config.ts";
import { type KeyMapping, legacy, lite, type ReadResult, type Source } from "../key-mapping.ts";
import { isWrittenForAugust } from "./august.ts";

const MODE = "loss_agg_mode";
const MICRO = "ppo_micro_batch_size_per_gpu";
const ONE = "VAGEN averages over micro-batches, and each of them has one sequence.";
const SEVERAL =
  "In VAGEN every micro-batch has a mean of its own; the studio takes one over the minibatch, so long sequences count a little more.";
const CONVERTED = "VAGEN averages over micro-batches; with 1, `token-mean` becomes `seq-mean-token-mean`.";
const EXCEPT_AUGUST = `${CONVERTED} From August 2026 on it does not, and the mode stays.`;

const isMode = (mode: unknown): mode is AggregationId => Object.hasOwn(AGGREGATIONS, String(mode));

/** The mode that a step amounts to in micro-batches of `micro` sequences. */
function modeOf(mode: unknown, micro: unknown): ReadResult {
  // The schema refuses what is no mode.
  if (!isMode(mode)) return { value: mode };
  const alone = inMicroBatchesOfOne(mode);
  if (alone === mode) return { value: mode };
  return micro === 1 ? { value: alone, note: ONE } : { value: mode, note: SEVERAL };
}

/** Where each loss has its keys, and what its settings are. */
interface Loss {
  readonly section: string;
  readonly path: "actor.loss_agg_mode" | "critic.loss_agg_mode";
  readonly ours: (config: RunConfig) => AggregationId;
  /** veRL's mode where a micro-batch is given; the critic's follows the actor's. */
  readonly mode: (source: Source) => unknown;
}

const ACTOR: Loss = {
  section: "actor_rollout_ref.actor",
  path: "actor.loss_agg_mode",
  ours: ({ actor }) => actor.loss_agg_mode,
  mode: (source) => source.get(`actor_rollout_ref.actor.${MODE}`),
};

const CRITIC: Loss = {
  section: "critic",
  path: "critic.loss_agg_mode",
  ours: ({ critic }) => critic.loss_agg_mode,
  mode: (source) => source.get(`critic.${MODE}`) ?? ACTOR.mode(source),
};

/** A mean over the minibatch is one micro-batch that has all of it. */
const microOf =
  ({ ours }: Loss) =>
  (config: RunConfig): number =>
    inMicroBatchesOfOne(ours(config)) === ours(config) ? 1 : config.actor.ppo_mini_batch_size;

/** Lite's mode of a step. */
const liteModeOf = (mode: unknown, micro: unknown, source: Source): ReadResult =>
  source.isOfAugust ? { value: mode } : modeOf(mode, micro);

const microBatch = (loss: Loss): KeyMapping[] => {
  const common = { default: 1, assumed: true };
  const write = microOf(loss);
  const key = `${loss.section}.${MICRO}`;
  return [
    legacy(key, loss.path, {
      ...common,
      read: (micro) => modeOf("token-mean", micro),
      converted: CONVERTED,
      write,
    }),
    lite(key, loss.path, {
      ...common,
      read: (micro, source) => liteModeOf(loss.mode(source), micro, source),
      converted: EXCEPT_AUGUST,
      write: (config) => (isWrittenForAugust(config) ? 1 : write(config)),
    }),
  ];
};

const mode = (loss: Loss, extra: Partial<KeyMapping>): KeyMapping =>
  lite(`${loss.section}.${MODE}`, loss.path, {
    ...extra,
    converted: `${EXCEPT_AUGUST} See \`${MICRO}\`.`,
    read: (value, source) => liteModeOf(value, source.get(`${loss.section}.${MICRO}`), source),
  });

/** Numbers of single losses, under veRL's keys and ours. */
const numbers: readonly KeyMapping[] = [
  lite(`${ACTOR.section}.tau_pos`, "actor.tau_pos", { default: 1 }),
  lite(`${ACTOR.section}.tau_neg`, "actor.tau_neg", { default: 1.05 }),
  ...["clip_cov_ratio", "clip_cov_lb", "clip_cov_ub", "kl_cov_ratio", "ppo_kl_coef"].map((name) =>
    lite(`${ACTOR.section}.policy_loss.${name}`, `actor.${name}`),
  ),
];

export const lossKeys: readonly KeyMapping[] = [
  mode(ACTOR, { default: "token-mean" }),
  ...microBatch(ACTOR),
  lite("actor_rollout_ref.actor.loss_scale_factor", "actor.loss_scale_factor", {
    read: (value) => ({ value: value ?? 0 }),
    write: ({ actor }) => actor.loss_scale_factor || undefined,
  }),
  ...numbers,
  mode(CRITIC, {}),
  ...microBatch(CRITIC),
];
