// The metric dictionary: what every logged number means. Charts, tooltips and docs/metrics.md all read this one list.
// Names are those of VAGEN and veRL, so that curves can be compared with theirs.

import { type BatchFilter, filters } from "../../rl/filter/index.ts";
import { type BatchMetric, batchMetrics, metricName } from "../../rl/metric/index.ts";
import { type RewardTerm, rewardTerms } from "../../rl/reward/index.ts";
import { BEST_SO_FAR, EPISODE_FORMAT } from "./reward-title.ts";

export type MetricGroup =
  | "Outcome"
  | "Reasoning"
  | "Reward"
  | "SFT"
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

/** What most metrics have in common. */
const USUAL = { unit: "", better: "neither", range: null, smoothing: 0.6 } as const;

/** A metric without its group and without what is usual. */
type Entry = Omit<Metric, "group" | keyof typeof USUAL> & Partial<Pick<Metric, keyof typeof USUAL>>;

const SHARE = [0, 1] as const;
const POSITIVE = [0, Number.POSITIVE_INFINITY] as const;

/** What metrics of one kind have in common. */
const RATE = { better: "higher", range: SHARE } as const;
const REWARD = { unit: "reward", better: "higher" } as const;
const SECONDS = { unit: "s", better: "lower", range: POSITIVE, smoothing: 0.3 } as const;

const outcome: Entry[] = [
  {
    key: "train/success",
    title: "Success rate",
    ...RATE,
    definition: "Share of the update's sampled training episodes that reached the goal.",
    healthy:
      "Rises unevenly: by chance alone the share of n episodes differs from the true rate by up to 1/√n (95 %): 18 points with 32 episodes, 10 with 100.",
    wrong:
      "Flat near the level of SFT: the learning rate is too low, or advantages are near 0. Falls to 0 within a few updates: a step was too large.",
  },
  {
    key: "val/success",
    title: "Validation success",
    ...RATE,
    smoothing: 0,
    definition: "Share of fixed validation levels solved. No validation level is ever trained on.",
    healthy: "Follows training success.",
    wrong: "Flat while training success rises: the policy memorises its levels.",
  },
  {
    key: "val-core/reward",
    title: "Validation return",
    ...REWARD,
    smoothing: 0,
    definition:
      "Return of a validation's episodes, under veRL's names: mean@n over the n episodes of each level and then over levels; best@k and worst@k are what the best and worst of k episodes return on average, maj@k the return of the answer that most of k give. best, worst and maj for smaller k are under val-aux.",
    healthy: "Rises with training's return; best@k shows what the policy can do at times.",
    wrong: "best@k rises while mean@n is flat: the policy finds solutions and does not learn them.",
  },
  {
    key: "val-aux/traj_success",
    title: "Validation success, per level",
    ...RATE,
    smoothing: 0,
    definition:
      "Share of a validation's episodes that reached the goal, under veRL's names: mean@n, std@n, best@k (at least one of k) and worst@k (all of k).",
    healthy: "mean@n equals the validation success.",
    wrong: "best@k far above mean@n: success depends on the draw.",
  },
  {
    key: "val-aux/num_turns",
    title: "Validation turns",
    range: POSITIVE,
    smoothing: 0,
    definition: "Fewest, most and mean turns of a validation's episodes.",
    healthy: "The mean falls as the policy finds shorter ways.",
    wrong: "The mean equals the limit of turns: episodes are cut.",
  },
  {
    key: "train/measured",
    title: "Measured at the end",
    range: SHARE,
    definition:
      "The environment's measures of an episode's final state, averaged over episodes, each under its own name. SVG reconstruction has similarity, the weighted mean of MS-SSIM, edges and colour, which compare the last drawing with the icon, and, where their weights are above 0, structure, the share of common edges, and DINOv2 and DreamSim, the scores of the user's models.",
    healthy: "Rises with the return.",
    wrong: "One measure rises while another falls: the policy earns where it is easiest; change the weights.",
  },
  {
    key: "train/measured/observations",
    title: "Observations",
    unit: "observations",
    range: POSITIVE,
    definition:
      "Observations that an episode of SpatialGym makes, mean over episodes; each of them costs env.config.observe_cost.",
    healthy: "Settles below env.config.max_exp_steps, at what the questions need.",
    wrong: "Falls together with success: the policy answers before it has seen what the question is about.",
  },
  {
    key: "train/score",
    title: "Episode return",
    ...REWARD,
    definition: "Mean over episodes of the sum of all turn rewards.",
    healthy: "Rises together with success.",
    wrong: "Rises alone: the parts of the return show which reward is being farmed.",
  },
  {
    key: "train/done",
    title: "Finished episodes",
    ...RATE,
    definition: "Share of episodes that the task ended (goal or hole) before the turn limit.",
    healthy: "Steady or rising.",
    wrong:
      "Falls towards 0: the policy plays on to the turn limit, often because talking pays more than finishing.",
  },
  {
    key: "pivot/lost_early",
    title: "Lost before the end",
    better: "lower",
    range: SHARE,
    definition:
      "Share of episodes that were lost before their last turn: success was out of reach with the turns left, and the policy played on. Logged for environments whose solver can decide every state (FrozenLake, and Sokoban with one box) and for Navigation. In Navigation the straight line to the target decides, as in PIVOT, so an episode that has to go around walls may have been lost earlier.",
    healthy: "Falls while success rises.",
    wrong:
      "Stays high while success stalls: most tokens come from turns that can no longer change the outcome.",
  },
  {
    key: "pivot/turn",
    title: "Turn of the loss",
    unit: "turns",
    range: POSITIVE,
    definition:
      "Mean turn, from 1, after which a failed episode was lost, whether or not it was its last: the pivot step of PIVOT. Logged with pivot/lost_early, if an episode failed.",
    healthy: "Rises towards the turn limit: the policy keeps the goal within reach for longer.",
    wrong: "Near 1: the first turn already decides most failures.",
  },
  {
    key: "pivot/deadlock",
    title: "Losses by deadlock",
    better: "lower",
    range: SHARE,
    definition:
      "Share of lost episodes that no number of turns could have saved: a hole, a box that cannot reach its target, or in Navigation too few actions left of env.config.max_steps. The others ran out of turns.",
    healthy: "Falls first: the policy learns to avoid what cannot be undone.",
    wrong: "Rises with the success rate flat: the policy hurries into holes or corners.",
  },
];

