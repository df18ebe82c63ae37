// How long a solution of a level is, in words.
import { isBoard } from "../../core/scene.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import { counted } from "../lib/format.ts";

/** Whether chance decides; false for an environment that is gone, as after its extension was removed. */
export const hasChance = (envName: string): boolean =>
  envs.all.find(({ id }) => id === envName)?.hasChance ?? false;

/** Null where none is known, and where chance decides: a plan does not know what will come. */
export function solutionText(
  { moves, truth }: Pick<LevelPicture, "moves" | "truth">,
  envName: string,
): string | null {
  if (moves === null || hasChance(envName)) return null;
  const length = isBoard(truth)
    ? `A shortest solution takes ${counted(moves, "move")}`
    : `A solution takes ${counted(moves, "action")}`;
  return `${length}. The agent does not see it.`;
}
