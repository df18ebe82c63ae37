// The front page: something plays at once, with or without WebGPU, offline too; and a click leads to training.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axe } from "../lib/axe.ts";
import { launchBrowser, watchPage } from "../lib/browser.ts";
import { PATIENCE, studio } from "../lib/studio.ts";

const open = studio();

const hero = (page: Page) => page.getByRole("region", { name: "An agent at work" });
const scrubber = (page: Page) => hero(page).getByRole("slider");
const timeOf = async (page: Page) => Number(await scrubber(page).getAttribute("aria-valuenow"));

describe("a browser without WebGPU", () => {
  let bare: Browser;
  beforeAll(async () => {
    bare = await launchBrowser({ withoutWebgpu: true });
  });
  afterAll(() => bare?.close());

  it("plays a replay by itself on the first visit, and again without a network", async () => {
    const context = await open.visitor({ reducedMotion: "no-preference" }, bare);
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
  });
});

it("moves nothing for a visitor who wants less motion, until asked to", async () => {
  const page = await (await open.visitor()).newPage();
  await page.goto(open.server.url);
  const first = hero(page).getByRole("button", { name: /^Play\b/ });
  await first.waitFor();
  expect(await timeOf(page)).toBe(0);
  await first.click();
  await expect.poll(() => timeOf(page)).toBeGreaterThan(0);
});

it("says which recording is missing, and loads it when it is there again", async () => {
  const context = await open.visitor({ serviceWorkers: "block" });
  const page = await context.newPage();
  let missing = true;
  await page.route(/replays\//, (route) =>
    missing ? route.fulfill({ status: 404, body: "" }) : route.continue(),
  );
  await page.goto(open.server.url);
  await hero(page)
    .getByText(/replays\/.*\.json could not be loaded/)
    .waitFor();
  missing = false;
  await hero(page).getByRole("button", { name: "Try again" }).click();
  await hero(page).locator("canvas").first().waitFor();
});

it("trains the policy on screen with one click", async () => {
  const page = await (await open.visitor()).newPage();
  await page.goto(open.server.url);
  await page.getByRole("button", { name: "Train this policy yourself" }).first().click();
  await page.getByTestId("run-strip").waitFor();
  expect(page.url()).toContain("#/train");
  await page.getByRole("button", { name: "Stop" }).first().click();
  await page.getByRole("button", { name: "Stop the run" }).click();
});

for (const colorScheme of ["light", "dark"] as const)
  it(`is accessible and no wider than the screen, ${colorScheme}`, async () => {
    const page = await (await open.visitor({ colorScheme })).newPage();
    page.setDefaultTimeout(PATIENCE);
    await page.goto(open.server.url);
    await hero(page).locator("canvas").first().waitFor();
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole("heading", { name: "Case studies" }).scrollIntoViewIfNeeded();
      await expect.poll(() => axe(page)).toEqual([]);
      // After the width has changed, charts measure their room with the next frames.
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
        .toBeLessThanOrEqual(width);
    }
  });
