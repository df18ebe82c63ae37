// `bench`: measures kernels and training on this machine. It reads its own options.
import type { Command } from "./command.ts";

type Benchmark = { default(args: string[]): Promise<unknown> };

// Loaded on demand: it includes every kernel.
const modules = import.meta.glob<Benchmark>("../bench/index.ts");

export const benchCommand: Command = {
  summary: "Measure speed on this machine.",
  details: "",
  options: null,
  async run(_values, _io, args) {
    for (const load of Object.values(modules)) await (await load()).default([...args]);
    return 0;
  },
};
