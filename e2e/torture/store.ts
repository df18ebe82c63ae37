// A short run on a store on which writes go wrong: any one, a dozen in a row, or all from one on. And the browser's own
// store with little room.
import type { Fault, FaultPlan } from "../../src/persistence/testing/faulty-files.ts";
import { loadHistory } from "../../src/supervision/event-log.ts";
import { TOTAL } from "../../src/supervision/testing/fake-run.ts";
import { RUN_ID, runOnFaultyStore } from "../../src/supervision/testing/faulty-run.ts";
import { type TrainerEvent, WORKS_AGAIN } from "../../src/training/events.ts";
import { openStudio, quickRun, type Studio, StudioPage } from "./studio-page.ts";
import { type Figure, type Suite, type SuiteOptions, trialNumbers, trialRng } from "./suite.ts";
import { savedUpdate } from "./worker-hooks.ts";

const FAULTS: readonly Fault[] = ["fail", "short", "lost", "full"];
const TIMES = [1, 12, Number.POSITIVE_INFINITY] as const;

/** What is wrong with a run on a faulty store. */
async function judgeRun(plan: FaultPlan): Promise<{ problems: string[]; writes: number }> {
  const { files, truth, events, checkpoints, last } = await runOnFaultyStore(plan);
  // Whatever was reported as saved must be there to load.
  const problems = [...checkpoints, { saved: lastSaved(events), newest: last }].flatMap(
    ({ saved, newest }) =>
      newest >= saved ? [] : [`update ${saved} was reported as saved, and the newest whole one is ${newest}`],
  );
  problems.push(...reportedTwice(events));
  const isSilent = files.failed.length > 0 && events.every(({ type }) => type !== "warning");
  // A write that succeeds when it is retried at once needs no report.
  if (isSilent && plan.times !== 1) problems.push("no failure was reported");
  // A log that could not be written to the end is reported as such.
  if (!isLogFailing(events)) problems.push(...gaps(await loadHistory(truth, RUN_ID)));
  return { problems, writes: files.writes };
}

const lastSaved = (events: readonly TrainerEvent[]): number => {
  const last = events.findLast((event) => event.type === "checkpoint");
  return last && "update" in last ? last.update : 0;
};

/** Whether the last news of the log is that it cannot be written. */
const isLogFailing = (events: readonly TrainerEvent[]): boolean => {
  const last = events.findLast((event) => event.type === "warning" && /^storage_log(_|$)/.test(event.code));
  return last?.type === "warning" && !last.code.endsWith(WORKS_AGAIN);
};

/** Warnings that were repeated while their trouble lasted. */
function reportedTwice(events: readonly TrainerEvent[]): string[] {
  const open = new Set<string>();
  return events.flatMap((event) => {
    if (event.type !== "warning" || !event.code.startsWith("storage")) return [];
    const isOver = event.code.endsWith(WORKS_AGAIN);
    const code = isOver ? event.code.slice(0, -WORKS_AGAIN.length) : event.code;
    if (isOver) return open.delete(code) ? [] : [`${event.code} without a failure before it`];
    if (open.has(code)) return [`${code} was reported twice`];
    open.add(code);
    return [];
  });
}

/** Updates that the log lacks, or has twice, once there was room again. */
function gaps(history: readonly TrainerEvent[]): string[] {
  const updates = history.flatMap((event) => (event.type === "metrics" ? [event.update] : []));
  const wanted = Array.from({ length: TOTAL }, (_, i) => i + 1);
  return updates.join() === wanted.join() ? [] : [`the log has the updates ${updates.join(", ")}`];
}

/** One run, named as a failure names it: the fault, for how many writes, and from which on. */
async function oneFault(name: string, options: SuiteOptions): Promise<Figure> {
  const [fault, times, at] = name.split("-");
  const { problems } = await judgeRun({ fault: fault as Fault, times: Number(times), at: Number(at) });
  if (problems.length > 0) options.fail(name, problems);
  return { figure: name, value: `${problems.length} problems`, passed: problems.length === 0 };
}

/** Every fault, for every length of time, at every write of the run. */
async function everyWrite(options: SuiteOptions): Promise<Figure> {
  let [runs, failed] = [0, 0];
  for (const fault of FAULTS)
    for (const times of TIMES)
      for (let at = 1, writes = 1; at <= writes && at <= (options.count ?? writes); at++) {
        options.progress(`${fault} at write ${at} of ${writes}`);
        const run = await judgeRun({ fault, at, times });
        writes = run.writes;
        runs++;
        if (run.problems.length === 0) continue;
        failed++;
        options.fail(`${fault}-${times}-${at}`, run.problems);
      }
  return {
    figure: "faults at every write of a short run",
    value: `${runs} runs with fail, short, lost or full, for 1, 12 or all writes: ${failed} with a lost checkpoint, a gap or a wrong report`,
    passed: failed === 0,
  };
}

/** A page whose storage becomes full at some update, and has room again later. */
async function fullPage(studio: Studio, room: number): Promise<string[]> {
  const tab = await StudioPage.open(studio);
  try {
    await tab.openRun(studio.server.url, quickRun(100_000));
    await tab.startButton.click();
    await tab.until("the first updates", ({ update }) => update >= 2);
    const session = await tab.context.newCDPSession(tab.page);
    const { origin } = new URL(studio.server.url);
    const { usage } = await session.send("Storage.getUsageAndQuota", { origin });
    await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: usage + room });
    const { update } = await tab.strip();
    await tab.until("updates while it is full", (strip) => strip.update >= update + 6);
    const warned = await tab.page.getByText("could not be saved").count();
    const full = await tab.strip();
    const saved = await savedUpdate(await tab.worker());
    await session.send("Storage.overrideQuotaForOrigin", { origin });
    await tab.until("updates after it", (strip) => strip.update >= full.update + 4);
    const next = await tab.inNewPage();
    await next.page.goto(`${studio.server.url}#/train`);
    const resume = next.page.getByRole("button", { name: /^Resume from (PPO )?update/ });
    await resume.waitFor();
    const offered = Number((await resume.innerText()).replace(/\D/g, ""));
    const problems =
      offered < full.update ? [`update ${offered} is offered, after room came back at ${full.update}`] : [];
    // Older checkpoints may have made room for newer ones; then there is nothing to say.
    if (warned === 0 && saved < full.update - 2)
      problems.push(`saved at update ${saved} of ${full.update}, and the page did not say so`);
    return [...problems, ...tab.watch.problems()];
  } finally {
    await tab.close();
  }
}

async function fullPages(options: SuiteOptions): Promise<Figure> {
  const studio = await openStudio();
  const numbers = trialNumbers(options, 5);
  let failed = 0;
  try {
    for (const trial of numbers) {
      options.progress(`page ${trial} of ${numbers.length}`);
      const room = trialRng(options.seed, "store", trial).int(60_000);
      const problems = await fullPage(studio, room).catch((error: Error) => [error.message]);
      if (problems.length === 0) continue;
      failed++;
      options.fail(trial, [`${room} bytes of room`, ...problems]);
    }
  } finally {
    await studio.close();
  }
  return {
    figure: "a page's storage full for a while",
    value: `${numbers.length - failed} of ${numbers.length} reported it and had all after a reload`,
    passed: failed === 0,
  };
}

export const store: Suite = {
  name: "store",
  summary: "a store that fails, writes short, loses writes or is full, at every write; a page without room",
  async run(options) {
    const { trial } = options;
    if (trial?.includes("-")) return [await oneFault(trial, options)];
    const pages = await fullPages(options);
    return trial === undefined ? [await everyWrite(options), pages] : [pages];
  },
};
