// A person presses Start and a policy really trains, in a real browser on a real WebGPU device, which may be lost. That a run goes on after a
// reload: continue.test.ts, extensions.test.ts.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchSturdy, watchPage } from "./lib/browser.ts";
import { crashGraphics, settledColours } from "./lib/canvases.ts";
import { updatesDone, waitForUpdate } from "./lib/run-strip.ts";
import { notFinite, storedMetrics } from "./lib/stored-run.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";
import { coloursOf, groundsOfTokens, sectionLook, shownTokenFacts } from "./lib/trace.ts";

const open = studio();
// What a test does to the graphics process must not reach the browser that the files share.
let sturdy: Browser;
beforeAll(async () => {
  sturdy = await launchSturdy();
});
afterAll(() => sturdy?.close());

/** How the page or JavaScript writes what is no number. */
const NO_NUMBER = /not finite|NaN|undefined|Infinity/;
const SECTIONS = ["Observation", "Reasoning", "Prediction", "Action"];

/** With the first one updates are too small for an alarm; the second causes one. Only a second epoch has a KL to measure. */
const RATES = { gentle: 1e-6, wild: 0.05 };
// The milestone of update 20 stays until that of 60 is stored; the two newest checkpoints may be gone before an alarm's click.
const YAML = tinyRun({ updates: 400 })
  .replace("ppo_epochs: 1, use_kl_loss: false", `ppo_epochs: 2, use_kl_loss: false, lr: ${RATES.gentle}`)
  .replace("test_freq: 50", "test_freq: 50, save_freq: 20");

// One run for all tests, each of which goes on where the one before ends: a start, and going on after a loss, compile every kernel.
let page: Page;
sharedPage(open, {
  from: () => sturdy,
  begin: (fresh) => {
    page = fresh;
  },
});

/** Starts the run where nothing is left of a test before: this is the first one, or it is tried again. Else resumes it if it is paused. */
async function train(): Promise<void> {
  if (page.url() === "about:blank") {
    await openConfig(page, open.server.url, YAML);
    await startButton(page).click();
  } else if (await page.getByRole("button", { name: "Resume" }).isVisible()) {
    const notice = page.getByRole("status").filter({ hasText: "device was lost" });
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await notice.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Resume" }).click();
  }
}

it("trains on Start, shows picture and coloured sections, and resumes after a pause", async () => {
  const watch = watchPage(page, open.server.url);
  await train();
  await waitForUpdate(page, 3);

  // Nothing that is not a number reaches the screen.
  const text = await page.locator("main").innerText();
  expect(text).not.toMatch(NO_NUMBER);
  // The latest episode: the environment on canvas, and every section of the reply.
  await page.getByTestId("environment").first().locator("canvas").waitFor();
  for (const section of SECTIONS) {
    await page.getByText(section, { exact: true }).first().waitFor();
  }
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const storedMore = async () => (await storedMetrics(page)).length - (await updatesDone(page));
  await expect.poll(storedMore).toBe(0);
  const before = await updatesDone(page);
  expect(notFinite(await storedMetrics(page))).toEqual([]);

  await readTrace();
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: "Resume" }).click();
  await waitForUpdate(page, before + 1);
  expect(watch.problems()).toEqual([]);
});

/** On the Trace page an episode has its pictures, sections that differ at a glance, and the numbers of every token. */
async function readTrace(): Promise<void> {
  await page.goto(`${open.server.url}#/trace`);
  await page.getByRole("row").filter({ hasText: "Training" }).first().getByRole("link").click();
  const turn = page.getByRole("article", { name: "Turn 1" });
  // The drawn state, and in its corner what the model received.
  const pictures = turn.getByRole("figure").locator("canvas");
  await pictures.nth(1).waitFor();
  for (const canvas of await pictures.all())
    await expect.poll(async () => (await coloursOf(canvas))[0]).toBeGreaterThanOrEqual(4);

  await page.getByRole("radio", { name: "None" }).check({ force: true });
  const looks = () => Promise.all(SECTIONS.map((name) => sectionLook(page, name)));
  for (const part of ["ground", "rail"] as const)
    await expect
      .poll(async () => new Set((await looks()).map((look) => look[part])).size)
      .toBe(SECTIONS.length);

  // Under a map of numbers tokens have their colours, and a chosen one tells its values.
  await page.getByRole("radio", { name: "Advantage" }).check({ force: true });
  await expect.poll(() => groundsOfTokens(page)).toBeGreaterThanOrEqual(3);
  await turn.locator("[data-tok]").first().click();
  const number = expect.stringMatching(/^[+−]?[\d.]+(e[+−]?\d+)?$/);
  const named = ["log p", "entropy", "value", "reward", "advantage, whitened", "return"].map((name) => [
    name,
    number,
  ]);
  await expect.poll(() => shownTokenFacts(page)).toMatchObject(Object.fromEntries(named));
  expect(await page.locator("main").innerText()).not.toMatch(NO_NUMBER);
}

