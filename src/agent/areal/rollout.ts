// Many AReaL episodes at once over the games of a task: each game asks one question, and a reply that is not right may be
// corrected.
import type { Trajectory, TrajectoryTokens, Turn } from "../../core/types.ts";
import type { Completion, GenerateRequest } from "../../policy/policy.ts";
import { turnSequences } from "../conversation.ts";
import type { Episode } from "../episodes.ts";
import { compactObservation } from "../prompt.ts";
import {
  ask,
  type Game,
  playAll,
  type RolloutOptions,
  replyText,
  startGame,
  type Workflow,
} from "../rollout.ts";
import type { Task } from "../task.ts";
import type { ArealSettings } from "./options.ts";
import { ArealEpisode } from "./workflow.ts";

/** What the workflow depends on. */
interface ArealOptions {
  task: Task;
  areal: ArealSettings;
}

/** One batch of episodes under AReaL's workflow. */
type ArealRolloutOptions = RolloutOptions & ArealOptions;

/** A question in progress. */
interface Attempted extends Game {
  dialogue: ArealEpisode;
  /** Some attempt was right, in whatever form. */
  right: boolean;
}

/**
 * Plays every episode until an attempt earns the full reward or the task's turns are used up. The result follows the order of
 * `episodes`.
 * @throws the signal's reason when aborted; episodes in progress are lost.
 */
export const arealRollout = (options: ArealRolloutOptions): Promise<Trajectory[]> =>
  playAll(options, arealWorkflow(options));

/** Questions, attempt after attempt. */
export const arealWorkflow = (options: ArealOptions): Workflow<Attempted> => ({
  start: (episode, slot) => start(episode, slot, options),
  request,
  score: (game, turn, reply) => grade(game, turn, reply, options),
  isOver: ({ dialogue }) => dialogue.isOver(),
  finish: (game) => ({
    terminated: game.dialogue.solved,
    success: game.right,
    tokens: tokensOf(game, options),
  }),
});

function start(episode: Episode, slot: number, { task, areal }: ArealOptions): Attempted {
  const game = startGame(episode, slot, task);
  const images = ask(game, task);
  const { vocabulary, maxTurns } = task;
  const context = { vocabulary, options: { ...areal, maxTurns }, tokens: game.tokens };
  const dialogue = new ArealEpisode({ prompt: game.observation.text, images }, context);
  return { ...game, dialogue, right: false };
}

/** The next request of an episode that is not over. */
function request(game: Attempted): GenerateRequest {
  const { env, episode, slot, dialogue } = game;
  // A right answer in the wrong form ended the game, but not the episode.
  if (game.terminated) env.reset(episode.seed);
  game.terminated = false;
  game.success = false;
  const { promptIds, images } = dialogue.request()!;
  game.observation = { text: dialogue.said, images: [...images] };
  return { promptIds, images, slot, rngKey: episode.rngKey };
}

/** The reward function is the task's: what it gives a turn is the attempt's reward. */
function grade(game: Attempted, turn: Turn, reply: Completion, { task, areal }: ArealOptions): void {
  const { dialogue } = game;
  const scored = task.scoreTurn(turn);
  const before = dialogue.reward;
  const text = replyText(task.vocabulary, reply.ids);
  dialogue.answer(reply, { text, reward: scored.reward, next: toolNews(turn, task) });
  const { discount } = dialogue.attempts.at(-1)!;
  const gained = { reward: dialogue.reward - before, discount };
  Object.assign(turn, areal.exportStyle === "concat" ? bestSoFar(scored, gained) : scored);
  game.right ||= game.success;
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

/** Concatenated: the one reward on the last reply. individual: a sequence for each reply with everything before it. */
function tokensOf({ tokens, dialogue }: Attempted, { areal }: ArealOptions): TrajectoryTokens {
  const rewards = dialogue.attempts.map(({ reward }) => reward);
  if (areal.exportStyle === "concat")
    return tokens.finish(rewards.map((_, i) => (i === rewards.length - 1 ? dialogue.reward : 0)));
  return tokens.finish(
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
