// Games in conversations that are closed with a summary when they grow too long (VAGEN 2026, harness compact). The summary is
// sampled and trained on like a reply, but it is no turn: it has no reward, and the game does not see it.
import type { Frame, Trajectory, Turn } from "../../core/types.ts";
import type { Completion, GenerateRequest } from "../../policy/policy.ts";
import type { Episode } from "../episodes.ts";
import type { Compact } from "../layout.ts";
import { ask, type Game, observe, playAll, type RolloutOptions, rewardsOf, startGame } from "../rollout.ts";
import { type KeptSummary, keptOf, requestIds, withSummary } from "../summary.ts";
import type { Task } from "../task.ts";
import {
  afterReply,
  closes,
  MOST_IN_A_ROW,
  type Progress,
  replyLimit,
  streakAfter,
  unbegun,
} from "./closing.ts";

/** One batch of episodes in this layout. */
interface CompactRolloutOptions extends RolloutOptions {
  layout: Compact;
}

/** A game with the conversation that is open. */
interface Compacted extends Game {
  progress: Progress;
  /** The summary that the conversation begins with; null for the first. */
  kept: KeptSummary | null;
  /** The reply that is due is a summary. */
  isSummarising: boolean;
  /** Tokens that it may have. */
  limit: number;
  /** The last reply was shortened, so that the policy's own context has more of it than the record. */
  wasCut: boolean;
}

/**
 * Plays every episode as `rollout` does. An episode whose conversations are closed again and again after one turn ends as
 * unusable. The result follows the order of `episodes`. @throws the signal's reason when aborted.
 */
export function compactRollout(options: CompactRolloutOptions): Promise<Trajectory[]> {
  const { task } = options;
  return playAll<Compacted>(options, {
    start: (episode, slot) => start(episode, slot, task),
    request: (game) =>
      isClosing(game, options) ? requestSummary(game, options) : requestReply(game, options),
    // The sampler keeps the policy to `maxReply`; a script may write more, which the check of demonstrations must see.
    limit: ({ limit, isSummarising }) =>
      !isSummarising && limit === options.layout.maxReply ? Number.POSITIVE_INFINITY : limit,
    takeSummary: (game, reply) => takeSummary(game, reply, task),
    score: (game, turn, reply) => score(game, turn, reply, options),
    isOver: (game) => game.terminated || game.turns.length === task.maxTurns || isStuck(game, options),
    finish(game) {
      const { terminated, success, tokens, turns } = game;
      const played = { terminated, success, tokens: tokens.finish(rewardsOf(turns, success, task)) };
      const isUnfinished = !terminated && turns.length < task.maxTurns;
      return isUnfinished ? { ...played, unusable: "no_progress" } : played;
    },
  });
}

const start = (episode: Episode, slot: number, task: Task): Compacted => ({
  ...startGame(episode, slot, task),
  progress: unbegun(),
  kept: null,
  isSummarising: false,
  limit: 0,
  wasCut: false,
});

/** Tokens that are kept free for the summary and the request for it. */
const reserveOf = ({ task, layout }: CompactRolloutOptions): number =>
  layout.maxSummary + requestIds(task.vocabulary).length;

const isClosing = (game: Compacted, options: CompactRolloutOptions): boolean =>
  game.progress.turns > 0 &&
  closes(game.progress, observe(game, options.task).ids.length, reserveOf(options), options.layout);

const isStuck = (game: Compacted, options: CompactRolloutOptions): boolean =>
  streakAfter(game.progress) >= MOST_IN_A_ROW && isClosing(game, options);

function requestSummary(game: Compacted, { task, layout }: CompactRolloutOptions): GenerateRequest {
  game.tokens.addPrompt(requestIds(task.vocabulary));
  game.isSummarising = true;
  game.limit = layout.maxSummary;
  return { ...continued(game, []), asksSummary: true };
}

function requestReply(game: Compacted, options: CompactRolloutOptions): GenerateRequest {
  const { task, layout } = options;
  const { progress, kept } = game;
  const seen = observe(game, task);
  const isFirst = progress.turns === 0;
  const images = ask(game, task, isFirst && kept ? withSummary(task.vocabulary, kept, seen) : seen);
  game.limit = replyLimit(progress, seen.ids.length, reserveOf(options), layout);
  if (!isFirst) return continued(game, images);
  game.promptTokens = game.tokens.length;
  const { slot, episode, tokens } = game;
  return { slot, rngKey: episode.rngKey, promptIds: tokens.news(), images, fresh: true };
}

/** The next request of an open conversation: what is new, or all of it where the policy's own context has another last reply. */
function continued(game: Compacted, images: readonly Frame[]): GenerateRequest {
  const { slot, episode, tokens, turns, wasCut } = game;
  const base = { slot, rngKey: episode.rngKey };
  if (!wasCut) return { ...base, promptIds: tokens.news(), images };
  const { ids, responseMask, firstTurn } = tokens.context(Number.POSITIVE_INFINITY);
  const earlier = turns.slice(firstTurn).flatMap(({ observation }) => observation.images);
  return { ...base, promptIds: ids, responseMask, images: [...earlier, ...images], fresh: true };
}

/** Closes the conversation with its summary; the next one has not begun. */
function takeSummary(game: Compacted, summary: Completion, { vocabulary }: Task): boolean {
  if (!game.isSummarising) return false;
  game.tokens.addSummary(summary);
  game.kept = keptOf(vocabulary, summary.ids);
  game.progress = unbegun(streakAfter(game.progress));
  game.isSummarising = false;
  return true;
}

/** Records a turn and its rewards. */
function score(
  game: Compacted,
  turn: Turn,
  reply: Completion,
  { task, layout }: CompactRolloutOptions,
): void {
  const { tokens, promptTokens, kept, progress, limit } = game;
  tokens.addReply(reply);
  const isOpen = reply.ids.at(-1) !== task.vocabulary.eos;
  game.wasCut = isOpen && reply.ids.length === limit && limit < layout.maxReply;
  if (kept && progress.turns === 0) turn.summary = kept.text;
  game.progress = afterReply(progress, { used: tokens.length, promptTokens });
  Object.assign(turn, task.scoreTurn(turn));
}
