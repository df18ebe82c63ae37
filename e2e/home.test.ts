// The front page: something plays at once, with or without WebGPU, offline too; a policy plays live; a click leads to training.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe, OF_COLOURS } from "./lib/axe.ts";
import { launchBrowser, watchPage } from "./lib/browser.ts";
import { groundOf } from "./lib/ground.ts";
import { OFFLINE_COPY, sharedPage, studio } from "./lib/studio.ts";

const open = studio();

const hero = (page: Page) => page.getByRole("region", { name: "An agent at work" });
const scrubber = (page: Page) => hero(page).getByRole("slider");
const timeOf = async (page: Page) => Number(await scrubber(page).getAttribute("aria-valuenow"));

const live = (page: Page) => page.getByRole("region", { name: "Let it play live" });

/** Lets the policy on the front page play its level to the end, by the button of that name; returns what it says of itself. */
async function letPlay(page: Page, button: string): Promise<string> {
  await live(page).getByRole("button", { name: button }).click();
  const status = live(page).getByTestId("policy-plays").getByRole("status");
  const end = status.getByText(/Success|Failed|Out of turns|Tie/).first();
  await end.waitFor().catch(async ({ message }) => {
    throw new Error(`"${(await live(page).innerText()).replaceAll(/\s+/g, " ")}" has no end: ${message}`);
  });
  return page.getByTestId("onnx-facts").innerText();
}

/** The number of the level on screen. */
const levelOf = async (page: Page) => /Level (\d+);/.exec(await live(page).innerText())?.[1];

/** The WebAssembly that a page has asked for. */
function watchWasm(page: Page): string[] {
  const wasm: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".wasm") && wasm.push(request.url())));
  return wasm;
}

/** A policy plays a level, for which the click loads everything that the text before it announced. Returns the number of the level. */
async function expectLivePlay(page: Page, wasm: readonly string[]): Promise<string> {
  // Others draw the pictures of the page.
  const runtimes = () => new Set(wasm.filter((url) => url.includes("/ort-wasm")));
  await live(page).getByRole("button", { name: "Let a policy play this level" }).waitFor();
  expect(runtimes().size).toBe(0);
  const [, runtime, policy] = /ONNX Runtime \((.+)\) and the policy \((.+)\);/.exec(
    (await live(page).innerText()).replaceAll(/\s+/g, " "),
  )!;
  expect(await letPlay(page, "Let a policy play this level")).toMatch(
    new RegExp(
      `^Policy ${policy}, ONNX Runtime ${runtime} .*, opened in \\d+\\.\\d s, \\d+\\.\\d ms a token$`,
    ),
  );
  expect(runtimes().size).toBe(1);
  const level = await levelOf(page);
  expect(Number(level)).toBeGreaterThan(10_000);
  return level!;
}

describe("a browser without WebGPU", () => {
  let bare: Browser;
  beforeAll(async () => {
    bare = await launchBrowser({ withoutWebgpu: true });
  });
  afterAll(() => bare?.close());

  it("plays a replay by itself on the first visit, and again without a network, and lets a policy play live", async () => {
    const context = await open.visitor({ ...OFFLINE_COPY, reducedMotion: "no-preference" }, bare);
    const page = await context.newPage();
    const watch = watchPage(page, open.server.url);
    await page.goto(open.server.url);
    await hero(page).locator("canvas").first().waitFor();
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0);
    expect(watch.problems()).toEqual([]);
    await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
    await context.setOffline(true);
    await page.reload();
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0);
    await page.getByRole("list", { name: "FrozenLake" }).getByRole("link").first().click();
    await page.getByTestId("replay-player").first().waitFor();

    await context.setOffline(false);
    const wasm = watchWasm(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goBack();
    // What failed without a network is reported by now.
    const online = watchPage(page, open.server.url);
    const first = await expectLivePlay(page, wasm);
    await letPlay(page, "Another level");
    expect(await levelOf(page)).not.toBe(first);
    for (const task of ["Sokoban", "Navigation", "SVG reconstruction", "SpatialGym", "Blackjack"]) {
      await live(page).getByText(task, { exact: true }).click();
      const size = /the policy \((.+)\);/.exec((await live(page).innerText()).replaceAll(/\s+/g, " "))?.[1];
      expect(await letPlay(page, "Let a policy play this level")).toContain(`Policy ${size},`);
    }
    expect(online.problems()).toEqual([]);
  });
});

