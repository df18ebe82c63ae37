// How long a solution of a level is, in words.
import type { RunConfig } from "../../config/run-config.ts";
import { isBoard } from "../../core/scene.ts";
import type { LevelPicture } from "../../envs/preview.ts";
import { envs } from "../../envs/registry.ts";
import { counted } from "../lib/format.ts";

/** Undefined for an environment that is gone, as after its extension was removed. */
const specOf = (envName: string) => envs.all.find(({ id }) => id === envName);

/** An environment with its complete options. */
type Played = RunConfig["env"];

/** Whether chance decides. */
export const hasChance = ({ name, config }: Pick<Played, "name" | "config">): boolean =>
  specOf(name)?.hasChance?.(config) ?? false;

/** Null where none is known, and where chance decides: a plan does not know what will come. */
export function solutionText(
  { moves, truth }: Pick<LevelPicture, "moves" | "truth">,
  env: Pick<Played, "name" | "config">,
): string | null {
  if (moves === null || hasChance(env)) return null;
  const noun = specOf(env.name)?.actionWords?.noun;
  return `${lengthText(moves, noun, isBoard(truth))}. The agent does not see this line.`;
}

function lengthText(moves: number, noun: string | undefined, isOnBoard: boolean): string {
  // One answer, or one drawing, is no way to somewhere.
  if (noun && moves === 1) return `One ${noun} solves it`;
  if (isOnBoard && !noun) return `A shortest solution takes ${counted(moves, "move")}`;
  return `A solution takes ${counted(moves, noun ?? "action")}`;
}
