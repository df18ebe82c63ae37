// The token record of an episode's conversation, or of its conversations, each of which but the last ends with a summary. It is
// built while they happen. Sampled ids are kept as they are: turning them into text and back could give other ids than those
// whose probabilities were recorded.
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
  /** Tokens of the conversation that is open, each counted once. */
  readonly length: number;
  /** Words before the first turn, which every sequence begins with. */
  addOpening(ids: Int32Array): void;
  /** Appends tokens that the policy did not write (response mask 0); those equal to the image id are picture patches. */
  addPrompt(ids: Int32Array): void;
  /** Appends a reply (response mask 1) and ends the turn on its last token, also when it was cut before the end token. */
  addReply(completion: Completion): void;
  /** Appends a summary (response mask 1, no reward, no turn) and closes the conversation: what follows begins another. */
  addSummary(completion: Completion): void;
  /** What was added since the last reply, the opening included before the first of a conversation. */
  news(): Int32Array;
  /** What comes before the next reply if the policy is shown the opening, the last `history` turns of the conversation and the open one. */
  context(history: number): Context;
  /**
   * The record, with reward k on the last token of turn k. Tokens after the last reply are dropped. Values, advantages,
   * returns and entropy are zeros to be filled in; `refLogprobs` is empty.
   * @param plans sequences of the record (`turnSequences`); absent: one for each conversation. Each reply is trained on in one
   *   of them.
   * @throws RangeError unless there is one reward per reply; summaries have none.
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

/** A prompt and what the policy wrote after it: the reply of a turn, or a summary. */
interface Exchange {
  /** A summary belongs to the turn before it. */
  turn: number;
  prompt: number[];
  reply: Completion | null;
  isSummary: boolean;
}

/** An empty conversation; `imageId` is the placeholder token of an image patch. */
export function conversation(imageId: number): Conversation {
  const opening: number[] = [];
  const exchanges: Exchange[] = [];
  const turns = () => exchanges.filter(({ reply, isSummary }) => reply && !isSummary).length;
  /** Where the open conversation begins. */
  const begun = () => exchanges.findLastIndex(({ isSummary }) => isSummary) + 1;

  const open = (): Exchange => {
    const last = exchanges.at(-1);
    if (last && last.reply === null) return last;
    const next: Exchange = { turn: turns(), prompt: [], reply: null, isSummary: false };
    exchanges.push(next);
    return next;
  };
  const answer = (reply: Completion): Exchange => {
    if (reply.ids.length === 0) throw new RangeError("A reply has at least one token.");
    return Object.assign(open(), { reply });
  };

  return {
    get length() {
      return exchanges
        .slice(begun())
        .reduce((sum, { prompt, reply }) => sum + prompt.length + (reply?.ids.length ?? 0), opening.length);
    },
    addOpening(ids) {
      opening.push(...ids);
    },
    addPrompt(ids) {
      open().prompt.push(...ids);
    },
    addReply(reply) {
      answer(reply);
    },
    addSummary(summary) {
      const turn = turns() - 1;
      Object.assign(answer(summary), { isSummary: true, turn });
    },
    news() {
      const { prompt } = open();
      return Int32Array.from(exchanges.length - begun() === 1 ? [...opening, ...prompt] : prompt);
    },
    context(history) {
      const answered = exchanges.filter(({ reply }) => reply !== null).length;
      const shown = exchanges.slice(Math.max(begun(), answered - history));
      const { ids, responseMask } = sequenceTokens(opening, shown);
      return {
        ids: Int32Array.from(ids),
        responseMask: Uint8Array.from(responseMask, Number),
        firstTurn: shown[0]?.turn ?? turns(),
      };
    },
    finish(turnRewards, plans) {
      if (turnRewards.length !== turns())
        throw new RangeError(`${turnRewards.length} rewards for ${turns()} turns`);
      const record = emptyRecord();
      const stretches = plans?.map(stretchOf) ?? conversations(exchanges);
      const spoken = { opening, exchanges, turnRewards, imageId };
      const sequences = stretches.map((stretch) => addSequence(record, spoken, stretch));
      const says = (fact: "entropies" | "values") =>
        exchanges.every(({ reply }) => reply === null || reply[fact]);
      return {
        ...((plans || sequences.length > 1) && { sequences }),
        ...asTokens(record),
        ...(says("entropies") && { rolloutEntropies: Float32Array.from(record.rolloutEntropies) }),
        ...(says("values") && { rolloutValues: Float32Array.from(record.rolloutValues) }),
      };
    },
  };
}

