// Whether a hand ended in a tie, from what lies on the table.
import { isBoard } from "../../core/scene.ts";
import type { SceneTruth } from "../../core/types.ts";
import { count, LIMIT, RANKS, type Rank } from "./cards.ts";
import { PLAYER_ROW } from "./config.ts";

/** Whether both hands lie open and count the same. Of a hand that was not won, this is a tie under every rule. */
export function isTie(truth: SceneTruth): boolean {
  if (!isBoard(truth) || truth.facts?.ended !== true) return false;
  const [own, dealer] = [handOn(truth, true), handOn(truth, false)].map((hand) => count(hand).sum) as [
    number,
    number,
  ];
  return own <= LIMIT && own === dealer;
}

/** The open cards of one side. */
const handOn = (
  { entities }: { entities: Readonly<Record<string, readonly (readonly number[])[]>> },
  own: boolean,
): Rank[] =>
  RANKS.flatMap((rank) =>
    (entities[rank] ?? []).filter(([row]) => row! >= PLAYER_ROW === own).map(() => rank),
  );
