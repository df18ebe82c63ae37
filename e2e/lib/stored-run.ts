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
  const events = (await storedEvents(page)) as (StoredEvent & StoredMetrics)[];
  return events.filter(({ type }) => type === "metrics").map(({ update, values }) => ({ update, values }));
}

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
function storedEvents(page: Page): Promise<StoredEvent[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const runs = await root.getDirectoryHandle("runs");
    const names: string[] = [];
    for await (const name of runs.keys()) names.push(name);
    const run = await runs.getDirectoryHandle(names[0]!);
    const text = await (await (await run.getFileHandle("events.jsonl")).getFile()).text();
    const lines = text.split("\n").filter(Boolean);
    return lines.map((line) => JSON.parse(line));
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
