// The metric dictionary: what every logged number means. Charts, tooltips and docs/metrics.md all read this one list.
// Names are VAGEN's and veRL's, so curves can be laid beside theirs.

export type MetricGroup =
  | "Outcome"
  | "Reasoning"
  | "Reward"
  | "Warm-up"
  | "PPO health"
  | "Critic"
  | "Length"
  | "Speed";

export interface Metric {
  /** As logged, without the trailing `/<environment>` that episode metrics carry. */
  readonly key: string;
  readonly title: string;
  /** Empty for pure numbers. */
  readonly unit: string;
  readonly group: MetricGroup;
  /** What is counted or averaged, over what. */
  readonly definition: string;
  readonly better: "higher" | "lower" | "neither";
  /** Axis that never moves, for shares; null when the data decides. */
  readonly range: readonly [number, number] | null;
  /** What a healthy run shows, and what it means when it does not. */
  readonly healthy: string;
  /** Default EMA factor of its chart; 0 is never smoothed. */
  readonly smoothing: number;
}

type Row = [
  key: string,
  title: string,
  unit: string,
  better: Metric["better"],
  range: Metric["range"],
  smoothing: number,
  definition: string,
  healthy: string,
];

const SHARE = [0, 1] as const;

const outcome: Row[] = [
  [
    "train/success",
    "Success rate",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of the update's sampled training episodes that reached the goal.",
    "Rises, with steps of a few percent between updates. Flat near the warm-up's level: learning rate too low or advantages near zero.",
  ],
  [
    "val/success",
    "Validation success",
    "",
    "higher",
    SHARE,
    0,
    "Share of fixed validation levels solved. No validation level is ever trained on.",
    "Follows training success. Training rising while this stays: the policy memorises its levels.",
  ],
  [
    "train/score",
    "Episode return",
    "reward",
    "higher",
    null,
    0.6,
    "Mean over episodes of the sum of all turn rewards.",
    "Rises together with success. Rising alone: the parts below show which reward is being farmed.",
  ],
  [
    "train/done",
    "Finished episodes",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of episodes that the task ended (goal or hole) before the turn limit.",
    "Falling towards 0: the policy waits for the turn limit, often because talking pays more than finishing.",
  ],
];

const reasoning: Row[] = [
  [
    "grounding_accuracy",
    "Grounding accuracy",
    "",
    "higher",
    SHARE,
    0.6,
    "Mean judge score of the described state against the true state before the action, over judged turns.",
    "Above 0.95 after the warm-up and stays there. Falling during PPO: raise the KL coefficient.",
  ],
  [
    "worldmodeling_accuracy",
    "Prediction accuracy",
    "",
    "higher",
    SHARE,
    0.6,
    "Mean judge score of the predicted state against the true state after the turn's actions, over judged turns.",
    "Above 0.95 after the warm-up. It falls first when the policy drifts.",
  ],
  [
    "train/format_correct",
    "Valid format",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of replies that have every tag of the format in order.",
    "At least 0.98 throughout PPO. Below 0.95 at its start: the warm-up was too short.",
  ],
  [
    "train/action_is_valid",
    "Valid actions",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of turns whose actions all exist and of which there is at least one.",
    "Close to valid format.",
  ],
  [
    "train/action_is_effective",
    "Effective actions",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of turns after which the player stands somewhere else.",
    "Rises; low values mean walking into walls.",
  ],
];

const reward: Row[] = [
  [
    "reward/task",
    "Task reward",
    "reward",
    "higher",
    null,
    0.6,
    "The environment's own reward in an episode, summed over its turns.",
    "The part that should grow.",
  ],
  [
    "reward/format",
    "Format reward",
    "reward",
    "higher",
    null,
    0.6,
    "Reward for well-formed replies, summed over an episode.",
    "Constant once the format is learned.",
  ],
  [
    "reward/state_estimation",
    "Grounding reward",
    "reward",
    "higher",
    null,
    0.6,
    "Weighted judge reward for right descriptions of the state, summed over an episode.",
    "Constant near its maximum after the warm-up.",
  ],
  [
    "reward/transition_modeling",
    "Prediction reward",
    "reward",
    "higher",
    null,
    0.6,
    "Weighted judge reward for right predictions, summed over an episode.",
    "Constant near its maximum after the warm-up.",
  ],
  [
    "critic/score/mean",
    "Score",
    "reward",
    "higher",
    null,
    0.6,
    "Sum of token rewards of a trajectory before any KL penalty, mean over the batch.",
    "Equals the episode return.",
  ],
  [
    "critic/rewards/mean",
    "Score after KL",
    "reward",
    "higher",
    null,
    0.6,
    "Sum of token rewards of a trajectory less the KL penalty in the reward, mean over the batch. Logged when there is such a penalty.",
    "Follows the score from a little below. A growing gap: the policy drifts, and pays for it.",
  ],
];

