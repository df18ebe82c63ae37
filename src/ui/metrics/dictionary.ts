// The metric dictionary: what every logged number means. Charts, tooltips and docs/metrics.md all read this one list.
// Names are VAGEN's and veRL's, so curves can be laid beside theirs.

import { type BatchFilter, filters } from "../../rl/filter/index.ts";
import { type BatchMetric, batchMetrics, metricName } from "../../rl/metric/index.ts";
import { type RewardTerm, rewardTerms } from "../../rl/reward/index.ts";

export type MetricGroup =
  | "Outcome"
  | "Reasoning"
  | "Reward"
  | "Warm-up"
  | "PPO health"
  | "Critic"
  | "Length"
  | "Speed"
  | "Extensions";

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
  /** The range or course that a healthy run shows. */
  readonly healthy: string;
  /** What it looks like when something is wrong, and what that is. */
  readonly wrong: string;
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
  wrong: string,
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
    "Rises unevenly: by chance alone the share of n episodes lies up to 1/√n beside the true rate (95 %), 18 points with 32 episodes and 10 with 100.",
    "Flat near the warm-up's level: learning rate too low, or advantages near zero. Falling to 0 within a few updates: a step was too large.",
  ],
  [
    "val/success",
    "Validation success",
    "",
    "higher",
    SHARE,
    0,
    "Share of fixed validation levels solved. No validation level is ever trained on.",
    "Follows training success.",
    "Training rises while this stays: the policy memorises its levels.",
  ],
  [
    "train/score",
    "Episode return",
    "reward",
    "higher",
    null,
    0.6,
    "Mean over episodes of the sum of all turn rewards.",
    "Rises together with success.",
    "Rises alone: the parts of the return show which reward is being farmed.",
  ],
  [
    "train/done",
    "Finished episodes",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of episodes that the task ended (goal or hole) before the turn limit.",
    "Steady or rising.",
    "Falls towards 0: the policy waits for the turn limit, often because talking pays more than finishing.",
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
    "Above 0.95 after the warm-up, and stays there.",
    "Falls during PPO: the policy drifts; raise the KL coefficient. Low from the start: the picture does not reach the model, or the warm-up was too short.",
  ],
  [
    "worldmodeling_accuracy",
    "Prediction accuracy",
    "",
    "higher",
    SHARE,
    0.6,
    "Mean judge score of the predicted state against the true state after the turn's actions, over judged turns.",
    "0.8 to 0.95 after the warm-up, then rising slowly.",
    "Falls for ten updates and more: the first sign that the policy drifts.",
  ],
  [
    "judge/not_judged",
    "Claims not judged",
    "claims",
    "lower",
    null,
    0,
    "Claims of the update that the judge was asked about and could not decide: a call failed, or its recording lacks them. They earn nothing and are left out of the accuracies.",
    "0 with a judge by rule. With a remote judge a few are harmless.",
    "Many: the judge is overloaded, misconfigured or out of credit.",
  ],
  [
    "judge/requests",
    "Judge requests",
    "requests",
    "lower",
    null,
    0,
    "Requests to the judge's endpoint for the update; of a validation (`val/`), for its episodes. Logged when a model judges.",
    "Falls as the run goes on: the same claim about the same state is asked about once.",
    "Several times the claims: most requests have to be tried again.",
  ],
  [
    "judge/retries",
    "Judge retries",
    "requests",
    "lower",
    null,
    0,
    "Requests that were tried again, after a refusal, a time-out or a reply that could not be used. Logged when a model judges.",
    "Close to 0.",
    "Many: lower judge.requests_per_minute or judge.concurrency.",
  ],
  [
    "judge/tokens",
    "Judge tokens",
    "tokens",
    "lower",
    null,
    0,
    "Input and output tokens of the judge's model for the update, or for a validation's episodes; estimated where the endpoint does not count. Logged when a model judges.",
    "A few hundred for each claim.",
    "Thousands for each claim: the model thinks aloud; choose one that answers shortly, or lower judge.max_tokens.",
  ],
  [
    "judge/cost",
    "Judge cost",
    "USD",
    "lower",
    null,
    0,
    "Tokens of the update, or of a validation's episodes, times judge.input_price and judge.output_price. The bill of a run is the sum over its updates and validations, sampled and greedy. Logged when a model judges.",
    "0 until the prices are set.",
    "Growing from update to update: replies become longer, or more requests are tried again.",
  ],
  [
    "train/format_correct",
    "Valid format",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of an episode's replies that have every tag of the format in order, mean over episodes: a short one counts as much as a long one.",
    "At least 0.98 throughout PPO.",
    "Below 0.95 at its start: the warm-up was too short. Falling later: the step is too large, and every other metric of the text loses its meaning.",
  ],
  [
    "train/action_is_valid",
    "Valid actions",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of an episode's turns whose actions all exist and of which there is at least one, mean over episodes.",
    "Close to valid format.",
    "Well below valid format: the answer names actions that do not exist.",
  ],
  [
    "train/action_is_effective",
    "Effective actions",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of an episode's turns after which the player stands somewhere else, mean over episodes.",
    "Rises.",
    "Low or falling: the player walks into walls, or stays where it is.",
  ],
  [
    "diversity/distinct_4",
    "Phrase diversity",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Different runs of four words over all of them, among the update's texts of one kind: observations, reasonings, predictions, or whole replies. It depends on how many texts there are, so compare it with itself.",
    "Steady from the first update on, or rising as episodes become shorter; 0.01 to 0.15 for policies of few words.",
    "Falls below a third of where it began: one template is left. Rises steeply: words come at random.",
  ],
  [
    "diversity/echo_share",
    "Echo",
    "",
    "lower",
    SHARE,
    0.3,
    "Share of the update's texts of one kind that are its most frequent one, letter for letter.",
    "Steady and below 0.2; whole replies repeat more where only an action is written.",
    "Rises above a half: the same text is written whatever is seen. With a judge reward that stays up, the judge pays for a template.",
  ],
  [
    "diversity/repeat_share",
    "Repetition within an episode",
    "",
    "lower",
    SHARE,
    0.3,
    "Share of texts that their own episode has more than once, in episodes of at least two turns.",
    "Falls as fewer moves are in vain; a description rightly repeats where nothing moved.",
    "Rises: the policy is stuck, or no longer looks between turns.",
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
    "Flat while the other parts grow: the policy is paid for talking.",
  ],
  [
    "reward/format",
    "Format reward",
    "reward",
    "higher",
    null,
    0.6,
    "Reward for well-formed replies, summed over an episode.",
    "Constant once the format is learned; it falls with the turns of an episode.",
    "Falls while episodes keep their length: the format dissolves.",
  ],
  [
    "reward/state_estimation",
    "Grounding reward",
    "reward",
    "higher",
    null,
    0.6,
    "Weighted judge reward for right descriptions of the state, summed over an episode.",
    "Constant near its maximum after the warm-up; falls as episodes become shorter.",
    "Rises while success is flat: episodes are drawn out, or descriptions become vague enough to be always right.",
  ],
  [
    "reward/transition_modeling",
    "Prediction reward",
    "reward",
    "higher",
    null,
    0.6,
    "Weighted judge reward for right predictions, summed over an episode.",
    "Constant near its maximum after the warm-up; falls as episodes become shorter.",
    "Rises while success is flat, as with the grounding reward: predictions that are always true, such as that nothing moves.",
  ],
  [
    "reward/repetition",
    "Repetition penalty",
    "reward",
    "higher",
    null,
    0.6,
    "Taken off for claims that repeat one of the run's most frequent texts and score low, summed over an episode. Logged when its weight is above 0.",
    "Close to 0.",
    "More negative: the policy falls back on a phrase that it says whatever it sees.",
  ],
  [
    "reward/action_cost",
    "Action cost",
    "reward",
    "higher",
    null,
    0.6,
    "Taken off for executed actions, summed over an episode. Logged when its weight is above 0.",
    "Shrinks towards the cost of shortest paths.",
    "At 0 the policy does nothing, which is cheaper than failing.",
  ],
  [
    "reward/best_so_far",
    "Earned before",
    "reward",
    "neither",
    null,
    0.6,
    "Taken off a later attempt for what earlier ones had earned already: an episode of the areal workflow is paid for its best attempt only. Summed over an episode.",
    "Near 0 once first answers are right.",
    "Far below 0: many attempts earn the format's reward again and again, and add nothing.",
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
    "Best and worst fall together with it: the policy breaks down, and not only on some levels.",
  ],
  [
    "critic/rewards/mean",
    "Reward in training",
    "reward",
    "higher",
    null,
    0.6,
    "Sum of token rewards of a trajectory as it is trained on: after bias, scale, clip, length penalty and normalisation, and less the KL penalty in the reward; mean over the batch. Logged when any of these is on.",
    "Follows the score from a little below.",
    "A growing gap: the policy drifts, and pays for it.",
  ],
  [
    "critic/score/std",
    "Spread of scores",
    "reward",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Standard deviation of the update's episode scores.",
    "Largest near a success rate of one half, smaller towards 0 and 1.",
    "Drops while few episodes succeed: all are paid alike, and advantages are noise.",
  ],
  [
    "custom_metrics/train/reward_variance",
    "Reward variance within groups",
    "reward²",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Variance of episode scores within a group of one start state, mean over groups. Logged when groups have at least two episodes.",
    "Steady; falls slowly as more levels are always solved.",
    "A cliff: all episodes of a group end alike, and methods that compare within groups have nothing to learn from.",
  ],
];

