// The imported houses that can be played now, and which of them a seed may choose.
import { EnvError } from "../../core/errors.ts";
import type { NavigationConfig } from "./config.ts";
import type { Home } from "./home.ts";
import { splitOf } from "./task-sets.ts";

let loaded: readonly Home[] = [];

/** Number of the loaded houses. */
export const houseCount = (): number => loaded.length;

/** Loads houses in place of those that were loaded before. Returns a function that unloads them. */
export function loadHouses(homes: readonly Home[]): () => void {
  loaded = homes;
  return () => {
    if (loaded === homes) loaded = [];
  };
}

/** The houses of a configuration; none if it plays in homes of our own. @throws EnvError if it needs some and none are loaded. */
export function housesOf({ homes }: NavigationConfig): readonly Home[] {
  if (homes !== "imported") return [];
  if (loaded.length > 0) return loaded;
  throw new EnvError("invalid_config", `env.config.homes is "imported"; no houses are loaded.`, LOAD_HOUSES);
}

/** Whether a file that is kept holds houses, by its name. Extensions, which are kept beside it, are modules. */
export const isHousesFile = (name: string): boolean => /\.jsonl?$/i.test(name);

/** The name under which the houses of a file are kept, a house on each line. */
export const housesFileName = (file: string): string => `${file.replace(/\.jsonl?$/i, "")}.jsonl`;

/** What to do where houses are missing. */
export const LOAD_HOUSES =
  "Load houses of ProcTHOR: in the page under Task, on the command line with --houses <file>.";

type Division = Pick<NavigationConfig, "eval_set" | "eval_houses" | "eval_houses_from">;

/** The houses that a seed may choose: those for training or those for evaluation. */
export function housesFor<H>(houses: readonly H[], config: Division, seed: number): readonly H[] {
  const evaluated = evaluationHouses(houses.length, config.eval_houses);
  if (evaluated === 0) return houses;
  const isEvaluation = splitOf(config.eval_set) === "eval" || seed >= config.eval_houses_from;
  return isEvaluation ? houses.slice(-evaluated) : houses.slice(0, -evaluated);
}

/** How many of some houses are for evaluation alone; both kinds have at least one house. */
export function evaluationHouses(count: number, share: number): number {
  if (share === 0 || count < 2) return 0;
  return Math.min(count - 1, Math.max(1, Math.round(count * share)));
}
