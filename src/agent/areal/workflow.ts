// AReaL's multi-turn workflow for one question: answer, read that it was wrong, try again. The course of an episode and its
// reward, without a policy: the caller sends the requests and grades the replies.
import { isSolved } from "../../core/solved.ts";
import type { Frame } from "../../core/types.ts";
import type { Completion } from "../../policy/policy.ts";
import type { Conversation } from "../conversation.ts";
import type { Vocabulary } from "../vocabulary.ts";
import { type ArealOptions, checkOptions } from "./options.ts";
import { feedbackIds, type Message } from "./template.ts";

/** The question of an episode. It is never modified. */
export interface Question {
  /** The user's words, with one `<image>` for each picture. */
  readonly prompt: string;
  readonly images: readonly Frame[];
}

/** What the policy has not seen yet, before it replies. */
interface Request {
  promptIds: Int32Array;
  images: readonly Frame[];
}

/** A graded attempt. */
interface Attempt {
  /** What the reward function gave. */
  readonly reward: number;
  /** `turn_discount` to the power of the number of earlier attempts. */
  readonly discount: number;
}

/** What an episode needs beside its question. */
interface EpisodeContext {
  vocabulary: Vocabulary;
  options: ArealOptions;
  /** Begins with the question, from the opening of the dialogue to the tag for the reply; the rest is appended. */
  tokens: Conversation;
}

/** An episode in progress (AReaL, VisionMultiTurnWorkflow). */
export class ArealEpisode {
  readonly attempts: Attempt[] = [];
  /** The dialogue so far. What the user says next joins it with the next request. */
  readonly messages: Message[];
  /** What the user says before the next attempt. */
  private following: string;
  /** A request waits for its reply. */
  private open = false;
  /** The last reply ends with the end of turn. */
  private closed = false;
  private best = 0;

  /**
   * @throws RangeError for options out of range, a question without pictures or with another number of places for them, and a
   * question that leaves no room for a reply.
   */
  constructor(
    private readonly question: Question,
    private readonly context: EpisodeContext,
  ) {
    checkOptions(context.options);
    checkQuestion(question);
    this.following = context.options.feedback;
    this.messages = [{ role: "user", content: question.prompt }];
    if (!this.fits(0))
      throw new RangeError(
        `A question of ${context.tokens.length} tokens and a reply of ${context.options.maxReply} do not fit into ${context.options.contextLimit}.`,
      );
  }

  /** Whether some attempt earned the full reward. */
  get solved(): boolean {
    return this.attempts.some(({ reward }) => isSolved(reward));
  }

  /** The best of the attempts' discounted rewards; 0 before the first. */
  get reward(): number {
    return this.best;
  }

  /** What the user said last: the question, or the answer to a reply. */
  get said(): string {
    return this.messages.findLast(({ role }) => role === "user")?.content ?? "";
  }

  /** The next request; null when the episode is over. Asking again before the reply gives the same. */
  request(): Request | null {
    if (!this.open) {
      if (this.isOver()) return null;
      if (this.attempts.length > 0) this.sayFollowing();
      this.open = true;
    }
    const images = this.attempts.length === 0 ? this.question.images : [];
    return { promptIds: this.context.tokens.news(), images };
  }

  /**
   * Records the reply to the last request, also as text, and its reward. `next` replaces the feedback to it.
   * @throws RangeError without a request, and for an empty reply.
   */
  answer(
    reply: Completion,
    { text, reward, next }: { text: string; reward: number; next?: string | undefined },
  ): void {
    if (!this.open) throw new RangeError("A reply came without a request.");
    this.open = false;
    this.context.tokens.addReply(reply);
    this.closed = reply.ids.at(-1) === this.context.vocabulary.eos;
    this.messages.push({ role: "assistant", content: text });
    this.following = next ?? this.context.options.feedback;
    this.grade(reward);
  }

  private grade(reward: number): void {
    const discount = this.context.options.turnDiscount ** this.attempts.length;
    const discounted = reward * discount;
    this.best = this.attempts.length === 0 ? discounted : Math.max(this.best, discounted);
    this.attempts.push({ reward, discount });
  }

  /** Whether no further attempt follows. */
  isOver(): boolean {
    if (this.attempts.length >= this.context.options.maxTurns || this.solved) return true;
    // Counts the inserted end of turn, needed or not.
    return this.attempts.length > 0 && !this.fits(1 + this.followingIds().length);
  }

  /** Whether a reply of any length fits after that many more tokens. */
  private fits(more: number): boolean {
    const { maxReply, contextLimit = Number.POSITIVE_INFINITY } = this.context.options;
    return this.context.tokens.length + more + maxReply <= contextLimit;
  }

  private followingIds(): Int32Array {
    return feedbackIds(this.context.vocabulary, this.following);
  }

  /** Only before another attempt, so that an episode ends on a reply. A reply that was cut gets its end of turn first. */
  private sayFollowing(): void {
    const { tokens, vocabulary } = this.context;
    if (!this.closed) tokens.addPrompt(Int32Array.of(vocabulary.eos));
    tokens.addPrompt(this.followingIds());
    this.messages.push({ role: "user", content: this.following });
  }
}

function checkQuestion({ prompt, images }: Question): void {
  if (images.length === 0)
    throw new RangeError("The question has no picture; this workflow asks about pictures.");
  const places = prompt.split("<image>").length - 1;
  if (places !== images.length)
    throw new RangeError(`The question has ${places} places for ${images.length} pictures.`);
}
