// Where two episodes on the same level part ways.
import type { Trajectory } from "../core/types.ts";

interface Difference {
  /** Index of the turn. */
  turn: number;
  /** Whether other actions were executed, or only other words were written. */
  what: "reply" | "action";
}

/** The first turn in which two episodes differ; null when they are equal. An episode that ends earlier differs by its actions. */
export function firstDifference(
  a: Pick<Trajectory, "turns">,
  b: Pick<Trajectory, "turns">,
): Difference | null {
  const count = Math.max(a.turns.length, b.turns.length);
  for (let turn = 0; turn < count; turn++) {
    const [one, other] = [a.turns[turn], b.turns[turn]];
    if (!one || !other || actionsOf(one) !== actionsOf(other)) return { turn, what: "action" };
    if (one.reply !== other.reply) return { turn, what: "reply" };
  }
  return null;
}

const actionsOf = ({ executed, tool }: Trajectory["turns"][number]): string =>
  JSON.stringify([executed.map(({ name }) => name), tool?.call ?? null]);
