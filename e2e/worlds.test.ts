// Worlds that load when they are first played: a card has their picture, a level is drawn with its instruction, and the debug view has
// a map. The physics runs in the page's worker.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();

/** For looking at, when a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

it.each([
  ["Navigation small", 1440],
  ["PrimitiveSkill small", 1440],
  ["SpatialGym small", 1440],
  ["Navigation small", 390],
  ["SpatialGym small", 390],
] as const)("shows a level of %s with its instruction, %i px wide", async (preset, width) => {
  const context = await open.visitor({ viewport: { width, height: 900 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  const card = page.getByRole("button", { name: new RegExp(preset) });
  // Its picture is loaded when it comes into view.
  await card.scrollIntoViewIfNeeded();
  await expect
    .poll(() => card.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(192);
  await card.click();
  if (width < 1024) await page.getByRole("tab", { name: "Episodes" }).click();
  const level = page.getByRole("region", { name: "Level preview" });
  await expect.poll(() => level.getByTestId("question").innerText()).toMatch(/^[A-Z].*\w[.?]$/);
  await expect
    .poll(async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0])
    .toBeGreaterThan(16);
  await expect
    .poll(() => level.innerText())
    .toMatch(/(?:A solution takes \d+ actions|The right answer is \w+)\. The agent does not see it\./);
  await level.getByRole("radio", { name: "Debug view" }).check({ force: true });
  // The map is loaded when it is first shown.
  await expect
    .poll(() => level.getByTestId("world-map").count())
    .toBe(preset.startsWith("PrimitiveSkill") ? 0 : 1);
  if (preset.startsWith("SpatialGym"))
    expect(await level.getByTestId("world-map").getAttribute("aria-label")).toMatch(/not seen yet/);
  await picture(page, `${preset.split(" ")[0]}-${width}`);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  expect(watch.problems()).toEqual([]);
  await context.close();
});
