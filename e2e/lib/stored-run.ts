// What a page has stored of its run, read as a person could: from the files.
import type { Page } from "playwright-core";

/** The metrics of one update as `events.jsonl` holds them: JSON writes what is no finite number as null. */
export interface StoredMetrics {
  readonly update: number;
  readonly values: Readonly<Record<string, number | null>>;
}

/** An event of a run's story as `events.jsonl` holds it. */
type StoredEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The metrics that are stored with the page's only run, in the order in which they were reported. */
export async function storedMetrics(page: Page): Promise<StoredMetrics[]> {
  return metricsOf(await storedEvents(page));
}

/** The metrics of every run that the page has stored, in the order in which the runs were started. */
export async function metricsOfRuns(page: Page): Promise<StoredMetrics[][]> {
  const runs = await storedRuns(page);
  const startOf = (events: readonly StoredEvent[]) =>
    Number(events.find(({ type }) => type === "run_started")?.time);
  return runs.sort((a, b) => startOf(a) - startOf(b)).map(metricsOf);
}

const metricsOf = (events: readonly StoredEvent[]): StoredMetrics[] =>
  (events as readonly (StoredEvent & StoredMetrics)[])
    .filter(({ type }) => type === "metrics")
    .map(({ update, values }) => ({ update, values }));

/** What two runs of the same configuration and seed have in common: every metric but those that measure time. */
export const repeatable = (metrics: readonly StoredMetrics[]): StoredMetrics[] =>
  metrics.map(({ update, values }) => ({
    update,
    values: Object.fromEntries(Object.entries(values).filter(([name]) => !/^(timing|perf)/.test(name))),
  }));

/** What the judge of the page's only run has counted under a name, over its validations and updates. */
export async function judgeTotal(page: Page, name: string): Promise<number> {
  const counts = (await storedEvents(page)).map((event) => {
    const { values, report } = event as { values?: Counts; report?: { metrics: Counts } };
    return values?.[`judge/${name}`] ?? report?.metrics[`val/judge/${name}`] ?? 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

type Counts = Readonly<Record<string, number>>;

/** Every stored event of the page's only run. */
const storedEvents = async (page: Page): Promise<StoredEvent[]> => (await storedRuns(page))[0]!;

/** Every stored event of each run, in no particular order of the runs. */
function storedRuns(page: Page): Promise<StoredEvent[][]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("runs");
    const runs: StoredEvent[][] = [];
    for await (const name of folder.keys()) {
      const run = await folder.getDirectoryHandle(name);
      const text = await (await (await run.getFileHandle("events.jsonl")).getFile()).text();
      const lines = text.split("\n").filter(Boolean);
      runs.push(lines.map((line) => JSON.parse(line)));
    }
    return runs;
  });
}

/** Updates of the checkpoints of the page's only run, newest first. */
export function storedCheckpoints(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("runs");
    const updates: number[] = [];
    for await (const name of folder.keys()) {
      const checkpoints = await (await folder.getDirectoryHandle(name)).getDirectoryHandle("checkpoints");
      // A reload may have left an incomplete file, which has a longer name.
      for await (const file of checkpoints.keys()) {
        const update = /^update-(\d+)\.safetensors$/.exec(file)?.[1];
        if (update) updates.push(Number(update));
      }
    }
    return updates.sort((a, b) => b - a);
  });
}

/** Every stored metric that is no finite number, as `update name`. */
export function notFinite(metrics: readonly StoredMetrics[]): string[] {
  return metrics.flatMap(({ update, values }) =>
    Object.entries(values)
      .filter(([, value]) => !Number.isFinite(value))
      .map(([name]) => `${update} ${name}`),
  );
}
