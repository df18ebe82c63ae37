// From the configuration to the task as the agent meets it, and to the sizes that follow from its prompts.

import type { ArealSettings } from "../agent/areal/options.ts";
import { feedbackIds } from "../agent/areal/template.ts";
import { claimsOf } from "../agent/claims.ts";
import { turnRows } from "../agent/conversation.ts";
import { compactBoard, compactObservation, observationIds, openingIds } from "../agent/prompt.ts";
import { isTextBoard, type Task } from "../agent/task.ts";
import { vocabularyFor } from "../agent/vocabulary.ts";
import type { RunConfig } from "../config/run-config.ts";
import { envs } from "../envs/index.ts";
import { judges } from "../judge/index.ts";
import { type Judge, judgeTurns } from "../judge/judge.ts";
import { PATCH } from "../policy/wgsl/architecture.ts";
import { rewardWeights, scoreTurn } from "../rl/reward/index.ts";
import { readyJudge } from "./judging.ts";

/** Options that every environment's configuration has beside its own. */
interface CommonEnvConfig {
  max_actions_per_step: number;
  format_reward: number;
}

/**
 * The task of a checked configuration. A judge that has to be opened first judges nothing until `judgedBy` puts it in.
 * @throws ConfigError or EnvError when the environment refuses its options.
 */
export function buildTask(config: RunConfig): Task {
  const spec = envs.get(config.env.name);
  const envConfig = spec.config.parse(config.env.config) as CommonEnvConfig;
  const { prompt_format: format, state_format: stateFormat, max_turns: maxTurns } = config.rollout;
  const { rows, cols } = spec.gridSize(envConfig);
  const weights = rewardWeights({
    ...config.reward,
    format_reward: envConfig.format_reward,
    max_turns: maxTurns,
  });
  const task: Task = {
    spec,
    envConfig,
    format,
    stateFormat,
    maxTurns,
    ...(!config.trainer.concat_multi_turn && { historyTurns: config.rollout.window_size }),
    vocabulary: vocabularyFor(spec, envConfig, maxTurns, { format, stateFormat }),
    tilePx: PATCH,
    imageTokens: (rows * cols) / config.model.pixel_shuffle ** 2,
    judge: judgeWith(readyJudge(config) ?? judges.get("off"), config),
    scoreTurn: (turn) => scoreTurn(turn, weights),
  };
  return config.rollout.workflow === "areal" ? withAreal(task, config) : task;
}

/** Under AReaL's workflow no turn begins for which the cache has no room. */
function withAreal(task: Task, { rollout }: RunConfig): Task {
  const {
    turn_discount: turnDiscount,
    feedback,
    export_style: exportStyle,
    response_length: maxReply,
  } = rollout;
  const areal = { turnDiscount, feedback, exportStyle, maxReply };
  const { row: contextLimit } = longestEpisode({ ...task, areal }, maxReply);
  return { ...task, areal: { ...areal, contextLimit } };
}

/** The task with another judge; `ended` cancels what it is asked when the run is over. */
export const judgedBy = (task: Task, judge: Judge, config: RunConfig, ended: AbortSignal): Task => ({
  ...task,
  judge: judgeWith(judge, config, ended),
});

function judgeWith(judge: Judge, config: RunConfig, ended?: AbortSignal): Task["judge"] {
  const { prompt_format: format, state_format: stateFormat } = config.rollout;
  const names = claimsOf(envs.get(config.env.name), format, stateFormat);
  return (turns, signal = ended) => judgeTurns(judge, turns, names, signal);
}

/** Boards of one environment have the same number of cells, so any level gives the length. */
function largestTextBoard({ spec, envConfig }: Task): string {
  const env = spec.create(envConfig);
  env.reset(0);
  return compactBoard(env.text());
}

/** The most tokens that an episode can have: every turn played, every reply at its limit. */
export interface LongestEpisode {
  /** Of its longest sequence. */
  row: number;
  /** Of all its sequences, and their number. */
  tokens: number;
  rows: number;
}

export function longestEpisode(task: Task, responseLength: number): LongestEpisode {
  const { spec, format, vocabulary, maxTurns, historyTurns, areal } = task;
  const opening = openingIds(vocabulary, { envId: spec.id, format }).length;
  const board = isTextBoard(task.envConfig) ? largestTextBoard(task) : "<image>";
  const turns = Array.from(
    { length: maxTurns },
    (_, turn) =>
      (areal && turn > 0 ? longestFeedback(task, areal) : longestPrompt(task, turn, board)) + responseLength,
  );
  const history = areal?.exportStyle === "individual" ? maxTurns : historyTurns;
  const plans =
    history === undefined ? [{ firstTurn: 0, lastTurn: maxTurns - 1 }] : turnRows(maxTurns, history);
  const rows = plans.map(({ firstTurn, lastTurn }) =>
    turns.slice(firstTurn, lastTurn + 1).reduce((sum, length) => sum + length, opening),
  );
  return { row: Math.max(...rows), tokens: rows.reduce((a, b) => a + b), rows: rows.length };
}

/** Tokens between two attempts: an end of turn for a reply that was cut, and the feedback. */
const longestFeedback = ({ vocabulary }: Task, { feedback }: ArealSettings): number =>
  1 + feedbackIds(vocabulary, feedback).length;

/** Tokens of a turn's observation after as many actions as a turn may hold. */
function longestPrompt(
  { spec, envConfig, vocabulary, imageTokens }: Task,
  turn: number,
  board: string,
): number {
  const { max_actions_per_step: actions } = envConfig as CommonEnvConfig;
  const executed = Array.from({ length: actions }, () => ({
    name: spec.actions[0] as string,
    valid: true,
    effective: true,
    note: "",
  }));
  const observation = compactObservation({ turn, executed, board });
  return observationIds(vocabulary, { observation, imageTokens }).length;
}