const reasoning: Entry[] = [
  {
    key: "grounding_accuracy",
    title: "Grounding accuracy",
    ...RATE,
    definition:
      "Mean judge score of the described state against the true state before the action, over judged turns.",
    healthy:
      "Steady where SFT left it: on boards above 0.95. In worlds, where places count within a tolerance, it depends on the world: the bundled policies that see pictures have 0.5 in Navigation, 0.7 in SpatialGym, 0.6 to 0.8 in SVG reconstruction and 0.8 to 0.9 in PrimitiveSkill.",
    wrong:
      "Falls during PPO: the policy drifts; raise the KL coefficient. Lower than that from the start: the picture does not reach the model, or SFT was too short.",
  },
  {
    key: "surroundings_accuracy",
    title: "Neighbours accuracy",
    ...RATE,
    definition:
      "Share of the four tiles beside the player that the reasoning names rightly, over judged turns; /all is the share of turns with all four right. A rule judges them. Logged for games that have neighbouring tiles, in formats with reasoning.",
    healthy: "At least 0.98 after SFT, and steady.",
    wrong:
      "Lower from the start: SFT was too short, and the policy guesses what it should see. Falls during PPO: pay for it with the neighbours weight.",
  },
  {
    key: "surroundings_miss",
    title: "Missed neighbours",
    ...RATE,
    better: "lower",
    definition:
      "For each kind of tile, e.g. /hole: share of the neighbours of this kind that the reply calls something else or does not mention, over judged turns. For /target, of Sokoban: share of the targets beside the player that the observation places elsewhere or not at all.",
    healthy: "Below 0.02 for every kind.",
    wrong: "High for one kind: the policy does not see it. Free tiles alone can make the accuracy look fine.",
  },
  {
    key: "surroundings_false_alarm",
    title: "False alarms",
    ...RATE,
    better: "lower",
    definition:
      "For each kind of tile, e.g. /hole: share of the neighbours of other kinds that the reply calls this kind, over judged turns. For /target, of Sokoban: share of the other tiles beside the player where the observation places a target.",
    healthy: "Below 0.01 for every kind.",
    wrong: "As high as one minus the misses of the same kind: the policy names it at random.",
  },
  {
    key: "worldmodeling_accuracy",
    title: "Prediction accuracy",
    ...RATE,
    definition:
      "Mean judge score of the predicted state against the true state after the turn's actions, over judged turns.",
    healthy:
      "Rises slowly from where SFT left it: on boards 0.9 or more. In worlds, where places count within a tolerance, the bundled policies that see pictures have 0.2 to 0.4 in Navigation, 0.7 to 0.8 in SpatialGym and 0.5 to 0.9 in PrimitiveSkill.",
    wrong: "Falls for ten updates or more: the first sign that the policy drifts.",
  },
  {
    key: "judge/not_judged",
    title: "Claims not judged",
    unit: "claims",
    better: "lower",
    smoothing: 0,
    definition:
      "Claims of the update that the judge could not decide: a request failed, its recording lacks them, or they are about a drawing that claims cannot describe exactly. They earn nothing and are left out of the accuracies.",
    healthy:
      "0 with the rule judge, except in SVG reconstruction. With a model as judge, a few are harmless.",
    wrong: "Many: the judge is overloaded, misconfigured or out of credit.",
  },
  {
    key: "judge/requests",
    title: "Judge requests",
    unit: "requests",
    better: "lower",
    smoothing: 0,
    definition:
      "Requests to the judge's endpoint for the update's episodes or (`val/`) a validation's. Logged when a model judges.",
    healthy: "Falls as the run goes on: the same claim about the same state is sent once.",
    wrong: "Several times the number of claims: most requests have to be tried again.",
  },
  {
    key: "judge/retries",
    title: "Judge retries",
    unit: "requests",
    better: "lower",
    smoothing: 0,
    definition:
      "Requests that were tried again, after a refusal, a time-out or a reply that could not be used. Logged when a model judges.",
    healthy: "Close to 0.",
    wrong: "Many: lower judge.requests_per_minute or judge.concurrency.",
  },
  {
    key: "judge/tokens",
    title: "Judge tokens",
    unit: "tokens",
    better: "lower",
    smoothing: 0,
    definition:
      "Input and output tokens of the judge's model for the update, or for a validation's episodes; estimated where the endpoint does not count. Logged when a model judges.",
    healthy: "A few hundred for each claim.",
    wrong:
      "Thousands for each claim: the model thinks aloud; choose one that answers briefly, or lower judge.max_tokens.",
  },
  {
    key: "judge/cost",
    title: "Judge cost",
    unit: "USD",
    better: "lower",
    smoothing: 0,
    definition:
      "Tokens of the update, or of a validation's episodes, times judge.input_price and judge.output_price. The bill of a run is the sum over its updates and validations, sampled and greedy; the cost of a validation that was stopped is not in it. Logged when a model judges.",
    healthy: "0 until the prices are set.",
    wrong: "Grows from update to update: replies become longer, or more requests are tried again.",
  },
  {
    key: "train/format_correct",
    title: "Valid format",
    ...RATE,
    definition:
      "Share of an episode's replies that have every tag of the format in order, mean over episodes: a short episode counts as much as a long one.",
    healthy: "At least 0.98 throughout PPO.",
    wrong:
      "Below 0.95 at the start of PPO: SFT was too short. Falling later: the step is too large, and every other metric of the text loses its meaning.",
  },
  {
    key: "train/action_is_valid",
    title: "Valid actions",
    ...RATE,
    definition:
      "Share of an episode's turns that name at least one action and none that does not exist, mean over episodes.",
    healthy: "Close to valid format.",
    wrong: "Well below valid format: the answer names actions that do not exist.",
  },
  {
    key: "train/action_is_effective",
    title: "Effective actions",
    ...RATE,
    definition:
      "Share of an episode's turns whose actions had an effect, mean over episodes. In FrozenLake, Sokoban and other boards with a player, the player has to end the turn on another tile, so a step and a step back do not count. Elsewhere one effective action is enough, even if a later one undoes it: a move, turn or tilt in Navigation; a jump, turn, observation or answer in SpatialGym; a skill that moves something or changes the grip in PrimitiveSkill; another drawing than before in SVG reconstruction; the right answer in Visual math; any action in Blackjack. With rollout.reply_reading lite, every valid skill of PrimitiveSkill counts.",
    healthy: "Rises. In Blackjack it is the share of turns with a known action.",
    wrong:
      "Low or falling: actions change nothing. The player walks into walls or stays where it is, the hand closes on nothing, or a drawing is repeated.",
  },
  {
    key: "diversity/distinct_4",
    title: "Phrase diversity",
    range: POSITIVE,
    smoothing: 0.3,
    definition:
      "Distinct phrases of four words as a share of all such phrases, among the update's texts of one kind: observations, reasonings, predictions, or whole replies. It depends on how many texts there are, so compare it with itself.",
    healthy:
      "Steady from the first update on, or rising as episodes become shorter; 0.01 to 0.15 for policies of few words.",
    wrong: "Falls below a third of where it began: one template is left. Rises steeply: words are random.",
  },
  {
    key: "diversity/echo_share",
    title: "Echo",
    better: "lower",
    range: SHARE,
    smoothing: 0.3,
    definition:
      "Share of the update's texts of one kind that are identical to the most frequent text of that kind.",
    healthy: "Steady and below 0.2; whole replies repeat more where only an action is written.",
    wrong:
      "Rises above a half: the policy writes the same text whatever it sees. If the judge reward stays high, the judge rewards a template.",
  },
  {
    key: "diversity/repeat_share",
    title: "Repetition within an episode",
    better: "lower",
    range: SHARE,
    smoothing: 0.3,
    definition:
      "Share of texts that occur more than once in their episode, in episodes of at least two turns.",
    healthy: "Falls as fewer moves have no effect; where nothing moved, a description rightly repeats.",
    wrong: "Rises: the policy is stuck, or no longer looks between turns.",
  },
];

