// Canvases that lose their pixels, and canvases that are drawn.
import type { Browser, Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { coloursOf } from "./trace.ts";

/** Ends the graphics process of a sturdy browser; resolves when the page's canvases have lost their contexts. */
export async function crashGraphics(browser: Browser, page: Page): Promise<void> {
  const lost = await page.evaluateHandle(() => {
    const all = [...document.querySelectorAll("canvas")];
    const losses = all.map(
      (one) => new Promise<unknown>((done) => one.addEventListener("contextlost", done)),
    );
    return { once: Promise.race(losses) };
  });
  await (await browser.newBrowserCDPSession()).send("Browser.crashGpuProcess");
  await lost.evaluate(async ({ once }) => void (await once));
}

/**
 * The colours of canvases that are all drawn and change no more: a view may still take the place of another. Each is brought into view,
 * because pictures of a replay are drawn when they are looked at.
 */
export async function settledColours(canvases: Locator): Promise<number[]> {
  let last: number[] = [];
  const isSettled = async () => {
    const before = last;
    await showEach(canvases);
    last = await coloursOf(canvases);
    return last.length > 0 && Math.min(...last) > 1 && `${last}` === `${before}`;
  };
  await expect.poll(isSettled).toBe(true);
  return last;
}

/** Brings each canvas into view for a frame. It waits for none: those of a view that is being replaced may be gone before their turn. */
const showEach = (canvases: Locator): Promise<void> =>
  canvases.evaluateAll(async (elements) => {
    for (const element of elements) {
      element.scrollIntoView({ block: "nearest" });
      await new Promise(requestAnimationFrame);
    }
  });
