// `plan`: what a configuration will allocate, without a GPU.
import type { RunConfig } from "../config/run-config.ts";
import { formatMiB } from "../core/format.ts";
import { planMemory } from "../run/memory-plan.ts";
import type { MemoryPlan } from "../training/events.ts";
import type { Values } from "./args.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-progress.ts";
import { changed, inHouses, overrides, readSource, sourceOptions } from "./source.ts";

export const planCommand: Command = {
  summary: "Show the size and the GPU memory of a configuration.",
  details: "",
  options: { ...sourceOptions, json: { help: "Print JSON." } },
  async run(values, io) {
    const config = inHouses(changed(await readSource(values), overrides(values)));
    const plan = await planMemory(config);
    io.out(values.has("json") ? JSON.stringify(plan) : `${titleOf(values, config)}\n${planTable(plan)}`);
    return 0;
  },
};

const titleOf = (values: Values, { name }: RunConfig): string =>
  values.has("preset") || values.has("config")
    ? name
    : "The defaults (--preset or --config chooses another configuration)";

/** The plan as a table, largest part first. */
function planTable({ parameters, parts, total, largestBuffer, problem }: MemoryPlan): string {
  const largestFirst = Object.entries(parts).sort(([, a], [, b]) => b - a);
  const rows = [
    ["parameters", parameters.toLocaleString("en")],
    ...largestFirst.map(([name, bytes]) => [name, formatMiB(bytes)]),
    ["total GPU memory", formatMiB(total)],
    ["largest buffer", formatMiB(largestBuffer)],
  ];
  return formatTable(rows) + (problem ? `\n${problem.message}\n${problem.hint}` : "");
}
