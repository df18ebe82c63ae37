// How an episode is laid out as conversations. There is one rule: a conversation is a sequence to train on, and a reply is trained in
// the context that it was sampled from. Names are those of VAGEN's harnesses.

/** The whole episode is one conversation. */
interface Concat {
  kind: "concat";
}

/** Every turn is a conversation of its own, which begins with some turns of history. */
interface NoConcat {
  kind: "no_concat";
  /** Number of earlier turns that the policy sees. */
  historyTurns: number;
}

/** A conversation that grows too long is closed with a summary that the policy writes; the next one begins with it. */
export interface Compact {
  kind: "compact";
  /** Tokens, prompt included, at which a conversation is closed; `Infinity`: it is not closed for them. */
  budget: number;
  /** Tokens that a conversation may have after its first prompt, summary included; `Infinity`: as many as it needs. */
  room: number;
  /** Longest reply and longest summary in tokens. */
  maxReply: number;
  maxSummary: number;
}

export type Layout = Concat | NoConcat | Compact;

export const CONCAT: Concat = { kind: "concat" };

/** The fewest tokens that are worth a reply where a conversation's room is limited (VAGEN's floor). */
export const leastReply = ({ room, maxReply }: Pick<Compact, "room" | "maxReply">): number =>
  Number.isFinite(room) ? Math.min(maxReply, Math.max(1, Math.floor(room / 4))) : 1;
