// The config.yaml of a run that is resumed: the run keeps the settings of its checkpoint, and writes the file again.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyClassOf, type ConfigChange, diffConfigs, isDescription } from "../../config/changes.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { parseRunConfig } from "../../config/yaml.ts";
import { listed } from "../../core/format.ts";
import type { TrainerEvent } from "../../training/events.ts";

/** The settings of a run that is resumed. */
interface Resumed {
  /** Of the checkpoint. */
  stored: RunConfig;
  /** With which the run continues. */
  config: RunConfig;
  /** A run that was killed may have changed settings after its checkpoint, also in the file. */
  history: readonly TrainerEvent[];
}

/** A warning that names the settings for which the file in a run's folder has values of its own; null if there are none. */
export function editedSettings(folder: string, { stored, config, history }: Resumed): string | null {
  const file = join(folder, "config.yaml");
  const written = configIn(file);
  if (written === null) return null;
  const differs = new Set(diffConfigs(config, written).map(({ path }) => path));
  const paths = diffConfigs(stored, written)
    .filter((change) => differs.has(change.path) && !isDescription(change.path) && !isOfRun(change, history))
    .map(({ path }) => path);
  if (paths.length === 0) return null;
  return `${file} differs from the run's settings in ${listed(paths)}. The run keeps its own values and overwrites the file. ${remedyFor(paths)}`;
}

function remedyFor(paths: readonly string[]): string {
  const changeable = paths.filter((path) => applyClassOf(path) !== "restart");
  return changeable.length > 0
    ? `To change ${listed(changeable)}, resume with --set.`
    : `Only a new run can have another ${listed(paths, "or")}.`;
}

/** Whether the run itself wrote the value. */
const isOfRun = ({ path, to }: ConfigChange, history: readonly TrainerEvent[]): boolean =>
  history.some(
    (event) =>
      event.type === "config_changed" &&
      event.path === path &&
      JSON.stringify(event.to) === JSON.stringify(to),
  );

/** Null for a file that is not there, or is no configuration. */
function configIn(file: string): RunConfig | null {
  try {
    return parseRunConfig(readFileSync(file, "utf8"), file);
  } catch {
    return null;
  }
}