const reward: Entry[] = [
  {
    key: "reward/task",
    title: "Task reward",
    ...REWARD,
    definition: "The environment's own reward in an episode, summed over its turns.",
    healthy: "The part that should grow.",
    wrong: "Flat while the other parts grow: the policy is paid for talking.",
  },
  {
    key: "reward/format",
    title: "Format reward",
    ...REWARD,
    definition: "Reward for well-formed replies, summed over an episode.",
    healthy: "Constant once the format is learned; it falls with the turns of an episode.",
    wrong: "Falls while episodes keep their length: the format dissolves.",
  },
  {
    key: "reward/format_penalty",
    title: "Format penalty",
    ...REWARD,
    definition:
      "What turns without a valid action earned (`env.config.format_penalty`), summed over an episode. Logged when the option is not 0.",
    healthy: "Close to 0.",
    wrong: "More negative: replies are malformed, or name what the environment refuses.",
  },
  {
    key: `reward/${EPISODE_FORMAT.id}`,
    title: EPISODE_FORMAT.title,
    ...REWARD,
    definition:
      "Reward for successful episodes without a malformed reply (`env.config.episode_format_reward`), mean over the batch. Logged when the option is not 0.",
    healthy: "Rises with the success rate.",
    wrong: "Falls while success stays: the policy solves levels with malformed replies in between.",
  },
  {
    key: "reward/state_estimation",
    title: "Grounding reward",
    ...REWARD,
    definition: "Weighted judge reward for right descriptions of the state, summed over an episode.",
    healthy: "Constant near its maximum after SFT; falls as episodes become shorter.",
    wrong:
      "Rises while success is flat: episodes are prolonged, or descriptions are so vague that they are always right.",
  },
  {
    key: "reward/transition_modeling",
    title: "Prediction reward",
    ...REWARD,
    definition: "Weighted judge reward for right predictions, summed over an episode.",
    healthy: "Constant near its maximum after SFT; falls as episodes become shorter.",
    wrong:
      "Rises while success is flat, as with the grounding reward: predictions that are always true, such as that nothing moves.",
  },
  {
    key: "reward/surroundings",
    title: "Neighbours reward",
    ...REWARD,
    definition:
      "Weighted reward for rightly named neighbours, summed over an episode. Logged when its weight is above 0.",
    healthy: "Constant near its maximum after SFT; falls as episodes become shorter.",
    wrong: "Low: the policy does not see the tiles beside it.",
  },
  {
    key: "reward/repetition",
    title: "Repetition penalty",
    ...REWARD,
    definition:
      "Subtracted for claims that repeat one of the run's most frequent texts and score low, summed over an episode. Logged when its weight is above 0.",
    healthy: "Close to 0.",
    wrong: "More negative: the policy falls back on a phrase that it says whatever it sees.",
  },
  {
    key: "reward/action_cost",
    title: "Action cost",
    ...REWARD,
    definition: "Subtracted for executed actions, summed over an episode. Logged when its weight is above 0.",
    healthy: "Shrinks towards the cost of shortest paths.",
    wrong: "0: the policy does nothing, which is cheaper than failing.",
  },
  {
    key: "reward/turn_cost",
    title: "Turn cost",
    ...REWARD,
    definition: "Subtracted for turns, summed over an episode. Logged when its weight is above 0.",
    healthy: "Shrinks towards the cost of the fewest turns that a success needs.",
    wrong: "Shrinks while success falls: the policy loses soon because turns cost more than they earn.",
  },
  {
    key: `reward/${BEST_SO_FAR.id}`,
    title: BEST_SO_FAR.title,
    unit: "reward",
    definition:
      "What earlier attempts had already earned, subtracted from later ones: an episode of the areal workflow is paid for its best attempt only. Summed over an episode.",
    healthy: "Near 0 once first answers are right.",
    wrong: "Far below 0: many attempts earn only the format's reward again, and add nothing.",
  },
  {
    key: "critic/score/mean",
    title: "Score",
    ...REWARD,
    definition: "Sum of token rewards of a trajectory before any KL penalty, mean over the batch.",
    healthy: "Equals the episode return.",
    wrong: "Falls together with the best and the worst score: the policy breaks down on all levels.",
  },
  {
    key: "critic/rewards/mean",
    title: "Reward in training",
    ...REWARD,
    definition:
      "Sum of token rewards of a trajectory as it is trained on: after bias, scale, clip, length penalty and normalisation, and less the KL penalty in the reward; mean over the batch. Logged when any of these is on.",
    healthy: "Follows the score from a little below.",
    wrong: "A growing gap: the policy drifts, and the KL penalty grows.",
  },
  {
    key: "critic/score/std",
    title: "Spread of scores",
    unit: "reward",
    range: POSITIVE,
    definition: "Standard deviation of the update's episode scores.",
    healthy: "Largest near a success rate of one half, smaller towards 0 and 1.",
    wrong: "Drops while few episodes succeed: all are paid alike, and advantages are noise.",
  },
  {
    key: "custom_metrics/train/reward_variance",
    title: "Reward variance within groups",
    unit: "reward²",
    range: POSITIVE,
    definition:
      "Variance of episode scores within a group of one start state, mean over groups. Logged when groups have at least two episodes.",
    healthy: "Steady; falls slowly as more levels are always solved.",
    wrong:
      "A cliff: all episodes of a group end alike, and methods that compare within groups have nothing to learn from.",
  },
];

