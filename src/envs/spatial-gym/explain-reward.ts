// What a turn was paid for: its looks, and its answer or map.
import { counted } from "../../core/format.ts";
import { type PaidTurn, sharesText, written } from "../explained-reward.ts";
import type { SpatialGymConfig } from "./config.ts";

export function explainReward(
  { before, after, executed, taskReward }: PaidTurn,
  { observe_cost, map_reward }: SpatialGymConfig,
): string {
  const looks = executed.filter(({ name, effective }) => effective && name === "Observe()").length;
  const cost = observe_cost * looks;
  const answered = taskReward + cost;
  const hasAnswer = !before.facts?.given && Boolean(after.facts?.given);
  const isMap = after.facts?.options === "";
  const map = `a map (one without a fault earns ${written(map_reward)})`;
  const shares = sharesText([
    [answered, isMap ? map : "the right answer"],
    [0 - cost, counted(looks, "look")],
  ]);
  if (shares || !hasAnswer) return shares || "only looks and the answer count";
  const what = isMap ? "map" : "answer";
  return after.facts?.success === true ? `the right ${what} pays nothing` : `the ${what} is wrong`;
}
