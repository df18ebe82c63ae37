// The agent loop: many games at once, one batched reply per turn, each conversation recorded as text and as tokens.
import type {
  ExecutedAction,
  Frame,
  ParsedReply,
  SceneTruth,
  ToolUse,
  Trajectory,
  Turn,
} from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { sameCell } from "../envs/grid.ts";
import type { GenerateRequest, Policy, Sampling } from "../policy/policy.ts";
import { type Conversation, conversation, turnSequences } from "./conversation.ts";
import { isTextBoard, maxActionsOf, maxToolCallsOf } from "./env-options.ts";
import type { Episode } from "./episodes.ts";
import { compactObservation, compactView, observationIds, openingIds } from "./prompt.ts";
import { parseReply } from "./reply.ts";
import type { Task } from "./task.ts";
import { callTool } from "./tools.ts";
import type { Vocabulary } from "./vocabulary.ts";

// Callers of the loop need the task's types as well.
export type { JudgeTurns, ScoreTurn, Task } from "./task.ts";

/** One batch of episodes. */
export interface RolloutOptions {
  task: Task;
  policy: Policy;
  episodes: readonly Episode[];
  sampling: Sampling;
  /** Conversations at a time; default all. Changes memory and speed; the result only if the judge penalises repetition. */
  parallel?: number;
  onTurn?: (turn: Turn, episode: Episode) => void;
  onTrajectory?: (trajectory: Trajectory) => void;
  signal?: AbortSignal;
}

/**
 * Plays every episode until success, the end of the task, or `maxTurns` replies. The result follows the order of
 * `episodes`. @throws the signal's reason when aborted; episodes in progress are lost.
 */
export const rollout = (options: RolloutOptions): Promise<Trajectory[]> =>
  inBatches(options, (episodes) => playTogether(episodes, options));

/** The trajectories of all episodes, played `parallel` at a time, in the order of `episodes`. */
export async function inBatches(
  { episodes, parallel = episodes.length }: RolloutOptions,
  play: (batch: readonly Episode[]) => Promise<Trajectory[]>,
): Promise<Trajectory[]> {
  const trajectories: Trajectory[] = [];
  for (let first = 0; first < episodes.length; first += parallel)
    trajectories.push(...(await play(episodes.slice(first, first + parallel))));
  return trajectories;
}

/** A game in progress. */
export interface Game {
  episode: Episode;
  slot: number;
  env: Env;
  tokens: Conversation;
  turns: Turn[];
  terminated: boolean;
  success: boolean;
}

async function playTogether(episodes: readonly Episode[], options: RolloutOptions): Promise<Trajectory[]> {
  const { task, policy, signal, onTrajectory } = options;
  const games = episodes.map((episode, slot) => startGame(episode, slot, task));
  policy.begin(
    games.length,
    games.map(({ env }) => env),
  );
  const finished: Trajectory[] = [];
  for (let turn = 0, live = games; live.length > 0; turn++) {
    signal?.throwIfAborted();
    await playTurn(live, turn, options);
    const isOver = (game: Game) => game.terminated || turn + 1 === task.maxTurns;
    for (const game of live.filter(isOver)) {
      finished[game.slot] = trajectoryOf(game, task);
      onTrajectory?.(finished[game.slot]);
    }
    live = live.filter((game) => !isOver(game));
  }
  return finished;
}

/** A game at the start of its episode, with an empty record. */
export function startGame(episode: Episode, slot: number, { spec, envConfig, vocabulary }: Task): Game {
  const env = spec.create(envConfig);
  env.reset(episode.seed);
  const tokens = conversation(vocabulary.image);
  return { episode, slot, env, tokens, turns: [], terminated: false, success: false };
}

/** One reply of every live game: ask, act, judge, score. */
async function playTurn(live: readonly Game[], turn: number, options: RolloutOptions): Promise<void> {
  const { task, policy, sampling, onTurn, signal } = options;
  const asked = live.map((game) => ask(game, turn, task));
  const requests = asked.map(({ request }) => request);
  const completions = await policy.generate(requests, sampling, signal);
  const turns = live.map((game, i) => {
    game.tokens.addReply(completions[i]);
    return act(game, asked[i].observation, completions[i].ids, task);
  });
  const verdicts = await task.judge(turns, signal);
  for (const [i, game] of live.entries()) {
    turns[i].verdicts = verdicts[i];
    Object.assign(turns[i], task.scoreTurn(turns[i]));
    game.turns.push(turns[i]);
    onTurn?.(turns[i], game.episode);
  }
}

