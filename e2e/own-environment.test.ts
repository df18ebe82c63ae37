// A user writes an environment of their own: what is wrong with it is said, and what is right can be looked at and trained on.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { type PageWatch, watchPage } from "./lib/browser.ts";
import { readCode, writeCode } from "./lib/code.ts";
import { stopRun, waitForUpdate } from "./lib/run-strip.ts";
import { PATIENCE, sharedPage, studio } from "./lib/studio.ts";
import { openConfig, startButton } from "./lib/tiny-run.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();

const example = readFileSync(join(import.meta.dirname, "../docs/examples/world.mjs"), "utf8");

const yaml = `version: 1
name: Mine
env: { name: frozenlake, config: { size: 4 } }
rollout: { max_turns: 2, train_batch_size: 2, response_length: 80 }
model: { hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 80 }
sft: { total_updates: 2, one_turn_updates: 1, train_batch_size: 4, target_accuracy: 0 }
actor: { ppo_mini_batch_size: 2, ppo_epochs: 1, use_kl_loss: false }
trainer: { total_updates: 400, test_freq: 500, val_size: 2, micro_batch_tokens: 512 }
`;

/** Fails in a worker whose code reaches the network or the storage. */
const unreachable = `for (const name of ["WebSocket", "XMLHttpRequest", "indexedDB"])
    if (typeof globalThis[name] !== "undefined") throw new Error(name + " can be reached");`;

const inPage = `if (typeof document !== "undefined") throw new Error("the page reads this");`;

/** How the page's clock runs: in a hurry, the ten seconds that code without an end may take are over after one. */
interface Clock {
  isInAHurry?: boolean;
}

/** Its clock can be hurried, and is patient otherwise: on a busy machine, code that does end may take longer than ten seconds. */
const shared = sharedPage(open, {
  visitor: { viewport: { width: 1440, height: 1000 } },
  async begin(page) {
    watch = watchPage(page, open.server.url);
    await page.addInitScript((patience) => {
      const wait = globalThis.setTimeout;
      const limit = () => ((globalThis as Clock).isInAHurry ? 1000 : patience);
      const hurried = (then: TimerHandler, ms?: number, ...args: unknown[]) =>
        wait(then, ms === 10_000 ? limit() : ms, ...args);
      Object.assign(globalThis, { setTimeout: hurried });
    }, PATIENCE);
  },
});
let watch: PageWatch;

