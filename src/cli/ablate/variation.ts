// `--vary actor.loss_mode=vanilla,gspo`: a setting whose values are the rows of an ablation.
import { parseOverride } from "../../config/overrides.ts";
import { UsageError } from "../args.ts";
import { nameOfValue } from "../source.ts";

export interface Variation {
  /** E.g. `actor.loss_mode`. */
  readonly path: string;
  /** In the order of the rows. */
  readonly values: readonly unknown[];
}

/**
 * Sections whose values are compared from one SFT policy, as methods are. It is trained with the preset's values of the few
 * settings in them that SFT reads, such as `actor.grad_clip`.
 */
const PPO_ONLY = ["algorithm", "actor", "critic", "reward"];

/** Reads `path=a,b`, whose values are YAML. @throws ConfigError, UsageError unless there are two values, all different. */
export function readVariation(text: string): Variation {
  const [setting, ...rest] = text.split("=");
  const { path, value } = parseOverride(`${setting}=[${rest.join("=")}]`);
  const values = value as unknown[];
  const names = values.map(nameOfValue);
  if (names.length > 1 && new Set(names).size === names.length) return { path, values };
  throw new UsageError(
    `--vary ${path} has ${names.length > 1 ? "a value twice" : "fewer than two values"}: ${names.join(",") || "none"}.`,
    "Give different values, separated by commas, for example: --vary actor.loss_mode=vanilla,gspo",
  );
}

/** Whether runs with different values of the setting need SFT policies of their own. */
export const changesSft = (path: string): boolean => !PPO_ONLY.includes(path.split(".")[0]!);