/** What a batch filter found and kept; VAGEN logs both filters under names of their own. */
const filterEntries = (name: string): Entry[] => {
  const key = (of: string) => `filter/train/${name}/${of}`;
  const variances: [string, string][] = [
    ["mean", "Mean"],
    ["min", "Smallest"],
    ["max", "Largest"],
  ];
  return [
    ...variances.map(
      ([of, title]): Entry => ({
        key: key(`${of}_variance`),
        title: `${title} variance of a group (filter)`,
        unit: "reward²",
        range: POSITIVE,
        definition: `${title} variance of episode returns within a group, before the filter ${name} drops groups.`,
        healthy: "Steady; falls slowly as more levels are always solved.",
        wrong: "Near 0: groups end alike, and there is nothing to choose from.",
      }),
    ),
    {
      key: key("cumulative_variance_ratio"),
      title: "Variance kept",
      better: "higher",
      range: SHARE,
      definition: "Share of the summed variance that the kept groups hold.",
      healthy: "At least the share that the filter is set to.",
      wrong:
        "Far below it: variance is spread over many groups, and the filter drops groups that carry signal.",
    },
    {
      key: key("num_selected_groups"),
      title: "Groups kept",
      unit: "groups",
      range: POSITIVE,
      smoothing: 0,
      definition: "Groups that the update trained on.",
      healthy: "A nearly constant share of all groups.",
      wrong: "Falls towards 1: nearly all groups end alike.",
    },
    {
      key: key("num_total_groups"),
      title: "Groups played",
      unit: "groups",
      range: POSITIVE,
      smoothing: 0,
      definition: "Groups of the batch before the filter.",
      healthy: "Episodes per update divided by episodes per level.",
      wrong: "Anything else: the settings changed.",
    },
    {
      key: key("loss_scale"),
      title: "Loss scale (filter)",
      range: SHARE,
      smoothing: 0,
      definition: "Factor of the kept advantages: the square root of the share of groups that is kept, or 1.",
      healthy: "Between 0.5 and 1.",
      wrong: "Near 0: the update trains on very few groups.",
    },
  ];
};

const filtering: Entry[] = ["topk", "top_p", "dynamic"].flatMap(filterEntries);

const sft: Entry[] = [
  {
    key: "sft/loss",
    title: "Imitation loss",
    unit: "nats",
    better: "lower",
    range: POSITIVE,
    definition: "Mean cross-entropy of the demonstrated reply tokens.",
    healthy: "A flat start, one sharp fall, then slow improvement.",
    wrong:
      "Flat for long: the learning rate is unsuitable, or the picture does not reach the model. Rises again: the learning rate is too high.",
  },
  {
    key: "sft/token_accuracy",
    title: "Token accuracy",
    ...RATE,
    definition: "Share of demonstrated reply tokens that the model ranks first.",
    healthy: "Approaches 1 except for the freely chosen action.",
    wrong: "Stops well below: the model is too small for its demonstrations, or has seen too few.",
  },
  {
    key: "sft/facts_right",
    title: "Facts right",
    ...RATE,
    smoothing: 0,
    definition:
      "Share of turns in which all statements of one kind (places, neighbours) about the present state are right, on levels that neither training nor a validation names. It is the smallest such share over all kinds of statement and all environments. Malformed replies count as wrong; what a judge could not decide does not count. SFT ends when it reaches sft.target_accuracy.",
    healthy: "Ends above 0.98: PPO cannot repair what the policy does not see.",
    wrong:
      "Stays low while the imitation loss falls: SFT is too short, or the model too small for the picture.",
  },
  {
    key: "sft/too_long",
    title: "Demonstrations too long",
    ...RATE,
    better: "lower",
    smoothing: 0,
    definition:
      "Share of demonstrations that the update leaves out because one of their replies exceeds rollout.response_length.",
    healthy: "0.",
    wrong: "Above 0: raise rollout.response_length. Above 0.25 the run ends.",
  },
];

