// What a page has stored of its run, read as a person could: from the files.
import type { Page } from "playwright-core";

/** The metrics of one update as `events.jsonl` holds them: JSON writes what is no finite number as null. */
export interface StoredMetrics {
  readonly update: number;
  readonly values: Readonly<Record<string, number | null>>;
}

/** The metrics that are stored with the page's only run, in the order in which they were told. */
export function storedMetrics(page: Page): Promise<StoredMetrics[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const runs = await root.getDirectoryHandle("runs");
    const names: string[] = [];
    for await (const name of runs.keys()) names.push(name);
    const run = await runs.getDirectoryHandle(names[0]!);
    const text = await (await (await run.getFileHandle("events.jsonl")).getFile()).text();
    const events = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return events.filter(({ type }) => type === "metrics").map(({ update, values }) => ({ update, values }));
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
