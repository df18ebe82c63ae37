// How far the target was when a turn ended, and how near pays.
import { type PaidTurn, written } from "../explained-reward.ts";
import type { NavigationConfig } from "./config.ts";

export function explainReward(
  { after, taskReward }: PaidTurn,
  { success_reward, success_threshold }: NavigationConfig,
): string {
  const { target, target_x, target_z, x, z } = after.facts ?? {};
  const [dx, dz] = [Number(target_x) - Number(x), Number(target_z) - Number(z)];
  const distance = Math.sqrt(dx * dx + dz * dz);
  if (!Number.isFinite(distance)) return "";
  const near = `${written(success_threshold)} m`;
  const place = `the ${target} is ${distance.toFixed(2)} m away`;
  return taskReward > 0
    ? `${place}, within ${near}`
    : `${place}; within ${near} pays ${written(success_reward)}`;
}
