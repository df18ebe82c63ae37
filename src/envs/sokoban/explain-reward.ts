// What a turn was paid for: the moves themselves, and the boxes.
import { counted } from "../../core/format.ts";
import { type PaidTurn, sharesText } from "../explained-reward.ts";
import type { SokobanConfig } from "./config.ts";

export function explainReward(
  { executed, taskReward }: PaidTurn,
  { penalty_for_step }: SokobanConfig,
): string {
  const moves = executed.filter(({ valid }) => valid).length;
  const paid = penalty_for_step * moves;
  const boxes = taskReward - paid;
  return paid === 0
    ? ""
    : sharesText([
        [boxes, boxes > 0 ? "boxes on targets" : "a box off its target"],
        [paid, counted(moves, "move")],
      ]);
}
