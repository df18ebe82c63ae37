// `plan`: what a configuration will allocate and how long it is, without a GPU.
import { expectedTime } from "../config/expected-time.ts";
import type { RunConfig } from "../config/run-config.ts";
import { formatMiB } from "../core/format.ts";
import { planMemory } from "../run/memory-plan.ts";
import type { MemoryPlan } from "../training/events.ts";
import type { Values } from "./args.ts";
import type { Command } from "./command.ts";
import { formatTable } from "./format-progress.ts";
import {
  changed,
  inHouses,
  overrides,
  readSource,
  scratchChange,
  scratchOption,
  sourceOptions,
} from "./source.ts";

export const planCommand: Command = {
  summary: "Show the size, the GPU memory and the length of a configuration.",
  details: "",
  options: { ...sourceOptions, ...scratchOption, json: { help: "Print JSON." } },
  async run(values, io) {
    const source = await readSource(values);
    const config = inHouses(changed(source, { ...scratchChange(values), ...overrides(values) }));
    const plan = await planMemory(config);
    const text = [titleOf(values, config), expectedTime(config, source), planTable(plan)].join("\n");
    io.out(values.has("json") ? JSON.stringify(plan) : text);
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
