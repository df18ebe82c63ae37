// The token record of one multi-turn conversation, built while it happens. Sampled ids are kept as they are: turning
// them into text and back could give other ids than those whose probabilities were recorded.
import type { SequenceSpan, TrajectoryTokens } from "../core/types.ts";
import type { Completion } from "../policy/policy.ts";

/** Turns firstTurn … lastTurn as one sequence; replies from turn `trainedFrom` on are trained on, earlier ones are history. */
interface SequencePlan {
  firstTurn: number;
  lastTurn: number;
  trainedFrom: number;
}

/** Tokens to be read by the policy, and which of them it wrote itself. */
interface Context {
  ids: Int32Array;
  /** 1 = sampled by the policy: an image token there is text. */
  responseMask: Uint8Array;
  /** The first turn that it shows. */
  firstTurn: number;
}

/** Alternates between what the policy is given and what it writes. */
export interface Conversation {
  /** Tokens so far, each counted once. */
  readonly length: number;
  /** Words before the first turn, which every sequence begins with. */
  addOpening(ids: Int32Array): void;
  /** Appends tokens that the policy did not write (response mask 0); those equal to the image id are picture patches. */
  addPrompt(ids: Int32Array): void;
  /** Appends a reply (response mask 1) and ends the turn on its last token, also when it was cut before the end token. */
  addReply(completion: Completion): void;
  /** What was added since the last reply, the opening included before the first. */
  news(): Int32Array;
  /** What comes before the next reply if the policy is shown the opening, the last `history` turns and the open one. */
  context(history: number): Context;
  /**
   * The record, with reward k on the last token of turn k. Tokens after the last reply are dropped. Values, advantages,
   * returns and entropy are zeros to be filled in; `refLogprobs` is empty.
   * @param plans sequences of the record (`turnSequences`); absent: one of everything. Each reply is trained on in one of them.
   * @throws RangeError unless there is one reward per reply.
   */
  finish(turnRewards: readonly number[], plans?: readonly SequencePlan[]): TrajectoryTokens;
}

/** One sequence per turn: the turn, after at most `history` turns before it (`Infinity`: all). */
export const turnSequences = (turns: number, history: number): SequencePlan[] =>
  Array.from({ length: turns }, (_, turn) => ({
    firstTurn: Math.max(0, turn - history),
    lastTurn: turn,
    trainedFrom: turn,
  }));

/** One turn in tokens. */
interface Exchange {
  prompt: number[];
  reply: Completion | null;
}

/** An empty conversation; `imageId` is the placeholder token of an image patch. */
export function conversation(imageId: number): Conversation {
  const opening: number[] = [];
  const exchanges: Exchange[] = [];

  const open = (): Exchange => {
    const last = exchanges.at(-1);
    if (last && last.reply === null) return last;
    const next: Exchange = { prompt: [], reply: null };
    exchanges.push(next);
    return next;
  };
  const answered = () => exchanges.filter(({ reply }) => reply !== null).length;

  return {
    get length() {
      return exchanges.reduce(
        (sum, { prompt, reply }) => sum + prompt.length + (reply?.ids.length ?? 0),
        opening.length,
      );
    },
    addOpening(ids) {
      opening.push(...ids);
    },
    addPrompt(ids) {
      open().prompt.push(...ids);
    },
    addReply(reply) {
      if (reply.ids.length === 0) throw new RangeError("A reply has at least one token.");
      open().reply = reply;
    },
    news() {
      const { prompt } = open();
      return Int32Array.from(exchanges.length === 1 ? [...opening, ...prompt] : prompt);
    },
    context(history) {
      const firstTurn = Math.max(0, answered() - history);
      const shown = sequenceTokens(opening, exchanges.slice(firstTurn));
      return {
        ids: Int32Array.from(shown.ids),
        responseMask: Uint8Array.from(shown.responseMask, Number),
        firstTurn,
      };
    },
    finish(turnRewards, plans) {
      const turns = answered();
      if (turnRewards.length !== turns)
        throw new RangeError(`${turnRewards.length} rewards for ${turns} turns`);
      const record = emptyRecord();
      const all = plans ?? (turns > 0 ? [{ firstTurn: 0, lastTurn: turns - 1, trainedFrom: 0 }] : []);
      const spans = all.map((plan): SequenceSpan => {
        const from = record.ids.length;
        addSequence(record, { opening, exchanges, turnRewards, imageId }, plan);
        return { from, to: record.ids.length, firstTurn: plan.firstTurn, lastTurn: plan.lastTurn };
      });
      return { ...(plans && { sequences: spans }), ...asTokens(record) };
    },
  };
}