const warmup: Row[] = [
  [
    "sft/loss",
    "Imitation loss",
    "nats",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean cross-entropy of the demonstrated reply tokens.",
    "A flat start, one sharp fall, then slow improvement. Flat for long: learning rate, or the picture does not reach the model.",
  ],
  [
    "sft/token_accuracy",
    "Token accuracy",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of demonstrated reply tokens that the model ranks first.",
    "Approaches 1 except for the freely chosen action.",
  ],
];

const ppo: Row[] = [
  [
    "actor/ppo_kl",
    "Approximate KL",
    "nats",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean over policy tokens of old minus new log-probability during the update.",
    "3e−4 to 2e−3 per token. A spike means too large a step.",
  ],
  [
    "actor/kl_loss",
    "KL to reference",
    "nats",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "KL divergence to the frozen warmed-up policy, mean over policy tokens.",
    "Grows slowly. Fast growth with falling prediction accuracy is drift.",
  ],
  [
    "critic/kl",
    "KL in the reward",
    "nats",
    "lower",
    null,
    0.6,
    "KL estimate between the policy that played and the frozen reference, mean over the tokens of a trajectory and then over trajectories. Logged when it is taken off the reward.",
    "Grows slowly from 0; the estimator k1 falls below it now and then.",
  ],
  [
    "critic/kl_coeff",
    "KL coefficient in the reward",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Weight with which the KL estimate is taken off every token's reward.",
    "As configured.",
  ],
  [
    "actor/entropy",
    "Entropy",
    "nats",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean entropy of the policy's next-token distribution over its own tokens.",
    "0.04 falling to 0.015. Rising above 0.1: the format dissolves.",
  ],
  [
    "actor/pg_loss",
    "Policy loss",
    "",
    "neither",
    null,
    0.8,
    "Clipped surrogate loss, mean over policy tokens.",
    "Wanders around 0; its level says nothing about progress.",
  ],
  [
    "actor/pg_clipfrac",
    "Clip fraction",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of policy tokens whose ratio left the clip range on the side where the gradient stops.",
    "Below 0.01 for small policies; above 0.3 the step is too large.",
  ],
  [
    "actor/grad_norm",
    "Actor gradient norm",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Global gradient norm before clipping, of the update's last optimiser step.",
    "0.1 to 0.4.",
  ],
  [
    "actor/lr",
    "Actor learning rate",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Learning rate of the policy in this update.",
    "As configured.",
  ],
];

const checks: Row[] = [
  [
    "training/rollout_probs_diff_mean",
    "Rollout against training",
    "",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean difference between a sampled token's probability while playing and when scored for training.",
    "Below 1e−3. More means that decoding and training disagree numerically.",
  ],
  [
    "training/skipped_steps",
    "Skipped steps",
    "steps",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Optimiser steps since the run began that were skipped because a gradient was not finite.",
    "0. A run with three such steps in a row is stopped.",
  ],
  [
    "training/skipped_in_a_row",
    "Skipped in a row",
    "steps",
    "lower",
    [0, 3],
    0,
    "How many of the latest optimiser steps in a row were skipped because a gradient was not finite.",
    "0. At 3 the run stops and its last good checkpoint is kept.",
  ],
];

