// Builds the agent's task of a configuration, and derives sizes from its prompts.

import type { ArealSettings } from "../agent/areal/options.ts";
import { feedbackIds } from "../agent/areal/template.ts";
import { claimsOf, surroundingsOf, worldClaimsOf } from "../agent/claims.ts";
import { turnSequences } from "../agent/conversation.ts";
import { isTextBoard, maxActionsOf, textCellsOf } from "../agent/env-options.ts";
import type { Compact, Layout } from "../agent/layout.ts";
import { compactObservation, observationIds, observedBoard, openingIds } from "../agent/prompt.ts";
import { requestIds } from "../agent/summary.ts";
import { hasTools, type Task } from "../agent/task.ts";
import { TOOL_ANSWER_TOKENS } from "../agent/tools.ts";
import { type Vocabulary, vocabularyFor } from "../agent/vocabulary.ts";
import { entryConfig, furtherEntries, gamesOf, largestPicture, mostTurns } from "../config/entries.ts";
import { feedbackOf } from "../config/feedback.ts";
import { replyWords } from "../config/reply-words.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Verdict } from "../core/types.ts";
import type { EnvSpec } from "../envs/env.ts";
import { envs } from "../envs/index.ts";
import { mathAlgebra } from "../envs/visual-math/algebra.ts";
import { setAlgebra } from "../envs/visual-math/grade.ts";
import { wordsOf } from "../envs/worlds.ts";
import { judges } from "../judge/index.ts";
import { type Judge, judgeTurns } from "../judge/judge.ts";
import { payingAboveBase, pricedAbove } from "../judge/score-base.ts";
import { judgeWorlds } from "../judge/statements.ts";
import { addSurroundings } from "../judge/surroundings.ts";
import { PATCH } from "../policy/wgsl/architecture.ts";
import { episodeMean } from "../rl/reward/deferred.ts";
import { type RewardWeights, rewardWeights, scoreTurn } from "../rl/reward/index.ts";
import { readyJudge } from "./judging.ts";
import { layoutOf } from "./layout.ts";

/** An option that every environment's configuration has. */
interface CommonEnvConfig {
  format_reward: number;
}

/**
 * The task of a checked configuration, with those in its further environments. A judge that must be opened is off until `judgedBy`
 * sets it.
 * @throws ConfigError or EnvError if an environment rejects its options.
 */
export function buildTask(config: RunConfig): Task {
  setAlgebra(mathAlgebra);
  const entries = furtherEntries(config);
  const shared = sharedBy(config);
  const first = taskIn(config, shared);
  if (entries.length === 0) return first;
  return { ...first, others: new Map(entries.map((entry) => [entry.name, taskIn(entry.config, shared)])) };
}

/** What all environments of a run share. */
interface Shared {
  vocabulary: Vocabulary;
  /** Patches of every picture. */
  picture: { rows: number; cols: number };
}

function sharedBy(config: RunConfig): Shared {
  const [first, ...others] = gamesOf(config);
  const words = { ...replyWords(config), others };
  return {
    vocabulary: vocabularyFor(first!.spec, first!.config, mostTurns(config), words),
    picture: largestPicture(config),
  };
}

/** The task in the one environment of a configuration. */
function taskIn(config: RunConfig, { vocabulary, picture }: Shared): Task {
  const spec = envs.get(config.env.name);
  const envConfig = spec.config.parse(config.env.config);
  const { prompt_format: format, state_format: stateFormat, max_turns: maxTurns } = config.rollout;
  const weights = weightsOf(config);
  const isSmaller = Object.values(spec.patches(envConfig)).join() !== Object.values(picture).join();
  const task: Task = {
    spec,
    envConfig,
    format,
    stateFormat,
    reading: config.rollout.reply_reading,
    maxTurns,
    ...(config.rollout.workflow === "vagen" &&
      config.rollout.max_episode_tokens > 0 &&
      config.trainer.harness !== "compact" && { maxEpisodeTokens: config.rollout.max_episode_tokens }),
    layout: layoutOf(config),
    vocabulary,
    patchPx: PATCH,
    ...(isSmaller && { paddedTo: picture }),
    imageTokens: (picture.rows * picture.cols) / config.model.pixel_shuffle ** 2,
    judge: judgeWith(readyJudge(config) ?? judges.get("off"), config),
    scoreTurn: (turn) => scoreTurn(turn, weights),
    ...settling(config),
    ...(config.reward.credit_site === "section_end" && { creditSite: "section_end" as const }),
  };
  return config.rollout.workflow === "areal" ? withAreal(task, config) : task;
}

