// A run that is too large for a device: which settings its largest buffer follows from, and values that would fit.

import { mostSamples } from "../config/batch-size.ts";
import { getPath, setPath } from "../config/changes.ts";
import { checkRunConfig } from "../config/check.ts";
import { describeRunConfig } from "../config/describe.ts";
import type { RunConfig } from "../config/run-config.ts";
import { formatMiB, listed } from "../core/format.ts";
import type { Arena, BufferSize } from "../gpu/memory.ts";
import { leastMicroTokens, type RunSize, runSize } from "./size.ts";

/** Values of settings by path. */
type Changes = Readonly<Record<string, number>>;

interface Advice {
  message: string;
  /** `remedies` in words. */
  hint: string;
  /** Each of them makes the run fit. */
  remedies: readonly Changes[];
}

/** WebGPU's default limit for one storage binding, where no adapter has been asked yet. */
export const DEFAULT_LIMIT = 128 * 2 ** 20;

/** What is wrong with a configuration whose largest buffer exceeds `limit` bytes, and what would fit; null when it fits. */
export function tooLarge(config: RunConfig, size: RunSize, limit: number): Advice | null {
  const { largest } = size.buffers.arena;
  if (largest.bytes <= limit) return null;
  const whose =
    limit === DEFAULT_LIMIT
      ? `every WebGPU device allows ${formatMiB(limit)} for one, and some allow no more`
      : `this adapter allows ${formatMiB(limit)} for one`;
  const settings = listed(settingsBehind(config, size, largest).map((path) => shown(config, path)));
  const remedies = findRemedies(config, size, limit);
  return {
    message: `The largest buffer, "${largest.label}" (${largest.category}), needs ${formatMiB(largest.bytes)}; ${whose}. It follows from ${settings}.`,
    hint:
      remedies.length > 0 ? `Set ${listed(remedies.map(inWords), "or")}.` : "Start from a smaller preset.",
    remedies,
  };
}

/** The settings that the largest part of the memory follows from, for a device that has no room for all of it. */
export function largestPart(config: RunConfig, size: RunSize): string {
  const parts = Object.entries(size.buffers.arena.bytesByCategory).sort(([, a], [, b]) => b - a);
  const [category, bytes] = parts[0]!;
  const settings = settingsBehind(config, size, { category, label: "" }).map((path) => shown(config, path));
  return `The largest part is ${category}, ${formatMiB(bytes)}; it follows from ${listed(settings)}. Lower one of them, or choose a smaller preset.`;
}

const shown = (config: RunConfig, path: string): string => `${path} = ${getPath(config, path)}`;

/** Settings that a buffer grows with, the one that is best lowered first. */
function settingsBehind(
  config: RunConfig,
  { options, generatorOptions }: RunSize,
  { category, label }: Pick<BufferSize, "category" | "label">,
): string[] {
  const { rollout, sft, trainer, model } = config;
  const episode = [
    "rollout.response_length",
    "rollout.max_turns",
    ...(trainer.concat_multi_turn ? [] : ["rollout.window_size"]),
  ];
  switch (category) {
    case "parameters":
    case "optimiser":
      return [
        "model.num_hidden_layers",
        "model.hidden_size",
        "model.intermediate_size",
        ...(model.vision_layers > 0 ? ["model.vision_layers", "model.vision_hidden_size"] : []),
      ];
    case "batch":
      return [
        rollout.train_batch_size >= sft.train_batch_size
          ? "rollout.train_batch_size"
          : "sft.train_batch_size",
        ...episode,
      ];
    case "KV cache":
    case "decoding":
      return [
        generatorOptions.slots > rollout.train_batch_size ? "trainer.val_size" : "rollout.train_batch_size",
        ...episode,
        "model.hidden_size",
      ];
    default:
      return [
        ...(options.microTokens > trainer.micro_batch_tokens ? episode : ["trainer.micro_batch_tokens"]),
        ...widthBehind(config, label),
      ];
  }
}

/** What the rows of an activation are as wide as; nothing for logits, whose width is the vocabulary. */
function widthBehind({ model }: RunConfig, label: string): string[] {
  if (/logits/.test(label)) return [];
  if (/^vision|^patch|^picture/.test(label) && model.vision_layers > 0) return ["model.vision_hidden_size"];
  return [/inner|activated/.test(label) ? "model.intermediate_size" : "model.hidden_size"];
}

