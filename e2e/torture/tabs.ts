// The page when its tab, its renderer process or its training worker ends at a random moment. After a reload the run is
// offered from an update that had been saved, and its log has every update once.
import type { CDPSession } from "playwright-core";
import { storedMetrics } from "../lib/stored-run.ts";
import { openStudio, quickRun, type Studio, StudioPage } from "./studio-page.ts";
import { type Figure, type Suite, type SuiteOptions, trialNumbers, trialRng } from "./suite.ts";
import { savedUpdate } from "./worker-hooks.ts";

const ENDS = ["close", "crash", "end of the worker", "reload", "kill -9"] as const;
type End = (typeof ENDS)[number];

const end: Readonly<Record<End, (tab: StudioPage, browser: CDPSession) => Promise<unknown>>> = {
  close: ({ page }) => page.close(),
  crash: async ({ page, context }) => {
    const session = await context.newCDPSession(page);
    // It never answers.
    session.send("Page.crash").catch(() => {});
    await page.waitForEvent("crash");
  },
  "end of the worker": async (tab) => (await tab.worker()).evaluate(() => self.close()),
  reload: ({ page }) => page.reload({ waitUntil: "commit" }),
  "kill -9": async ({ page }, browser) => {
    const { processInfo } = await browser.send("SystemInfo.getProcessInfo");
    const crashed = page.waitForEvent("crash");
    for (const { type, id } of processInfo) if (type === "renderer") process.kill(id, "SIGKILL");
    await crashed;
  },
};

interface Tally {
  failed: number;
  lost: number;
  doubled: number;
}

/** The update from which the page offers to resume. */
async function offeredUpdate({ page }: StudioPage): Promise<number> {
  const button = page.getByRole("button", { name: /^Resume from (PPO )?update/ });
  await button.waitFor();
  return Number((await button.innerText()).replace(/\D/g, ""));
}

/** What is wrong with the updates in a log that must hold all up to `saved`. */
function judgeLog(updates: readonly number[], saved: number, tally: Tally): string[] {
  const doubled = updates.length - new Set(updates).size;
  const missing = Array.from({ length: saved }, (_, i) => i + 1).filter(
    (update) => !updates.includes(update),
  );
  tally.doubled += doubled;
  tally.lost += missing.length;
  return [
    ...(doubled > 0 ? [`${doubled} updates are twice in the log`] : []),
    ...(missing.length > 0 ? [`the log lacks updates ${missing.join(", ")}`] : []),
  ];
}

class TabTrials {
  readonly tally: Tally = { failed: 0, lost: 0, doubled: 0 };
  private tab: StudioPage | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly browser: CDPSession,
  ) {}

  async trial(how: End, waitMs: number): Promise<string[]> {
    const { url } = this.studio.server;
    const tab = this.tab ?? (await this.begin());
    const worker = await tab.worker();
    await tab.until("an update", ({ state, update }) => state === "Running" && update >= 1);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const saved = await savedUpdate(worker);
    await end[how](tab, this.browser);
    const next = await tab.inNewPage();
    this.tab = next;
    await next.page.goto(`${url}#/train`);
    const offered = await offeredUpdate(next);
    const updates = (await storedMetrics(next.page)).map(({ update }) => update);
    const problems = judgeLog(updates, saved, this.tally);
    if (offered < saved) {
      this.tally.lost += saved - offered;
      problems.push(`update ${saved} was saved, and ${offered} is offered`);
    }
    await next.page.getByRole("button", { name: /^Resume from/ }).click();
    await next.until("an update more", ({ state, update }) => state === "Running" && update > offered);
    problems.push(...next.watch.problems());
    return problems;
  }

  private async begin(): Promise<StudioPage> {
    this.tab = await StudioPage.open(this.studio);
    await this.tab.openRun(this.studio.server.url, quickRun(100_000, ""));
    await this.tab.startButton.click();
    return this.tab;
  }

  async close(): Promise<void> {
    await this.tab?.close();
    this.tab = null;
  }
}

async function run(options: SuiteOptions): Promise<Figure[]> {
  const studio = await openStudio();
  const trials = new TabTrials(studio, await studio.browser.newBrowserCDPSession());
  const numbers = trialNumbers(options, 50);
  const { tally } = trials;
  try {
    for (const trial of numbers) {
      const random = trialRng(options.seed, "tabs", trial);
      const how = ENDS[trial % ENDS.length]!;
      options.progress(`${trial} of ${numbers.length}, ${how}; ${tally.failed} failed`);
      const problems = await trials.trial(how, random.int(3000)).catch((error: Error) => [error.message]);
      if (problems.length === 0) continue;
      tally.failed++;
      options.fail(trial, [how, ...problems]);
      await trials.close();
    }
  } finally {
    await trials.close();
    await studio.close();
  }
  return [
    {
      figure: "tabs and workers ended at random moments",
      value: `${numbers.length} ends: ${tally.lost} committed updates lost, ${tally.doubled} doubled, ${tally.failed} failed`,
      passed: tally.failed === 0,
    },
  ];
}

export const tabs: Suite = {
  name: "tabs",
  summary: "the page closed, crashed, reloaded, its processes and its worker ended, 50 times",
  run,
};