/** What a batch filter found and kept; the reference logs both filters under names of their own. */
const filterRows = (name: string): Row[] => {
  const key = (of: string) => `filter/train/${name}/${of}`;
  const variances: [string, string][] = [
    ["mean", "Mean"],
    ["min", "Smallest"],
    ["max", "Largest"],
  ];
  return [
    ...variances.map(
      ([of, title]): Row => [
        key(`${of}_variance`),
        `${title} variance of a group (filter)`,
        "reward²",
        "neither",
        [0, Number.POSITIVE_INFINITY],
        0.6,
        `${title} variance of episode returns within a group, before the filter ${name} drops groups.`,
        "Steady; falls slowly as more levels are always solved.",
        "Near 0: groups end alike, and there is nothing to choose from.",
      ],
    ),
    [
      key("cumulative_variance_ratio"),
      "Variance kept",
      "",
      "higher",
      SHARE,
      0.6,
      "Share of the summed variance that the kept groups hold.",
      "At least the share that the filter was asked for.",
      "Far below it: variance is spread over many groups, and the filter drops what could be learnt from.",
    ],
    [
      key("num_selected_groups"),
      "Groups kept",
      "groups",
      "neither",
      [0, Number.POSITIVE_INFINITY],
      0,
      "Groups that the update trained on.",
      "A part of all groups that hardly changes.",
      "Falling towards 1: nearly all groups end alike.",
    ],
    [
      key("num_total_groups"),
      "Groups played",
      "groups",
      "neither",
      [0, Number.POSITIVE_INFINITY],
      0,
      "Groups of the batch before the filter.",
      "Episodes per update divided by episodes per level.",
      "Anything else: the settings changed.",
    ],
    [
      key("loss_scale"),
      "Loss scale (filter)",
      "",
      "neither",
      SHARE,
      0,
      "Factor of the kept advantages: the square root of the share of groups that is kept, or 1.",
      "Between 0.5 and 1.",
      "Near 0: the update trains on very few groups.",
    ],
  ];
};

