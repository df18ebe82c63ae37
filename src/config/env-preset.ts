// An environment's presets, such as the rewards of VAGEN's two generations: named values for its options. Options that a
// configuration sets itself take precedence.
import type { EnvSpec } from "../envs/env.ts";
import { describeEnv } from "./describe.ts";
import { NO_PRESET } from "./field.ts";
import type { RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

type EnvSection = RunConfig["env"];

/** The options of the preset, overridden by those that are set. */
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

/** The section after a change of environment: default options, and the same preset if the new environment has it. */
export function chooseEnvironment({ preset }: EnvSection, spec: EnvSpec): EnvSection {
  return { name: spec.id, preset: hasPreset(spec, preset) ? preset : NO_PRESET, config: {} };
}

/**
 * The section after a change of preset: options that any preset names get the new preset's values, even if they were set
 * before; all others keep theirs.
 */
export function choosePreset(env: EnvSection, spec: EnvSpec, preset: EnvSection["preset"]): EnvSection {
  const named = new Set(Object.values(spec.presets).flatMap(Object.keys));
  const defaults = describeEnv(spec, preset).map(
    ({ path, default: value }) => [path.split(".").at(-1)!, value] as const,
  );
  const values = Object.fromEntries(defaults.filter(([option]) => named.has(option)));
  return { ...env, preset, config: { ...env.config, ...values } };
}
