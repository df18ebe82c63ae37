// When the graphics process ends, every canvas loses its pixels; the pictures come back by themselves, also on a page
// where nothing else changes.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchSturdy } from "./lib/browser.ts";
import { waitForUpdate } from "./lib/run-strip.ts";
import { studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();
let sturdy: Browser;
beforeAll(async () => {
  sturdy = await launchSturdy();
});
afterAll(() => sturdy?.close());

async function newPage(): Promise<Page> {
  return (await open.visitor({}, sturdy)).newPage();
}

const colours = async (canvases: Locator) => Promise.all((await canvases.all()).map(coloursOf));

/** Ends the graphics process; resolves when the page's canvases have lost their contexts. */
async function crashGraphics(page: Page): Promise<void> {
  const lost = await page.evaluateHandle(() => {
    const all = [...document.querySelectorAll("canvas")];
    const losses = all.map(
      (one) => new Promise<unknown>((done) => one.addEventListener("contextlost", done)),
    );
    return { once: Promise.race(losses) };
  });
  await (await sturdy.newBrowserCDPSession()).send("Browser.crashGpuProcess");
  await lost.evaluate(async ({ once }) => void (await once));
}

it("brings the pictures of an idle page back", async () => {
  const page = await newPage();
  await page.goto(`${open.server.url}#/train`);
  const canvases = page.locator("canvas");
  // The level is drawn in the worker, so its pictures are the last to come.
  await page.getByRole("region", { name: "Level preview" }).locator("canvas").last().waitFor();
  await expect.poll(() => canvases.count()).toBeGreaterThan(4);
  await expect.poll(async () => Math.min(...(await colours(canvases)))).toBeGreaterThan(1);
  const before = await colours(canvases);
  await crashGraphics(page);
  await expect.poll(() => colours(canvases)).toEqual(before);
  await page.context().close();
});

it("brings the pictures of a paused run and of its trace back", async () => {
  const page = await newPage();
  await openConfig(page, open.server.url, tinyRun({ updates: 400 }));
  await startButton(page).click();
  await waitForUpdate(page, 1);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const canvases = page.locator("main canvas");
  for (const room of ["#/train", "#/trace"]) {
    await page.goto(`${open.server.url}${room}`);
    if (room === "#/trace") await page.locator("tbody a").first().click();
    // The newest episode may still take the place of the one on screen.
    else await page.getByRole("button", { name: "Freeze" }).click();
    await canvases.first().waitFor();
    await expect.poll(async () => Math.min(...(await colours(canvases)))).toBeGreaterThan(1);
    const before = await colours(canvases);
    await crashGraphics(page);
    await expect.poll(() => colours(canvases)).toEqual(before);
  }
  await page.context().close();
});