/** The page with a configuration and an open list without extensions, whatever the test before has left. */
async function begin(config: string): Promise<Page> {
  const { page } = shared;
  await page.setViewportSize({ width: 1440, height: 1000 });
  await page.keyboard.press("Escape");
  // The test before has left a run at rest.
  if (page.url() !== "about:blank") {
    await page.getByRole("button", { name: "Close this run" }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
  }
  await openConfig(page, open.server.url, config);
  await hurry(page, false);
  const panel = page.getByTestId("extensions");
  if (!(await panel.evaluate((details) => (details as HTMLDetailsElement).open)))
    await panel.getByText("Extensions").click();
  const remove = panel.getByRole("button", { name: /^Remove / });
  for (let left = await remove.count(); left > 0; left--) {
    await remove.first().click();
    await expect.poll(() => remove.count()).toBe(left - 1);
  }
  return page;
}

const hurry = (page: Page, isInAHurry: boolean) =>
  page.evaluate((given) => Object.assign(globalThis, { isInAHurry: given }), isInAHurry);

const editor = (page: Page) => page.getByRole("dialog", { name: "Extension" });

/** The text of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

/** Whether a text can be seen: it is on the screen, and nothing covers its middle. */
const inView = (text: Locator): Promise<boolean> =>
  text.evaluate((element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return element.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  });

async function add(
  page: Page,
  name: string,
  change: (code: string) => string,
  { button, id } = { button: "Example: environment on a board", id: "key_door" },
): Promise<void> {
  if (!(await editor(page).isVisible()))
    await page.getByRole("button", { name: "Add an extension…" }).click();
  if ((await readCode(page)) === "") {
    await page.getByRole("button", { name: button }).click();
    await expect.poll(() => readCode(page)).toContain(id);
  }
  await writeCode(page, change(await readCode(page)));
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByRole("button", { name: /^(Add|Replace)$/ }).click();
}

it("tries an environment where it can do no harm, says what is wrong, and trains on what is right", async () => {
  const page = await begin(yaml);
  const panel = page.getByTestId("extensions");
  const alert = editor(page).getByRole("alert");

  const begins = "start(random) {";
  await add(page, "endless", (code) => code.replace(begins, `${begins} for (;;);`));
  await alert.filter({ hasText: "endless: 1 of 6 checks failed" }).waitFor();
  expect(await inView(alert)).toBe(true);
  // The failure is announced, and the focus stays where it can be tried again.
  expect(await focused(page)).toBe("Add");
  const found = editor(page).getByText(/start failed in line \d+: it did not end within 50 million steps/);
  const [, line] = /line (\d+)/.exec(await found.first().innerText())!;
  // The line is marked, and in view in the editor.
  const marked = editor(page).locator(".cm-wrong");
  expect(await marked.innerText()).toContain("for (;;);");
  await expect.poll(() => inView(marked)).toBe(true);
  await editor(page).locator(".cm-gutterElement").getByText(line!, { exact: true }).waitFor();
  await staysThroughWidths(page);
  // What a built-in function does is not counted.
  const slow = '/^(a+)+$/.test("a".repeat(40) + "b");';
  await hurry(page, true);
  await add(page, "slow", (code) => code.replace("for (;;);", slow));
  await alert.filter({ hasText: "slow: it did not end within 10 seconds. Look for a loop" }).waitFor();
  await hurry(page, false);
  await add(page, "strings", (code) => code.replace(slow, 'new Function("return 1")();'));
  await editor(page)
    .getByText(/EvalError/)
    .first()
    .waitFor();
  await add(page, "calling", (code) =>
    code.replace('new Function("return 1")();', 'fetch("https://example.org/");'),
  );
  await alert.filter({ hasText: "calling: 1 of 6 checks failed" }).waitFor();
  await editor(page).getByText("fetch is not a function").first().waitFor();
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/own-refused.png` });
  // The page never reads a text itself.
  await add(
    page,
    "key and door",
    (code) => `${inPage}\n${code.replace('fetch("https://example.org/");', unreachable)}`,
  );
  const added = "key and door was added. 6 of 6 checks passed.";
  await expect.poll(() => focused(page)).toContain(added);
  expect(await inView(panel.getByText(added))).toBe(true);
  await panel.getByText("Key and door: 6 of 6 checks passed").click();
  await panel.getByText("A plan solves every level, from its start and after another action").waitFor();
  if (folder) await panel.screenshot({ path: `${folder}/own-report.png` });

  await page.getByLabel("Task", { exact: true }).selectOption({ label: "Key and door" });
  const level = page.getByRole("region", { name: "Level preview" });
  await expect
    .poll(async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0])
    .toBeGreaterThanOrEqual(4);
  if (folder) await page.screenshot({ path: `${folder}/own-preview.png` });
  await playByHand(page);
  if (folder) await page.screenshot({ path: `${folder}/own-play.png` });
  await startButton(page).click();
  // Two updates are of SFT.
  await waitForUpdate(page, 3);
  if (folder) await page.screenshot({ path: `${folder}/own-train.png`, fullPage: true });
  await stopRun(page);
  expect(watch.problems()).toEqual([]);
});

/** A window that becomes as narrow as a phone's and wide again keeps the editor, its text and its mark. */
async function staysThroughWidths(page: Page): Promise<void> {
  const text = await readCode(page);
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 1000 });
    // By its attribute, because what is behind a dialog has no role.
    const tab = page.locator("[role=tab]", { hasText: "Configure" });
    await tab.waitFor({ state: width < 1024 ? "attached" : "detached" });
    expect(await readCode(page)).toBe(text);
    expect(await editor(page).locator(".cm-wrong").count()).toBe(1);
    await expect.poll(() => axe(page)).toEqual([]);
  }
}

/** Plays a few moves of the level on screen, one after another without a pause, and takes one back. */
async function playByHand(page: Page, moves = [0, 1, 0]): Promise<void> {
  const level = page.getByRole("region", { name: "You play this level" });
  await page.getByRole("button", { name: "Play it yourself" }).click();
  const move = level.getByRole("group", { name: "Actions" }).getByRole("button");
  const result = level.getByTestId("own-result");
  for (const at of moves) await move.nth(at).click();
  await result.filter({ hasText: "3 actions so far" }).waitFor();
  await level.getByRole("button", { name: "Undo" }).click();
  await result.filter({ hasText: "2 actions so far" }).waitFor();
}

it("draws a world with coordinates, lets a visitor play it, and trains on it", async () => {
  const page = await begin(yaml);
  const world = { button: "Example: environment on a plane", id: "puck" };
  await add(
    page,
    "puck",
    (code) => {
      expect(code).toBe(example);
      return `${inPage}\n${code}`;
    },
    world,
  );
  await page.getByText("puck was added. 7 of 7 checks passed.").waitFor();
  await page.getByLabel("Task", { exact: true }).selectOption({ label: "Puck on ice" });
  const level = page.getByRole("region", { name: "Level preview" });
  const colours = async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0];
  await expect.poll(colours).toBeGreaterThanOrEqual(5);
  // The puck of level 1 glides to the left: it is stopped, pushed up, and stopped.
  await playByHand(page, [4, 1, 2]);
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/own-world.png` });
  await startButton(page).click();
  // Two updates are of SFT.
  await waitForUpdate(page, 3);
  const latest = page.getByRole("region", { name: "Latest episode" });
  await latest.getByRole("button", { name: "Freeze" }).click();
  await stopRun(page);
  await latest.getByRole("link", { name: "Open the trace" }).click();
  await page.getByRole("article").getByTestId("environment").first().waitFor();
  if (folder) await page.screenshot({ path: `${folder}/own-world-trace.png` });
  expect(watch.problems()).toEqual([]);
});

