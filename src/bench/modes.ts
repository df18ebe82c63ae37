// What `bench` can do instead of comparing libraries: one option each, whose value says how much.
import type { Options, Values } from "../cli/args.ts";

/** Does the work, prints its results and resolves to the exit code. */
type RunMode = (amount: number, print: (text: string) => void) => number | Promise<number>;

interface Mode {
  value: string;
  help: string;
  /** The smallest value. */
  least: number;
  /** Loaded on demand: each mode needs another part of the studio. */
  load(): Promise<RunMode>;
}

/** By the name of the option. With several options the first one in this order runs. */
const modes: Readonly<Record<string, Mode>> = {
  soak: {
    value: "<updates>",
    help: "Instead: that many tiny updates in one process, watching memory.",
    least: 10,
    load: async () => (await import("./soak.ts")).soakCommand,
  },
  overlap: {
    value: "<updates>",
    help: "Instead: that many updates with episodes played before and during them.",
    least: 3,
    load: async () => (await import("./overlap.ts")).overlapCommand,
  },
  presets: {
    value: "<updates>",
    help: "Instead: that many updates of presets, and the projected time to a success of 0.74.",
    least: 1,
    load: async () => (await import("./presets.ts")).presetsCommand,
  },
  product: {
    value: "<side>",
    help: "Instead: matrix products of that many rows and columns, with every tile that the engine has.",
    least: 4,
    load: async () => (await import("./products.ts")).productCommand,
  },
  pictures: {
    value: "<count>",
    help: "Instead: draw that many pictures of Navigation a round, at the agent's size and at the page's.",
    least: 1,
    load: async () => (await import("./pictures.ts")).picturesCommand,
  },
  drawings: {
    value: "<icons>",
    help: "Instead: how similar that many icons of SVG reconstruction are to others, and how many drawings a second are rendered and compared.",
    least: 1,
    load: async () => (await import("./drawings.ts")).drawingsCommand,
  },
  skills: {
    value: "<count>",
    help: "Instead: play that many episodes of each task of PrimitiveSkill a round.",
    least: 1,
    load: async () => (await import("./skills.ts")).skillsCommand,
  },
};

/** The options that choose a mode. */
export const modeOptions: Options = modes;

/** Runs the mode that the options choose; null when they choose none. @throws UsageError for a value below the least. */
export async function runChosenMode(values: Values, print: (text: string) => void): Promise<number | null> {
  for (const [name, { least, load }] of Object.entries(modes)) {
    const amount = values.number(name, least);
    if (amount !== undefined) return (await load())(amount, print);
  }
  return null;
}
