// How long an episode can become, in tokens: memory is planned for it before any episode is played.

import type { ArealSettings } from "../agent/areal/options.ts";
import { feedbackIds } from "../agent/areal/template.ts";
import { turnSequences } from "../agent/conversation.ts";
import { isTextBoard, maxActionsOf, textCellsOf } from "../agent/env-options.ts";
import type { Compact } from "../agent/layout.ts";
import { compactObservation, observationIds, observedBoard, openingIds } from "../agent/prompt.ts";
import { requestIds } from "../agent/summary.ts";
import { hasTools, type Task } from "../agent/task.ts";
import { TOOL_ANSWER_TOKENS } from "../agent/tools.ts";
import type { Vocabulary } from "../agent/vocabulary.ts";
import type { EnvSpec } from "../envs/env.ts";
import { mostPictures } from "../envs/pictures.ts";
import { wordsOf } from "../envs/worlds.ts";

/** The tokens of the longest episode: all turns played, all replies at their limit. */
interface LongestEpisode {
  /** Tokens of its longest sequence. */
  sequence: number;
  /** Tokens of all its sequences, and their number. */
  tokens: number;
  sequences: number;
}

/** The most that an episode of any of the tasks has. The three numbers may come from different tasks. */
export function longestOf(tasks: readonly Task[], responseLength: number): LongestEpisode {
  const each = tasks.map((task) => longestEpisode(task, responseLength));
  const most = (of: keyof LongestEpisode) => Math.max(...each.map((episode) => episode[of]));
  return { sequence: most("sequence"), tokens: most("tokens"), sequences: most("sequences") };
}

/** The tokens of a task's longest episode. @param responseLength the most tokens of a reply. */
export function longestEpisode(task: Task, responseLength: number): LongestEpisode {
  const { spec, format, vocabulary, layout } = task;
  const opening = openingIds(vocabulary, { envId: spec.id, format }).length;
  const turns = longestPrompts(task).map((prompt) => prompt + responseLength);
  if (layout?.kind === "compact") return longestCompact(layout, { opening, turns, vocabulary });
  const lengths = turnRanges(task).map(({ firstTurn, lastTurn }) =>
    sum(turns.slice(firstTurn, lastTurn + 1), opening),
  );
  return { sequence: Math.max(...lengths), tokens: sum(lengths), sequences: lengths.length };
}

/** For each turn, the most tokens of its observation, and of an episode in one conversation up to the end of that. */
export function plannedTurns(task: Task, responseLength: number): { observation: number; until: number }[] {
  const opening = openingIds(task.vocabulary, { envId: task.spec.id, format: task.format }).length;
  const prompts = longestPrompts(task);
  return prompts.map((observation, turn) => ({
    observation,
    until: sum(prompts.slice(0, turn + 1), opening) + turn * responseLength,
  }));
}

/** The first and the last turn of every sequence of an episode that is not closed with summaries. */
function turnRanges({ layout, areal, maxTurns }: Task): { firstTurn: number; lastTurn: number }[] {
  if (areal?.exportStyle === "individual") return turnSequences(maxTurns, maxTurns);
  if (layout?.kind === "no_concat") return turnSequences(maxTurns, layout.historyTurns);
  return [{ firstTurn: 0, lastTurn: maxTurns - 1 }];
}

const sum = (numbers: readonly number[], start = 0): number => numbers.reduce((a, b) => a + b, start);

/** What an episode's turns have in a layout that closes conversations with summaries, in tokens. */
interface CompactTurns {
  /** The words before the first turn. */
  opening: number;
  /** Each turn with its reply. */
  turns: readonly number[];
  vocabulary: Vocabulary;
}

/**
 * Upper bounds for conversations that are closed with a summary. Summaries are sampled up to the length of a reply and then cut.
 */
function longestCompact(
  { budget, room, maxReply, maxSummary }: Compact,
  { opening, turns, vocabulary }: CompactTurns,
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

/** The most tokens before the reply of each turn. */
function longestPrompts(task: Task): number[] {
  const { areal, maxTurns } = task;
  const view = largestView(task);
  return Array.from({ length: maxTurns }, (_, turn) =>
    areal && turn > 0 ? longestFeedback(task, areal) : longestObservation(task, turn, view),
  );
}

/** Tokens between two attempts: an end of turn after a cut reply, and the feedback or a tool's answer. */
function longestFeedback(task: Task, { feedback }: ArealSettings): number {
  const { vocabulary, maxTurns } = task;
  const afterCall = hasTools(task)
    ? feedbackIds(vocabulary, `turn ${maxTurns} tool `).length + TOOL_ANSWER_TOKENS
    : 0;
  return 1 + Math.max(feedbackIds(vocabulary, feedback).length, afterCall);
}

/** Tokens of the observation after the most actions of a turn, or after a tool call. */
function longestObservation(task: Task, turn: number, view: string): number {
  const { vocabulary, imageTokens, maxTurns } = task;
  const lengthOf = (observation: string) => observationIds(vocabulary, { observation, imageTokens }).length;
  const afterActions = lengthOf(compactObservation({ turn, executed: longestActions(task), board: view }));
  if (turn === 0 || !hasTools(task)) return afterActions;
  return Math.max(afterActions, lengthOf(`turn ${maxTurns} tool ${view}`) + TOOL_ANSWER_TOKENS);
}

/** As many actions as a turn may have, each the one with the longest name. */
function longestActions({ spec, envConfig, vocabulary }: Task) {
  const actions = spec.longestAction === undefined ? spec.actions : [spec.longestAction];
  const names = actions.flatMap((action) =>
    [true, false].map((effective) => spec.mention?.(action, effective) ?? action),
  );
  const action = { name: longestText(vocabulary, names), valid: true, effective: true, note: "" };
  return new Array<typeof action>(maxActionsOf(envConfig)).fill(action);
}

/** The longest question and the most pictures, or the largest board as text, of an observation. */
function largestView(task: Task): string {
  const { spec, envConfig, vocabulary } = task;
  const questions = (wordsOf(spec.id) ?? spec).questions?.(envConfig) ?? [];
  const question = longestText(
    vocabulary,
    questions.map((text) => ` ${text}`),
  );
  const pictures = "<image>".repeat(mostPictures(spec, envConfig));
  return question + (isTextBoard(envConfig) ? largestTextBoard(task) : pictures);
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
const longestText = (vocabulary: Vocabulary, texts: readonly string[]): string =>
  texts.reduce((a, b) => (vocabulary.encode(b).length > vocabulary.encode(a).length ? b : a), "");