const ppo: Entry[] = [
  {
    key: "actor/ppo_kl",
    title: "Approximate KL",
    unit: "nats",
    better: "lower",
    range: POSITIVE,
    definition: "Mean over policy tokens of old minus new log-probability during the update.",
    healthy: "Between 0 and 2e−3 per token; it can fall a little below 0 by chance.",
    wrong:
      "A spike above 0.02: the step was too large. If success falls after it, lower the actor's learning rate.",
  },
  {
    key: "actor/kl_loss",
    title: "KL to ref policy",
    unit: "nats",
    better: "lower",
    range: POSITIVE,
    definition: "KL divergence to the ref policy, frozen after SFT, mean over policy tokens.",
    healthy: "Grows slowly, to 0.02–0.06.",
    wrong: "Fast growth together with falling prediction accuracy is drift: raise the KL coefficient.",
  },
  {
    key: "actor/pivot_loss",
    title: "PIVOT loss",
    unit: "nats",
    definition:
      "Mean over trained tokens of g·(ℓ_tea − ℓ_stu) in failed episodes, 0 in others, at the policy that begins the update and without its weight. ℓ_tea is the log-probability of a token given the information on how and when the episode was lost, ℓ_stu without it. Logged with actor.use_pivot.",
    healthy: "Near 0, with a sign that changes little: the information moves log-probabilities slightly.",
    wrong:
      "Large next to actor/pg_loss times its weight: the term drives the policy. Lower actor.pivot_coef.",
  },
  {
    key: "actor/pivot_gate",
    title: "PIVOT gate",
    range: SHARE,
    definition:
      "Mean gate g = σ(pivot_beta·(ℓ_tea − ℓ_stu)) of the sampled tokens of failed episodes; absent where no episode failed.",
    healthy: "Around 0.5: the informed policy finds some tokens more likely and others less.",
    wrong: "Exactly 0.5 for the whole run: the policy ignores the information.",
  },
  {
    key: "actor/pivot_tokens",
    title: "PIVOT tokens",
    range: SHARE,
    definition: "Share of the trained tokens that belong to failed episodes and have a teacher.",
    healthy: "Falls as success rises.",
    wrong: "Near 1: hardly an episode succeeds, and the policy mostly imitates its failures.",
  },
  {
    key: "critic/kl",
    title: "KL in the reward",
    unit: "nats",
    better: "lower",
    definition:
      "KL estimate between the policy that played and the ref policy, mean over the tokens of a trajectory and then over trajectories. Logged when it is subtracted from the reward.",
    healthy: "Grows slowly from 0; the estimator k1 falls below 0 now and then.",
    wrong: "Grows without end: the penalty is too weak for the learning rate.",
  },
  {
    key: "critic/kl_coeff",
    title: "KL coefficient in the reward",
    range: POSITIVE,
    smoothing: 0,
    definition: "Weight with which the KL estimate is subtracted from every token's reward.",
    healthy: "As configured.",
    wrong: "Not what was set: a change applies from the next update on.",
  },
  {
    key: "critic/greedy_score/mean",
    title: "Greedy score",
    definition:
      "What the greedy policy earns on the levels of the update, mean over levels; the baseline that ReMax subtracts.",
    healthy: "Rises with the score, and lies above it.",
    wrong: "Below the score for long: sampling finds what the most likely replies miss.",
  },
  {
    key: "actor/entropy",
    title: "Entropy",
    unit: "nats",
    range: POSITIVE,
    definition: "Mean entropy of the policy's next-token distribution over its own tokens.",
    healthy:
      "Falls slowly, over a run to a half or a fifth of where it began; for small policies 0.12 to 0.015.",
    wrong:
      "Near 0: the policy no longer explores, so its errors remain. Rises above its first value: the format dissolves.",
  },
  {
    key: "actor/pg_loss",
    title: "Policy loss",
    smoothing: 0.8,
    definition:
      "Loss of the policy (actor.loss_mode), always as a mean over policy tokens: actor.loss_agg_mode changes the gradient, not this number.",
    healthy: "Wanders around 0; its level says nothing about progress.",
    wrong: "Swings that grow from update to update: advantages are not whitened, or the step is too large.",
  },
  {
    key: "actor/pg_clipfrac",
    title: "Clip fraction",
    better: "lower",
    range: SHARE,
    definition:
      "Share of policy tokens whose ratio left the clip range on the side where the gradient stops; with clip_cov, the share of tokens that it leaves out.",
    healthy: "Below 0.01 for small policies.",
    wrong: "Above 0.3: the step is too large. Exactly 0 for long: the policy hardly changes.",
  },
  {
    key: "actor/pg_clipfrac_lower",
    title: "Second clip fraction",
    better: "lower",
    range: SHARE,
    definition:
      "Share of trained tokens whose loss the second clip bounds: those of negative advantage whose ratio exceeds actor.clip_ratio_c.",
    healthy: "0, even with the second clip on.",
    wrong:
      "Above 0.01: the probability of some tokens grows several-fold within one update; lower the learning rate.",
  },
  {
    key: "actor/turns_per_row",
    title: "Turns per sequence",
    range: POSITIVE,
    definition:
      "Turns of a sequence that is trained on, mean. Logged with the losses turn_ppo and turn_gspo, whose policy loss sums over them.",
    healthy: "As many as an episode has turns; 1 if every turn is a sequence.",
    wrong: "Grows over the run: the entropy bonus and the KL weigh less and less beside the policy loss.",
  },
  {
    key: "actor/turn_len_mean",
    title: "Tokens per turn",
    unit: "tokens",
    range: POSITIVE,
    definition: "Trained tokens of a turn, mean over turns. Logged with the losses turn_ppo and turn_gspo.",
    healthy: "The length of a reply.",
    wrong:
      "Jumps: with turn_ppo the ratios of longer turns spread more, in proportion to the square root of their length.",
  },
  {
    key: "actor/turn_log_ratio_std",
    title: "Spread of turn ratios",
    range: POSITIVE,
    definition:
      "Standard deviation of the logarithm of a turn's ratio, over the turns of an update at their last step. Logged with the losses turn_ppo and turn_gspo.",
    healthy: "Below log(1 + clip ratio), which is 0.18 for 0.2.",
    wrong: "Above it: most turns are clipped and have no gradient. Widen the clip, or use turn_gspo.",
  },
  {
    key: "actor/grad_norm",
    title: "Actor gradient norm",
    range: POSITIVE,
    smoothing: 0,
    definition:
      "Gradient norm before clipping, of the update's last optimiser step: of all parameters, or of the policy's if the critic has its own clip.",
    healthy: "0.05 to 0.6.",
    wrong:
      "Above 1 in every update: clipping decides the step; lower the learning rate. Near 0: there is no signal.",
  },
  {
    key: "critic/grad_norm",
    title: "Critic gradient norm",
    range: POSITIVE,
    smoothing: 0,
    definition:
      "Gradient norm of the critic's parameters before clipping, of the update's last optimiser step. Logged when critic.grad_clip is set, or the critic takes its own steps (critic.ppo_epochs, critic.ppo_mini_batch_size).",
    healthy: "Falls as the critic learns the returns.",
    wrong:
      "Far above its clip in every update: rewards are large; lower the critic's learning rate or scale the rewards.",
  },
  {
    key: "actor/lr",
    title: "Actor learning rate",
    range: POSITIVE,
    smoothing: 0,
    definition: "Learning rate of the policy in this update.",
    healthy: "As configured.",
    wrong: "Not what was set: a change applies from the next update on.",
  },
];

