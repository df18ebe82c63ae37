// What is left of a run when it has ended: it goes on for longer, is downloaded, survives a reload with its traces, and
// is not trained by two tabs at once.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { type PageWatch, watchPage } from "./lib/browser.ts";
import { stopRun, stripUpdates, updatesDone, waitForUpdate } from "./lib/run-strip.ts";
import { storedCheckpoints } from "./lib/stored-run.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

const openTiny = (page: Page) => openConfig(page, open.server.url, tinyRun());

/** In the run strip, and in the summary where that is shown. */
const continueButtons = (page: Page) => page.getByRole("button", { name: "Continue", exact: true });

/** Reports an alarm of the run on screen as the training worker does. It advises to go back to a checkpoint. */
async function raiseAlarm(
  page: Page,
  title: string,
  update: number,
  state: "begun" | "over" = "begun",
): Promise<void> {
  const runId = await page.evaluate(() => JSON.parse(sessionStorage.getItem("vagen-draft")!).runId as string);
  const said = { meaning: "A test.", remedy: "Go back to a checkpoint.", evidence: [] };
  const event = {
    type: "alarm",
    alarm: title,
    title,
    state,
    severity: "warning",
    began: update,
    update,
    ...said,
  };
  await page
    .workers()[0]!
    .evaluate((data) => globalThis.postMessage(data), { kind: "event", runId, event } as const);
}

/** Runs in the page: ages are written again twice a second, and not every ten seconds. */
function hurryAges(): void {
  const repeat = globalThis.setInterval;
  const hurried = (then: TimerHandler, ms?: number, ...args: unknown[]) =>
    repeat(then, ms === 10_000 ? 500 : ms, ...args);
  Object.assign(globalThis, { setInterval: hurried });
}

