// `--vary actor.loss_mode=vanilla,gspo`: a setting whose values are the rows of an ablation.
import { parseOverride } from "../../config/overrides.ts";
import { UsageError } from "../args.ts";
import { nameOfValue } from "./matrix.ts";

export interface Variation {
  /** E.g. `actor.loss_mode`. */
  readonly path: string;
  /** In the order of the rows. */
  readonly values: readonly unknown[];
}

/** Sections that SFT does not read: runs that differ in them start from one SFT policy. */
const PPO_ONLY = ["algorithm", "actor", "critic", "reward"];

/** Reads `path=a,b`, whose values are YAML. @throws ConfigError, UsageError unless there are two values, all different. */
export function readVariation(text: string): Variation {
  const at = text.indexOf("=");
  const { path, value } = parseOverride(at < 0 ? text : `${text.slice(0, at)}=[${text.slice(at + 1)}]`);
  const values = value as unknown[];
  const names = values.map(nameOfValue);
  if (names.length > 1 && new Set(names).size === names.length) return { path, values };
  throw new UsageError(
    `--vary ${path} has ${names.length > 1 ? "a value twice" : "fewer than two values"}: ${names.join(",") || "none"}.`,
    `Give different values, separated by commas, for example: --vary actor.loss_mode=vanilla,gspo`,
  );
}

/** Whether runs with different values of the setting need SFT policies of their own. */
export const changesSft = (path: string): boolean => !PPO_ONLY.includes(path.split(".")[0]!);
