// The page when its graphics device is lost: in four ways, at every phase of a run. Training must continue by itself, or on
// Resume where the page asks for that, and train no more than one update twice.
import type { CDPSession } from "playwright-core";
import type { Rng } from "../../src/core/rng.ts";
import { openStudio, quickRun, type Strip, type Studio, StudioPage } from "./studio-page.ts";
import { type Figure, type Suite, type SuiteOptions, trialNumbers, trialRng } from "./suite.ts";
import { LOSSES, type Loss, loseAt, type Moment, reportedLosses } from "./worker-hooks.ts";

const PHASES = [
  "preparing",
  "playing",
  "optimising",
  "validating",
  "saving",
  "downloading",
  "paused",
  "recovering",
] as const;
type Phase = (typeof PHASES)[number];

interface Tally {
  byItself: number;
  onResume: number;
  failed: number;
  /** The most updates that one loss had trained again. */
  repeated: number;
  blank: number;
  errors: number;
}

const phaseEvent =
  (phase: string) =>
  (random: Rng): Moment => ({
    type: "phase",
    phase,
    skip: random.int(4),
    delayMs: random.pick([0, 0, random.int(60)]),
  });

/** When a loss happens that should hit a phase. */
const momentOf: Readonly<Record<Exclude<Phase, "paused">, (random: Rng) => Moment>> = {
  preparing: (random) => ({
    type: "prepare",
    skip: random.int(12),
    delayMs: random.pick([0, random.int(200)]),
  }),
  playing: phaseEvent("rollout"),
  optimising: (random) => phaseEvent(random.pick(["advantage", "update"]))(random),
  validating: phaseEvent("validate"),
  saving: (random) => ({
    type: random.pick(["save", "metrics"]),
    skip: 0,
    delayMs: random.pick([0, random.int(20)]),
  }),
  downloading: (random) => ({ type: random.pick(["metrics", "phase"]), skip: 0, delayMs: random.int(20) }),
  recovering: (random) => ({
    type: "prepare",
    skip: random.int(10),
    delayMs: random.pick([0, random.int(200)]),
  }),
};

class GpuTrials {
  readonly tally: Tally = { byItself: 0, onResume: 0, failed: 0, repeated: 0, blank: 0, errors: 0 };
  private tab: StudioPage | null = null;

  constructor(
    private readonly studio: Studio,
    private readonly cdp: CDPSession,
  ) {}

  /** One loss and what follows. Returns what went wrong. */
  async trial(phase: Phase, loss: Loss, random: Rng): Promise<string[]> {
    const tab = await this.running(phase);
    const before = tab.watch.problems().length;
    const problems = await this.lossAt(tab, phase, loss, random).catch((error: Error) => [error.message]);
    const blank = await tab.blankCanvases().catch((error: Error) => [error.message]);
    const errors = tab.watch.problems().slice(before);
    if (blank.length > 0) this.tally.blank++;
    if (errors.length > 0) this.tally.errors++;
    const all = [...problems, ...blank.map((label) => `blank: ${label}`), ...errors];
    if (all.length > 0) {
      this.tally.failed++;
      await this.close();
    }
    return all;
  }

  async close(): Promise<void> {
    await this.tab?.close();
    this.tab = null;
  }

  /** A page whose run trains, or for `preparing` one that is about to start. */
  private async running(phase: Phase): Promise<StudioPage> {
    if (this.tab && phase !== "preparing") return this.tab;
    await this.close();
    const tab = await StudioPage.open(this.studio);
    this.tab = tab;
    await tab.openRun(this.studio.server.url, quickRun(100_000));
    if (phase === "preparing") return tab;
    await tab.startButton.click();
    await tab.until("the first updates", ({ state, update }) => state === "Running" && update >= 2);
    return tab;
  }

  private async lossAt(tab: StudioPage, phase: Phase, loss: Loss, random: Rng): Promise<string[]> {
    if (phase === "preparing") {
      const worker = await tab.worker();
      const lost = loseAt(worker, momentOf.preparing(random), loss);
      lost.catch(() => {});
      await tab.startButton.click();
      await this.complete(lost, loss);
      return this.goesOn(tab, 0);
    }
    const worker = await tab.worker();
    await reportedLosses(worker);
    if (phase === "paused") return this.whilePaused(tab, loss);
    const first = phase === "recovering" ? phaseEvent("rollout")(random) : momentOf[phase](random);
    const download = phase === "downloading" ? tab.page.waitForEvent("download") : null;
    download?.catch(() => {});
    const lost = loseAt(worker, first, loss);
    lost.catch(() => {});
    if (download) await tab.page.getByRole("button", { name: "Download a checkpoint" }).click();
    const { update } = await tab.strip();
    if (phase === "recovering") {
      const again = loseAt(
        worker,
        momentOf.recovering(random),
        random.pick(LOSSES.filter((kind) => kind !== "crash")),
      );
      again.catch(() => {});
      await this.complete(lost, loss);
      await again;
    } else await this.complete(lost, loss);
    const problems = await this.goesOn(tab, update);
    await download;
    return problems;
  }