const filtering: Row[] = ["topk", "top_p", "dynamic"].flatMap(filterRows);

const warmup: Row[] = [
  [
    "sft/loss",
    "Imitation loss",
    "nats",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean cross-entropy of the demonstrated reply tokens.",
    "A flat start, one sharp fall, then slow improvement.",
    "Flat for long: the learning rate, or the picture does not reach the model. Rising again: the learning rate is too high.",
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
    "Stops well below: the model is too small for its demonstrations, or has seen too few.",
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
    "Between 0 and 2e−3 per token; it can fall a little below 0 by chance.",
    "A spike above 0.02: the step was too large. If success falls after it, lower the actor's learning rate.",
  ],
  [
    "actor/kl_loss",
    "KL to reference",
    "nats",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "KL divergence to the frozen warmed-up policy, mean over policy tokens.",
    "Grows slowly, to 0.02–0.06.",
    "Fast growth together with falling prediction accuracy is drift: raise the KL coefficient.",
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
    "Grows without end: the penalty is too weak for the learning rate.",
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
    "Not what was set: a change applies from the next update on.",
  ],
  [
    "actor/entropy",
    "Entropy",
    "nats",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean entropy of the policy's next-token distribution over its own tokens.",
    "Falls slowly, over a run to a half or a fifth of where it began; for small policies 0.12 to 0.015.",
    "Next to 0: nothing is explored any more, and what is wrong stays so. Rising above its beginning: the format dissolves.",
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
    "Swings that grow from update to update: advantages are not whitened, or the step is too large.",
  ],
  [
    "actor/pg_clipfrac",
    "Clip fraction",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of policy tokens whose ratio left the clip range on the side where the gradient stops.",
    "Below 0.01 for small policies.",
    "Above 0.3: the step is too large. Exactly 0 for long: the policy hardly moves.",
  ],
  [
    "actor/pg_clipfrac_lower",
    "Second clip fraction",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of trained tokens whose loss the second clip bounds: discouraged ones whose ratio exceeds actor.clip_ratio_c.",
    "0, also where the second clip is on.",
    "Above 0.01: single tokens move by a factor within one update; lower the learning rate.",
  ],
  [
    "actor/grad_norm",
    "Actor gradient norm",
    "",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Global gradient norm before clipping, of the update's last optimiser step.",
    "0.05 to 0.6.",
    "Above 1 in every update: clipping decides the step; lower the learning rate. Next to 0: there is no signal.",
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
    "Not what was set: a change applies from the next update on.",
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
    "Below 1e−3.",
    "More means that decoding and training disagree numerically, and the ratio of PPO is wrong by as much.",
  ],
  [
    "version_stats/sample_staleness_theta_avg",
    "Staleness",
    "updates",
    "lower",
    null,
    0,
    "Mean over sampled tokens of the updates between the policy that sampled them and the one that training on them makes.",
    "1: every batch is sampled with the policy that it then improves.",
    "Above 1, batches are trained on later than they are collected; the decoupled objective corrects for that.",
  ],
  [
    "version_stats/sample_staleness_theta_max",
    "Largest staleness",
    "updates",
    "lower",
    null,
    0,
    "The same for the oldest sampled token of the batch.",
    "1.",
    "Above the mean: one reply mixes tokens of several policies.",
  ],
  [
    "version_stats/sample_staleness_proximal_avg",
    "Staleness to proximal",
    "updates",
    "lower",
    null,
    0,
    "Mean over sampled tokens of the updates between the policy that sampled them and the one that the update begins with.",
    "0.",
    "Above 0, log-probabilities of sampling and of the update's beginning are those of different policies.",
  ],
  [
    "training/skipped_steps",
    "Skipped steps",
    "steps",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0,
    "Optimiser steps since the run began that were skipped because a gradient was not finite.",
    "0.",
    "Anything else: gradients were not finite. A run with three such steps in a row is stopped.",
  ],
  [
    "training/skipped_in_a_row",
    "Skipped in a row",
    "steps",
    "lower",
    [0, 3],
    0,
    "How many of the latest optimiser steps in a row were skipped because a gradient was not finite.",
    "0.",
    "At 3 the run stops, and its last good checkpoint is kept.",
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
    "1 − variance(return − value) / variance(return) over the tokens whose value is trained: how much of the outcome the critic foresees.",
    "Near 0 at the start of PPO, where the critic has seen no returns yet and predicts little more than one number; then 0 to 0.1 for FrozenLake, 0.2 to 0.4 for Sokoban with small policies.",
    "Below 0 for ten updates: the critic misleads, and advantages are noisier than without it.",
  ],
  [
    "critic/vf_loss",
    "Value loss",
    "reward²",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.8,
    "Clipped squared error of values against returns (not clipped in the warm-up), mean over the tokens whose value is trained.",
    "Falls, then follows the spread of the returns.",
    "Grows while returns do not: the critic's learning rate is too high.",
  ],
  [
    "critic/vf_clipfrac",
    "Value clip fraction",
    "",
    "lower",
    SHARE,
    0.6,
    "Of the tokens whose value is trained, the share whose new value left the clip range.",
    "Near 0.",
    "Above 0.3: values are held back by their clip range; widen it or lower the critic's learning rate.",
  ],
  [
    "critic/values/mean",
    "Value",
    "reward",
    "neither",
    null,
    0.6,
    "Mean predicted return over the tokens whose value is trained.",
    "Follows the return.",
    "Stays apart from the return for long: the critic does not learn.",
  ],
  [
    "critic/returns/mean",
    "Return per token",
    "reward",
    "neither",
    null,
    0.6,
    "Mean estimated return over the tokens whose value is trained: advantage before whitening plus value.",
    "Rises with success.",
    "Rises while success is flat: see the parts of the reward.",
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
    "Away from 0: whitening is off, or positions outside the mask are counted.",
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
    "Not what was set: a change applies from the next update on.",
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
    "Falls as the policy learns to finish.",
    "Rises towards the limit with high judge rewards: turns are farmed.",
  ],
  [
    "tool_calls/mean",
    "Tool calls per episode",
    "calls",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean number of an episode's replies that call a tool in place of an answer. Only where the task offers tools.",
    "Settles at what the questions need: about one where a figure has to be measured.",
    "0 while success is flat: the policy guesses. At the limit: it asks without answering.",
  ],
  [
    "tool_calls/answered",
    "Answered tool calls",
    "",
    "higher",
    SHARE,
    0.6,
    "Share of the calls that a tool answered, rather than refused as malformed, unknown or over the limit.",
    "Near 1.",
    "Falls: the calls are malformed, or more than an episode may make.",
  ],
  [
    "response_length/mean",
    "Tokens per reply",
    "tokens",
    "neither",
    [0, Number.POSITIVE_INFINITY],
    0.6,
    "Mean number of tokens in a reply.",
    "Steady.",
    "Grows to the limit: replies no longer end. Shrinks: sections are left out, which valid format shows too.",
  ],
  [
    "response_length/clip_ratio",
    "Replies cut at the limit",
    "",
    "lower",
    SHARE,
    0.6,
    "Share of replies that reached the token limit.",
    "0.",
    "Above 0.1: raise the limit, or look at what is written.",
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
    "Bends: replies or episodes have become longer or shorter.",
  ],
  [
    "perf/throughput",
    "Throughput",
    "tokens/s",
    "higher",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Tokens processed in an update, divided by its duration.",
    "Steady after the first updates.",
    "Falls while the page is hidden: the browser slows it down. Falls by and by: the device grows hot, or another program uses it.",
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
    "Jumps: another program uses the device, or the page was hidden.",
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
    "Grows while episodes keep their length: the device is shared.",
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
    "Far more than that: the micro-batches are too small for the device.",
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
    "Far more than scoring: another program uses the device.",
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
    "A share that can be seen: the device is busy with something else.",
  ],
  [
    "timing_s/update_actor",
    "Optimise",
    "s",
    "lower",
    [0, Number.POSITIVE_INFINITY],
    0.3,
    "Time of all optimiser steps of the policy (and of a critic on its backbone).",
    "Grows with epochs.",
    "Grows in steps of one update: micro-batches no longer fit as before, because replies became longer.",
  ],
];

