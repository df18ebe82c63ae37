// The reward of a turn as a list of named terms. Each is a pure function of the recorded turn, so a saved run can be
// re-weighted without playing it again.
import { type FormatId, formats, type Part } from "../../core/formats.ts";
import { earnsFormat } from "../../core/readings.ts";
import { openRegistry } from "../../core/registry.ts";
import type { Turn, Verdict } from "../../core/types.ts";
import { SURROUNDINGS } from "../../core/verdict.ts";

/** One ingredient of the reward. */
export interface RewardTerm {
  readonly id: string;
  readonly title: string;
  /** Unweighted. */
  score(turn: Turn): number;
}

/** What the task itself pays. */
const task: RewardTerm = { id: "task", title: "Task", score: (turn) => turn.taskReward };

/** 1 when the reply has the right form and names valid actions, as in VAGEN; of AReaL's form, whatever it answers. */
const format: RewardTerm = {
  id: "format",
  title: "Format",
  score: (turn) => (earnsFormat(turn) ? 1 : 0),
};

/** One less for a turn without a valid action: its reply was malformed, or the environment refused what it says. */
const formatPenalty: RewardTerm = {
  id: "format_penalty",
  title: "Format penalty",
  score: ({ executed }) => (executed.some(({ valid }) => valid) ? 0 : -1),
};

/** What a claim earns: its score, unless the verdict says that something else is paid. */
const earned = (verdict: Verdict | undefined): number => verdict?.paid ?? verdict?.score ?? 0;

/** How right the observation is. */
const stateEstimation: RewardTerm = {
  id: "state_estimation",
  title: "Grounding",
  score: (turn) => earned(turn.verdicts.observation),
};

/** How right the prediction is. */
const transitionModeling: RewardTerm = {
  id: "transition_modeling",
  title: "Prediction",
  score: (turn) => earned(turn.verdicts.prediction),
};

/** How right the stated neighbours of the player are. */
const surroundings: RewardTerm = {
  id: "surroundings",
  title: "Neighbours",
  score: (turn) => earned(turn.verdicts[SURROUNDINGS]),
};

/** One less for each claim that repeats itself while it is wrong; in addition to what the claim itself is paid. */
const repetition: RewardTerm = {
  id: "repetition",
  title: "Repetition penalty",
  score: ({ verdicts }) => -Object.values(verdicts).filter((verdict) => verdict.repeated).length,
};

/** One less for each action that was executed, whatever came of it. Nothing ran for a name that the game does not know. */
const actionCost: RewardTerm = {
  id: "action_cost",
  title: "Action cost",
  // Without a -0 for a turn in which nothing ran.
  score: ({ executed }) => 0 - executed.filter(({ valid }) => valid).length,
};

/** One less for each turn, so that a turn must gain more than it costs. */
const turnCost: RewardTerm = { id: "turn_cost", title: "Turn cost", score: () => -1 };

/** The terms that pay what a reply says about the world: for each id, the verdict that it pays and the part of a reply that is judged. */
const JUDGED = new Map<string, { verdict: string; part: Part }>([
  [stateEstimation.id, { verdict: "observation", part: "observation" }],
  [transitionModeling.id, { verdict: "prediction", part: "prediction" }],
  [surroundings.id, { verdict: SURROUNDINGS, part: "reasoning" }],
]);

/** Ids of the terms that pay what a reply says about the world. */
export const JUDGED_TERMS: readonly string[] = [...JUDGED.keys()];

/** Whether replies in a format have the part that a term pays; true of terms that pay no part. */
export function canEarn(term: string, format: FormatId): boolean {
  const judged = JUDGED.get(term);
  return !judged || formats.get(format).parts.includes(judged.part);
}

/** Whether a turn has a verdict, whatever it says, on what a term pays; true of terms that pay no verdict. */
export function hasVerdictFor(term: string, { verdicts }: Pick<Turn, "verdicts">): boolean {
  const judged = JUDGED.get(term);
  return !judged || verdicts[judged.verdict] !== undefined;
}

