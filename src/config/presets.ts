/// <reference types="vite/types/importMeta.d.ts" />
// The ready-made configurations of public/presets, bundled so that page, worker and command line have the same.
import { ConfigError } from "../core/errors.ts";
import { type Registry, registry } from "../core/registry.ts";
import { envs } from "../envs/index.ts";
import { checkedRunConfig } from "./check.ts";
import { envIdsOf } from "./entries.ts";
import type { RunConfig } from "./run-config.ts";
import { suggestion } from "./suggest.ts";

export interface Preset {
  /** File name without its ending, e.g. `frozenlake-nano`. */
  id: string;
  name: string;
  description: string;
  /** How long it takes, and on which hardware. */
  expectedTime: string;
  config: RunConfig;
  /** The text of the file. */
  yaml: string;
}

const texts = import.meta.glob<string>("../../public/presets/*.yaml", {
  query: "?raw",
  import: "default",
  eager: true,
});
const parsed = import.meta.glob("../../public/presets/*.yaml", {
  query: "?parsed",
  import: "default",
  eager: true,
});

/** In the order of the environments, whose first is the one to begin with; those of several environments come last. */
const placeOf = ({ config }: Preset): number =>
  new Set(envIdsOf(config)).size > 1 ? envs.ids.length : envs.ids.indexOf(config.env.name);

/** Small to large within each task. */
const SIZES = ["nano", "small", "base", "large"];

/** Every preset, checked when it is loaded. */
export const presets: Registry<Preset> = registry<Preset>(
  "preset",
  ...Object.entries(texts)
    .map(([path, yaml]) => toPreset(path.replace(/^.*\/|\.yaml$/g, ""), yaml, parsed[path]))
    .sort((a, b) => placeOf(a) - placeOf(b) || rank(a.id).localeCompare(rank(b.id))),
);

/** @throws ConfigError("unknown_id") with the nearest name. */
export function getPreset(id: string): Preset {
  const found = presets.all.find((preset) => preset.id === id);
  if (found) return found;
  throw new ConfigError("unknown_id", `There is no preset "${id}".`, suggestion(id, presets.ids));
}

function toPreset(id: string, yaml: string, data: unknown): Preset {
  const config = checkedRunConfig(data, `The preset ${id}`);
  const { name, description, expected_time: expectedTime } = config;
  return { id, name, description, expectedTime, config, yaml };
}

function rank(id: string): string {
  const [task, size] = id.split(/-(?=[^-]*$)/) as [string, string];
  return `${task} ${SIZES.indexOf(size)}`;
}
