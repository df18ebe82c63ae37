// What is left of a run when it has ended: it goes on for longer, is downloaded, survives a reload with its traces, and
// is not trained by two tabs at once.
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type PageWatch, watchPage } from "./lib/browser.ts";
import { stopRun, stripUpdates, waitForUpdate } from "./lib/run-strip.ts";
import { PATIENCE, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

const openTiny = (page: Page) => openConfig(page, open.server.url, tinyRun());

it("goes on after its end, is downloaded, and comes back with its traces", async () => {
  const context = await open.visitor();
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openTiny(page);
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();

  await page.getByLabel("How many more updates").fill("1");
  await page.getByRole("button", { name: "Train 1 more update" }).click();
  await expect.poll(() => stripUpdates(page)).toEqual({ done: 3, total: 3 });
  await page.getByText("The run has finished").waitFor();
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download checkpoint" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^tiny-lake-.*-update-000003\.safetensors$/);

  await page.getByLabel("How many more updates").fill("500");
  await page.getByRole("button", { name: "Train 500 more updates" }).click();
  await page.getByText("Running").first().waitFor();
  const other = await context.newPage();
  await openTiny(other);
  await other.getByText("A run is open in another tab").waitFor();
  await other.getByText(/Another tab is training the run Tiny lake/).waitFor();
  await expect.poll(() => startButton(other).isDisabled()).toBe(true);
  await other.getByRole("button", { name: "Show it as it was last saved" }).click();
  await other.getByText("Shown as it was last saved; another tab trains it").waitFor();
  expect(await other.getByRole("button", { name: "Continue" }).count()).toBe(0);
  await stopRun(page);
  // Let go of, it can go on in either tab.
  await other.getByRole("button", { name: "Continue" }).waitFor();
  await other.close();

  await page.reload();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await page.getByRole("link", { name: "Read its episodes" }).click();
  await page.locator("tbody a").first().click();
  await page.getByText("Observation", { exact: true }).first().waitFor();
  expect(watch.problems()).toEqual([]);
  await context.close();
});

it("says which settings a checkpoint of another model needs", async () => {
  const context = await open.visitor();
  const page = await context.newPage();
  await openTiny(page);
  await page
    .getByLabel("Checkpoint file")
    .setInputFiles("public/checkpoints/frozenlake-small-warmup.safetensors");
  const list = page.getByLabel("Start from", { exact: true });
  const chosen = () => list.locator("option:checked").innerText();
  await expect.poll(chosen).toBe("File: frozenlake-small-warmup.safetensors");
  // A file that is none is refused at once, and what was chosen stays.
  const buffer = Buffer.alloc(3000, 137);
  await page
    .getByLabel("Checkpoint file")
    .setInputFiles({ name: "noise.safetensors", mimeType: "application/octet-stream", buffer });
  await page.getByRole("alert").filter({ hasText: "noise.safetensors" }).waitFor();
  expect(await chosen()).toBe("File: frozenlake-small-warmup.safetensors");
  await startButton(page).click();
  await page.getByText(/The checkpoint holds another model/).waitFor();
  await page.getByText(/Set “Width” to 64, “MLP width” to 176/).waitFor();
  await context.close();
});

describe("a run of 400 updates", () => {
  // One visitor for both tests, which is what a start costs; the second goes on where the first ends.
  let page: Page;
  let watch: PageWatch;
  beforeAll(async () => {
    page = await open.browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: "reduce" });
    page.setDefaultTimeout(PATIENCE);
    watch = watchPage(page, open.server.url);
  });
  afterAll(() => page?.context().close());

  it("offers to resume a run that was reloaded in its first minute, without a pause", async () => {
    await openTiny(page);
    await page.getByLabel("PPO updates", { exact: true }).first().fill("400");
    await startButton(page).click();
    // The first checkpoint is written right after the first update.
    await waitForUpdate(page, 2);
    await page.reload();
    await page.getByRole("button", { name: /resume from update [1-9]/i }).click();
    await page.getByText("Running").first().waitFor();
    expect(watch.problems()).toEqual([]);
  });

  it("ends at a total below what is done, and counts what is trained more from there, also after a reload", async () => {
    const total = page.getByLabel("PPO updates", { exact: true }).first();
    await waitForUpdate(page, 3);
    await total.fill("1");
    await total.press("Enter");
    await page.getByText(/With PPO updates at 1 it ends after the present one/).waitFor();
    await page.getByRole("button", { name: "Apply 1 change to the run" }).click();
    await page.getByText("The run has finished").waitFor();
    const summary = page.getByLabel("Summary");
    const done = Number(/at update (\d+), greedy/.exec(await summary.innerText())?.[1]);
    await expect.poll(() => stripUpdates(page)).toMatchObject({ done });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ended.png` });

    await page.getByLabel("How many more updates").fill("1");
    await page.getByRole("button", { name: "Train 1 more update" }).click();
    const oneMore = { done: done + 1, total: done + 1 };
    await expect.poll(() => stripUpdates(page)).toEqual(oneMore);
    await page.getByText("The run has finished").waitFor();
    await page.reload();
    await page.getByText(`finished at update ${done + 1}, success`).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/stored.png` });
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await expect.poll(() => stripUpdates(page)).toEqual(oneMore);
    await expect.poll(() => total.inputValue()).toBe(`${done + 1}`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/opened.png` });
    expect(watch.problems()).toEqual([]);
  });
});