/** How an episode's end changes what its turns were paid, where it does. */
export const settling = ({ reward, rollout }: RunConfig): Pick<Task, "settle"> =>
  reward.claim_aggregation === "episode_mean"
    ? { settle: (turns) => episodeMean(turns, rollout.max_turns) }
    : {};

/** The weight of every reward term in a checked configuration. */
export function weightsOf({ env, reward, rollout }: RunConfig): RewardWeights {
  const { format_reward } = envs.get(env.name).config.parse(env.config) as CommonEnvConfig;
  return rewardWeights({ ...reward, format_reward, max_turns: rollout.max_turns });
}

/** In the AReaL workflow an episode ends before a turn that would not fit the cache. */
function withAreal(task: Task, config: RunConfig): Task {
  const { rollout } = config;
  const { turn_discount: turnDiscount, export_style: exportStyle, response_length: maxReply } = rollout;
  const areal = { turnDiscount, feedback: feedbackOf(config), exportStyle, maxReply };
  const { sequence: contextLimit } = longestEpisode({ ...task, areal }, maxReply);
  return { ...task, areal: { ...areal, contextLimit } };
}

/** The task with another judge, in all its environments. @param ended cancels pending requests when the run ends. */
export const judgedBy = (task: Task, judge: Judge, config: RunConfig, ended: AbortSignal): Task => ({
  ...task,
  judge: judgeWith(judge, config, ended),
  ...withOthers(task, (other, name) => judgedBy(other, judge, entryConfig(config, name), ended)),
});

/** The task with what its turns are paid under another configuration, in all its environments. */
export function scoredBy(task: Task, config: RunConfig): Task {
  const weights = weightsOf(config);
  return {
    ...task,
    scoreTurn: (turn) => scoreTurn(turn, weights),
    ...withOthers(task, (other, name) => scoredBy(other, entryConfig(config, name))),
  };
}

const withOthers = ({ others }: Task, change: (task: Task, name: string) => Task): Pick<Task, "others"> =>
  others ? { others: new Map([...others].map(([name, task]) => [name, change(task, name)])) } : {};

function judgeWith(judge: Judge, config: RunConfig, ended?: AbortSignal): Task["judge"] {
  const { prompt_format: format, state_format: stateFormat } = config.rollout;
  const { score_base: base } = config.reward;
  const spec = envs.get(config.env.name);
  const names = claimsOf(spec, format, stateFormat);
  const surroundings = surroundingsOf(spec, format);
  const priced = payingAboveBase(judge, base);
  const isOn = judge.id !== "off";
  const price = (verdict: Verdict) => pricedAbove(verdict, base);
  const rules = wordsOf(spec.id)?.claimRules?.(spec.config.parse(config.env.config));
  if (rules) {
    const claims = worldClaimsOf(format);
    return async (turns) => judgeWorlds(turns, { rules, claims, isOn, price });
  }
  return async (turns, signal = ended) => {
    const verdicts = await judgeTurns(priced, turns, names, signal);
    return surroundings ? addSurroundings(verdicts, turns, { surroundings, isOn, price }) : verdicts;
  };
}

/** A state as text that has as many tokens as any. */
function largestTextBoard({ spec, envConfig }: Task): string {
  const words = wordsOf(spec.id);
  if (words) return `\n${words.longestText(envConfig)}`;
  return observedBoard(textOfAny(spec, envConfig), textCellsOf(envConfig));
}

/** The text of any level, where all have the same length. */
function textOfAny(spec: EnvSpec, envConfig: unknown): string {
  const env = spec.create(envConfig);
  env.reset(0);
  return env.text();
}

/** The text with the most tokens; empty if there are none. */
const longest = (vocabulary: Vocabulary, texts: readonly string[]): string =>
  texts.reduce((a, b) => (vocabulary.encode(b).length > vocabulary.encode(a).length ? b : a), "");

/** The longest question and board of an observation. */
function largestView(task: Task): string {
  const { spec, envConfig, vocabulary } = task;
  const question = longest(
    vocabulary,
    ((wordsOf(spec.id) ?? spec).questions?.(envConfig) ?? []).map((text) => ` ${text}`),
  );
  return question + (isTextBoard(envConfig) ? largestTextBoard(task) : "<image>");
}