describe("a run of 400 updates", () => {
  // One run for all tests, each of which goes on where the one before ends, with few reloads before it trains: the first start after
  // a reload compiles every kernel.
  let page: Page;
  let watch: PageWatch;
  sharedPage(open, {
    begin: async (fresh) => {
      page = fresh;
      watch = watchPage(page, open.server.url);
      await page.addInitScript(hurryAges);
    },
  });

  /** Whether a test is tried again: its page is new, without what the tests before have left. */
  const isAnew = () => page.url() === "about:blank";
  const startAnew = async (updates: number) => {
    await openConfig(page, open.server.url, tinyRun({ updates }));
    await startButton(page).click();
  };
  const finishAnew = async () => {
    await startAnew(2);
    await page.getByText("The run has finished").waitFor();
  };

  const trainMore = async (count: number) => {
    await page.getByLabel("How many more updates").fill(`${count}`);
    const name = `Train ${count} more ${count === 1 ? "update" : "updates"}`;
    await page.getByRole("button", { name, exact: true }).click();
  };

  it("says which settings a checkpoint of another model needs", async () => {
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
    // The worker reads it to estimate the size of the run, and refuses what could not start.
    await page.getByText(/The checkpoint holds another model/).waitFor();
    await page.getByText(/Set “Width” to 64, “MLP width” to 176/).waitFor();
    await expect.poll(() => startButton(page).isDisabled()).toBe(true);
    // Another configuration lets the file be opened again.
    await page.getByLabel("Preset", { exact: true }).selectOption({ label: "FrozenLake nano" });
    await page.getByText("the file run.yaml").waitFor({ state: "detached" });
  });

  it("says that a run was lost that was reloaded before it was first saved, and has its settings", async () => {
    await openTiny(page);
    const total = page.getByLabel("PPO updates", { exact: true }).first();
    await total.fill("400");
    await startButton(page).click();
    await page.getByText("Preparing").first().waitFor();
    await page.reload();
    await page
      .getByText(/Tiny lake was lost, .* Its settings, with any later changes, are in the form/)
      .waitFor();
    expect(await total.inputValue()).toBe("400");
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/lost.png` });
    expect(watch.problems()).toEqual([]);
  });

  it("offers to resume a run that was reloaded in its first minute, without a pause", async () => {
    if (isAnew()) {
      await openTiny(page);
      await page.getByLabel("PPO updates", { exact: true }).first().fill("400");
    }
    await startButton(page).click();
    // The first checkpoint is written right after the first update.
    await waitForUpdate(page, 2);
    await page.reload();
    const heading = page.getByRole("heading", { name: "Configure" });
    const before = await heading.boundingBox();
    const resume = page.getByRole("button", { name: /resume from update [1-9]/i });
    await resume.waitFor();
    // What arrives late moves nothing.
    expect(await heading.boundingBox()).toEqual(before);
    const rate = page.getByLabel("Actor learning rate", { exact: true }).first();
    await rate.fill("0.0002");
    await rate.press("Enter");
    // The edit stays in the form, which says so before the click, and is applied as in any other run.
    await page.getByTestId("kept-edits").getByText("Actor learning rate").waitFor();
    const changed = page.getByRole("button", { name: "2 changed" });
    await changed.waitFor();
    const apply = page.getByRole("button", { name: "Apply 1 change to the run" });
    const preparing = page.getByText(/The run is still being prepared/);
    const refused = preparing.locator("xpath=following-sibling::button[@disabled]").and(apply);
    // Looked for from the click on: on a busy machine, the run may be prepared when the next step begins.
    await Promise.all([refused.waitFor(), resume.click()]);
    await page.getByText("Running").first().waitFor();
    await expect.poll(() => apply.isEnabled()).toBe(true);
    expect([await rate.inputValue(), await changed.count()]).toEqual(["2e-4", 1]);
    await page.getByRole("button", { name: "Undo (Ctrl+Z)" }).click();
    await apply.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "1 changed" }).waitFor();
    expect(watch.problems()).toEqual([]);
  });

  it("is trained by one tab at a time, and comes back with its traces", async () => {
    if (isAnew()) await startAnew(400);
    await waitForUpdate(page, 4);
    // A run that waits leaves the processor to the other tab, and is still this tab's.
    await page.getByRole("button", { name: "Pause", exact: true }).click();
    const other = await page.context().newPage();
    await other.goto(`${open.server.url}#/train`);
    await other.getByText("A run is open in another tab").waitFor();
    await other.getByText(/Another tab is training the run Tiny lake/).waitFor();
    await expect.poll(() => startButton(other).isDisabled()).toBe(true);
    await other.getByRole("button", { name: "Show it as it was last saved" }).click();
    await other.getByText("Shown as it was last saved; another tab trains it").waitFor();
    expect(await continueButtons(other).count()).toBe(0);
    await page.getByRole("button", { name: "Resume", exact: true }).click();
    await page.getByText("Running").first().waitFor();
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    const question = page.getByRole("dialog", { name: "Stop the run?" });
    // Each answer has one button, and Enter does not stop the run.
    expect(await question.getByRole("button").allInnerTexts()).toEqual(["Stop the run", "Keep going"]);
    await page.keyboard.press("Enter");
    await question.waitFor({ state: "hidden" });
    await page.getByText("Running").first().waitFor();
    await stopRun(page);
    // Once the run has stopped, either tab can continue it.
    await continueButtons(other).first().waitFor();
    await other.close();

    await page.reload();
    await page.getByRole("button", { name: "Open", exact: true }).click();
    await continueButtons(page).first().waitFor();
    // Where the episodes and the configuration hide the summary, the run strip has the button.
    await page.setViewportSize({ width: 390, height: 844 });
    for (const tab of ["Configure", "Episodes"]) {
      await page.getByRole("tab", { name: tab }).click();
      await expect.poll(() => continueButtons(page).count()).toBe(1);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    // The button that hides the panel is on the line of its heading.
    const episodes = page.getByRole("region", { name: "Latest episode" });
    const heading = (await episodes.getByRole("heading").first().boundingBox())!;
    const hide = (await episodes.getByRole("button", { name: "Hide this panel" }).boundingBox())!;
    expect(Math.abs(hide.y + hide.height / 2 - heading.y - heading.height / 2)).toBeLessThan(8);
    await page.getByRole("link", { name: "Read its episodes" }).click();
    await page.locator("tbody a").first().click();
    await page.getByText("Observation", { exact: true }).first().waitFor();
    expect(watch.problems()).toEqual([]);
  });

  it("goes back to one of its stored checkpoints, and waits there", async () => {
    if (isAnew()) await finishAnew();
    await page.goto(`${open.server.url}#/train`);
    const checkpoints = page.locator("details", { hasText: "Checkpoints" });
    await checkpoints.locator("summary").click();
    const buttons = checkpoints.getByRole("button", { name: /^Go back to update \d+$/ });
    const offered = async () => (await buttons.allInnerTexts()).map((text) => Number(/\d+/.exec(text)![0]));
    const [, ...earlier] = await storedCheckpoints(page);
    await expect.poll(offered).toEqual(earlier);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/checkpoints.png` });
    const update = earlier.at(-1)!;
    await buttons.last().click();
    const question = page.getByRole("dialog", { name: `Go back to update ${update}?` });
    await question.getByRole("button", { name: `Go back to update ${update}` }).click();
    await page.getByRole("button", { name: "Resume", exact: true }).waitFor();
    await expect.poll(() => updatesDone(page)).toBe(update);
    await expect.poll(() => storedCheckpoints(page)).toEqual([update]);
    await checkpoints.getByText("No earlier checkpoint is stored").waitFor();
    expect(watch.problems()).toEqual([]);
  });

  it("ends at a total below what is done, and counts what is trained more from there, also after a reload", async () => {
    const total = page.getByLabel("PPO updates", { exact: true }).first();
    if (isAnew()) await startAnew(400);
    else await page.getByRole("button", { name: "Resume", exact: true }).click();
    await waitForUpdate(page, 3);
    await total.fill("1");
    await total.press("Enter");
    await page.getByText(/With PPO updates at 1 it ends after the present one/).waitFor();
    const charts = page.getByRole("heading", { name: "Overview" });
    const toolbar = page.getByLabel("Smoothing");
    const distance = async () => (await charts.boundingBox())!.y - (await toolbar.boundingBox())!.y;
    let before = Number.NaN;
    // Charts that have just come on screen may still settle.
    await expect
      .poll(async () => {
        const last = before;
        before = await distance();
        return before === last;
      })
      .toBe(true);
    expect(await page.getByText("setting changed", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Apply 1 change to the run" }).click();
    await page.getByText("The run has finished").waitFor();
    // The legend has a word more, and the charts are where they were.
    await page.getByText("setting changed", { exact: true }).waitFor();
    await expect.poll(distance).toBe(before);
    const summary = page.getByLabel("Summary");
    const done = Number(/at update (\d+): sampled/.exec(await summary.innerText())?.[1]);
    await expect.poll(() => stripUpdates(page)).toMatchObject({ done });
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ended.png` });

    await trainMore(1);
    const oneMore = { done: done + 1, total: done + 1 };
    await expect.poll(() => stripUpdates(page)).toEqual(oneMore);
    await page.getByText("The run has finished").waitFor();
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download checkpoint" }).click();
    const update = `${done + 1}`.padStart(6, "0");
    expect((await downloading).suggestedFilename()).toMatch(
      new RegExp(`^tiny-lake-.*-update-${update}\\.safetensors$`),
    );

    await page.reload();
    await page.getByText(`Tiny lake finished at update ${done + 1}; saved`).waitFor();
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/stored.png` });
    expect(watch.problems()).toEqual([]);
  });

  it("is offered on Train only, until the offer is dismissed for the session, with an age that grows", async () => {
    if (isAnew()) {
      await finishAnew();
      await page.reload();
    }
    const offer = page
      .getByRole("region", { name: "Stored run" })
      .filter({ hasText: "Tiny lake finished at" });
    // It was saved some seconds ago; on a busy machine, some minutes.
    const age = async () => {
      const [, time] = /saved (just now|\d+ s ago|\d+ min ago)/.exec(await offer.innerText())!;
      return time!.endsWith("min ago") ? Number.parseInt(time!, 10) : 0;
    };
    const before = await age();
    expect((await offer.boundingBox())!.height).toBeLessThan(60);
    await page.evaluate(() => {
      const now = Date.now.bind(Date);
      Date.now = () => now() + 5 * 60_000;
    });
    await expect.poll(age).toBeGreaterThanOrEqual(before + 5);
    for (const address of ["#/", "#/replay/wrong-belief", "#/trace"]) {
      await page.goto(`${open.server.url}${address}`);
      await page.getByRole("heading", { level: 1 }).first().waitFor();
      expect(await offer.count(), address).toBe(0);
    }
    await page.goto(`${open.server.url}#/train`);
    await offer.getByRole("button", { name: "Dismiss for this session" }).click();
    await page.reload();
    // The list stays within reach, where the offer is not.
    await page.getByRole("button", { name: "Stored runs: resume" }).click();
    const list = page.getByRole("list", { name: "Stored runs" });
    await list.getByText(/Tiny lake finished at update \d+, success .*; saved/).waitFor();
    expect(await offer.count()).toBe(0);
    await expect.poll(() => axe(page)).toEqual([]);
    await list.getByRole("button", { name: "Open", exact: true }).click();
    await page.getByText("The run has finished").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
    const [done] = await storedCheckpoints(page);
    await expect.poll(() => stripUpdates(page)).toEqual({ done, total: done });
    const total = page.getByLabel("PPO updates", { exact: true }).first();
    await expect.poll(() => total.inputValue()).toBe(`${done}`);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/opened.png` });
    expect(watch.problems()).toEqual([]);
  });

  it("keeps a question open, modal and focused while alarms come and come again", async () => {
    if (isAnew()) await finishAnew();
    await page.goto(`${open.server.url}#/train`);
    const [update, earlier] = await storedCheckpoints(page);
    await raiseAlarm(page, "One", update!);
    await page.getByRole("button", { name: `Go back to update ${earlier}` }).click();
    const question = page.getByRole("dialog", { name: `Go back to update ${earlier}?` });
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await expect.poll(focused).toBe("Stay here");
    for (const [alarm, title] of [
      ["Two", "2 alarms: One, Two"],
      ["Three", "3 alarms: One, Two, Three"],
      ["One", "3 alarms: Two, Three, One"],
    ] as const) {
      await raiseAlarm(page, alarm, update!);
      await page.getByText(title).waitFor({ state: "attached" });
      await expect.poll(() => question.evaluate((dialog) => dialog.matches(":modal"))).toBe(true);
      await expect.poll(focused).toBe("Stay here");
    }
    const stay = question.getByRole("button", { name: "Stay here" });
    await stay.click();
    // The button is another one by now, on a line that was closed.
    await expect.poll(focused).toBe(`Go back to update ${earlier}`);
    expect(await page.evaluate(() => document.activeElement?.closest("li")?.textContent)).toMatch(/^One/);
    await page.keyboard.press("Enter");
    await raiseAlarm(page, "One", update!, "over");
    await page.getByText("One (over)").waitFor({ state: "attached" });
    await stay.click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Alarms");
    await question.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Dismiss", exact: true }).click();
    await page.getByText("3 alarms").waitFor({ state: "detached" });
    expect(watch.problems()).toEqual([]);
  });

  it("leaves the list of stored runs open when a run is kept or discarded, the last one too", async () => {
    if (isAnew()) await finishAnew();
    await page.goto(`${open.server.url}#/train`);
    await page.getByRole("button", { name: "Close this run" }).click();
    await page.getByRole("button", { name: "Stored runs: resume" }).click();
    const list = page.getByRole("dialog", { name: "Stored runs" });
    // A turned tablet does not close it either.
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await expect.poll(() => page.locator("[role=tablist]").count()).toBe(width === 390 ? 1 : 0);
      await list.waitFor();
    }
    const discard = list.getByRole("button", { name: "Discard", exact: true });
    await discard.click();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Discard the run" }).waitFor({ state: "detached" });
    await discard.click();
    await page.getByRole("button", { name: "Discard the run" }).click();
    await list.getByText("No other stored run can be opened or discarded here.").waitFor();
    expect(watch.problems()).toEqual([]);
  });
});
