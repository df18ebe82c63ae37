// Going from room to room while reading a run: where a room is scrolled to, and what of a chart stays behind.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

/** How far down the room is scrolled: `main` on wide screens, the page on small ones. */
const scrolled = (page: Page) =>
  page.evaluate(() => Math.max(window.scrollY, document.getElementById("main")!.scrollTop));

/** Opens the last episode of the list, which has to be scrolled to, and goes back to it. */
async function readLastTrace(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Traces" }).click();
  const last = page.locator("tbody a").last();
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(40);
  const left = await scrolled(page);
  await last.click();
  await page.getByRole("article", { name: "Turn 1" }).waitFor();
  await expect.poll(() => scrolled(page)).toBe(0);
  await page.goBack();
  await last.waitFor();
  await expect.poll(() => scrolled(page)).toBe(left);
}

it("opens a trace at its top, and goes back to where the list was left", async () => {
  const context = await open.visitor({ viewport: { width: 1440, height: 420 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, tinyRun());
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
  await readLastTrace(page);
  await page.setViewportSize({ width: 390, height: 420 });
  await readLastTrace(page);
  expect(watch.problems()).toEqual([]);
  await context.close();
});
