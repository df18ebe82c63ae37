// Passive exploration: the agent is shown what a scripted exploration sees, and only answers. The script itself is in `script.ts`.
import { ImpossibleConfig } from "../grid.ts";
import type { SpatialGymConfig } from "./config.ts";

/** Views of a look round, a quarter of a turn apart. */
const ROUND = 4;

/** How many views the script has: a look round at the start, and with two rooms another in the second. */
const viewsIn = ({ rooms }: SpatialGymConfig): number => ROUND * rooms;

export const isPassive = ({ exp_type }: Pick<SpatialGymConfig, "exp_type">): boolean =>
  exp_type === "passive";

/** The most pictures that an agent is shown at once. */
export const picturesIn = (config: SpatialGymConfig): number =>
  isPassive(config) && config.render_mode === "vision" ? viewsIn(config) : 1;

/** How many views its observations have, as text or as pictures. */
export const viewsShown = (config: SpatialGymConfig): number => (isPassive(config) ? viewsIn(config) : 1);

/** @throws ImpossibleConfig if the script looks more often than an episode may. The start's view is free. */
export function checkLooks(config: SpatialGymConfig): void {
  const [looks, value] = [viewsIn(config) - 1, config.max_exp_steps];
  if (!isPassive(config) || value >= looks) return;
  const why = `a passive exploration of ${config.rooms === 1 ? "one room" : "two rooms"} makes ${looks} observations`;
  const remedy = `Use at least ${looks}, or exp_type: active.`;
  throw new ImpossibleConfig({ field: "max_exp_steps", value, why, remedy });
}

const ROUND_TEXT = Array.from({ length: ROUND }, () => "Observe()").join(" | Rotate(90) | ");

/** The script in words, with an `Observe()` for each view. @param beside names of the objects that it jumps to */
export const scriptText = (beside: readonly string[]): string =>
  [ROUND_TEXT, ...beside.map((name) => `JumpTo(${name}) | ${ROUND_TEXT}`)].join(" | ");
