// The options of AReaL's multi-turn workflow, as plain data that can cross threads.

/** How an episode becomes sequences to train on. */
type ExportStyle = "concat" | "individual";

/** Settings of the workflow and of its task. */
export interface ArealOptions {
  /** Attempts at one question; at least 1. */
  maxTurns: number;
  /** Factor of the reward for every attempt before it, in (0, 1]. */
  turnDiscount: number;
  /** What the user says after a reply that was not right. */
  feedback: string;
  exportStyle: ExportStyle;
  /** Longest reply in tokens. */
  maxReply: number;
  /** Tokens that an episode may have, replies included; none means no limit. */
  contextLimit?: number;
}

/** The workflow's part of a task. The number of attempts is the task's `maxTurns`. */
export type ArealSettings = Omit<ArealOptions, "maxTurns">;

/** @throws RangeError that names the option and its value. */
export function checkOptions({ maxTurns, turnDiscount }: ArealOptions): void {
  if (!Number.isInteger(maxTurns) || maxTurns < 1)
    throw new RangeError(`max_turns is ${maxTurns}; an episode has at least one attempt.`);
  if (!(turnDiscount > 0 && turnDiscount <= 1))
    throw new RangeError(`turn_discount is ${turnDiscount}; it must be above 0 and at most 1.`);
}
