// What the settings of a draft are compared with.
import { chooseEnvironment, choosePreset, optionsWithPreset } from "../../config/env-preset.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";

/**
 * The origin of a draft, with the options that the draft's task and its preset begin with: where the user chose another task, its options
 * were not changed one by one.
 */
export function originFor(base: RunConfig, { env }: RunConfig): RunConfig {
  const spec = envs.all.find(({ id }) => id === env.name);
  if (!spec || (base.env.name === env.name && base.env.preset === env.preset)) return base;
  const chosen = base.env.name === env.name ? base.env : chooseEnvironment(base.env, spec);
  const { config } = choosePreset(chosen, spec, env.preset);
  const options = spec.config.parse(optionsWithPreset(spec, { ...chosen, preset: env.preset, config }));
  return { ...base, env: { ...base.env, config: options as RunConfig["env"]["config"] } };
}
