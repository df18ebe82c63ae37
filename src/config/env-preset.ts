// An environment's presets, such as the rewards of VAGEN's two generations: values for its options by name, beneath what is
// written.
import type { EnvSpec } from "../envs/env.ts";
import { describeEnv } from "./describe.ts";
import { NO_PRESET } from "./field.ts";
import type { RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

type EnvSection = RunConfig["env"];

/** The options that are given, over those of the preset. */
export function optionsWithPreset(
  { presets }: EnvSpec,
  { preset, config }: EnvSection,
): Record<string, unknown> {
  return { ...presets[preset], ...config };
}

/** Whether the environment has the preset, or needs none. */
export const hasPreset = ({ presets }: EnvSpec, preset: string): boolean =>
  preset === NO_PRESET || Object.hasOwn(presets, preset);

/** What to write instead of a preset that the environment does not have. */
export const presetRemedy = ({ presets }: EnvSpec, preset: string): string =>
  suggestion(preset, [NO_PRESET, ...Object.keys(presets)]);

/** The section after another environment was chosen: its own options, and the preset where it has that, too. */
export function chooseEnvironment({ preset }: EnvSection, spec: EnvSpec): EnvSection {
  return { name: spec.id, preset: hasPreset(spec, preset) ? preset : NO_PRESET, config: {} };
}

/**
 * The section after another preset was chosen: options that any preset names get the new one's values, also where they
 * were written before; all others stay.
 */
export function choosePreset(env: EnvSection, spec: EnvSpec, preset: EnvSection["preset"]): EnvSection {
  const named = new Set(Object.values(spec.presets).flatMap(Object.keys));
  const defaults = describeEnv(spec, preset).map(
    ({ path, default: value }) => [path.split(".").at(-1)!, value] as const,
  );
  const values = Object.fromEntries(defaults.filter(([option]) => named.has(option)));
  return { ...env, preset, config: { ...env.config, ...values } };
}