/** Under this name AReaL's workflow logs, beside the terms, what earlier attempts of an episode had earned already. */
const BEST_SO_FAR = "best_so_far";
/** Under this name the last turn of an episode has, beside the terms, what the form of all its replies earned. */
export const EPISODE_FORMAT = "episode_format";

/** All reward terms. */
export const rewardTerms = openRegistry<RewardTerm>(
  { kind: "reward term", reserved: [BEST_SO_FAR, EPISODE_FORMAT] },
  task,
  format,
  formatPenalty,
  stateEstimation,
  transitionModeling,
  surroundings,
  repetition,
  actionCost,
  turnCost,
);

/** Weight of each term by id. */
export type RewardWeights = Readonly<Record<string, number>>;

/** Settings that the weights follow from, under the names of the run's configuration. */
interface RewardSettings {
  /** From the environment's configuration. */
  format_reward: number;
  /** Likewise; not every environment has it. */
  format_penalty?: number;
  use_state_reward: boolean;
  grounding_reward_weight: number;
  worldmodeling_reward_weight: number;
  /** Recorded configurations may lack it. */
  surroundings_reward_weight?: number;
  scale_by_turns: boolean;
  repetition_penalty_weight: number;
  action_cost: number;
  /** Recorded configurations may lack it. */
  turn_cost?: number;
  max_turns: number;
  /** Weights of terms that have no setting of their own. */
  weights: RewardWeights;
}

/** The setting that a built-in term's weight comes from; every other term has its weight in `reward.weights`. */
export const OWN_SETTINGS: Readonly<Record<string, string>> = {
  task: "the environment's own rewards",
  format: "env.config.format_reward",
  format_penalty: "env.config.format_penalty",
  state_estimation: "reward.grounding_reward_weight",
  transition_modeling: "reward.worldmodeling_reward_weight",
  surroundings: "reward.surroundings_reward_weight",
  repetition: "reward.repetition_penalty_weight",
  action_cost: "reward.action_cost",
  turn_cost: "reward.turn_cost",
};

/** Terms whose weight is an entry of `reward.weights`. */
export const termsByWeight = (): RewardTerm[] =>
  rewardTerms.all.filter(({ id }) => !Object.hasOwn(OWN_SETTINGS, id));

/**
 * The weights of a run. With `scale_by_turns` what is paid for talking well is divided by the turns of an episode, so
 * that it sums to the same however long the episode is allowed to be; otherwise a policy learns not to finish. Terms of
 * extensions are weighted as configured, undivided.
 */
export function rewardWeights(settings: RewardSettings): RewardWeights {
  const scale = settings.scale_by_turns ? 1 / settings.max_turns : 1;
  const reasoning = settings.use_state_reward ? scale : 0;
  return {
    ...settings.weights,
    task: 1,
    format: settings.format_reward * scale,
    // VAGEN's is added as it is: a negative one punishes.
    format_penalty: 0 - (settings.format_penalty ?? 0),
    state_estimation: settings.grounding_reward_weight * reasoning,
    transition_modeling: settings.worldmodeling_reward_weight * reasoning,
    surroundings: (settings.surroundings_reward_weight ?? 0) * reasoning,
    repetition: settings.repetition_penalty_weight * reasoning,
    action_cost: settings.action_cost,
    turn_cost: settings.turn_cost ?? 0,
  };
}

/** The weighted terms of a judged turn and their sum. Terms of weight 0 are left out. */
export function scoreTurn(
  turn: Turn,
  weights: RewardWeights,
): { rewards: Readonly<Record<string, number>>; reward: number } {
  const terms = rewardTerms.all.filter(({ id }) => (weights[id] ?? 0) !== 0);
  const rewards = Object.fromEntries(terms.map((term) => [term.id, term.score(turn) * weights[term.id]]));
  return { rewards, reward: Object.values(rewards).reduce((sum, value) => sum + value, 0) };
}