/** Values that fit, tried out: of each setting alone or, where none is enough, of several together. */
function findRemedies(config: RunConfig, size: RunSize, limit: number): Changes[] {
  const paths = settingsBehind(config, size, size.buffers.arena.largest);
  const alone = paths
    .map((path) => lowered(config, path, ({ largest }) => largest.bytes <= limit))
    .filter((changes) => changes !== null);
  // A reply of half the usual length, say, would fit but be of no use.
  const usable = alone.filter((changes) =>
    Object.keys(changes).every((path) => excess(withChanges(config, changes), path) >= 0.5),
  );
  if (alone.length > 0) return usable.length > 0 ? usable : alone;
  const together = combined(config, limit);
  return together ? [together] : [];
}

const atMost = ([path, value]: [string, number]): string => `${path} to ${value} or less`;
const inWords = (changes: Changes): string => listed(Object.entries(changes).map(atMost));

/** Lowers what is behind the largest buffer, then what is behind the next, until everything fits. */
function combined(config: RunConfig, limit: number): Changes | null {
  const changes: Record<string, number> = {};
  let current = config;
  for (let round = 0; round < 30; round++) {
    const size = runSize(current);
    const { largest } = size.buffers.arena;
    if (largest.bytes <= limit) return changes;
    const fits = (arena: Arena) => arena.largestOf(({ label }) => label === largest.label).bytes <= limit;
    // First what is furthest above its default: that is the value which somebody chose.
    const paths = settingsBehind(current, size, largest).sort(
      (a, b) => excess(current, b) - excess(current, a),
    );
    const step =
      paths.map((path) => lowered(current, path, fits)).find(Boolean) ??
      paths.map((path) => halved(current, path)).find(Boolean);
    if (!step) return null;
    Object.assign(changes, step);
    current = withChanges(current, step);
  }
  return null;
}

/** How many times its default a setting is. */
function excess(config: RunConfig, path: string): number {
  const { default: usual } = describeRunConfig().find((field) => field.path === path)!;
  return (getPath(config, path) as number) / Math.max(1, usual as number);
}

/** The largest smaller value of a setting with which the buffers are fine; null when there is none. */
function lowered(config: RunConfig, path: string, fine: (arena: Arena) => boolean): Changes | null {
  const step = stepOf(config, path);
  let [low, high] = [0, Math.ceil((getPath(config, path) as number) / step) - 1];
  const isFine = (steps: number) => {
    const changed = withChanges(config, changesTo(config, path, steps * step));
    return checkRunConfig(changed).length === 0 && fine(runSize(changed).buffers.arena);
  };
  const floor = Math.ceil(minimumOf(config, path) / step);
  if (high < floor || !isFine(floor)) return null;
  low = floor;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isFine(middle)) low = middle;
    else high = middle - 1;
  }
  return changesTo(config, path, low * step);
}

/** Half of a setting, where no value of it alone is enough. */
function halved(config: RunConfig, path: string): Changes | null {
  const step = stepOf(config, path);
  const half = Math.floor((getPath(config, path) as number) / 2 / step) * step;
  const changes = changesTo(config, path, half);
  if (half < minimumOf(config, path)) return null;
  return checkRunConfig(withChanges(config, changes)).length === 0 ? changes : null;
}

function stepOf({ model, rollout }: RunConfig, path: string): number {
  const steps: Changes = {
    "trainer.micro_batch_tokens": 256,
    "model.hidden_size": 8 * model.num_attention_heads,
    "model.vision_hidden_size": 8 * model.vision_heads,
    "model.intermediate_size": 16,
    "rollout.train_batch_size": rollout.n_trajectory,
  };
  return steps[path] ?? 1;
}

/** The least value that is allowed as the other settings are. */
function minimumOf(config: RunConfig, path: string): number {
  const { min = 1 } = describeRunConfig().find((field) => field.path === path)!;
  if (path !== "trainer.micro_batch_tokens") return min;
  // An episode must fit into one micro-step, which another value says in its message only.
  return Math.max(min, leastMicroTokens(runSize(config).generatorOptions.maxContext));
}

/** One setting changed, with what has to follow it. */
function changesTo(config: RunConfig, path: string, value: number): Changes {
  const most = mostSamples(withChanges(config, { [path]: value }));
  return config.actor.ppo_mini_batch_size > most
    ? { [path]: value, "actor.ppo_mini_batch_size": most }
    : { [path]: value };
}

function withChanges(config: RunConfig, changes: Changes): RunConfig {
  return Object.entries(changes).reduce((tree, [path, value]) => setPath(tree, path, value), config);
}