it("reads actions with arguments, from a visitor and from policies", async () => {
  const page = await begin(yaml);
  await add(page, "golf", (code) => code, { button: "Example: actions with arguments", id: "golf" });
  await page.getByText("golf was added. 7 of 7 checks passed.").waitFor();
  await page.getByLabel("Task", { exact: true }).selectOption({ label: "Golf" });
  const level = page.getByRole("region", { name: "Level preview" });
  await level.getByRole("button", { name: "Play it yourself" }).click();
  await level.getByText("putt(way, strength): way is north, northeast, ").waitFor();
  const field = level.getByRole("textbox", { name: "Your action" });
  await field.fill("putt(east, 5)");
  await field.press("Enter");
  const problem = level.getByRole("alert");
  await problem
    .filter({ hasText: 'strength of putt is "5"; it must be a whole number from 4 to 32' })
    .waitFor();
  expect(await axe(page)).toEqual([]);
  await field.fill("Putt(north,4) | putt(south, 4)");
  await field.press("Enter");
  await level.getByTestId("own-result").filter({ hasText: "2 actions so far" }).waitFor();
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/own-arguments.png` });
  await startButton(page).click();
  await waitForUpdate(page, 3);
  await stopRun(page);
  expect(watch.problems()).toEqual([]);
});

/** Never ends in the page, nor in the worker that plays recorded actions. What a regular expression does is not counted. */
const hangsInReplays = `if (typeof document !== "undefined" || globalThis.name === "own-env")
  /^(a+)+$/.test("a".repeat(40) + "b");`;

/** Only demonstrations of an expert, who has one turn for all of the actions: every episode has several in a turn. */
const endlessSft = yaml
  .replace("max_turns: 2", "max_turns: 1")
  .replace(
    "total_updates: 2, one_turn_updates: 1",
    "total_updates: 400, one_turn_updates: 400, random_fraction: 0, expert_fraction: 1",
  );

it("shows episodes of an environment whose code never ends in a replay", async () => {
  const page = await begin(endlessSft);
  const steps = "step(state, action) {";
  await add(page, "key and door", (code) => code.replace(steps, `${steps} ${hangsInReplays}`));
  await page.getByText("key and door was added. 6 of 6 checks passed.").waitFor();
  await page.getByLabel("Task", { exact: true }).selectOption({ label: "Key and door" });
  await startButton(page).click();
  const latest = page.getByRole("region", { name: "Latest episode" });
  await latest.getByRole("button", { name: "Freeze" }).click();
  // A run that goes on would drop the trace while the worker is waited for.
  await stopRun(page);
  await hurry(page, true);
  await latest.getByRole("link", { name: "Open the trace" }).click();
  await page
    .getByText(
      'the state before the turn stands for those between them. The environment "key_door": it did not end within 10 seconds. Correct it and add it again.',
    )
    .first()
    .waitFor();
  const pictures = page.getByRole("article").getByTestId("environment").locator("canvas");
  await expect.poll(async () => (await coloursOf(pictures))[0]).toBeGreaterThanOrEqual(4);
  expect(watch.problems()).toEqual([]);
});

/** Right wherever it is tried and measured, and wrong after some updates of a run. */
const failsInRuns = `
    if (globalThis.name === "training" && (globalThis.steps = (globalThis.steps ?? 0) + 1) > 300) state.nowhere.at;`;

it("leads from a run that an environment broke to its text, and names the run after its task", async () => {
  const page = await begin(endlessSft);
  const steps = "step(state, action) {";
  await add(page, "key and door", (code) => code.replace(steps, `${steps}${failsInRuns}`));
  await page.getByText("key and door was added. 6 of 6 checks passed.").waitFor();
  await page.getByLabel("Task", { exact: true }).selectOption({ label: "Key and door" });
  await startButton(page).click();
  const failed = page.getByRole("alert").filter({ hasText: "The run failed" });
  await failed.getByText(/step failed in line \d+: TypeError/).waitFor();
  await page.getByTestId("run-strip").getByText("Key and door (from Mine)").waitFor();
  await failed.getByText("Technical details").click();
  expect(await failed.locator("code").innerText()).toMatch(/step, line \d+/);
  await page.getByTestId("extensions").getByText("Extensions").click();
  await failed.getByRole("button", { name: "Go to the extensions" }).click();
  const edit = page.getByRole("button", { name: "Edit key and door" });
  await edit.waitFor();
  await expect
    .poll(() =>
      page.evaluate(() => document.activeElement?.closest("[data-testid]")?.getAttribute("data-testid")),
    )
    .toBe("extensions");
});