  /** The worker has done its part of the loss; a crash is left to do. */
  private async complete(lost: Promise<void>, loss: Loss): Promise<void> {
    await lost;
    if (loss === "crash") await this.cdp.send("Browser.crashGpuProcess").catch(() => {});
  }

  private async whilePaused(tab: StudioPage, loss: Loss): Promise<string[]> {
    await tab.page.getByRole("button", { name: "Pause" }).click();
    const { update } = await tab.until("paused", ({ state }) => state === "Paused");
    const worker = await tab.worker();
    // Nothing of a paused run waits for the device, so an error that only a wait would show is shown by saving.
    const lost = loseAt(worker, { type: "torture", skip: 0, delayMs: 0 }, loss);
    await worker.evaluate(() => postMessage({ kind: "event", runId: "", event: { type: "torture" } }));
    await this.complete(lost, loss);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const blank = await tab.blankCanvases();
    await tab.until("paused again", ({ state }) => state === "Paused");
    await tab.page.getByRole("button", { name: "Resume" }).click();
    return [...blank.map((label) => `blank while paused: ${label}`), ...(await this.goesOn(tab, update))];
  }

  /** Waits for two updates more, presses Resume where the page asks for it, and reads what the loss had cost. */
  private async goesOn(tab: StudioPage, update: number): Promise<string[]> {
    let resumed = false;
    const isOn = async ({ state, update: now }: Strip) => {
      if (state === "Failed" || state === "Stopped" || state === "Ready" || state === "Diverged")
        throw new Error(`the run is ${state}: ${await said(tab)}`);
      if (state === "Paused") {
        resumed = true;
        await tab.page
          .getByRole("button", { name: "Resume" })
          .click({ timeout: 5000 })
          .catch(() => {});
      }
      return state === "Running" && now >= update + 2;
    };
    await tab.until(`two updates after ${update}`, isOn);
    if (resumed) this.tally.onResume++;
    else this.tally.byItself++;
    const costs = (await reportedLosses(await tab.worker())).map((loss) => loss.update - loss.resumeFrom);
    this.tally.repeated = Math.max(this.tally.repeated, ...costs);
    return costs.filter((cost) => cost > 1).map((cost) => `${cost} updates trained again`);
  }
}

/** The notices on the page. */
async function said({ page }: StudioPage): Promise<string> {
  const texts = await page.getByRole("alert").or(page.getByRole("status")).allInnerTexts();
  return texts.join(" | ").replaceAll("\n", " ").slice(0, 600);
}

/** Every kind of loss at every phase, over and over. */
const planned = (trial: number): [Phase, Loss] => [
  PHASES[Math.floor(trial / LOSSES.length) % PHASES.length]!,
  LOSSES[trial % LOSSES.length]!,
];

async function run(options: SuiteOptions): Promise<Figure[]> {
  const studio = await openStudio();
  const trials = new GpuTrials(studio, await studio.browser.newBrowserCDPSession());
  const numbers = trialNumbers(options, 100);
  try {
    for (const trial of numbers) {
      const [phase, loss] = planned(trial);
      options.progress(
        `${trial} of ${numbers.length}, ${loss} while ${phase}; ${trials.tally.failed} failed`,
      );
      const problems = await trials.trial(phase, loss, trialRng(options.seed, "gpu", trial));
      if (problems.length > 0) options.fail(trial, [`${loss} while ${phase}`, ...problems]);
    }
  } finally {
    await trials.close();
    await studio.close();
  }
  const { byItself, onResume, failed, repeated, blank, errors } = trials.tally;
  return [
    {
      figure: `losses of the device at ${PHASES.length} phases`,
      value: `${numbers.length - failed} of ${numbers.length} went on (${byItself} by themselves, ${onResume} on Resume), ${repeated} updates trained twice at most, ${blank} with a blank canvas, ${errors} with an error in the console`,
      passed: failed === 0,
    },
  ];
}

export const gpu: Suite = {
  name: "gpu",
  summary:
    "the page's graphics device lost 100 times: crash, destroy(), out of memory, time-out, at every phase",
  run,
};