/** Shows the game to the policy. */
export function ask(game: Game, turn: number, task: Task) {
  const { spec, envConfig, format, vocabulary, tilePx, imageTokens } = task;
  const isText = isTextBoard(envConfig);
  const board = compactView(game.env, isText);
  const { executed = [], tool } = game.turns.at(-1) ?? {};
  const text = compactObservation({ turn, executed, tool, board, vocabulary });
  const images = isText ? [] : [game.env.render(tilePx)];
  if (turn === 0) game.tokens.addOpening(openingIds(vocabulary, { envId: spec.id, format }));
  game.tokens.addPrompt(observationIds(vocabulary, { observation: text, imageTokens }));
  return { request: requestOf(game, images, task), observation: { text, images } };
}

/** The request to the policy: the new tokens, or a fresh context with the turns that it may see. */
function requestOf(game: Game, images: readonly Frame[], { historyTurns }: Task): GenerateRequest {
  const { slot, turns, tokens } = game;
  const base = { slot, rngKey: game.episode.rngKey };
  if (historyTurns === undefined) return { ...base, promptIds: tokens.news(), images };
  const { ids, responseMask, firstTurn } = tokens.context(historyTurns);
  const earlier = turns.slice(firstTurn).flatMap(({ observation }) => observation.images);
  return { ...base, promptIds: ids, responseMask, images: [...earlier, ...images], fresh: true };
}

/** Executes a reply. Verdicts and rewards are filled in later. */
export function act(game: Game, observation: Turn["observation"], ids: Int32Array, task: Task): Turn {
  const { spec, envConfig, format, vocabulary } = task;
  const reply = replyText(vocabulary, ids);
  const maxActions = maxActionsOf(envConfig);
  const hasTools = (game.env.tools?.() ?? []).length > 0;
  const { actions, readAction } = spec;
  const rules = { format, actions, maxActions, tools: hasTools, ...(readAction && { readAction }) };
  const parsed = parseReply(reply, rules);
  const tool = parsed.call === undefined ? null : callOf(game, parsed.call, task);
  const before = game.env.groundTruth();
  const { executed, taskReward } = execute(game, parsed, spec.actions);
  const after = game.env.groundTruth();
  return {
    index: game.turns.length,
    observation,
    reply,
    parsed,
    executed,
    ...(tool && { tool }),
    verdicts: {},
    taskReward,
    rewards: {},
    reward: 0,
    before,
    after,
    actionIsEffective: hasMoved(before, after) ?? executed.some(({ effective }) => effective),
    actionIsValid:
      tool?.ok ?? (parsed.actions.length > 0 && parsed.actions.every((name) => actions.includes(name))),
  };
}

/** Runs a tool call of an episode. It changes nothing; its answer is part of the next observation. */
function callOf({ env, turns }: Game, call: string, { envConfig }: Task): ToolUse {
  const made = turns.filter(({ tool }) => tool).length;
  return callTool(call, env.tools?.() ?? [], { made, limit: maxToolCallsOf(envConfig) });
}

/** The text of a reply: its tokens without the end-of-turn token that closes it. */
export function replyText(vocabulary: Vocabulary, ids: Int32Array): string {
  const isClosed = ids[ids.length - 1] === vocabulary.eos;
  return vocabulary.decode(isClosed ? ids.subarray(0, -1) : ids);
}

/** Runs the actions one by one, until the task ends or a name is unknown; what ran before an unknown name is kept. */
function execute(game: Game, { actions }: ParsedReply, known: readonly string[]) {
  const executed: ExecutedAction[] = [];
  let taskReward = 0;
  for (const name of actions) {
    if (!known.includes(name)) {
      executed.push({ name, valid: false, effective: false, note: `unknown action "${name}"` });
      break;
    }
    const { reward, terminated, success, effective, note } = game.env.step(name);
    executed.push({ name, valid: true, effective, note });
    taskReward += reward;
    game.terminated = terminated;
    game.success = success;
    if (terminated) break;
  }
  return { executed, taskReward };
}

/** Whether the player has moved; null without a player. */
const hasMoved = (before: SceneTruth, after: SceneTruth) =>
  before.player && after.player ? !sameCell(before.player, after.player) : null;

function trajectoryOf(
  { episode, tokens, turns, terminated, success }: Game,
  { spec, historyTurns }: Task,
): Trajectory {
  const plans = historyTurns === undefined ? undefined : turnSequences(turns.length, historyTurns);
  return {
    id: episode.id,
    envId: spec.id,
    seed: episode.seed,
    groupId: episode.groupId,
    turns,
    terminated,
    truncated: !terminated,
    success,
    tokens: tokens.finish(
      turns.map(({ reward }) => reward),
      plans,
    ),
  };
}
