// The config.yaml of a run that is resumed: the run keeps the settings of its checkpoint, and writes the file again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { diffConfigs, isDescription } from "../../config/changes.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { parseRunConfig } from "../../config/yaml.ts";

/**
 * A warning that names the settings for which the file in a run's folder has values of its own; null if there are none.
 * @param stored the settings of the checkpoint.
 * @param resumed the settings with which the run continues.
 */
export function editedSettings(folder: string, stored: RunConfig, resumed: RunConfig): string | null {
  const file = join(folder, "config.yaml");
  const written = configIn(file);
  if (written === null) return null;
  const isResumed = new Set(diffConfigs(written, resumed).map(({ path }) => path));
  const paths = diffConfigs(written, stored)
    .map(({ path }) => path)
    .filter((path) => isResumed.has(path) && !isDescription(path));
  if (paths.length === 0) return null;
  return `${file} has other settings than the run: ${paths.join(", ")}. The run keeps its own and writes the file again; to change a setting, resume with --set.`;
}

/** Null for a file that is not there, or is no configuration. */
function configIn(file: string): RunConfig | null {
  try {
    return parseRunConfig(readFileSync(file, "utf8"), file);
  } catch {
    return null;
  }
}
