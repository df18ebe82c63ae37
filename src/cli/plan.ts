// `plan`: what a configuration will allocate, how many updates it has, on what it validates, and whether its start fits, without a GPU.
import { furtherEntries } from "../config/entries.ts";
import { expectedTime } from "../config/expected-time.ts";
import { validationSeeds, validationSets } from "../config/levels.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { counted, formatInteger, formatMiB } from "../core/format.ts";
import { listed, message, plainText } from "../core/message.ts";
import type { CheckpointMeta } from "../persistence/checkpoint.ts";
import { planMemory } from "../run/memory-plan.ts";
import { storedLayers } from "../run/more-layers.ts";
import { DEFAULT_LIMIT } from "../run/size-problem.ts";
import type { MemoryPlan } from "../training/events.ts";
import type { Values } from "./args.ts";
import { decodeCheckpointFile } from "./checkpoint.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-progress.ts";
import {
  changed,
  inHouses,
  overrides,
  readSource,
  sourceOptions,
  updatesChange,
  updatesOption,
} from "./source.ts";
import { startChange, startOptions } from "./start.ts";

export const planCommand: Command = {
  summary: "Show the size, the GPU memory, the number of updates and the validations of a configuration.",
  details:
    "Like train, it refuses a checkpoint to start from (--from, trainer.init_checkpoint) that does not fit the configuration.",
  options: { ...sourceOptions, ...updatesOption, ...startOptions, json: { help: "Print JSON." } },
  plays: plannedConfig,
  async run(values, io) {
    const source = await readSource(values);
    const config = inHouses(await plannedConfig(values));
    const start = await startOf(config);
    const plan = await planMemory(config, DEFAULT_LIMIT, start);
    const length = lengthOf(config);
    const table = planTable(plan, length);
    const text = [
      titleOf(values, config),
      startText(config, start),
      expectedTime(config, source),
      validationText(config),
      table,
    ];
    io.out(values.has("json") ? JSON.stringify({ ...plan, ...length }) : text.filter(Boolean).join("\n"));
    return 0;
  },
};

/** The metadata of the checkpoint that the run starts from. @throws CheckpointError if there is none of that name. */
async function startOf({
  trainer: { init_checkpoint: name },
}: RunConfig): Promise<CheckpointMeta | undefined> {
  return name === "" ? undefined : (await decodeCheckpointFile(name)).meta;
}

/** "Starts from a checkpoint, with 2 additional decoder layers.": what the run starts from; empty for random weights. */
function startText({ trainer, model }: RunConfig, start: CheckpointMeta | undefined): string {
  if (!start) return "";
  const added = model.num_hidden_layers - storedLayers(start.architecture);
  const layers = added > 0 ? `, with ${counted(added, "additional decoder layer")}` : "";
  return `Starts from ${trainer.init_checkpoint}${layers}.`;
}

/** When a run validates, and on how many levels: "Validates every 10 PPO updates and at the end on levels of frozenlake (256) and far (64)." */
function validationText(config: RunConfig): string {
  const games = [
    { name: config.env.name, seeds: validationSeeds(config) },
    ...furtherEntries(config).map((entry) => ({ name: entry.name, seeds: validationSeeds(entry.config) })),
    ...validationSets(config),
  ];
  const levels = listed(games.map(({ name, seeds }) => `${name} (${seeds.length})`));
  return plainText(message`Validates ${whenValidated(config)} on levels of ${levels}.`);
}

function whenValidated({ trainer: { test_freq, total_updates } }: RunConfig): string {
  if (test_freq === 0 || test_freq >= total_updates) return "at the end";
  return test_freq === 1 ? "after every PPO update" : `every ${test_freq} PPO updates and at the end`;
}

async function plannedConfig(values: Values): Promise<RunConfig> {
  const changes = { ...updatesChange(values), ...(await startChange(values)), ...overrides(values) };
  return changed(await readSource(values), changes);
}

/** What is planned, and what was changed in it: its name may tell of another task. */
function titleOf(values: Values, { name }: RunConfig): string {
  const title =
    values.has("preset") || values.has("config")
      ? name
      : "The defaults (--preset or --config chooses another configuration)";
  const set = Object.keys(overrides(values));
  return set.length > 0 ? `${title}, with ${listed(set)} set` : title;
}

/** How many updates a run has. */
interface RunLength {
  sftUpdates: number;
  ppoUpdates: number;
}

const lengthOf = (config: RunConfig): RunLength => ({
  sftUpdates: sftUpdates(config),
  ppoUpdates: config.trainer.total_updates,
});

/** Length, size and memory as a table, the largest part of the memory first. */
function planTable(
  { parameters, parts, total, largestBuffer, problem }: MemoryPlan,
  { sftUpdates, ppoUpdates }: RunLength,
): string {
  const largestFirst = Object.entries(parts).sort(([, a], [, b]) => b - a);
  const rows = [
    ["SFT updates", formatInteger(sftUpdates)],
    ["PPO updates", formatInteger(ppoUpdates)],
    ["parameters", formatInteger(parameters)],
    ["total GPU memory", formatMiB(total)],
    // Both the count of parameters and their memory are listed, so the memory says that it is memory.
    ...largestFirst.map(([name, bytes]) => [`memory: ${name}`, formatMiB(bytes)]),
    ["largest buffer", formatMiB(largestBuffer)],
  ];
  return formatTable(rows) + (problem ? `\n${problem.message}\n${problem.hint}` : "");
}