/** Every device of every page is lost, as when a driver resets. */
async function crashGpuProcess(): Promise<void> {
  await (await sturdy.newBrowserCDPSession()).send("Browser.crashGpuProcess");
}

/** The run's own device is destroyed while an update is being computed: the test sends the worker what the page could send it. */
async function loseDeviceInUpdate(): Promise<void> {
  await page
    .getByTestId("run-strip")
    .getByText(/playing episodes|optimising/)
    .waitFor();
  const worker = page.workers()[0]!;
  await worker.evaluate(() => {
    const data = { kind: "call", id: -1, command: "loseDevice", arg: null };
    globalThis.dispatchEvent(new MessageEvent("message", { data }));
  });
}

it.each([
  ["the GPU process dies", crashGpuProcess],
  ["its device is lost in the middle of an update", loseDeviceInUpdate],
])("goes on by itself when %s, and counts every update once", async (_, lose) => {
  await train();
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await waitForUpdate(page, (await updatesDone(page)) + 2);
  await lose();
  await page
    .getByText(/device was (reset|lost)/i)
    .first()
    .waitFor();
  const storedUpdates = async () => (await storedMetrics(page)).map(({ update }) => update);
  // Updates since the last checkpoint are computed again, and were stored before the loss.
  const before = Math.max(await updatesDone(page), (await storedUpdates()).length);
  await waitForUpdate(page, before + 2);
  expect(await page.locator("main").innerText()).not.toMatch(NO_NUMBER);

  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  await expect.poll(async () => (await storedUpdates()).length - (await updatesDone(page))).toBe(0);
  const done = await updatesDone(page);
  expect(done).toBeGreaterThanOrEqual(before + 2);
  expect(await storedUpdates()).toEqual(Array.from({ length: done }, (_unused, i) => i + 1));
  expect(notFinite(await storedMetrics(page))).toEqual([]);
});

it("goes back from an alarm to a checkpoint from before it, and waits there with the settings of then", async () => {
  const watch = watchPage(page, open.server.url);
  await train();
  await waitForUpdate(page, 20);
  const rate = page.getByLabel("Actor learning rate", { exact: true }).first();
  await rate.fill(String(RATES.wild));
  await rate.press("Enter");
  await page.getByRole("button", { name: "Apply 1 change to the run" }).click();
  const alarm = page.getByText(/KL spike, since update \d+|alarms: .*KL spike/).first();
  await alarm.waitFor();
  if ((await alarm.innerText()).includes("alarms:")) await alarm.click();
  await page
    .getByRole("button", { name: /^Go back to update \d+$/ })
    .first()
    .click();
  const question = page.getByRole("dialog", { name: /^Go back to update \d+\?$/ });
  const update = Number(/Go back to update (\d+)\?/.exec(await question.innerText())![1]);
  await question
    .getByText(/The charts, traces and checkpoints of \d+ updates? since then are deleted/)
    .waitFor();
  await question.getByRole("button", { name: `Go back to update ${update}` }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  // The button that had asked is gone, and the focus is on what goes on from here.
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/Resume/);
  await expect.poll(() => updatesDone(page)).toBe(update);
  await expect.poll(() => page.getByText("KL spike, since").count()).toBe(0);
  // The log is written again while the run is shown to wait.
  const stored = async () => (await storedMetrics(page)).map((one) => one.update);
  await expect.poll(stored).toEqual(Array.from({ length: update }, (_unused, i) => i + 1));
  // The change came after that checkpoint or is in it; form and run have the same value in either case.
  expect(await page.getByRole("button", { name: /^Apply \d+ change/ }).count()).toBe(0);
  await page.getByRole("button", { name: "Resume" }).click();
  await waitForUpdate(page, update + 1);
  expect(watch.problems()).toEqual([]);
});

it("gets its pictures and those of its trace back when the GPU process dies during a pause", async () => {
  await train();
  await waitForUpdate(page, 1);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const canvases = page.locator("main canvas");
  for (const room of ["#/train", "#/trace"]) {
    await page.goto(`${open.server.url}${room}`);
    if (room === "#/trace") await page.locator("tbody a").first().click();
    // The newest episode may still take the place of the one on screen.
    else await page.getByRole("button", { name: "Freeze" }).click();
    await canvases.first().waitFor();
    const before = await settledColours(canvases);
    await crashGraphics(sturdy, page);
    await expect.poll(() => coloursOf(canvases)).toEqual(before);
  }
});