/** The tokens of the longest episode: all turns played, all replies at their limit. */
interface LongestEpisode {
  /** Tokens of its longest sequence. */
  sequence: number;
  /** Tokens of all its sequences, and their number. */
  tokens: number;
  sequences: number;
}

export function longestEpisode(task: Task, responseLength: number): LongestEpisode {
  const { spec, format, vocabulary, maxTurns, layout, areal } = task;
  const opening = openingIds(vocabulary, { envId: spec.id, format }).length;
  const board = largestView(task);
  const turns = Array.from(
    { length: maxTurns },
    (_, turn) =>
      (areal && turn > 0 ? longestFeedback(task, areal) : longestPrompt(task, turn, board)) + responseLength,
  );
  if (layout?.kind === "compact") return longestCompact(layout, opening, turns, vocabulary);
  const history = areal?.exportStyle === "individual" ? maxTurns : historyOf(layout);
  const plans =
    history === null ? [{ firstTurn: 0, lastTurn: maxTurns - 1 }] : turnSequences(maxTurns, history);
  const lengths = plans.map(({ firstTurn, lastTurn }) => sum(turns.slice(firstTurn, lastTurn + 1), opening));
  return { sequence: Math.max(...lengths), tokens: sum(lengths), sequences: lengths.length };
}

const sum = (numbers: readonly number[], start = 0): number => numbers.reduce((a, b) => a + b, start);

/** Earlier turns that each turn's sequence begins with; null where turns have no sequences of their own. */
const historyOf = (layout: Layout | undefined): number | null =>
  layout?.kind === "no_concat" ? layout.historyTurns : null;

/**
 * Upper bounds for conversations that are closed with a summary. Of `turns` each has the length of a turn, `opening` that of the words
 * before the first. Summaries are sampled up to the length of a reply and then cut.
 */
function longestCompact(
  { budget, room, maxReply, maxSummary }: Compact,
  opening: number,
  turns: readonly number[],
  vocabulary: Vocabulary,
): LongestEpisode {
  const request = requestIds(vocabulary).length;
  const summary = LABELS + maxSummary;
  const longestTurn = Math.max(...turns);
  const first = opening + summary + longestTurn;
  // It goes on below the budget, within the room, and for no more than all turns.
  const grown = Math.min(budget - 1 + longestTurn, first + room, sum(turns, opening + summary));
  // No two in a row are closed after one turn.
  const sequences = Math.ceil((2 * turns.length) / 3);
  return {
    sequence: Math.max(first, grown) + request + maxReply,
    tokens: sum(turns) + sequences * opening + (sequences - 1) * (summary + request + maxSummary),
    sequences,
  };
}

/** Tokens around a summary that a conversation begins with. */
const LABELS = 2;

/** Tokens between two attempts: an end of turn after a cut reply, and the feedback or a tool's answer. */
function longestFeedback(task: Task, { feedback }: ArealSettings): number {
  const { vocabulary, maxTurns } = task;
  const afterCall = hasTools(task)
    ? feedbackIds(vocabulary, `turn ${maxTurns} tool `).length + TOOL_ANSWER_TOKENS
    : 0;
  return 1 + Math.max(feedbackIds(vocabulary, feedback).length, afterCall);
}

/** Tokens of the observation after the most actions of a turn, or after a tool call. */
function longestPrompt(task: Task, turn: number, board: string): number {
  const { spec, envConfig, vocabulary, imageTokens, maxTurns } = task;
  const name = longest(
    vocabulary,
    spec.actions.flatMap((action) =>
      [true, false].map((effective) => spec.mention?.(action, effective) ?? action),
    ),
  );
  const action = { name, valid: true, effective: true, note: "" };
  const executed = new Array<typeof action>(maxActionsOf(envConfig)).fill(action);
  const lengthOf = (observation: string) => observationIds(vocabulary, { observation, imageTokens }).length;
  const afterActions = lengthOf(compactObservation({ turn, executed, board }));
  if (turn === 0 || !hasTools(task)) return afterActions;
  return Math.max(afterActions, lengthOf(`turn ${maxTurns} tool ${board}`) + TOOL_ANSWER_TOKENS);
}
