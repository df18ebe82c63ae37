// Many AReaL episodes at once over the games of a task: each game asks one question, and a reply that is not right may be
// corrected.
import type { Trajectory, TrajectoryTokens, Turn } from "../../core/types.ts";
import type { Completion, GenerateRequest } from "../../policy/policy.ts";
import { turnSequences } from "../conversation.ts";
import type { Episode } from "../episodes.ts";
import { compactObservation } from "../prompt.ts";
import { act, ask, type Game, inBatches, type RolloutOptions, replyText, startGame } from "../rollout.ts";
import type { Task } from "../task.ts";
import type { ArealSettings } from "./options.ts";
import { ArealEpisode, type Question } from "./workflow.ts";

/** One batch of episodes under AReaL's workflow. */
interface ArealRolloutOptions extends RolloutOptions {
  areal: ArealSettings;
}

/** A question in progress. */
interface Attempted {
  game: Game;
  episode: ArealEpisode;
  question: Question;
  /** Some attempt was right, in whatever form. */
  right: boolean;
}

/**
 * Plays every episode until an attempt earns the full reward or the task's turns are used up. The result follows the order of
 * `episodes`.
 * @throws the signal's reason when aborted; episodes in progress are lost.
 */
export const arealRollout = (options: ArealRolloutOptions): Promise<Trajectory[]> =>
  inBatches(options, (episodes) => playTogether(episodes, options));

async function playTogether(
  episodes: readonly Episode[],
  options: ArealRolloutOptions,
): Promise<Trajectory[]> {
  const { policy, signal, onTrajectory } = options;
  const started = episodes.map((episode, slot) => start(episode, slot, options));
  policy.begin(
    started.length,
    started.map(({ game }) => game.env),
  );
  const finished: Trajectory[] = [];
  for (let live = started; live.length > 0; ) {
    signal?.throwIfAborted();
    await playTurn(live, options);
    const isOver = ({ episode }: Attempted) => episode.isOver();
    for (const over of live.filter(isOver)) {
      finished[over.game.slot] = trajectoryOf(over, options);
      onTrajectory?.(finished[over.game.slot] as Trajectory);
    }
    live = live.filter((attempted) => !isOver(attempted));
  }
  return finished;
}

function start(episode: Episode, slot: number, { task, areal }: ArealRolloutOptions): Attempted {
  const game = startGame(episode, slot, task);
  const { text: prompt, images } = ask(game, 0, task).observation;
  const { vocabulary, maxTurns } = task;
  const context = { vocabulary, options: { ...areal, maxTurns }, tokens: game.tokens };
  const question = { prompt, images };
  return { game, question, episode: new ArealEpisode(question, context), right: false };
}

/** The next request of an episode that is not over. */
function requestOf({ game, episode }: Attempted): GenerateRequest {
  // A right answer in the wrong form ended the game, but not the episode.
  if (game.terminated) game.env.reset(game.episode.seed);
  game.terminated = false;
  game.success = false;
  return { ...episode.request()!, slot: game.slot, rngKey: game.episode.rngKey };
}

/** One reply to every question: ask, act, judge, score. */
async function playTurn(live: readonly Attempted[], options: ArealRolloutOptions): Promise<void> {
  const { task, policy, sampling, onTurn, signal } = options;
  const replies = await policy.generate(live.map(requestOf), sampling, signal);
  const turns = live.map((attempted, i) => turnOf(attempted, replies[i] as Completion, task));
  const verdicts = await task.judge(turns, signal);
  for (const [i, attempted] of live.entries()) {
    const turn = turns[i] as Turn;
    turn.verdicts = verdicts[i] ?? {};
    grade(attempted, turn, replies[i] as Completion, options);
    onTurn?.(turn, attempted.game.episode);
  }
}

function turnOf({ game, question, episode }: Attempted, reply: Completion, task: Task): Turn {
  const images = episode.attempts.length === 0 ? [...question.images] : [];
  return act(game, { text: episode.said, images }, reply.ids, task);
}

/** The reward function is the task's: what it gives a turn is the attempt's reward. */
function grade(
  attempted: Attempted,
  turn: Turn,
  reply: Completion,
  { task, areal }: ArealRolloutOptions,
): void {
  const { game, episode } = attempted;
  const scored = task.scoreTurn(turn);
  const before = episode.reward;
  const text = replyText(task.vocabulary, reply.ids);
  episode.answer(reply, { text, reward: scored.reward, next: toolNews(turn, task) });
  const { discount } = episode.attempts.at(-1)!;
  const gained = { reward: episode.reward - before, discount };
  Object.assign(turn, areal.exportStyle === "concat" ? bestSoFar(scored, gained) : scored);
  attempted.right ||= game.success;
  game.turns.push(turn);
}

/** The answer to a tool call; undefined for other turns. The policy has seen the picture already. */
function toolNews({ index, executed, tool }: Turn, { vocabulary }: Task): string | undefined {
  return tool && compactObservation({ turn: index + 1, executed, tool, board: "", vocabulary });
}

/**
 * The reward of a turn is what it adds to the best so far, so that the turns of an episode sum to its reward: its discounted
 * terms, minus what earlier attempts have earned.
 */
function bestSoFar(
  { rewards }: ReturnType<Task["scoreTurn"]>,
  gained: { reward: number; discount: number },
): Pick<Turn, "rewards" | "reward"> {
  const terms = Object.entries(rewards).map(([id, earned]) => [id, earned * gained.discount] as const);
  const sum = terms.reduce((total, [, earned]) => total + earned, 0);
  const before = gained.reward - sum;
  return { rewards: { ...Object.fromEntries(terms), best_so_far: before }, reward: gained.reward };
}

function trajectoryOf(attempted: Attempted, options: ArealRolloutOptions): Trajectory {
  const { game, episode, right } = attempted;
  const { id, seed, groupId } = game.episode;
  const { solved } = episode;
  return {
    id,
    envId: options.task.spec.id,
    seed,
    groupId,
    turns: game.turns,
    terminated: solved,
    truncated: !solved,
    success: right,
    tokens: tokensOf(attempted, options),
  };
}

/** Concatenated: the one reward on the last reply. individual: a sequence for each reply with everything before it. */
function tokensOf({ game, episode }: Attempted, { areal }: ArealRolloutOptions): TrajectoryTokens {
  const rewards = episode.attempts.map(({ reward }) => reward);
  if (areal.exportStyle === "concat")
    return game.tokens.finish(rewards.map((_, i) => (i === rewards.length - 1 ? episode.reward : 0)));
  return game.tokens.finish(
    passedBack(rewards, areal.turnDiscount),
    turnSequences(rewards.length, Number.POSITIVE_INFINITY),
  );
}

/** Rewards passed from later turns to earlier ones: R_i = r_i + turnDiscount · R_{i+1}. */
export function passedBack(rewards: readonly number[], turnDiscount: number): number[] {
  const earned: number[] = [];
  for (let i = rewards.length - 1; i >= 0; i--) earned[i] = rewards[i]! + turnDiscount * (earned[i + 1] ?? 0);
  return earned;
}