const toMetrics = (group: MetricGroup, rows: Row[]): Metric[] =>
  rows.map(([key, title, unit, better, range, smoothing, definition, healthy, wrong]) => ({
    key,
    title,
    unit,
    group,
    definition,
    better,
    range,
    healthy,
    wrong,
    smoothing,
  }));

const plain = { group: "Extensions", smoothing: 0.6 } as const;

const toMetric = ({ id, measure: _, ...words }: BatchMetric): Metric => ({
  ...words,
  ...plain,
  key: metricName(id),
});

export const METRICS: readonly Metric[] = [
  ...toMetrics("Outcome", outcome),
  ...toMetrics("Reasoning", reasoning),
  ...toMetrics("Reward", [...reward, ...filtering]),
  ...toMetrics("Warm-up", warmup),
  ...toMetrics("PPO health", [...ppo, ...checks]),
  ...toMetrics("Critic", critic),
  ...toMetrics("Length", length),
  ...toMetrics("Speed", speed),
  // Those that the source has; what is registered later is found by its name.
  ...batchMetrics.all.map((own) => toMetric(own)),
];

const byKey = new Map(METRICS.map((metric) => [metric.key, metric]));

/**
 * The entry of a logged key, with or without a trailing part (environment, entity, kind of text; `/min` and `/max` of a mean);
 * undefined for a name we do not know. A validation's number is explained as training's, where it has no entry of its own.
 */
