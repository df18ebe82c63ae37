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

/** Opens the last episode of the list, which has to be scrolled to, reads on, and goes back and forth. */
async function readLastTrace(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Traces" }).click();
  const last = page.locator("tbody a").last();
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(40);
  const left = await scrolled(page);
  await last.click();
  const turn = page.getByRole("article", { name: "Turn 1" });
  await turn.waitFor();
  await expect.poll(() => scrolled(page)).toBe(0);
  await turn.getByText("Format").last().scrollIntoViewIfNeeded();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(0);
  const leftInTrace = await scrolled(page);
  // A position is recorded with the frame that shows it, which a busy machine draws late.
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.goBack();
  await last.waitFor();
  await expect.poll(() => scrolled(page)).toBe(left);
  await page.goForward();
  await turn.waitFor();
  await expect.poll(() => scrolled(page)).toBe(leftInTrace);
  await page.goBack();
}

/** Follows a point of a chart to its episodes, and comes back with the pointer elsewhere. */
async function followPoint(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Train" }).click();
  const numbers = page.getByText("Click for the episodes of this update.");
  const chart = page.getByTestId("chart-success").getByRole("img", { name: /^Success rate/ });
  // The summary that appears above may still move the chart.
  const hover = async () => {
    await chart.hover();
    return numbers.count();
  };
  await expect.poll(hover).toBe(1);
  // It was drawn first when there was one validation, and must not have stopped there.
  await expect.poll(() => chart.getAttribute("aria-label")).toMatch(/last \d+ %.*, 2 updates/);
  await chart.click();
  await page.getByRole("heading", { name: "Traces" }).waitFor();
  await page.mouse.move(0, 0);
  await page.goBack();
  await chart.waitFor();
  await expect.poll(() => numbers.count()).toBe(0);
}

it("opens a trace at its top, goes back to where the list was left, and leaves no cursor in a chart", async () => {
  const context = await open.visitor({ viewport: { width: 1440, height: 420 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  // So many that their list has to be scrolled.
  await openConfig(page, open.server.url, tinyRun({ episodes: 4 }));
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
  await followPoint(page);
  await readLastTrace(page);
  await page.setViewportSize({ width: 390, height: 420 });
  await readLastTrace(page);
  expect(watch.problems()).toEqual([]);
  await context.close();
});
