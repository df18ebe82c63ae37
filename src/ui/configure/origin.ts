// What the settings of a draft are compared with.
import type { ConfigChange } from "../../config/changes.ts";
import { chooseEnvironment, choosePreset, optionsWithPreset } from "../../config/env-preset.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";
import { pendingPaths } from "../session/draft-changes.ts";

/**
 * The origin of a draft, with the options that the draft's task and its preset begin with: where the user chose another task, its options
 * were not changed one by one.
 */
export function originFor(base: RunConfig, { env }: RunConfig): RunConfig {
  const spec = envs.all.find(({ id }) => id === env.name);
  if (!spec || (base.env.name === env.name && base.env.preset === env.preset)) return base;
  const chosen = base.env.name === env.name ? base.env : chooseEnvironment(base.env, spec);
  const { config } = choosePreset(chosen, spec, env.preset);
  const options = spec.config.safeParse(optionsWithPreset(spec, { ...chosen, preset: env.preset, config }));
  // An environment of an extension may have other options by now.
  if (!options.success) return base;
  return { ...base, env: { ...base.env, config: options.data as RunConfig["env"]["config"] } };
}

/**
 * Paths whose values in the draft differ from those of its run, and were changed in the form: another task is one change, as the form counts.
 * @param automatic what the run itself has changed
 */
export function pendingInForm(
  config: RunConfig | null,
  draft: RunConfig | null,
  automatic: readonly ConfigChange[],
): string[] {
  return pendingPaths(config && draft && originFor(config, draft), draft, automatic);
}