/** Exchanges from … to − 1 as one sequence; those from `trainedFrom` on are trained on. */
interface Stretch {
  from: number;
  to: number;
  trainedFrom: number;
}

/** Plans are made where nothing is summarised, so that the k-th exchange is turn k. */
const stretchOf = ({ firstTurn, lastTurn, trainedFrom }: SequencePlan): Stretch => ({
  from: firstTurn,
  to: lastTurn + 1,
  trainedFrom,
});

/** One stretch for each conversation with a reply. */
function conversations(exchanges: readonly Exchange[]): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  for (const [i, { reply, isSummary }] of exchanges.entries()) {
    const isLast = isSummary || i === exchanges.length - 1 || exchanges[i + 1]!.reply === null;
    if (reply === null || !isLast) continue;
    stretches.push({ from, to: i + 1, trainedFrom: from });
    from = i + 1;
  }
  return stretches;
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
  | "ids"
  | "responseMask"
  | "turnEndMask"
  | "turnIndex"
  | "imagePatch"
  | "rolloutLogprobs"
  | "rolloutEntropies"
  | "rolloutValues"
  | "rewards",
  number[]
>;

const emptyRecord = (): GrowingRecord => ({
  ids: [],
  responseMask: [],
  turnEndMask: [],
  turnIndex: [],
  imagePatch: [],
  rolloutLogprobs: [],
  rolloutEntropies: [],
  rolloutValues: [],
  rewards: [],
});

/** What a record is made from. */
interface Spoken {
  opening: readonly number[];
  exchanges: readonly Exchange[];
  turnRewards: readonly number[];
  imageId: number;
}

/** A token that the policy wrote: what it said of it, and the reward of the turn that it ends. */
interface OwnToken {
  logprob: number;
  entropy: number | undefined;
  value: number | undefined;
  reward: number | null;
}

/** Appends a sequence to the record; returns where it is. */
function addSequence(
  record: GrowingRecord,
  { opening, exchanges, turnRewards, imageId }: Spoken,
  { from, to, trainedFrom }: Stretch,
): SequenceSpan {
  const start = record.ids.length;
  const shown = exchanges.slice(from, to);
  // History belongs to the turn that it was shown for.
  const least = exchanges[trainedFrom]!.turn;
  let patch = 0;
  const add = (id: number, turn: number, own?: OwnToken) => {
    record.ids.push(id);
    record.responseMask.push(own ? 1 : 0);
    record.rolloutLogprobs.push(own?.logprob ?? 0);
    record.rolloutEntropies.push(own?.entropy ?? 0);
    record.rolloutValues.push(own?.value ?? 0);
    record.turnEndMask.push(own && own.reward !== null ? 1 : 0);
    record.rewards.push(own?.reward ?? 0);
    record.turnIndex.push(Math.max(turn, least));
  };
  // An image token that the policy wrote itself shows no picture.
  const show = (id: number, turn: number) => {
    add(id, turn);
    record.imagePatch.push(id === imageId ? patch++ : -1);
  };
  const write = ({ turn, reply, isSummary }: Exchange, isTrained: boolean) => {
    const { ids, logprobs, entropies, values } = reply as Completion;
    for (const [i, id] of ids.entries()) {
      const reward = i < ids.length - 1 ? null : isSummary ? 0 : (turnRewards[turn] as number);
      const own = { logprob: logprobs[i] as number, entropy: entropies?.[i], value: values?.[i], reward };
      add(id, turn, isTrained ? own : undefined);
      record.imagePatch.push(-1);
    }
  };
  const [first, last] = [shown[0] as Exchange, shown.at(-1) as Exchange];
  for (const id of opening) show(id, first.turn);
  for (const [i, exchange] of shown.entries()) {
    for (const id of exchange.prompt) show(id, exchange.turn);
    write(exchange, from + i >= trainedFrom);
  }
  const span = { from: start, to: record.ids.length, firstTurn: first.turn, lastTurn: last.turn };
  return last.isSummary ? { ...span, summaryFrom: span.to - (last.reply as Completion).ids.length } : span;
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
