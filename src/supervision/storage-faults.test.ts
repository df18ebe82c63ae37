// A short run on a file system on which any one write goes wrong, or all of them for a while.
import { describe, expect, test } from "vitest";
import type { Fault, FaultPlan } from "../persistence/testing/faulty-files.ts";
import type { TrainerEvent } from "../training/events.ts";
import { loadHistory } from "./event-log.ts";
import { TOTAL } from "./testing/fake-run.ts";
import { RUN_ID, runOnFaultyStore } from "./testing/faulty-run.ts";
import { loadTraces } from "./trace-log.ts";

async function runOn(plan: FaultPlan) {
  const run = await runOnFaultyStore(plan);
  const warnings = run.events.flatMap((event) => (event.type === "warning" ? [event.code] : []));
  return { ...run, warnings };
}

const updatesOf = (events: readonly TrainerEvent[]) =>
  events.flatMap((event) => (event.type === "metrics" ? [event.update] : []));
const all = Array.from({ length: TOTAL }, (_, i) => i + 1);
/** Every warning is the first of its kind, or reports its end. */
function expectOncePerEpisode(warnings: readonly string[]): void {
  const open = new Set<string>();
  for (const code of warnings) {
    const begun = code.replace("_works", "");
    if (code === begun) {
      expect(open).not.toContain(code);
      open.add(code);
    } else expect(open.delete(begun)).toBe(true);
  }
}

describe.each(["fail", "short", "lost", "full"] as const)("a write that goes wrong (%s)", (fault: Fault) => {
  test("loses no checkpoint and no line, and is reported once, whichever it is", async () => {
    const { files } = await runOn({ fault, at: Number.POSITIVE_INFINITY });
    expect(files.writes).toBeGreaterThan(30);
    for (let at = 1; at <= files.writes; at++) {
      const run = await runOn({ fault, at });
      // What is reported as saved can be loaded at that moment.
      expect(
        run.checkpoints.every(({ saved, newest }) => newest >= saved),
        `write ${at}`,
      ).toBe(true);
      expectOncePerEpisode(run.warnings);
      const isLast = run.files.failed.length > 0 && run.files.writes === at;
      if (!isLast) expect(updatesOf(await loadHistory(run.truth, RUN_ID)), `write ${at}`).toEqual(all);
    }
  });
});

test.each([1, 7, 20])(
  "a disk that is full from write %d on for a while: everything is there in the end",
  async (at) => {
    const run = await runOn({ fault: "full", at, times: 12 });
    expect(run.last).toBe(TOTAL);
    expectOncePerEpisode(run.warnings);
    expect(run.warnings.filter((code) => code.endsWith("_works")).length).toBe(run.warnings.length / 2);
    expect(updatesOf(await loadHistory(run.truth, RUN_ID))).toEqual(all);
    expect((await loadTraces(run.truth, RUN_ID)).map(({ update }) => update)).toEqual([8, 9, 10]);
  },
);

test("a disk that stays full keeps the newest whole checkpoint", async () => {
  for (let at = 10; at <= 40; at++) {
    const run = await runOn({ fault: "full", at, times: Number.POSITIVE_INFINITY });
    expect(run.last).toBe(run.checkpoints.at(-1)?.newest ?? 0);
    expect(run.checkpoints.every(({ saved, newest }) => newest >= saved)).toBe(true);
    expectOncePerEpisode(run.warnings);
  }
});
