// One page trains a preset, another one and the first again: its worker keeps device and compiled kernels, and what the run in between
// left behind must not change the numbers.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { metricsOfRuns, notFinite, repeatable } from "./lib/stored-run.ts";
import { studio } from "./lib/studio.ts";
import { smallPreset, startButton } from "./lib/tiny-run.ts";

const UPDATES = 2;
const open = studio();

/** Trains a preset to its end, opened from a file of that name as a person would who has a run on screen. */
async function trainPreset(page: Page, preset: string, file: string): Promise<void> {
  const buffer = Buffer.from(smallPreset(preset, UPDATES, 2));
  await page.getByLabel("From a file…").setInputFiles({ name: file, mimeType: "text/yaml", buffer });
  await page.getByText(`the file ${file}`).waitFor({ state: "attached" });
  await page.getByTestId("size-estimate").waitFor();
  await startButton(page).click();
  const ended = page.getByText("The run has finished");
  // What is said of the run before goes first.
  await ended.waitFor({ state: "detached" });
  await ended.waitFor();
}

/** Draws the stored runs beside the last one: each has its line in the chart of success, and its settings in a list. */
async function compareAll(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Compare…" }).click();
  const choice = page.getByRole("dialog", { name: "Compare with other runs" });
  for (const box of await choice.getByRole("checkbox").all()) await box.check();
  await choice.getByRole("button", { name: "Close" }).click();
  const list = page.getByRole("list", { name: "Compared runs" });
  await list.getByText(/^B: Sokoban nano/).waitFor();
  await list.getByText(/Different settings: .*“Task” “Sokoban” in place of “FrozenLake”/).waitFor();
  await list.getByText("It has the same settings as this run.").waitFor();
  const success = page.getByTestId("chart-success");
  await success.getByText("C: FrozenLake nano").waitFor();
  await success.scrollIntoViewIfNeeded();
  // The line of the run, thin and smoothed, and those of the two others.
  await expect.poll(() => success.locator(".recharts-line-curve").count()).toBe(4);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/compared.png` });
  await page.setViewportSize({ width: 390, height: 900 });
  const button = page.getByRole("button", { name: "Compare…" });
  const spaceAbove = async () => {
    const [above, below] = await Promise.all([button.boundingBox(), list.boundingBox()]);
    return below!.y - above!.y - above!.height;
  };
  await page.getByRole("tab", { name: "Charts" }).click();
  // The gap between two parts of the panel.
  await expect.poll(spaceAbove).toBeLessThan(14);
  // The settings would push the charts off the screen.
  const settings = list.getByText(/^\d+ different settings$/);
  await settings.waitFor();
  expect(await list.getByText(/in place of/).isVisible()).toBe(false);
  await settings.click();
  await list.getByText(/“Task” “Sokoban” in place of “FrozenLake”/).waitFor();
  await settings.click();
  await readNumbers(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await list.getByRole("button", { name: /Stop comparing with B/ }).click();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(2);
}

/** The table of a chart on a phone: its columns are scrolled past the updates, which stay in view. */
async function readNumbers(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Numbers of Success rate" }).click();
  const dialog = page.getByRole("dialog", { name: "Success rate" });
  const update = dialog.getByRole("columnheader", { name: "Update" });
  const before = await update.boundingBox();
  const numbers = dialog.getByRole("region", { name: "Numbers" });
  const scrolled = await numbers.evaluate((region) => {
    region.scrollLeft = 200;
    return region.scrollLeft;
  });
  expect(scrolled).toBeGreaterThan(100);
  expect((await update.boundingBox())!.x).toBe(before!.x);
  await dialog.getByRole("button", { name: "Close" }).click();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
}

it("gives a preset the same numbers after another one has run in the same page", async () => {
  const page = await (await open.visitor()).newPage();
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  for (const [i, preset] of ["frozenlake-nano", "sokoban-nano", "frozenlake-nano"].entries())
    await trainPreset(page, preset, `run-${i + 1}.yaml`);
  const [first, between, second] = await metricsOfRuns(page);
  expect([first, between, second].map((metrics) => metrics!.length)).toEqual([UPDATES, UPDATES, UPDATES]);
  expect(notFinite(first!)).toEqual([]);
  expect(repeatable(second!)).toEqual(repeatable(first!));
  expect(repeatable(between!)).not.toEqual(repeatable(first!));
  await compareAll(page);
  expect(watch.problems()).toEqual([]);
});
