// Memory over a long supervised run, in Node and in the page.

import type { SoakSample } from "../../src/bench/soak.ts";
import { formatMiB } from "../../src/core/format.ts";
import { median } from "../../src/rl/alarms/history.ts";
import { inChild } from "./in-child.ts";
import { openStudio, quickRun, StudioPage } from "./studio-page.ts";
import type { Figure, Suite, SuiteOptions } from "./suite.ts";
import { heapOf } from "./worker-heap.ts";

async function inNode(options: SuiteOptions): Promise<Figure> {
  const updates = options.count ?? 2000;
  options.progress(`${updates} updates in Node`);
  const { samples, growth } = await inChild<{ samples: SoakSample[]; growth: string[] }>(
    ["soak", updates],
    3_600_000,
  );
  const [first, last] = [samples[0]!, samples.at(-1)!];
  if (growth.length > 0) options.fail("node", growth);
  return {
    figure: `memory over ${updates} updates in Node`,
    value: `heap ${formatMiB(first.heap)} → ${formatMiB(last.heap)}, array buffers ${formatMiB(first.arrays)} → ${formatMiB(last.arrays)}, GPU buffers ${first.buffers} → ${last.buffers}`,
    passed: growth.length === 0,
  };
}

const LOOKS = 9;

/**
 * What the page and its worker hold most of the time, the median of several looks: V8 drops and compiles code again
 * (6 MiB between two looks), and a checkpoint that is being saved is no leak.
 */
async function usualHeapOf(tab: StudioPage): Promise<number[]> {
  const looks: number[][] = [];
  while (looks.length < LOOKS) looks.push(await heapOf(tab));
  return looks[0]!.map((_, part) => median(looks.map((look) => look[part]!)));
}

/** What settles late, and a trace more or less. */
const GROWTH = 0.1;
const SLACK = 2 ** 18;

async function inPage(options: SuiteOptions): Promise<Figure> {
  const updates = options.count ?? 2000;
  const studio = await openStudio();
  try {
    const tab = await StudioPage.open(studio);
    tab.patienceMs = 3_600_000;
    await tab.openRun(studio.server.url, quickRun(updates + 100, "save_freq: 900"));
    await tab.startButton.click();
    const look = async (update: number) => {
      options.progress(`update ${update} of ${updates} in the page`);
      await tab.until(`update ${update}`, (strip) => strip.update >= update);
      return usualHeapOf(tab);
    };
    const first = await look(Math.max(1, Math.floor(updates / 10)));
    const last = await look(updates);
    const parts = ["worker heap", "worker array buffers", "page heap", "page array buffers"] as const;
    const grew = parts.filter((_, i) => last[i]! > first[i]! * (1 + GROWTH) + SLACK);
    if (grew.length > 0) options.fail("page", [`grew: ${grew.join(", ")}`]);
    const value = parts
      .map((part, i) => `${part} ${formatMiB(first[i]!)} → ${formatMiB(last[i]!)}`)
      .join(", ");
    return { figure: `memory over ${updates} updates in the page`, value, passed: grew.length === 0 };
  } finally {
    await studio.close();
  }
}

export const soak: Suite = {
  name: "soak",
  summary: "heap and array buffers over 2,000 supervised updates, in Node and in the page",
  run: async (options) => [await inNode(options), await inPage(options)],
};
