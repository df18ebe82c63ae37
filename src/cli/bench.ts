// `bench`: measures kernels and training on this machine. Its options are its own.
import type { Command } from "./command.ts";

type Benchmark = { default(args: string[]): Promise<unknown> };

// Loaded only when it is asked for: it brings every kernel along.
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
