// What is done with a finished run. It is read, from room to room: where a room is scrolled to, and what of a chart stays behind. Its policy
// is exported as ONNX and played.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { playButton, playedToEnd, player } from "./lib/policy-player.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();
/** One page for both tests: to train a run is most of what they cost. */
const shared = sharedPage(open, { visitor: { viewport: { width: 1440, height: 420 } } });

/** Trains the run where the test before has not: this is the first one, or it is tried again. */
async function finishRun(page: Page): Promise<void> {
  if (page.url() !== "about:blank") return;
  // So many episodes that their list has to be scrolled.
  await openConfig(page, open.server.url, tinyRun({ episodes: 4 }));
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
}

/** How far down the room is scrolled: `main` on wide screens, the page on small ones. */
const scrolled = (page: Page) =>
  page.evaluate(() => Math.max(window.scrollY, document.getElementById("main")!.scrollTop));

/** Waits for the next frames: a position is recorded with the frame that shows it, which a busy machine draws late. */
const drawn = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));

/** The position once it is at rest: rows that come on screen get their heights late, and move what is below them. */
async function settled(page: Page): Promise<number> {
  const before = await scrolled(page);
  await drawn(page);
  return (await scrolled(page)) === before ? before : settled(page);
}

/** Opens the last episode of the list, which has to be scrolled to, reads on, and goes back and forth. */
async function readLastTrace(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Traces" }).click();
  const last = page.locator("tbody a").last();
  await last.scrollIntoViewIfNeeded();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(40);
  const left = await settled(page);
  await last.click();
  const turn = page.getByRole("article", { name: "Turn 1" });
  await turn.waitFor();
  await expect.poll(() => scrolled(page)).toBe(0);
  await turn.getByText("Format").last().scrollIntoViewIfNeeded();
  await expect.poll(() => scrolled(page)).toBeGreaterThan(0);
  const leftInTrace = await settled(page);
  // The address of a trace follows its reader, who may go back before the page has rendered a new one.
  await page.evaluate(() => history.replaceState({ ...history.state, key: "new" }, ""));
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
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  await finishRun(page);
  await followPoint(page);
  await readLastTrace(page);
  await page.setViewportSize({ width: 390, height: 420 });
  await readLastTrace(page);
  expect(watch.problems()).toEqual([]);
});

it("exports the run's policy as ONNX and plays with it; refuses a broken file and keeps what was open", async () => {
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  await finishRun(page);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${open.server.url}#/train`);
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as ONNX" }).first().click();
  const path = join(await mkdtemp(join(tmpdir(), "onnx-")), "mine.onnx");
  await (await download).saveAs(path);
  expect((await download).suggestedFilename()).toMatch(/\.onnx$/);

  await page.getByRole("button", { name: "Close this run" }).click();
  // Its episodes may have more turns than those of the run.
  await page.getByLabel("Preset", { exact: true }).selectOption({ label: "FrozenLake nano" });
  const choose = (file: Parameters<ReturnType<Page["getByLabel"]>["setInputFiles"]>[0]) =>
    page.getByLabel("ONNX file").setInputFiles(file);
  await playButton(page).waitFor();
  const broken = { name: "mine.onnx", mimeType: "application/octet-stream", buffer: Buffer.from("no model") };
  await choose(broken);
  await player(page).getByRole("alert").getByText("mine.onnx is not an ONNX file").waitFor();
  const kept = player(page).getByLabel("Policy", { exact: true }).locator("option:checked");
  await expect.poll(() => kept.innerText()).toBe("FrozenLake nano, trained");
  await choose(path);
  await player(page).getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(() => kept.innerText()).toBe("mine.onnx");
  await playButton(page).click();
  await playedToEnd(page);
  await player(page).getByText("Judge and turns are those of the file: the rule").waitFor();
  await player(page).getByText("and at most 3 turns.").waitFor();

  // Either can be chosen again.
  const policies = player(page).getByLabel("Policy", { exact: true });
  await policies.selectOption({ label: "FrozenLake nano, trained" });
  await choose(broken);
  const refusal = player(page).getByRole("alert");
  await refusal.waitFor();
  await playButton(page).click();
  await refusal.waitFor({ state: "detached" });
  await playedToEnd(page);
  await player(page).getByText("Judge and turns are those of the configuration: the rule").waitFor();
  await policies.selectOption({ label: "mine.onnx" });
  await playButton(page).click();
  await playedToEnd(page);
  await player(page).getByText("those of the file").waitFor();
  expect(watch.problems()).toEqual([]);
});
