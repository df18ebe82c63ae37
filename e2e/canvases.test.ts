// When the graphics process ends, every canvas loses its pixels; the pictures come back by themselves, also on a page
// where nothing else changes. The same on the page of a run: training.test.ts.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { presets } from "../src/config/presets.ts";
import { envs } from "../src/envs/index.ts";
import { launchSturdy } from "./lib/browser.ts";
import { crashGraphics, settledColours } from "./lib/canvases.ts";
import { studio } from "./lib/studio.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();
let sturdy: Browser;
beforeAll(async () => {
  sturdy = await launchSturdy();
});
afterAll(() => sturdy?.close());

it("brings the pictures of an idle page back", async () => {
  const page = await (await open.visitor({}, sturdy)).newPage();
  await page.goto(`${open.server.url}#/train`);
  const canvases = page.locator("canvas");
  // The level is drawn in the worker, so its pictures are the last to come.
  await page.getByRole("region", { name: "Level preview" }).locator("canvas").last().waitFor();
  // Each card of a board draws a level; another canvas that came later would change what is compared below.
  const boards = presets.all.filter(({ config }) => !envs.get(config.env.name).isWorld).length;
  const cards = page.getByRole("region", { name: "Presets" }).locator("button canvas");
  await expect.poll(() => cards.count()).toBe(boards);
  const before = await settledColours(canvases);
  await crashGraphics(sturdy, page);
  await expect.poll(() => coloursOf(canvases)).toEqual(before);
  await page.context().close();
});
