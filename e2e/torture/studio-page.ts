// The built page under test: opened with a tiny run, watched, and read as a person reads it.
import type { Browser, BrowserContext, Locator, Page, Worker } from "playwright-core";
import { build } from "vite";
import { launchBrowser, type PageWatch, watchPage } from "../lib/browser.ts";
import { serveBuild, type TestServer } from "../lib/server.ts";
import { openConfig, startButton } from "../lib/tiny-run.ts";
import { installHooks } from "./worker-hooks.ts";

/** Time for anything a page does on a busy machine. */
export const PATIENCE_MS = 240_000;

/** Losses of the device are what is tested; the browser must not take them for an attack. */
const lossFlags = ["--disable-gpu-process-crash-limit", "--disable-domain-blocking-for-3d-apis"];

export interface Studio {
  readonly server: TestServer;
  readonly browser: Browser;
  close(): Promise<void>;
}

/** Builds and serves the page, and starts a browser. */
export async function openStudio(): Promise<Studio> {
  await build({ logLevel: "error" });
  const server = await serveBuild();
  const browser = await launchBrowser({ args: lossFlags });
  return {
    server,
    browser,
    async close() {
      await browser.close();
      await server.close();
    },
  };
}

/**
 * The YAML of a run whose updates take a fraction of a second. By default a run is saved when that costs a fiftieth of
 * the time since the last save, which is many such updates; `save_freq: 1` makes it every one, as with larger updates.
 */
export const quickRun = (updates: number, trainer = "save_freq: 1"): string => `version: 1
name: Torture
env: { name: frozenlake, config: { size: 4 } }
rollout: { prompt_format: no_think, max_turns: 1, train_batch_size: 4, response_length: 16 }
model: { hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 1, num_key_value_heads: 1, intermediate_size: 80 }
sft: { total_updates: 0 }
actor: { ppo_mini_batch_size: 4 }
trainer: { total_updates: ${updates}, test_freq: 2, val_size: 2, micro_batch_tokens: 256, ${trainer} }
`;

/** What the strip above the run says. */
export interface Strip {
  readonly state: string;
  readonly update: number;
}

/** One visitor's page with a run. */
export class StudioPage {
  /** Time for whatever this page is to reach. */
  patienceMs = PATIENCE_MS;

  private constructor(
    readonly context: BrowserContext,
    readonly page: Page,
    readonly watch: PageWatch,
    private readonly url: string,
  ) {}

  static async open({ browser, server }: Studio): Promise<StudioPage> {
    const context = await browser.newContext({ viewport: { width: 1100, height: 640 } });
    context.setDefaultTimeout(PATIENCE_MS);
    return StudioPage.in(context, server.url);
  }

  private static async in(context: BrowserContext, url: string): Promise<StudioPage> {
    const page = await context.newPage();
    const watch = watchPage(page, url);
    // A worker that ends meanwhile takes the hooks with it; the next one gets its own.
    page.on("worker", (worker) => void installHooks(worker).catch(() => {}));
    return new StudioPage(context, page, watch, url);
  }

  /** Another tab of the same visitor, in place of this one. */
  async inNewPage(): Promise<StudioPage> {
    await this.page.close().catch(() => {});
    return StudioPage.in(this.context, this.url);
  }

  openRun(url: string, yaml: string): Promise<void> {
    return openConfig(this.page, url, yaml);
  }

  get startButton(): Locator {
    return startButton(this.page);
  }

  /** The training worker; waits for one that is being started. */
  async worker(): Promise<Worker> {
    const [worker] = this.page.workers();
    return worker ?? this.page.waitForEvent("worker");
  }

  async strip(): Promise<Strip> {
    const strip = this.page.getByTestId("run-strip");
    if ((await strip.count()) === 0) return { state: "Ready", update: 0 };
    const text = await strip.innerText();
    const update = Number(/update\s+([\d,]+)/i.exec(text)?.[1]?.replaceAll(",", "") ?? 0);
    const state = STATES.find((word) => text.includes(word)) ?? text.split("\n")[0]!;
    return { state, update };
  }

  /** Waits until `done` is true of the strip. @throws with `what` and the strip when it does not become true. */
  async until(what: string, done: (strip: Strip) => boolean | Promise<boolean>): Promise<Strip> {
    const end = Date.now() + this.patienceMs;
    for (;;) {
      const strip = await this.strip();
      if (await done(strip)) return strip;
      if (Date.now() > end) throw new Error(`${what}: not reached; the page says ${JSON.stringify(strip)}`);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }

  /** Canvases in view that show one colour only, by label, after they had a moment to be drawn. */
  async blankCanvases(): Promise<string[]> {
    let blank: string[] = [];
    for (let look = 0; look < 20; look++) {
      blank = await this.page.locator("canvas:visible").evaluateAll((canvases) =>
        (canvases as HTMLCanvasElement[])
          .filter(({ width, height }) => width > 0 && height > 0)
          .filter((canvas) => {
            const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
            const pixels = new Uint32Array(data.buffer);
            return pixels.every((pixel) => pixel === pixels[0]);
          })
          .map((canvas) => canvas.getAttribute("aria-label") ?? "a canvas without a label"),
      );
      if (blank.length === 0) return [];
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return blank;
  }

  close(): Promise<void> {
    return this.context.close();
  }
}

const STATES = [
  "Preparing",
  "Running",
  "Pausing",
  "Paused",
  "One update",
  "Stopping",
  "Stopped",
  "Finished",
  "Diverged",
  "Failed",
  "Device lost",
  "Recovering",
];
