// Questions about pictures: the card and the level show picture and question, and a trace shows a tool call and its answer.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { waitForUpdate } from "./lib/run-strip.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { openConfig, smallPreset, startButton } from "./lib/tiny-run.ts";
import { coloursOf } from "./lib/trace.ts";

const open = studio();
/** One page for both tests: loading it takes longer than another look at it. */
const shared = sharedPage(open);
const QUESTION = /^(How many (red|blue|green|yellow) (circle|triangle|square)s|How long is A B in units)\?$/;

async function choose(page: Page): Promise<void> {
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: /Visual math nano(?!,)/ }).click();
}

/** For looking at, when a folder is named. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

it("shows picture and question on card and level, 1440 and 390 px wide", async () => {
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  await choose(page);
  const card = page.getByRole("button", { name: /Visual math nano(?!,)/ });
  const level = page.getByRole("region", { name: "Level preview" });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await expect.poll(async () => (await coloursOf(card.locator("canvas")))[0]).toBeGreaterThan(4);
    await expect.poll(() => card.innerText()).toMatch(/\b(How many \w+ \w+|How long is A B in units)\?/);
    await picture(page, `card-${width}`);
    if (width < 1024) await page.getByRole("tab", { name: "Episodes" }).click();
    await expect.poll(() => level.getByTestId("question").innerText()).toMatch(QUESTION);
    await expect
      .poll(async () => (await coloursOf(level.getByTestId("environment").locator("canvas")))[0])
      .toBeGreaterThan(4);
    await level.getByText("Show the answer").waitFor();
    await picture(page, `level-${width}`);
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(width);
  }
  const answer = level.getByText(/^The right answer is \d+\. The agent does not see it\.$/);
  await level.getByText("Show the answer").click();
  await answer.waitFor();
  await level.getByText("Hide the answer").click();
  await answer.waitFor({ state: "hidden" });
  expect(watch.problems()).toEqual([]);
});

it("shows a tool call and what it was answered in the trace", async () => {
  const { page } = shared;
  await page.setViewportSize({ width: 1440, height: 900 });
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, smallPreset("visual-math-nano"));
  await startButton(page).click();
  // Two turns in five call the tool: among the episodes of three updates there is one.
  await waitForUpdate(page, 3);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const turn = await calledTurn(page);
  expect(await turn.getByRole("group", { name: "Tool call" }).innerText()).toMatch(/measure/);
  expect(await turn.getByTestId("tool-answer").innerText()).toMatch(/The tool measure answered \d+/);
  await picture(page, "trace-call");
  expect(watch.problems()).toEqual([]);
});

/** The first turn with a tool call among the recorded episodes, on its trace. */
async function calledTurn(page: Page) {
  await page.goto(`${open.server.url}#/trace`);
  const links = page.getByRole("row").getByRole("link");
  await links.first().waitFor();
  for (let i = 0; i < (await links.count()); i++) {
    await links.nth(i).click();
    const turn = page.getByRole("article", { name: "Turn 1" });
    await turn.waitFor();
    if (await turn.getByTestId("tool-answer").count()) return turn;
    await page.goto(`${open.server.url}#/trace`);
    await links.first().waitFor();
  }
  throw new Error("No recorded episode has called a tool.");
}