export function findMetric(loggedKey: string): Metric | undefined {
  const candidates = [loggedKey, ...namesInTraining(loggedKey)];
  const found = candidates.find((key) => entryOf(key) !== undefined);
  return found === undefined ? undefined : entryOf(found);
}

/** What a term of the reward is called among others: the title of its metric, without saying "reward" again. */
export const rewardTitle = (id: string): string =>
  (findMetric(`reward/${id}`)?.title ?? id).replace(/ reward$/, "");

/** What extensions log, as they are registered now. */
function ofExtension(key: string): Metric | undefined {
  const metric = batchMetrics.all.find((own) => key === metricName(own.id));
  if (metric) return toMetric(metric);
  const term = rewardTerms.added.find((own) => key === `reward/${own.id}`);
  if (term) return rewardOf(term);
  const filter = filters.added.find((own) => key.startsWith(`filter/train/${own.id}/`));
  return filter && filterNumber(filter, key);
}

const rewardOf = ({ id, title }: RewardTerm): Metric => ({
  ...plain,
  key: `reward/${id}`,
  title,
  unit: "reward",
  definition: `What the reward term ${id} of an extension adds to an episode's return, mean over the batch.`,
  better: "neither",
  range: null,
  healthy: "As its author expects, and small beside the task's reward.",
  wrong: "Rises while success is flat: it is being farmed; lower its weight.",
});

const filterNumber = ({ id, title }: BatchFilter, key: string): Metric => ({
  ...plain,
  key,
  title: `${title}: ${key.slice(`filter/train/${id}/`.length).replaceAll("_", " ")}`,
  unit: "",
  definition: `A number that the batch filter ${id} of an extension tells of each update.`,
  better: "neither",
  range: null,
  healthy: "As its author expects.",
  wrong: "As its author says.",
});

const entryOf = (key: string): Metric | undefined =>
  byKey.get(key) ??
  ofExtension(key) ??
  byKey.get(key.replace(/\/[^/]+$/, "")) ??
  byKey.get(key.replace(/\/(min|max)$/, "/mean"));

/** `val/x` is logged as `train/x` or as `x` in training, `custom_metrics/val/x` as `custom_metrics/train/x`. */
const namesInTraining = (key: string): string[] =>
  key.startsWith("val/")
    ? [key.replace(/^val/, "train"), key.replace(/^val\//, "")]
    : [key.replace(/^custom_metrics\/val\//, "custom_metrics/train/")];