const critic: Row[] = [
  [
    "critic/vf_explained_var",
    "Explained variance",
    "",
    "higher",
    [-1, 1],
    0.6,
    "1 − variance(return − value) / variance(return) over policy tokens: how much of the outcome the critic foresees.",
    "0.05 to 0.25 is normal for small policies; below 0 for long: the critic misleads.",
  ],
  [
    "critic/vf_loss",
    "Value loss",
    "reward²",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.8,
    "Clipped squared error of values against returns.",
    "Falls, then follows the spread of the returns.",
  ],
  [
    "critic/vf_clipfrac",
    "Value clip fraction",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of tokens whose new value left the clip range.",
    "Near 0.",
  ],
  [
    "critic/values/mean",
    "Value",
    "reward",
    "neither",
    null,
    0.6,
    "Mean predicted return over policy tokens.",
    "Follows the return.",
  ],
  [
    "critic/returns/mean",
    "Return per token",
    "reward",
    "neither",
    null,
    0.6,
    "Mean estimated return over policy tokens: advantage before whitening plus value.",
    "Rises with success.",
  ],
  [
    "critic/advantages/mean",
    "Advantage mean",
    "",
    "neither",
    null,
    0,
    "Mean advantage over policy tokens.",
    "0 after whitening, which is as it should be.",
  ],
  [
    "critic/lr",
    "Critic learning rate",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Learning rate of the critic in this update.",
    "As configured.",
  ],
];

const length: Row[] = [
  [
    "num_turns/mean",
    "Turns per episode",
    "turns",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean number of replies until an episode ends.",
    "Falls as the policy learns to finish. Rising towards the limit with high judge rewards is turn farming.",
  ],
  [
    "response_length/mean",
    "Tokens per reply",
    "tokens",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean number of tokens in a reply.",
    "Steady. Growing to the limit: replies no longer end.",
  ],
  [
    "response_length/clip_ratio",
    "Replies cut at the limit",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of replies that reached the token limit.",
    "0; above 0.1 raise the limit or look at what is written.",
  ],
];

const speed: Row[] = [
  [
    "perf/tflop",
    "Work done",
    "TFLOP",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Floating-point operations since the run began, counted from the model's shape.",
    "Grows evenly within a stage.",
  ],
  [
    "perf/throughput",
    "Throughput",
    "tokens/s",
    "higher",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Tokens processed in an update, divided by its duration.",
    "Steady after the first updates. Falling while the page is hidden: the browser slows it down.",
  ],
  [
    "timing_s/step",
    "Time per update",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Wall time of the whole update.",
    "Steady.",
  ],
  [
    "timing_s/gen",
    "Rollout",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time to collect the episodes.",
    "The largest part for small policies.",
  ],
  [
    "timing_s/old_log_prob",
    "Scoring",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time to score the episodes: log-probability, entropy and value of every sampled token, in one forward pass.",
    "About a third of one epoch of optimising.",
  ],
  [
    "timing_s/ref",
    "Reference",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time to score the episodes under the frozen reference, where a KL estimate needs it.",
    "As long as scoring.",
  ],
  [
    "timing_s/adv",
    "Advantages",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time to estimate and whiten advantages.",
    "Tiny.",
  ],
  [
    "timing_s/update_actor",
    "Optimise",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time of all optimiser steps of the policy (and of a critic on its trunk).",
    "Grows with epochs.",
  ],
];

const toMetrics = (group: MetricGroup, rows: Row[]): Metric[] =>
  rows.map(([key, title, unit, better, range, smoothing, definition, healthy]) => ({
    key,
    title,
    unit,
    group,
    definition,
    better,
    range,
    healthy,
    smoothing,
  }));

export const METRICS: readonly Metric[] = [
  ...toMetrics("Outcome", outcome),
  ...toMetrics("Reasoning", reasoning),
  ...toMetrics("Reward", reward),
  ...toMetrics("Warm-up", warmup),
  ...toMetrics("PPO health", [...ppo, ...checks]),
  ...toMetrics("Critic", critic),
  ...toMetrics("Length", length),
  ...toMetrics("Speed", speed),
];

const byKey = new Map(METRICS.map((metric) => [metric.key, metric]));

/** The entry of a logged key, with or without a trailing part (environment, entity); undefined for a name we do not know. */
export function findMetric(loggedKey: string): Metric | undefined {
  return byKey.get(loggedKey) ?? byKey.get(loggedKey.replace(/\/[^/]+$/, ""));
}