const checks: Entry[] = [
  {
    key: "training/rollout_probs_diff_mean",
    title: "Rollout against training",
    better: "lower",
    range: POSITIVE,
    definition:
      "Mean difference between a sampled token's probability while playing and when scored for training. Logged in updates that score again (actor.recompute_logprob).",
    healthy:
      "Below 1e−3. Higher where episodes are played ahead (rollout.max_head_offpolicyness), because an older policy sampled them.",
    wrong: "Above it: decoding and training disagree numerically, and PPO's ratio is wrong by as much.",
  },
  {
    key: "version_stats/sample_staleness_theta_avg",
    title: "Staleness",
    unit: "updates",
    better: "lower",
    smoothing: 0,
    definition:
      "Number of updates between the policy that sampled a token and the policy after the update that trains on it, mean over sampled tokens.",
    healthy:
      "1: every batch is sampled with the policy that it then improves. At most 1 + rollout.max_head_offpolicyness where episodes are played ahead.",
    wrong:
      "Above 1: updates passed between sampling a batch and training on it; the decoupled objective corrects for that.",
  },
  {
    key: "version_stats/sample_staleness_theta_max",
    title: "Largest staleness",
    unit: "updates",
    better: "lower",
    smoothing: 0,
    definition:
      "Number of updates between the policy that sampled the oldest token of the batch and the policy after the update that trains on it.",
    healthy: "1, or at most 1 + rollout.max_head_offpolicyness.",
    wrong:
      "Above the mean: some episodes began earlier than others, and their turns are of several policies.",
  },
  {
    key: "version_stats/sample_staleness_proximal_avg",
    title: "Staleness to proximal",
    unit: "updates",
    better: "lower",
    smoothing: 0,
    definition:
      "Number of updates between the policy that sampled a token and the policy that the update begins with, mean over sampled tokens.",
    healthy: "0, or at most rollout.max_head_offpolicyness.",
    wrong: "Above 0: the batch was sampled with another policy than the one that the update begins with.",
  },
  {
    key: "rollout/rejected",
    title: "Dropped groups",
    unit: "groups",
    better: "lower",
    range: POSITIVE,
    smoothing: 0,
    definition:
      "Levels whose episodes were dropped because they had been played for more than rollout.max_inflight_steps updates; other levels took their place.",
    healthy: "0, or a few.",
    wrong: "Many in every update: their turns were played for nothing; raise rollout.max_inflight_steps.",
  },
  {
    key: "training/skipped_steps",
    title: "Skipped steps",
    unit: "steps",
    better: "lower",
    range: POSITIVE,
    smoothing: 0,
    definition: "Optimiser steps since the run began that were skipped because a gradient was not finite.",
    healthy: "0.",
    wrong: "Anything else: gradients were not finite. A run with three such steps in a row is stopped.",
  },
  {
    key: "training/skipped_in_a_row",
    title: "Skipped in a row",
    unit: "steps",
    better: "lower",
    range: [0, 3],
    smoothing: 0,
    definition:
      "How many of the latest optimiser steps in a row were skipped because a gradient was not finite.",
    healthy: "0.",
    wrong: "At 3 the run stops, and its last good checkpoint is kept.",
  },
];