/** Opening and exchanges, concatenated. */
function sequenceTokens(opening: readonly number[], exchanges: readonly Exchange[]) {
  const ids = [...opening];
  const responseMask = new Array<boolean>(opening.length).fill(false);
  for (const { prompt, reply } of exchanges) {
    ids.push(...prompt, ...(reply?.ids ?? []));
    responseMask.push(...prompt.map(() => false), ...Array.from(reply?.ids ?? [], () => true));
  }
  return { ids, responseMask };
}

type GrowingRecord = Record<
  "ids" | "responseMask" | "turnEndMask" | "turnIndex" | "imagePatch" | "rolloutLogprobs" | "rewards",
  number[]
>;

const emptyRecord = (): GrowingRecord => ({
  ids: [],
  responseMask: [],
  turnEndMask: [],
  turnIndex: [],
  imagePatch: [],
  rolloutLogprobs: [],
  rewards: [],
});

/** What a record is made from. */
interface Spoken {
  opening: readonly number[];
  exchanges: readonly Exchange[];
  turnRewards: readonly number[];
  imageId: number;
}

function addSequence(
  record: GrowingRecord,
  spoken: Spoken,
  { firstTurn, lastTurn, trainedFrom }: SequencePlan,
): void {
  const { opening, exchanges, turnRewards, imageId } = spoken;
  let patch = 0;
  const add = (id: number, turn: number, own?: { logprob: number; isEnd: boolean }) => {
    record.ids.push(id);
    record.responseMask.push(own ? 1 : 0);
    record.rolloutLogprobs.push(own?.logprob ?? 0);
    record.turnEndMask.push(own?.isEnd ? 1 : 0);
    record.rewards.push(own?.isEnd ? (turnRewards[turn] as number) : 0);
    // History belongs to the turn that it was shown for.
    record.turnIndex.push(Math.max(turn, trainedFrom));
  };
  // An image token that the policy wrote itself shows no picture.
  const show = (id: number, turn: number) => {
    add(id, turn);
    record.imagePatch.push(id === imageId ? patch++ : -1);
  };
  for (const id of opening) show(id, firstTurn);
  for (let turn = firstTurn; turn <= lastTurn; turn++) {
    const { prompt, reply } = exchanges[turn] as Exchange & { reply: Completion };
    for (const id of prompt) show(id, turn);
    for (const [i, id] of reply.ids.entries()) {
      const own = { logprob: reply.logprobs[i] as number, isEnd: i === reply.ids.length - 1 };
      add(id, turn, turn >= trainedFrom ? own : undefined);
      record.imagePatch.push(-1);
    }
  }
}

function asTokens(record: GrowingRecord): TrajectoryTokens {
  const { length } = record.ids;
  return {
    ids: Int32Array.from(record.ids),
    responseMask: Uint8Array.from(record.responseMask),
    turnEndMask: Uint8Array.from(record.turnEndMask),
    turnIndex: Int16Array.from(record.turnIndex),
    imagePatch: Int32Array.from(record.imagePatch),
    rolloutLogprobs: Float32Array.from(record.rolloutLogprobs),
    rewards: Float32Array.from(record.rewards),
    values: new Float32Array(length),
    advantages: new Float32Array(length),
    returns: new Float32Array(length),
    entropy: new Float32Array(length),
    refLogprobs: new Float32Array(0),
  };
}
