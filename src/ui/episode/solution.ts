// How long a solution of a level is, in words.
import { isBoard } from "../../core/scene.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import { counted } from "../lib/format.ts";

/** Null where none is known, and where chance decides: a plan does not know what will come. */
export function solutionText(
  { moves, truth }: Pick<LevelPicture, "moves" | "truth">,
  envName: string,
): string | null {
  if (moves === null || envs.get(envName).hasChance) return null;
  const length = isBoard(truth)
    ? `A shortest solution takes ${counted(moves, "move")}`
    : `A solution takes ${counted(moves, "action")}`;
  return `${length}. The agent does not see it.`;
}
