// The agent loop: many games at once, one batched reply per turn, each conversation recorded as text and as tokens.

import { padded } from "../core/padded.ts";
import { readings } from "../core/readings.ts";
import { isBoard } from "../core/scene.ts";
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
import { drawPictures } from "../envs/pictures.ts";
import { precompute } from "../envs/threads.ts";
import type { Completion, GenerateRequest, Policy, Sampling } from "../policy/policy.ts";
import { creditSections } from "./claim-credit.ts";
import { type Conversation, conversation, turnSequences } from "./conversation.ts";
import { cutText } from "./cut-text.ts";
import { isStrictOf, isTextBoard, maxActionsOf, maxToolCallsOf } from "./env-options.ts";
import type { Episode } from "./episodes.ts";
import { compactObservation, compactView, executedNames, observationIds, openingIds } from "./prompt.ts";
import { isKnown, parseReply, unknownAction } from "./reply.ts";
import { type Appraised, type NewTurn, type Task, taskOf } from "./task.ts";
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

/** A game in progress. */
export interface Game {
  episode: Episode;
  task: Task;
  slot: number;
  env: Env;
  tokens: Conversation;
  turns: Turn[];
  /** What the policy was shown before the reply that is due. */
  observation: Turn["observation"];
  terminated: boolean;
  success: boolean;
  /** Tokens of the first prompt, which no budget counts; 0 before it is shown. */
  promptTokens: number;
}

/** How a kind of episode is played, apart from the loop that all share. */
export interface Workflow<G extends Game> {
  start(episode: Episode, slot: number): G;
  /** Asks for the next reply of an episode that is not over. */
  request(game: G): GenerateRequest;
  /** Gives a judged turn its rewards. */
  score(game: G, turn: Turn, reply: Completion): void;
  isOver(game: G): boolean;
  finish(game: G): Pick<Trajectory, "terminated" | "success" | "tokens" | "unusable">;
  /** Tokens that the next reply may have; absent: what the budget of an episode leaves. */
  limit?(game: G): number;
  /** Takes a reply that is a summary and no turn; returns whether it was one. Absent: every reply is a turn. */
  takeSummary?(game: G, reply: Completion): boolean;
}

/**
 * Plays every episode until success, the end of the task, or `maxTurns` replies. The result follows the order of
 * `episodes`. @throws the signal's reason when aborted; episodes in progress are lost.
 */
export const rollout = (options: RolloutOptions): Promise<Trajectory[]> =>
  playAll(options, gameWorkflow(options.task));

/** Games, turn after turn. */
export function gameWorkflow(ofRun: Task): Workflow<Game> {
  return {
    start: (episode, slot) => startGame(episode, slot, taskOf(ofRun, episode)),
    request: (game) => requestOf(game, ask(game, game.task), game.task),
    score(game, turn, reply) {
      game.tokens.addReply(reply);
      Object.assign(turn, game.task.scoreTurn(turn));
    },
    isOver: (game) => game.terminated || game.turns.length === game.task.maxTurns || isSpent(game, game.task),
    finish({ task, terminated, success, tokens, turns }) {
      const { layout } = task;
      const sequences =
        layout?.kind === "no_concat" ? turnSequences(turns.length, layout.historyTurns) : undefined;
      const record = tokens.finish(rewardsOf(turns, success, task), sequences);
      const placed = task.creditSite ? creditSections(record, turns, task.vocabulary) : record;
      return { terminated, success, tokens: placed };
    },
  };
}

/** Gives the turns of an episode that is over their final rewards, and returns these. */
export function rewardsOf(turns: readonly Turn[], success: boolean, task: Task): number[] {
  const rewards = task.settle?.(turns, success) ?? [];
  for (const [i, final] of rewards.entries()) Object.assign(turns[i]!, final);
  return turns.map(({ reward }) => reward);
}

/** The trajectories of all episodes, played `parallel` at a time, in the order of `episodes`. */
export async function playAll<G extends Game>(
  options: RolloutOptions,
  workflow: Workflow<G>,
): Promise<Trajectory[]> {
  const { episodes, parallel = episodes.length } = options;
  const trajectories: Trajectory[] = [];
  for (let first = 0; first < episodes.length; first += parallel)
    trajectories.push(...(await playTogether(episodes.slice(first, first + parallel), options, workflow)));
  return trajectories;
}

