// A person presses Start and a policy really trains, in a real browser on a real WebGPU device; reload and resume.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

/** Updates done, as the run strip says. */
async function updatesDone(page: Page): Promise<number> {
  const text = await page.getByTestId("run-strip").innerText();
  return Number(/update\s+([\d,]+)/i.exec(text)?.[1]?.replace(",", "") ?? 0);
}

async function waitForUpdate(page: Page, update: number): Promise<void> {
  await expect
    .poll(() => updatesDone(page), { timeout: 200_000, interval: 500 })
    .toBeGreaterThanOrEqual(update);
}

async function start(page: Page): Promise<void> {
  await page.goto(open.server.url);
  await page.getByRole("button", { name: "Start training" }).click();
}

it("trains on Start, shows picture and coloured sections, and resumes after a reload", async () => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await start(page);
  await waitForUpdate(page, 3);

  // Nothing that is not a number reaches the screen.
  const text = await page.locator("main").innerText();
  expect(text).not.toMatch(/NaN|undefined|Infinity/);
  // The latest episode: the environment on canvas, and every section of the reply.
  await page.getByTestId("environment").first().locator("canvas").waitFor();
  for (const section of ["Observation", "Reasoning", "Prediction", "Action"]) {
    await page.getByText(section, { exact: true }).first().waitFor();
  }
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor({ timeout: 60_000 });
  const before = await updatesDone(page);

  await page.reload();
  await page.getByRole("button", { name: /resume from update/i }).click();
  await waitForUpdate(page, before + 1);
  expect(watch.problems()).toEqual([]);
  await context.close();
});

/** Every device of every page is lost, as when a driver resets. */
async function crashGpuProcess(): Promise<void> {
  await (await open.browser.newBrowserCDPSession()).send("Browser.crashGpuProcess");
}

/** The run's own device is destroyed while an update is being computed: the worker is told what the page could tell it. */
async function loseDeviceInUpdate(page: Page): Promise<void> {
  await page
    .getByTestId("run-strip")
    .getByText(/playing episodes|optimising/)
    .waitFor({ timeout: 60_000 });
  const worker = page.workers()[0]!;
  await worker.evaluate(() => {
    const data = { kind: "call", id: -1, command: "loseDevice", arg: null };
    globalThis.dispatchEvent(new MessageEvent("message", { data }));
  });
}

/** The updates whose metrics are stored with the page's only run, in the order in which they were told. */
function storedUpdates(page: Page): Promise<number[]> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const runs = await root.getDirectoryHandle("runs");
    const names: string[] = [];
    for await (const name of runs.keys()) names.push(name);
    const run = await runs.getDirectoryHandle(names[0]!);
    const text = await (await (await run.getFileHandle("events.jsonl")).getFile()).text();
    const events = text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return events.filter(({ type }) => type === "metrics").map(({ update }) => update);
  });
}

it.each([
  ["the GPU process dies", crashGpuProcess],
  ["its device is lost in the middle of an update", loseDeviceInUpdate],
])("goes on by itself when %s, and counts every update once", async (_, lose) => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await start(page);
  await waitForUpdate(page, 2);
  await lose(page);
  await page
    .getByText(/device was (reset|lost)/i)
    .first()
    .waitFor({ timeout: 60_000 });
  const before = await updatesDone(page);
  await waitForUpdate(page, before + 2);
  expect(await page.locator("main").innerText()).not.toMatch(/NaN|undefined/);

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor({ timeout: 60_000 });
  const done = await updatesDone(page);
  expect(done).toBeGreaterThanOrEqual(before + 2);
  const everyUpdate = Array.from({ length: done }, (_unused, i) => i + 1);
  await expect.poll(() => storedUpdates(page)).toEqual(everyUpdate);
  await context.close();
});
