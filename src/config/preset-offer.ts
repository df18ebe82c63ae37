// The preset to offer for a task whose bundled policies all need other settings than a configuration has.
import {
  BUNDLED,
  type BundledCheckpoint,
  bundledStart,
  type Misfit,
  misfit,
  unlikeLevels,
} from "./bundled.ts";
import { envIdsOf } from "./entries.ts";
import type { Preset } from "./presets.ts";
import type { RunConfig } from "./run-config.ts";

export interface PresetOffer {
  preset: Pick<Preset, "id" | "name" | "config">;
  /** The policy that the preset starts from. */
  checkpoint: BundledCheckpoint;
  /** The first value that keeps the configuration from starting from it. */
  misfit: Misfit;
}

/**
 * Of the presets that play a configuration's tasks from a bundled policy, the one whose policy was trained on the most similar levels; null if
 * a bundled policy fits the configuration as it is, or if there is no such preset.
 */
export function presetOffer(config: RunConfig, presets: readonly Preset[]): PresetOffer | null {
  if (bundledStart(config)) return null;
  const offers = presets.flatMap((preset) => offerOf(preset, config) ?? []);
  const unlike = ({ checkpoint }: PresetOffer) => unlikeLevels(checkpoint, config);
  return offers.toSorted((a, b) => unlike(a) - unlike(b))[0] ?? null;
}

function offerOf(preset: Preset, config: RunConfig): PresetOffer | null {
  const checkpoint = BUNDLED.find(({ id }) => id === preset.config.trainer.init_checkpoint);
  if (!checkpoint || tasksOf(preset.config) !== tasksOf(config)) return null;
  const found = misfit(checkpoint, config);
  return found && { preset, checkpoint, misfit: found };
}

const tasksOf = (config: RunConfig): string => [...new Set(envIdsOf(config))].sort().join();