const critic: Entry[] = [
  {
    key: "critic/vf_explained_var",
    title: "Explained variance",
    better: "higher",
    range: [-1, 1],
    definition:
      "1 − variance(return − value) / variance(return) over the tokens whose value is trained: how much of the outcome the critic foresees.",
    healthy:
      "Near 0 at the start of PPO, where the critic has seen no returns of PPO yet and predicts nearly the same value everywhere; then 0 to 0.1 for FrozenLake, 0.2 to 0.4 for Sokoban with small policies.",
    wrong: "Below 0 for ten updates: the critic misleads, and advantages are noisier than without it.",
  },
  {
    key: "critic/vf_explained_var/turn_start",
    title: "Explained variance, start of turn",
    better: "higher",
    range: [-1, 1],
    definition:
      "Explained variance over turns: the value before the first token of a reply against the return there. The return is what the value is trained towards: this turn's and all later rewards after shaping, discounted as the estimator does. Below λ = 1 it also contains later values, so that the number is too high. An estimator that trains one value per turn has one return for both ends of a turn.",
    healthy:
      "Up to the share that the state explains, which npm run eval -- --explainable measures: about 0.2 for FrozenLake nano after SFT and 0.7 for the trained policy.",
    wrong: "Near 0 while that share is large: the critic does not tell good states from bad ones.",
  },
  {
    key: "critic/vf_explained_var/turn_end",
    title: "Explained variance, end of turn",
    better: "higher",
    range: [-1, 1],
    definition:
      "Explained variance over turns at the last token of a reply, where the critic has read the whole decision. An estimator that trains values only at the start of turns has no number here.",
    healthy:
      "Above the number at the start of turns, because the actions are known; the ceiling is about 0.4 for FrozenLake nano after SFT and 0.9 for the trained policy. The difference is what lets an estimator with λ below 1 tell good decisions from bad ones.",
    wrong: "No better than at the start of turns: the critic does not see where the actions lead.",
  },
  {
    key: "critic/returns_var/turn_start",
    title: "Variance of returns, start of turn",
    unit: "reward²",
    range: POSITIVE,
    definition:
      "Variance over turns of the return at the first token of a reply. It is the weight of that update's explained variance in a mean over updates: an update in which nearly every episode succeeds has hardly any variance to explain, and its explained variance can be far below 0.",
    healthy: "Falls as episodes become alike.",
    wrong: "Near 0 from the start: every episode ends alike, so there is nothing to learn.",
  },
  {
    key: "critic/returns_var/turn_end",
    title: "Variance of returns, end of turn",
    unit: "reward²",
    range: POSITIVE,
    definition: "Variance over turns of the return at the last token of a reply.",
    healthy: "Falls as episodes become alike.",
    wrong: "Near 0 from the start: every episode ends alike, so there is nothing to learn.",
  },
  {
    key: "critic/vf_loss",
    title: "Value loss",
    unit: "reward²",
    better: "lower",
    range: POSITIVE,
    smoothing: 0.8,
    definition:
      "Clipped squared error of values against returns (not clipped in SFT), mean over the tokens whose value is trained.",
    healthy: "Falls, then follows the spread of the returns.",
    wrong: "Grows while returns do not: the critic's learning rate is too high.",
  },
  {
    key: "critic/vf_clipfrac",
    title: "Value clip fraction",
    better: "lower",
    range: SHARE,
    definition: "Of the tokens whose value is trained, the share whose new value left the clip range.",
    healthy: "Near 0.",
    wrong:
      "Above 0.3: values are held back by their clip range; widen it or lower the critic's learning rate.",
  },
  {
    key: "critic/values/mean",
    title: "Value",
    unit: "reward",
    definition: "Mean predicted return over the tokens whose value is trained.",
    healthy: "Follows the return.",
    wrong: "Differs from the return for long: the critic does not learn.",
  },
  {
    key: "critic/returns/mean",
    title: "Return per token",
    unit: "reward",
    definition:
      "Mean estimated return over the tokens whose value is trained: advantage before whitening plus value.",
    healthy: "Rises with success.",
    wrong: "Rises while success is flat: see the parts of the reward.",
  },
  {
    key: "critic/advantages/mean",
    title: "Advantage mean",
    smoothing: 0,
    definition: "Mean advantage over policy tokens.",
    healthy: "0 after whitening.",
    wrong: "Away from 0: whitening is off, or positions outside the mask are counted.",
  },
  {
    key: "critic/lr",
    title: "Critic learning rate",
    range: POSITIVE,
    smoothing: 0,
    definition: "Learning rate of the critic in this update.",
    healthy: "As configured.",
    wrong: "Not what was set: a change applies from the next update on.",
  },
];

const length: Entry[] = [
  {
    key: "num_turns/mean",
    title: "Turns per episode",
    unit: "turns",
    better: "lower",
    range: POSITIVE,
    definition: "Mean number of replies until an episode ends.",
    healthy: "Falls as the policy learns to finish.",
    wrong: "Rises towards the limit with high judge rewards: turns are farmed.",
  },
  {
    key: "conversations/mean",
    title: "Conversations per episode",
    unit: "conversations",
    range: POSITIVE,
    definition:
      "Mean number of an episode's conversations, each of which is a sequence to train on (a row, in veRL's words). Only under the layout compact.",
    healthy: "Above 1, and falls with the number of turns as the policy learns to finish.",
    wrong:
      "1 from the start: the budget exceeds an episode, and compact equals concat. Near the number of turns: the budget is too small.",
  },
  {
    key: "conversations/closed_share",
    title: "Episodes with a summary",
    range: SHARE,
    definition:
      "Share of the episodes in which a conversation was closed with a summary. Only under the layout compact.",
    healthy: "Falls as episodes become shorter.",
    wrong: "0: no conversation is ever closed; lower the budget.",
  },
  {
    key: "conversations/summary_tokens",
    title: "Tokens per summary",
    unit: "tokens",
    range: POSITIVE,
    definition:
      "Mean number of tokens that the policy wrote in a summary. Absent when no conversation was closed.",
    healthy: "Stays near the length that SFT taught.",
    wrong:
      "At the limit: summaries are cut. Falls to 1: the policy keeps nothing, and each conversation begins from its picture alone.",
  },
  {
    key: "conversations/no_progress",
    title: "Episodes without progress",
    better: "lower",
    range: SHARE,
    definition:
      "Share of the episodes that were ended because two conversations in a row were closed after one turn. They are not trained on. Only under the layout compact.",
    healthy: "0.",
    wrong: "Above 0: replies are too long for the budget. When no episode is left, the update fails.",
  },
  {
    key: "tool_calls/mean",
    title: "Tool calls per episode",
    unit: "calls",
    range: POSITIVE,
    definition:
      "Mean number of an episode's replies that call a tool in place of an answer. Only where the task offers tools.",
    healthy: "Settles at what the questions need: about one where a figure has to be measured.",
    wrong:
      "0 while success is flat: the policy guesses. At the limit: the policy calls tools and does not answer.",
  },
  {
    key: "tool_calls/answered",
    title: "Answered tool calls",
    ...RATE,
    definition:
      "Share of the calls that a tool answered, rather than refused as malformed, unknown or over the limit.",
    healthy: "Near 1.",
    wrong: "Falls: calls are malformed, or exceed the limit of an episode.",
  },
  {
    key: "response_length/mean",
    title: "Tokens per reply",
    unit: "tokens",
    range: POSITIVE,
    definition: "Mean number of tokens in a reply.",
    healthy: "Steady.",
    wrong:
      "Grows to the limit: replies no longer end. Shrinks: sections are left out, which valid format shows too.",
  },
  {
    key: "response_length/clip_ratio",
    title: "Replies cut at the limit",
    better: "lower",
    range: SHARE,
    definition: "Share of replies that reached the token limit.",
    healthy: "0.",
    wrong: "Above 0.1: raise the limit, or read the replies.",
  },
];

