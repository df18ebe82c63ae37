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

/** The colours of canvases that are all drawn and change no more: a view may still take the place of another. */
async function settledColours(canvases: Locator): Promise<number[]> {
  let last: number[] = [];
  const isSettled = async () => {
    const before = last;
    last = await coloursOf(canvases);
    return last.length > 0 && Math.min(...last) > 1 && `${last}` === `${before}`;
  };
  await expect.poll(isSettled).toBe(true);
  return last;
}

it("brings the pictures of an idle page back", async () => {
  const page = await newPage();
  await page.goto(`${open.server.url}#/train`);
  const canvases = page.locator("canvas");
  // The level is drawn in the worker, so its pictures are the last to come.
  await page.getByRole("region", { name: "Level preview" }).locator("canvas").last().waitFor();
  await expect.poll(() => canvases.count()).toBeGreaterThan(4);
  const before = await settledColours(canvases);
  await crashGraphics(page);
  await expect.poll(() => coloursOf(canvases)).toEqual(before);
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
    const before = await settledColours(canvases);
    await crashGraphics(page);
    await expect.poll(() => coloursOf(canvases)).toEqual(before);
  }
  await page.context().close();
});