async function playTogether<G extends Game>(
  episodes: readonly Episode[],
  options: RolloutOptions,
  workflow: Workflow<G>,
): Promise<Trajectory[]> {
  const { policy, signal, onTrajectory } = options;
  const games = episodes.map(workflow.start);
  policy.begin(
    games.length,
    games.map(({ env }) => env),
  );
  const finished: Trajectory[] = [];
  for (let live = games; live.length > 0; live = live.filter((game) => !workflow.isOver(game))) {
    signal?.throwIfAborted();
    await playTurn(live, options, workflow);
    for (const game of live.filter(workflow.isOver)) {
      finished[game.slot] = trajectoryOf(game, workflow.finish(game));
      onTrajectory?.(finished[game.slot]);
    }
  }
  return finished;
}

/** A game at the start of its episode, with an empty record. */
export function startGame(episode: Episode, slot: number, task: Task): Game {
  const { spec, envConfig, vocabulary } = task;
  const env = spec.create(envConfig);
  env.reset(episode.seed);
  const tokens = conversation(vocabulary.image);
  const observation = { text: "", images: [] };
  const state = { turns: [], terminated: false, success: false, promptTokens: 0 };
  return { episode, task, slot, env, tokens, observation, ...state };
}

/** One reply of every live game: ask, act, appraise, judge, score. A summary is a reply, but no turn. */
export async function playTurn<G extends Game>(
  live: readonly G[],
  { policy, sampling, onTurn, signal }: RolloutOptions,
  workflow: Workflow<G>,
): Promise<void> {
  const requests = live.map(workflow.request);
  const limits = live.map((game) => workflow.limit?.(game) ?? roomFor(game, game.task));
  const replies = (await policy.generate(requests, sampling, signal)).map((reply, i) =>
    cut(reply, limits[i]),
  );
  const answered = live.flatMap((game, i) =>
    workflow.takeSummary?.(game, replies[i]) ? [] : [{ game, reply: replies[i] }],
  );
  const turns = await actAll(answered, signal);
  const played = answered.map(({ game }, i) => ({ task: game.task, turn: turns[i]!, earlier: game.turns }));
  await appraise(played, signal);
  const verdicts = await judged(played, signal);
  for (const [i, { game, reply }] of answered.entries()) {
    turns[i].verdicts = verdicts[i];
    workflow.score(game, turns[i], reply);
    game.turns.push(turns[i]);
    onTurn?.(turns[i], game.episode);
  }
}

/** Executes replies. Environments that take long may compute all of their actions in parallel before. */
async function actAll(
  answered: readonly { game: Game; reply: Completion }[],
  signal?: AbortSignal,
): Promise<Turn[]> {
  const read = answered.map(({ game, reply }) => ({ game, ...readReply(game, reply.ids) }));
  await precompute(
    read.map(({ game: { env, task }, parsed: { actions } }) => ({ env, actions, spec: task.spec })),
  );
  signal?.throwIfAborted();
  return read.map((one) => act(one));
}

type PlayedTurn = NewTurn & { task: Task };

/** Adds the facts and rewards of their appraisals to turns. */
async function appraise(turns: readonly PlayedTurn[], signal?: AbortSignal): Promise<void> {
  const found = await byTask(turns, async ({ appraisal }, own) =>
    appraisal ? appraisal.appraise(own, signal) : [],
  );
  for (const [i, { turn }] of turns.entries()) if (found[i]) addAppraised(turn, found[i]);
}

function addAppraised(turn: Turn, { facts, reward }: Appraised): void {
  turn.after = { ...turn.after, facts: { ...turn.after.facts, ...facts } };
  turn.taskReward += reward;
}

/** The verdicts of turns, each by the judge of its task; the turns of one task are judged together. */
const judged = (turns: readonly PlayedTurn[], signal?: AbortSignal): Promise<Turn["verdicts"][]> =>
  byTask(turns, (task, own) =>
    task.judge(
      own.map(({ turn }) => turn),
      signal,
    ),
  );

