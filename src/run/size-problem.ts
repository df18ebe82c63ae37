// A run that is too large for a device: which settings its largest buffer follows from, and values that fit.
import { mostSamples } from "../config/batch-size.ts";
import { getPath, setPath } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { fieldAt } from "../config/describe.ts";
import type { RunConfig } from "../config/run-config.ts";
import { formatMiB } from "../core/format.ts";
import { listed, type Message, message, setting, value } from "../core/message.ts";
import type { BufferSize } from "../gpu/memory.ts";
import { type RunSize, runSize } from "./size.ts";

/** Values of settings by path. */
type Changes = Readonly<Record<string, number>>;

interface Advice {
  message: Message;
  /** `remedy` in words. */
  hint: Message;
  /** Makes the run fit; null when nothing does. */
  remedy: Changes | null;
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
  const remedy = remedyFor(config, size, limit);
  return {
    message: message`The largest buffer, "${largest.label}" (${largest.category}), needs ${formatMiB(largest.bytes)}; ${whose}. It follows from ${valuesBehind(config, size, largest)}.`,
    hint: remedy
      ? message`Set ${listed(Object.entries(remedy).map(atMost))}.`
      : "Start from a smaller preset.",
    remedy,
  };
}

/** The settings that the largest part of the memory follows from, for a device that has no room for all of it. */
export function largestPart(config: RunConfig, size: RunSize): Message {
  const parts = Object.entries(size.buffers.arena.bytesByCategory).sort(([, a], [, b]) => b - a);
  const [category, bytes] = parts[0]!;
  return message`The largest part is ${category}, ${formatMiB(bytes)}; it follows from ${valuesBehind(config, size, { category, label: "" })}. Lower one of them, or choose a smaller preset.`;
}

const atMost = ([path, value]: [string, number]): Message => message`${setting(path)} to ${value} or less`;

/** "rollout.max_turns = 5 and model.hidden_size = 64": what a buffer grows with. */
const valuesBehind = (
  config: RunConfig,
  size: RunSize,
  buffer: Pick<BufferSize, "category" | "label">,
): Message =>
  listed(
    settingsBehind(config, size, buffer).map(
      (path) => message`${setting(path)} = ${value(path, getPath(config, path))}`,
    ),
  );

/** Settings that a buffer grows with, the best one to lower first. */
function settingsBehind(
  config: RunConfig,
  { options, generatorOptions }: RunSize,
  { category, label }: Pick<BufferSize, "category" | "label">,
): string[] {
  const { rollout, sft, trainer } = config;
  switch (category) {
    case "parameters":
    case "optimiser":
      return modelBehind(config);
    case "batch": {
      const isPpo = rollout.train_batch_size >= sft.train_batch_size;
      return [isPpo ? "rollout.train_batch_size" : "sft.train_batch_size", ...episodeBehind(config)];
    }
    case "KV cache":
    case "decoding": {
      const isValidation = generatorOptions.slots > rollout.train_batch_size;
      const episodes = isValidation ? "trainer.val_size" : "rollout.train_batch_size";
      return [episodes, ...episodeBehind(config), "model.hidden_size"];
    }
    default: {
      // A micro-step holds at least the longest sequence.
      const isRaised = options.microTokens > trainer.micro_batch_tokens;
      const tokens = isRaised ? episodeBehind(config) : ["trainer.micro_batch_tokens"];
      return [...tokens, ...widthBehind(config, label)];
    }
  }
}

/** Settings that the number of parameters grows with. */
const modelBehind = ({ model }: RunConfig): string[] => [
  "model.num_hidden_layers",
  "model.hidden_size",
  "model.intermediate_size",
  ...(model.vision_layers > 0 ? ["model.vision_layers", "model.vision_hidden_size"] : []),
];

/** Settings that an episode's longest sequence grows with. */
const episodeBehind = ({ trainer }: RunConfig): string[] => [
  "rollout.response_length",
  "rollout.max_turns",
  ...OF_LAYOUT[trainer.harness],
];

/** Those of a layout alone. */
const OF_LAYOUT = { concat: [], no_concat: ["rollout.window_size"], compact: ["trainer.compact_budget"] };

/** What the rows of an activation are as wide as; nothing for logits, whose width is the vocabulary. */
function widthBehind({ model }: RunConfig, label: string): string[] {
  if (/logits/.test(label)) return [];
  if (/^vision|^patch|^picture/.test(label) && model.vision_layers > 0) return ["model.vision_hidden_size"];
  return [/inner|activated/.test(label) ? "model.intermediate_size" : "model.hidden_size"];
}

/** Changes with which the run fits: of one setting or, where none is enough, of several; null when there are none. */
function remedyFor(config: RunConfig, size: RunSize, limit: number): Changes | null {
  const paths = settingsBehind(config, size, size.buffers.arena.largest);
  const found = [...paths.map((path) => [path]), undefined]
    .map((only) => halved(config, limit, only))
    .filter((changes) => changes !== null);
  // A reply of half the usual length, say, would fit but be of no use.
  const isUsable = (changes: Changes) =>
    Object.keys(changes).every((path) => excess(withChanges(config, changes), path) >= 0.5);
  return found.find(isUsable) ?? found[0] ?? null;
}

/** Halves what is furthest above its default of the settings behind the largest buffer, or of `only`, until the run fits. */
function halved(config: RunConfig, limit: number, only?: readonly string[]): Changes | null {
  const changes: Record<string, number> = {};
  for (let current = config; ; current = withChanges(config, changes)) {
    const size = runSize(current);
    const { largest } = size.buffers.arena;
    if (largest.bytes <= limit) return changes;
    const step = (only ?? settingsBehind(current, size, largest))
      .toSorted((a, b) => excess(current, b) - excess(current, a))
      .map((path) => half(current, path))
      .find(Boolean);
    if (!step) return null;
    Object.assign(changes, step);
  }
}

/** How many times its default a setting is. */
const excess = (config: RunConfig, path: string): number =>
  (getPath(config, path) as number) / Math.max(1, fieldAt(path)!.default as number);

/** Half of a setting, with what has to follow it; null where that is not allowed. */
function half(config: RunConfig, path: string): Changes | null {
  const step = stepOf(config, path);
  const value = Math.floor((getPath(config, path) as number) / 2 / step) * step;
  const most = mostSamples(withChanges(config, { [path]: value }));
  const changes: Changes =
    config.actor.ppo_mini_batch_size > most
      ? { [path]: value, "actor.ppo_mini_batch_size": most }
      : { [path]: value };
  return inspectRunConfig(withChanges(config, changes)).config && changes;
}

/** What a setting must be a multiple of. */
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

function withChanges(config: RunConfig, changes: Changes): RunConfig {
  return Object.entries(changes).reduce((tree, [path, value]) => setPath(tree, path, value), config);
}
