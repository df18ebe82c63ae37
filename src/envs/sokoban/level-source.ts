// The level of a seed under the setting `levels`, and where it comes from.
import type { LevelSource } from "../../core/level-source.ts";
import type { SokobanConfig } from "./config.ts";
import { generateLevel } from "./generator.ts";
import { referenceLevel } from "./reference/reference-level.ts";
import type { Level } from "./room.ts";

interface SourcedLevel {
  level: Level;
  source: LevelSource;
}

/**
 * The level that a configuration plays for a seed.
 * @param searchBudget for the studio's generator, see `generateLevel`.
 * @throws EnvError("unsolvable_level") if no level satisfies the options.
 */
export function levelOf(config: SokobanConfig, seed: number, searchBudget?: number): SourcedLevel {
  const found = config.levels === "studio" ? null : referenceLevel(config.levels, config, seed);
  if (!found) return { level: generateLevel(config, seed, searchBudget), source: "studio" };
  // VAGEN's scripts fix the hash that retries draw on for legacy, but not for Lite.
  const isRetry = config.levels === "lite" && found.retriedWith.length > 0;
  return { level: found.level, source: isRetry ? "reference_retry" : "reference" };
}