const speed: Entry[] = [
  {
    key: "perf/tflop",
    title: "Work done",
    unit: "TFLOP",
    range: POSITIVE,
    smoothing: 0,
    definition: "Floating-point operations since the run began, counted from the model's shape.",
    healthy: "Grows evenly within a stage.",
    wrong: "The slope changes: replies or episodes have become longer or shorter.",
  },
  {
    key: "perf/throughput",
    title: "Throughput",
    unit: "tokens/s",
    better: "higher",
    range: POSITIVE,
    smoothing: 0.3,
    definition: "Tokens processed in an update, divided by its duration.",
    healthy: "Steady after the first updates.",
    wrong:
      "Falls while the page is hidden: the browser slows it down. Falls slowly: the device grows hot, or another program uses it.",
  },
  {
    key: "timing_s/step",
    title: "Time per update",
    ...SECONDS,
    definition: "Wall time of the whole update.",
    healthy: "Steady.",
    wrong: "Jumps: another program uses the device, or the page was hidden.",
  },
  {
    key: "timing_s/gen",
    title: "Rollout",
    ...SECONDS,
    definition:
      "Time to collect the episodes. Where the next batch is played during the update: the time that the update waited for episodes.",
    healthy: "The largest part for small policies.",
    wrong: "Grows while episodes keep their length: the device is shared.",
  },
  {
    key: "timing_s/old_log_prob",
    title: "Scoring",
    ...SECONDS,
    definition:
      "Time to score the episodes: log-probability, entropy and value of every sampled token, in one forward pass.",
    healthy: "About a third of one epoch of optimising.",
    wrong: "Far more than that: the micro-batches are too small for the device.",
  },
  {
    key: "timing_s/ref",
    title: "Ref policy",
    ...SECONDS,
    definition: "Time to score the episodes under the ref policy, where a KL term needs it.",
    healthy: "As long as scoring.",
    wrong: "Far more than scoring: another program uses the device.",
  },
  {
    key: "timing_s/adv",
    title: "Advantages",
    ...SECONDS,
    definition:
      "Time to estimate and whiten advantages on the CPU, or to ask the GPU for them; what the GPU needs is part of optimising.",
    healthy: "Tiny.",
    wrong: "A visible share of the update: another program uses the device.",
  },
  {
    key: "timing_s/update_actor",
    title: "Optimise",
    ...SECONDS,
    definition: "Time of all optimiser steps of the policy (and of a critic that shares its backbone).",
    healthy: "Grows with epochs.",
    wrong:
      "Jumps from one update to the next: replies became longer, and the batch fills more micro-batches.",
  },
  {
    key: "timing_s/rehearsal",
    title: "Rehearsal",
    ...SECONDS,
    definition:
      "Time to play the demonstrations of the rehearsal steps and to train on them (sft.rehearsal_steps).",
    healthy: "Less than optimising.",
    wrong: "Most of an update: fewer steps, or smaller SFT batches, may be enough.",
  },
];

const rehearsal: Entry[] = [
  {
    key: "rehearsal/loss",
    title: "Rehearsal loss",
    unit: "nats",
    better: "lower",
    range: POSITIVE,
    definition:
      "Mean cross-entropy of the tokens that the rehearsal steps of the update train (sft.rehearsal_steps): what demonstrations say about the present state. Logged from the first update after trainer.critic_warmup on.",
    healthy: "Falls, or stays where SFT left it.",
    wrong:
      "Rises while success rises: PPO overwrites what the policy sees faster than rehearsal restores it.",
  },
  {
    key: "rehearsal/token_accuracy",
    title: "Rehearsed tokens right",
    ...RATE,
    definition: "Share of the rehearsed tokens that the model ranks first.",
    healthy: "Approaches 1, or stays where SFT left it.",
    wrong: "Falls: as for the rehearsal loss.",
  },
];

const toMetrics = (group: MetricGroup, entries: Entry[]): Metric[] =>
  entries.map((entry) => ({ ...USUAL, group, ...entry }));

const plain = { ...USUAL, group: "Extensions" } as const;

const toMetric = ({ id, measure: _, ...words }: BatchMetric): Metric => ({
  ...words,
  group: plain.group,
  smoothing: plain.smoothing,
  key: metricName(id),
});

export const METRICS: readonly Metric[] = [
  ...toMetrics("Outcome", outcome),
  ...toMetrics("Reasoning", reasoning),
  ...toMetrics("Reward", [...reward, ...filtering]),
  ...toMetrics("SFT", sft),
  ...toMetrics("PPO health", [...ppo, ...rehearsal, ...checks]),
  ...toMetrics("Critic", critic),
  ...toMetrics("Length", length),
  ...toMetrics("Speed", speed),
  // Those that the source has; what is registered later is found by its name.
  ...batchMetrics.all.map((own) => toMetric(own)),
];

const byKey = new Map(METRICS.map((metric) => [metric.key, metric]));

/**
 * The entry of a logged key, with or without a trailing part (environment, entity, kind of text; `/min` and `/max` of a mean);
 * undefined for a name we do not know. A validation's number is explained as training's, unless it has its own entry.
 */
export function findMetric(loggedKey: string): Metric | undefined {
  const candidates = [loggedKey, ...namesInTraining(loggedKey), ...nameOfSamples(loggedKey)];
  const found = candidates.map(ofFirstEnvironment).find((key) => entryOf(key) !== undefined);
  return found === undefined ? undefined : entryOf(found);
}

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
  healthy: "As its author expects, and small beside the task's reward.",
  wrong: "Rises while success is flat: it is being farmed; lower its weight.",
});

const filterNumber = ({ id, title }: BatchFilter, key: string): Metric => ({
  ...plain,
  key,
  title: `${title}: ${key.slice(`filter/train/${id}/`.length).replaceAll("_", " ")}`,
  definition: `A number that the batch filter ${id} of an extension reports after each update.`,
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

/** A measure of a further environment, `train/measured/icons/similarity`, is explained as one of the first. */
const ofFirstEnvironment = (key: string): string =>
  key.replace(/^(train\/measured)\/[^/]+(?=\/[^/]+$)/, "$1");

/** `val-core/<source>/reward/best@4/mean` is explained as `val-core/reward`, whatever its source and statistic. */
function nameOfSamples(key: string): string[] {
  const [, variable] = /^val-(?:core|aux)\/[^/]+\/(reward|traj_success)\/.+@/.exec(key) ?? [];
  if (variable === undefined) return [];
  return [variable === "reward" ? "val-core/reward" : "val-aux/traj_success"];
}
