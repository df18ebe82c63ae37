// Many AReaL episodes at once over the games of a task: each game asks one question, and a reply that is not right may be
// corrected.
import type { Trajectory, TrajectoryTokens, Turn } from "../../core/types.ts";
import type { Episode } from "../episodes.ts";
import { compactObservation } from "../prompt.ts";
import { act, ask, type Game, type RolloutOptions, replyText, startGame } from "../rollout.ts";
import type { Task } from "../task.ts";
import { type ContextEngine, type ContextRequest, contextEngine } from "./context.ts";
import { individualSequences } from "./individual.ts";
import type { ArealSettings } from "./options.ts";
import type { Response } from "./sequence.ts";
import { patchNumbers, separateTokens, trajectoryTokens } from "./tokens.ts";
import { ArealEpisode, type Attempt, type Question, type Request } from "./workflow.ts";

/** One batch of episodes under AReaL's workflow. */
interface ArealRolloutOptions extends RolloutOptions {
  areal: ArealSettings;
  /** Updates that the policy has behind it; default 0. */
  version?: number;
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
 * `episodes`; each has its one reward on the last token that the policy wrote.
 * @throws the signal's reason when aborted; episodes in progress are lost.
 */
export async function arealRollout(options: ArealRolloutOptions): Promise<Trajectory[]> {
  const { episodes, parallel = episodes.length } = options;
  const trajectories: Trajectory[] = [];
  for (let first = 0; first < episodes.length; first += parallel)
    trajectories.push(...(await playTogether(episodes.slice(first, first + parallel), options)));
  return trajectories;
}

async function playTogether(
  episodes: readonly Episode[],
  options: ArealRolloutOptions,
): Promise<Trajectory[]> {
  const { policy, sampling, version = 0, signal, onTrajectory } = options;
  const started = episodes.map((episode, slot) => start(episode, slot, options));
  const games = started.map(({ game }) => game.env);
  const engine = contextEngine(policy, games, { sampling, version });
  const finished: Trajectory[] = [];
  for (let live = started; live.length > 0; ) {
    signal?.throwIfAborted();
    await playTurn(live.map(requestOf), engine, options);
    const isOver = ({ episode }: Attempted) => episode.request() === null;
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
  const { request, observation } = ask(game, 0, task);
  const question = { prompt: observation.text, images: observation.images, promptIds: request.promptIds };
  const { vocabulary, maxTurns } = task;
  const context = { vocabulary, options: { ...areal, maxTurns } };
  return { game, question, episode: new ArealEpisode(question, context), right: false };
}

/** An attempt that waits for the policy. */
interface Asked {
  attempted: Attempted;
  request: ContextRequest;
}

function requestOf(attempted: Attempted): Asked {
  const { game, episode } = attempted;
  const request = episode.request() as Request;
  // A right answer in the wrong form ended the game, but not the episode.
  if (game.terminated) game.env.reset(game.episode.seed);
  game.terminated = false;
  game.success = false;
  return { attempted, request: { ...request, slot: game.slot, rngKey: game.episode.rngKey } };
}

/** One reply to every question: ask, act, judge, score. */
async function playTurn(
  asked: readonly Asked[],
  engine: ContextEngine,
  options: ArealRolloutOptions,
): Promise<void> {
  const { task, onTurn, signal } = options;
  const requests = asked.map(({ request }) => request);
  const responses = await engine.generate(requests, signal);
  const turns = asked.map(({ attempted }, i) => turnOf(attempted, responses[i] as Response, task));
  const verdicts = await task.judge(turns, signal);
  for (const [i, { attempted }] of asked.entries()) {
    const turn = turns[i] as Turn;
    turn.verdicts = verdicts[i] ?? {};
    grade(attempted, turn, responses[i] as Response, options);
    onTurn?.(turn, attempted.game.episode);
  }
}

function turnOf({ game, question, episode }: Attempted, response: Response, task: Task): Turn {
  const images = episode.attempts.length === 0 ? [...question.images] : [];
  return act(game, { text: episode.said, images }, response.ids, task);
}

/** The reward function is the task's: what it gives a turn is the attempt's reward. */
function grade(
  attempted: Attempted,
  turn: Turn,
  response: Response,
  { task, areal }: ArealRolloutOptions,
): void {
  const { game, episode } = attempted;
  const scored = task.scoreTurn(turn);
  const before = episode.reward;
  const text = replyText(task.vocabulary, response.ids);
  episode.answer(response, { text, reward: scored.reward, next: toolNews(turn, task) });
  const { discount } = episode.attempts.at(-1) as Attempt;
  const gained = { reward: episode.reward - before, discount };
  Object.assign(turn, areal.exportStyle === "concat" ? bestSoFar(scored, gained) : scored);
  attempted.right ||= game.success;
  game.turns.push(turn);
}

/** A tool call is answered by the tool; absent for other turns. The picture was shown already. */
function toolNews({ index, executed, tool }: Turn, { vocabulary }: Task): string | undefined {
  return tool && compactObservation({ turn: index + 1, executed, tool, board: "", vocabulary });
}

/**
 * A turn is credited with what it adds to the best so far, so that the turns of an episode sum to its reward: its discounted
 * terms, less what earlier attempts had earned already.
 */
function bestSoFar(
  { rewards }: ReturnType<Task["scoreTurn"]>,
  gained: Pick<Attempt, "reward" | "discount">,
): Pick<Turn, "rewards" | "reward"> {
  const terms = Object.entries(rewards).map(([id, earned]) => [id, earned * gained.discount] as const);
  const sum = terms.reduce((total, [, earned]) => total + earned, 0);
  const before = gained.reward - sum;
  return { rewards: { ...Object.fromEntries(terms), best_so_far: before }, reward: gained.reward };
}

function trajectoryOf({ game, episode, right }: Attempted, options: ArealRolloutOptions): Trajectory {
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
    tokens: tokensOf(episode, options),
  };
}

function tokensOf(
  { sequence, attempts, reward }: ArealEpisode,
  { task, areal }: ArealRolloutOptions,
): TrajectoryTokens {
  const whole = sequence.tokens();
  const imagePatch = patchNumbers(whole, task.vocabulary.image);
  if (areal.exportStyle === "concat")
    return trajectoryTokens(whole, { turnEnds: sequence.turnEnds, reward, imagePatch });
  return separateTokens(individualSequences(attempts, areal.turnDiscount), imagePatch);
}
