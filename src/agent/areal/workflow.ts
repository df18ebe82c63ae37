// AReaL's multi-turn workflow for one question: answer, hear that it was wrong, try again. The course of an episode and its
// reward, without a policy: whoever drives it sends the requests and grades the replies.
import { isSolved } from "../../core/solved.ts";
import type { Frame } from "../../core/types.ts";
import type { Vocabulary } from "../vocabulary.ts";
import type { Call } from "./individual.ts";
import { type ArealOptions, checkOptions } from "./options.ts";
import { type Response, type SequenceBuilder, sequenceBuilder } from "./sequence.ts";
import { feedbackIds, type Message } from "./template.ts";

/** A question as the workflow asks it; it is read only. */
export interface Question {
  /** The user's words, with one `<image>` for each picture. */
  readonly prompt: string;
  /** The same as tokens, from the opening of the dialogue to the tag for the reply; pictures as their placeholders. */
  readonly promptIds: Int32Array;
  readonly images: readonly Frame[];
}

/** What the policy is asked to continue. */
export interface Request {
  /** A copy of the whole episode so far. */
  inputIds: Int32Array;
  images: readonly Frame[];
}

/** One attempt as it was graded: its reward is what the reward function gave. */
export interface Attempt extends Call {
  /** `turn_discount` to the power of the attempts before it. */
  readonly discount: number;
}

/** What an episode needs beside its question. */
interface EpisodeContext {
  vocabulary: Vocabulary;
  options: ArealOptions;
}

/** An episode in progress (AReaL, VisionMultiTurnWorkflow). */
export class ArealEpisode {
  readonly attempts: Attempt[] = [];
  readonly sequence: SequenceBuilder = sequenceBuilder();
  /** The dialogue so far; what is said next joins it with the next request. */
  readonly messages: Message[];
  /** What the user says before the next attempt. */
  private following: string;
  /** A request waits for its reply. */
  private open = false;
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
    this.sequence.addContext(question.promptIds);
    if (!this.fits(0))
      throw new RangeError(
        `A question of ${this.sequence.length} tokens and a reply of ${context.options.maxReply} do not fit into ${context.options.contextLimit}.`,
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

  /** What the user said last: the question, or what came after a reply. */
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
    return { inputIds: this.sequence.snapshot(), images: this.question.images };
  }

  /**
   * Takes the reply to the last request, as text too, and its reward. `next` is what the user says to it in place of the feedback.
   * @throws RangeError when nothing was asked.
   */
  answer(
    response: Response,
    { text, reward, next }: { text: string; reward: number; next?: string | undefined },
  ): void {
    if (!this.open) throw new RangeError("A reply came without a request.");
    this.open = false;
    this.sequence.addResponse(response);
    this.messages.push({ role: "assistant", content: text });
    this.following = next ?? this.context.options.feedback;
    this.credit(response, reward);
  }

  private credit(response: Response, reward: number): void {
    const discount = this.context.options.turnDiscount ** this.attempts.length;
    const discounted = reward * discount;
    this.best = this.attempts.length === 0 ? discounted : Math.max(this.best, discounted);
    this.attempts.push({ response, reward, discount });
  }

  private isOver(): boolean {
    if (this.attempts.length >= this.context.options.maxTurns || this.solved) return true;
    // The inserted end of turn is counted whether it is needed or not.
    return this.attempts.length > 0 && !this.fits(1 + this.followingIds().length);
  }

  /** Whether a reply of any length fits behind that many more tokens. */
  private fits(more: number): boolean {
    const { maxReply, contextLimit = Number.POSITIVE_INFINITY } = this.context.options;
    return this.sequence.length + more + maxReply <= contextLimit;
  }

  private followingIds(): Int32Array {
    return feedbackIds(this.context.vocabulary, this.following);
  }

  /** Only before another attempt, so that an episode ends on a reply. */
  private sayFollowing(): void {
    this.sequence.closeTurn(this.context.vocabulary.eos);
    this.sequence.addContext(this.followingIds());
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