it("says which recording is missing, and loads it when it is there again; one button pauses and plays all pictures", async () => {
  const page = await (await open.visitor({ reducedMotion: "no-preference" })).newPage();
  await page.route(/replays\//, (route) => route.fulfill({ status: 404, body: "" }));
  await page.goto(open.server.url);
  await hero(page)
    .getByText(/replays\/.*\.json could not be loaded/)
    .waitFor();
  await page.unroute(/replays\//);
  await hero(page).getByRole("button", { name: "Try again" }).click();
  await hero(page).locator("canvas").first().waitFor();

  // The first picture too.
  const isPlaying = () =>
    hero(page)
      .getByRole("button", { name: /^Pause/ })
      .waitFor();
  await isPlaying();
  await page.getByRole("button", { name: "Pause all pictures" }).click();
  await hero(page)
    .getByRole("button", { name: /^Play\b/ })
    .waitFor();
  const paused = await timeOf(page);
  await page.getByRole("button", { name: "Play all pictures" }).click();
  await isPlaying();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(paused);
});

describe("a visitor with WebGPU who wants less motion", () => {
  // One page, which goes on from test to test: loading it is most of what they cost.
  let wasm: string[];
  const shared = sharedPage(open, {
    visitor: { colorScheme: "light" },
    begin: async (page) => {
      wasm = watchWasm(page);
      await page.goto(open.server.url);
    },
  });
  const recording = "replays/frozenlake-10027-trained.json";
  const loads = (name: string) =>
    shared.page.evaluate(
      (part) =>
        performance
          .getEntriesByType("resource")
          .filter((entry) => entry.name.includes(part))
          .map((entry) => ({
            from: entry.startTime,
            to: (entry as PerformanceResourceTiming).responseEnd,
          })),
      name,
    );

  it("loads the first recording once, before all that training needs", async () => {
    await expect.poll(() => loads("/boot-")).toHaveLength(1);
    const [boot] = await loads("/boot-");
    const [first, ...more] = await loads(recording);
    expect(more).toEqual([]);
    expect(boot!.from).toBeGreaterThan(first!.to);
  });

  it("sees nothing move until they ask for it", async () => {
    const { page } = shared;
    const first = hero(page).getByRole("button", { name: /^Play\b/ });
    await first.waitFor();
    expect(await timeOf(page)).toBe(0);
    await first.click();
    await expect.poll(() => timeOf(page)).toBeGreaterThan(0);
  });

  it("lets a policy play a level live", async () => {
    expect(wasm).toEqual([]);
    await expectLivePlay(shared.page, wasm);
  });

  it("finds the page accessible and no wider than the screen, light and dark", async () => {
    const { page } = shared;
    await live(page).locator("canvas").first().waitFor();
    await page.getByText("Loading the method").scrollIntoViewIfNeeded();
    await page.getByRole("heading", { name: "Masks over tokens" }).waitFor();
    const light = await groundOf(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      if (colorScheme === "dark") await expect.poll(() => groundOf(page)).not.toBe(light);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.getByRole("heading", { name: "Case studies" }).scrollIntoViewIfNeeded();
        const rules = colorScheme === "dark" ? OF_COLOURS : undefined;
        await expect.poll(() => axe(page, rules)).toEqual([]);
        // After the width has changed, charts measure their room with the next frames.
        await expect
          .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
          .toBeLessThanOrEqual(width);
      }
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("trains the policy on screen with one click", async () => {
    const { page } = shared;
    await page.getByRole("button", { name: "Train this policy yourself" }).first().click();
    await page.getByTestId("run-strip").waitFor();
    expect(page.url()).toContain("#/train");
    await page.getByRole("button", { name: "Stop" }).first().click();
    await page.getByRole("button", { name: "Stop the run" }).click();
    await page.goto(`${open.server.url}#/`);
  });

  it("begins a page at its top whose address was typed, wherever the page before it was scrolled to", async () => {
    const { page } = shared;
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${open.server.url}#/`);
    const scrolled = () => page.evaluate(() => Math.round(window.scrollY));
    await page.getByRole("heading", { name: "Case studies" }).scrollIntoViewIfNeeded();
    await expect.poll(scrolled).toBeGreaterThan(500);
    // React Router gives all addresses that were typed one key: the second one must not begin where the first was left.
    for (const address of ["#/replay/apple-stored", "#/replay/wrong-belief"]) {
      await page.evaluate((hash) => {
        location.hash = hash;
      }, address);
      await page.getByTestId("replay-player").first().waitFor();
      await expect.poll(scrolled).toBe(0);
      // Repeated, because the page may still be too low for it.
      await expect.poll(() => page.evaluate(() => window.scrollTo(0, 300)).then(scrolled)).toBe(300);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${open.server.url}#/`);
  });

  it("is led to the licences of the packages that the page is made of", async () => {
    const { page } = shared;
    // Clicked where it is: to scroll down to it would draw all that lies above.
    await page
      .getByRole("link", { name: "Third-party licences" })
      .evaluate((link: HTMLElement) => link.click());
    await page.waitForURL(/third-party\.txt$/);
    const text = await page.locator("body").innerText();
    const packages = ["@mujoco/mujoco", "@resvg/resvg-wasm", "onnxruntime-web"];
    const icons = ["@mdi/svg", "@primer/octicons", "bootstrap-icons"];
    // The others are in a worker and in the page.
    for (const name of [...packages, ...icons, "acorn", "react"]) expect(text).toContain(`\n${name} `);
  });

  it("loads no recording where none plays", async () => {
    const { page } = shared;
    await page.goto("about:blank");
    await page.goto(`${open.server.url}#/train`);
    await page.getByRole("button", { name: "Start training" }).waitFor();
    expect(await loads(recording)).toEqual([]);
  });
});