/** An answer about each turn; `ask` is called once for all turns of a task. */
async function byTask<T>(
  turns: readonly PlayedTurn[],
  ask: (task: Task, own: readonly PlayedTurn[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const answers: T[] = [];
  for (const task of new Set(turns.map((one) => one.task))) {
    const own = [...turns.keys()].filter((i) => turns[i]!.task === task);
    const found = await ask(
      task,
      own.map((i) => turns[i]!),
    );
    for (const [k, i] of own.entries()) answers[i] = found[k]!;
  }
  return answers;
}

/** An observation as words and as tokens. */
interface Shown {
  text: string;
  ids: Int32Array;
}

/**
 * What the policy is shown next. Actions that can be written in many ways, such as `pick(1e20,0,20)`, may have names of any length: they
 * are cut where the episode would need more memory than is planned for it.
 */
export function observe(game: Game, task: Task): Shown {
  const names = executedNames(game.turns.at(-1)?.executed ?? []);
  const whole = observed(game, task, names);
  const room = observationRoom(game, task);
  if (whole.ids.length <= room) return whole;
  const tokens = task.vocabulary.encode(names).length - (whole.ids.length - room);
  // What follows may join the last characters to a token, so the cut observation is counted as a whole, from a token too many on.
  for (let most = tokens + 1; most > 0; most--) {
    const cut = observed(game, task, cutText(names, task.vocabulary, most));
    if (cut.ids.length <= room) return cut;
  }
  return observed(game, task, "");
}

/** An observation with these names of the last turn's actions. */
function observed({ env, turns }: Game, { envConfig, vocabulary, imageTokens }: Task, names: string): Shown {
  const board = compactView(env, envConfig);
  const { executed = [], tool } = turns.at(-1) ?? {};
  const text = compactObservation({ turn: turns.length, executed, names, tool, board, vocabulary });
  return { text, ids: observationIds(vocabulary, { observation: text, imageTokens }) };
}

/**
 * Tokens that an observation may have. In one conversation it may use what earlier replies have left of the plan; where a later sequence
 * may begin with it, it has its own part only.
 */
function observationRoom({ tokens, turns: { length: turn } }: Game, { plan, layout }: Task): number {
  if (!plan || turn === 0) return Number.POSITIVE_INFINITY;
  return layout && layout.kind !== "concat" ? plan.observation(turn) : plan.until(turn) - tokens.length;
}

/** Tokens that the budget of an episode leaves for the next reply, after an observation that is still to be shown. */
function roomFor(
  { tokens, promptTokens }: Game,
  { maxEpisodeTokens = Number.POSITIVE_INFINITY }: Task,
  pending?: { ids: Int32Array },
): number {
  return maxEpisodeTokens - (tokens.length - promptTokens) - (pending?.ids.length ?? 0);
}

/** Whether the next observation would leave no token for a reply. */
const isSpent = (game: Game, task: Task): boolean =>
  task.maxEpisodeTokens !== undefined && roomFor(game, task, observe(game, task)) < 1;

/** A reply as it would be with that limit: every token depends on earlier ones only. */
function cut(reply: Completion, limit: number): Completion {
  if (reply.ids.length <= limit) return reply;
  const { ids, logprobs, entropies, values } = reply;
  return {
    ids: ids.slice(0, limit),
    logprobs: logprobs.slice(0, limit),
    ...(entropies && { entropies: entropies.slice(0, limit) }),
    ...(values && { values: values.slice(0, limit) }),
  };
}

/** Shows the game to the policy, in the words of `shown`; returns the pictures. */
export function ask(game: Game, task: Task, shown = observe(game, task)): readonly Frame[] {
  const { spec, envConfig, format, vocabulary, patchPx } = task;
  const isFirst = game.turns.length === 0;
  const { text, ids } = shown;
  const images = isTextBoard(envConfig) ? [] : picturesOf(game.env, patchPx, task);
  if (isFirst) game.tokens.addOpening(openingIds(vocabulary, { envId: spec.id, format }));
  game.tokens.addPrompt(ids);
  if (isFirst) game.promptTokens = game.tokens.length;
  game.observation = { text, images: [...images] };
  return images;
}

/** All pictures of an observation. */
function picturesOf(env: Env, patchPx: number, { paddedTo }: Task): readonly Frame[] {
  const pictures = drawPictures(env, patchPx);
  if (!paddedTo) return pictures;
  return pictures.map((picture) => padded(picture, paddedTo.cols * patchPx, paddedTo.rows * patchPx));
}

/** The request to the policy: the new tokens, or a fresh context with the turns that it may see. */
function requestOf(game: Game, images: readonly Frame[], { layout }: Task): GenerateRequest {
  const { slot, turns, tokens } = game;
  const base = { slot, rngKey: game.episode.rngKey };
  if (layout?.kind !== "no_concat") return { ...base, promptIds: tokens.news(), images };
  const { ids, responseMask, firstTurn } = tokens.context(layout.historyTurns);
  const earlier = turns.slice(firstTurn).flatMap(({ observation }) => observation.images);
  return { ...base, promptIds: ids, responseMask, images: [...earlier, ...images], fresh: true };
}

/** A reply as text, and what is read in it. */
interface ReadReply {
  reply: string;
  parsed: ParsedReply;
}

function readReply(game: Game, ids: Int32Array): ReadReply {
  const { spec, envConfig, format, reading, vocabulary } = game.task;
  const reply = replyText(vocabulary, ids);
  const maxActions = maxActionsOf(envConfig);
  const hasTools = (game.env.tools?.() ?? []).length > 0;
  const { actions, readAction, whyUnknown, refusesMalformed = false, separator = "," } = spec;
  const { liteSpelling, liteAnswerIn }: Partial<Task["spec"]> = reading === "lite" ? spec : {};
  const strict = isStrictOf(envConfig);
  const read = { format, reading, strict, refusesMalformed, tools: hasTools };
  const rules = {
    ...read,
    actions,
    separator,
    maxActions,
    ...(liteSpelling && { spelling: liteSpelling }),
    ...(liteAnswerIn && { answerIn: liteAnswerIn }),
    ...(readAction && { readAction }),
    ...(whyUnknown && { whyUnknown }),
  };
  return { reply, parsed: parseReply(reply, rules) };
}

/** Executes a reply. Verdicts and rewards are filled in later. */
function act({ game, reply, parsed }: ReadReply & { game: Game }): Turn {
  const { task } = game;
  const { spec, envConfig } = task;
  const tool = parsed.call === undefined ? null : callOf(game, parsed.call, task);
  const before = game.env.groundTruth();
  const saved = game.env.save?.();
  const { executed, taskReward } = execute(game, parsed, spec);
  const hasActed = tool !== null || executed.some(({ valid }) => valid);
  if (!hasActed && spec.endsWithoutAction?.(envConfig)) game.terminated = true;
  const after = game.env.groundTruth();
  return {
    index: game.turns.length,
    observation: game.observation,
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
    ...(saved && { saved }),
    actionIsEffective: hasMoved(before, after) ?? executed.some(({ effective }) => effective),
    ...(tool ? { actionIsValid: tool.ok } : graded(parsed, executed, task)),
  };
}

/** Whether the actions of a turn are valid; where its reading says so, also whether they are effective and whether the form is paid. */
function graded(
  parsed: ParsedReply,
  executed: readonly ExecutedAction[],
  { spec, reading = "studio" }: Task,
): Pick<Turn, "actionIsValid" | "formatEarned"> & Partial<Pick<Turn, "actionIsEffective">> {
  const { isValid, earnsFormat, isEffective } = readings.get(reading);
  const areKnown = parsed.actions.every((name) => isKnown(name, spec));
  const turn = { parsed, executed, areKnown, lite: spec.liteGrading };
  const actionIsEffective = isEffective?.(turn);
  return {
    actionIsValid: isValid(turn),
    ...(actionIsEffective !== undefined && { actionIsEffective }),
    ...(earnsFormat && !parsed.answersFreely && { formatEarned: earnsFormat(turn) }),
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
function execute(game: Game, { actions }: ParsedReply, spec: Task["spec"]) {
  const executed: ExecutedAction[] = [];
  let taskReward = 0;
  for (const name of actions) {
    if (!isKnown(name, spec)) {
      executed.push({ name, valid: false, effective: false, note: unknownAction(name, spec) });
      break;
    }
    const { reward, terminated, success, effective, note } = game.env.step(name);
    const mention = spec.mention?.(name, effective);
    executed.push({ name, ...(mention !== undefined && { mention }), valid: true, effective, note });
    taskReward += reward;
    game.terminated = terminated;
    game.success = success;
    if (terminated) break;
  }
  return { executed, taskReward };
}

/** Whether the player has moved; null without a player. */
const hasMoved = (before: SceneTruth, after: SceneTruth) =>
  isBoard(before) && isBoard(after) && before.player && after.player
    ? !sameCell(before.player, after.player)
    : null;

/** The record of an episode that is over. */
export function trajectoryOf(
  { episode: { id, seed, groupId, entry }, task: { spec }, turns }: Game,
  finished: ReturnType<Workflow<Game>["finish"]>,
): Trajectory {
  const level = { envId: spec.id, ...(entry !== undefined && { entry }), seed, groupId };
  return { id, ...level, turns, truncated: !finished.terminated, ...finished };
}
