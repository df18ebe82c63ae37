// Levels of worlds that load when they are first played: a card has their picture, a level is drawn with its instruction, and the debug view
// has a map. The physics runs in the page's worker.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { presets } from "../src/config/presets.ts";
import { envs } from "../src/envs/index.ts";
import { axe } from "./lib/axe.ts";
import { watchPage } from "./lib/browser.ts";
import { groundOf } from "./lib/ground.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();
/** One page for all levels: loading it takes longer than another preset. */
const shared = sharedPage(open);

/** For looking at, when a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Opens the column of a small screen that shows episodes. */
const openEpisodes = (page: Page) => page.getByRole("tab", { name: "Episodes" }).click();

/** The preview of the preset's first level, once its picture shows something. */
async function levelOf(preset: string, width: number, page: Page): Promise<Locator> {
  await page.goto(`${open.server.url}#/train`);
  const card = page.getByRole("button", { name: new RegExp(preset) });
  // Its picture is loaded when it comes into view; that of a board is drawn in the page.
  await card.scrollIntoViewIfNeeded();
  if (preset !== "Blackjack nano")
    await expect
      .poll(() => card.locator("img").evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBe(192);
  await card.click();
  if (width < 1024) await openEpisodes(page);
  const level = page.getByRole("region", { name: "Level preview" });
  // A level of another preset of the same environment stays in view until the new one is drawn.
  const title = new RegExp(`^${preset.split(" ")[0]}( reconstruction)?$`);
  await level.getByRole("paragraph").filter({ hasText: title }).waitFor();
  await expect
    .poll(async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0])
    .toBeGreaterThan(2);
  return level;
}

/** Fails unless the level has its instruction, picture and map, and the page fits the screen. */
async function expectLevel(preset: string, width: number, level: Locator, page: Page): Promise<void> {
  await level.getByText("Agent view", { exact: true }).click();
  await expect.poll(() => level.getByTestId("question").innerText()).toMatch(/^[A-Z].*\w[.?]$/);
  await expect
    .poll(async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0])
    .toBeGreaterThan(16);
  await expect
    .poll(() => level.innerText())
    .toMatch(
      /(A solution takes \d+ actions|One drawing solves it)\. The agent does not see this line\.|Show the answer/,
    );
  await level.getByText("Debug view", { exact: true }).click();
  // The map is loaded when it is first shown.
  await expect
    .poll(() => level.getByTestId("world-map").count())
    .toBe(preset.startsWith("PrimitiveSkill") ? 0 : 1);
  if (preset.startsWith("SpatialGym"))
    await expect
      .poll(() => level.getByTestId("world-map").getAttribute("aria-label"))
      .toMatch(/not seen yet/);
  await picture(page, `${preset.split(" ")[0]}-${width}`);
  await expect
    .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
    .toBeLessThanOrEqual(width);
}

it("shows the stored picture of each preset of a world on its card", async () => {
  const { page } = shared;
  await page.goto(`${open.server.url}#/train`);
  const ofWorlds = presets.all.filter(({ config }) => envs.get(config.env.name).isWorld);
  const images = page.getByRole("region", { name: "Presets" }).locator("button img");
  await expect.poll(() => images.count()).toBe(ofWorlds.length);
  const shown = await images.evaluateAll((all) => all.map((image) => image.getAttribute("src")));
  expect(shown).toEqual(ofWorlds.map(({ id }) => `worlds/${id}.webp`));
});

// The phone comes first: a page that has shown episodes on one goes on showing them, and the cards are elsewhere.
it.each([
  ["SVG small", 390, "light", /The model receives 64 × 64 pixels\./],
  ["Blackjack nano", 1440, "dark", /Chance decides, so no plan is sure to succeed\./],
] as const)(
  "shows a level of %s, which has no instruction, %i px wide and %s",
  async (preset, width, colorScheme, text) => {
    const { page } = shared;
    const watch = watchPage(page, open.server.url);
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const level = await levelOf(preset, width, page);
    await expect.poll(() => level.innerText()).toMatch(text);
    expect(await level.getByTestId("question").count()).toBe(0);
    const [red] = (await groundOf(page)).match(/\d+/g)!.map(Number);
    expect(red! < 128).toBe(colorScheme === "dark");
    // Other tests check the colours of the light theme.
    if (colorScheme === "dark") await expect.poll(() => axe(page)).toEqual([]);
    await picture(page, `${preset.split(" ")[0]}-${width}-${colorScheme}`);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
    expect(watch.problems()).toEqual([]);
  },
);

// Before the levels below, which leave the debug view open: this one is seen as the agent sees it.
it("says that the picture is for people where a policy reads text, and shows the text, 1440 and 390 px wide", async () => {
  const { page } = shared;
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: /^PrimitiveSkill nano|A level of PrimitiveSkill.*nano/ }).click();
  const level = page.getByRole("region", { name: "Level preview" });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    if (width < 1024) await openEpisodes(page);
    await level
      .getByText("The picture is for people. The policy reads text: the place of each thing in millimetres")
      .waitFor();
    await level
      .getByRole("region", { name: /^What the policy reads/ })
      .getByText(/^turn 1 /)
      .waitFor();
    await expect.poll(() => level.innerText()).toContain("Move both cubes to x = 0");
    expect(await level.innerText()).not.toContain("The model receives");
    await expect.poll(() => level.getByTestId("environment").locator("canvas").count()).toBe(1);
    await expect.poll(() => axe(page)).toEqual([]);
    await picture(page, `text-${width}`);
  }
});

it.each(["Navigation small", "PrimitiveSkill small", "SpatialGym small"])(
  "shows a level of %s with its instruction, 1440 and 390 px wide",
  async (preset) => {
    const { page } = shared;
    const watch = watchPage(page, open.server.url);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: "light" });
    const level = await levelOf(preset, 1440, page);
    await expectLevel(preset, 1440, level, page);
    await page.setViewportSize({ width: 390, height: 900 });
    await openEpisodes(page);
    await expectLevel(preset, 390, level, page);
    expect(watch.problems()).toEqual([]);
  },
);
