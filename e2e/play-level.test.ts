// A person plays the level of the preview: on a board, in worlds whose actions have arguments, and in an environment of their own.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { watchPage } from "./lib/browser.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();
/** One page for both tests: loading it takes longer than another task. */
const shared = sharedPage(open);
const own = (page: Page) => page.getByRole("region", { name: "You play this level" });
const result = (page: Page) => own(page).getByTestId("own-result");

/** Runs in the page. */
function isInWindow(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}

async function begin(page: Page, task: string): Promise<void> {
  await page.getByLabel("Task", { exact: true }).selectOption({ label: task });
  const begins = page.getByRole("button", { name: "Play it yourself" });
  await begins.or(own(page).getByTestId("play-on")).first().waitFor();
  if (await begins.isVisible()) await begins.click();
  await result(page)
    .getByText(/^No (action|drawing) yet\.$/)
    .waitFor();
}

it("plays boards by buttons and keys, and worlds by writing", async () => {
  const { page } = shared;
  await page.setViewportSize({ width: 1440, height: 1000 });
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  await begin(page, "FrozenLake");
  // In the one picture of the preview.
  const canvases = page.getByRole("region", { name: "Level preview" }).locator("canvas");
  await expect.poll(() => canvases.count()).toBe(1);
  const walked = (count: number) =>
    result(page)
      .getByText(new RegExp(`${count} action`))
      .waitFor();
  await page.keyboard.press("ArrowRight");
  await walked(1);
  // The button that was clicked is disabled by its click; the keys go on working.
  await own(page).getByRole("button", { name: "Start again" }).click();
  await result(page).getByText("No action yet.").waitFor();
  await page.keyboard.press("ArrowRight");
  await walked(1);
  await own(page).getByRole("button", { name: "Left", exact: true }).click();
  await walked(2);
  await page.keyboard.press("ArrowRight");
  await walked(3);
  await own(page).getByRole("button", { name: "Stop playing" }).click();
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.textContent))
    .toContain("Play it yourself");
  for (const [task, action] of [
    ["Navigation", "turn_left"],
    ["Blackjack", "Hit"],
  ] as const) {
    await begin(page, task);
    await own(page).getByRole("button", { name: action, exact: true }).click();
    await result(page)
      .getByText(/1 action/)
      .waitFor();
  }
  for (const [task, wrong, example] of [
    ["PrimitiveSkill", "pick(1,2)", /^pick/],
    ["SVG reconstruction", "a circle", /^<svg/],
    ["SpatialGym", "fly", /^Observe/],
  ] as const) {
    await begin(page, task);
    const field = own(page).getByLabel(/^Your (action|drawing)$/);
    await field.fill(wrong);
    await field.press("Enter");
    await own(page).getByRole("alert").getByText(`“${wrong}” cannot be read.`).waitFor();
    await own(page)
      .getByRole("group", { name: "Examples" })
      .getByRole("button", { name: example })
      .first()
      .click();
    expect(await own(page).getByRole("alert").count()).toBe(0);
    // The button left the focus in the field.
    await page.keyboard.press("Enter");
    await result(page)
      .getByText(/1 (action|drawing)/)
      .waitFor();
    // A drawing is kept, to be improved.
    await expect.poll(() => field.inputValue()).toMatch(task === "SVG reconstruction" ? /^<svg/ : /^$/);
    await expect.poll(() => axe(page)).toEqual([]);
  }
  expect(watch.problems()).toEqual([]);
});

it("shows a policy's play in the same picture, at once, in each environment of a run", async () => {
  const { page } = shared;
  await page.setViewportSize({ width: 1440, height: 900 });
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  // The test before has left a game.
  if (await own(page).isVisible()) await own(page).getByRole("button", { name: "Stop playing" }).click();
  await page.getByLabel("Preset", { exact: true }).selectOption({ label: "Three tasks small" });
  const level = page.getByRole("region", { name: "Level preview" });
  const environments = level.getByRole("group", { name: "Environment of the level" });
  await environments.getByText("Sokoban").click();
  await level.getByText("Push every box onto a target").waitFor();
  expect(await level.getByLabel("Policy", { exact: true }).inputValue()).toBe("three-tasks-small-trained");
  await level.getByRole("button", { name: "Let a policy play this level" }).click();
  await level.getByText(/^This is the level after turn \d+ of the policy\.$/).waitFor();
  const picture = level.getByTestId("environment");
  expect(await picture.count()).toBe(1);
  const below = picture.locator("xpath=following-sibling::*[1]");
  expect(await below.getByRole("list", { name: "Turns" }).count()).toBe(1);
  await level.getByRole("button", { name: "Play another level" }).waitFor();
  for (const seen of [picture, level.getByTestId("policy-plays").getByRole("status")])
    await expect.poll(() => seen.evaluate(isInWindow)).toBe(true);
  await level.getByText(/^Rewards as configured: those of the environment, and .* for grounding/).waitFor();
  await expect.poll(() => axe(page)).toEqual([]);
  await showsEachLevelOnce(page);
  await environments.getByText("Navigation").click();
  await level.getByText("Walk through a home").waitFor();
  expect(await level.getByTestId("policy-plays").count()).toBe(0);
  expect(watch.problems()).toEqual([]);
});

/** While a policy's next level is drawn, its last picture stays: the level that it began with is not seen again. */
async function showsEachLevelOnce(page: Page): Promise<void> {
  const level = page.getByRole("region", { name: "Level preview" });
  await page.evaluate(keepLabels);
  await level.getByRole("button", { name: "Next level" }).click();
  await expect.poll(() => page.evaluate(keptLabels)).toContainEqual(expect.stringMatching(/, level \d+\./));
  const begun = (await page.evaluate(keptLabels)).filter((label) => /, level \d+\./.test(label));
  const seed = await level.locator(".nums").first().innerText();
  expect(begun.map((label) => /level (\d+)/.exec(label)![1])).toEqual([seed]);
}

/** Runs in the page: keeps what each picture of the level says of itself. */
function keepLabels(): void {
  const labels: string[] = [];
  const place = document.querySelector('section[aria-label="Level preview"]')!;
  const keep = () => {
    const label = place.querySelector("[data-testid=environment] canvas")?.getAttribute("aria-label");
    if (label && label !== labels.at(-1)) labels.push(label);
  };
  new MutationObserver(keep).observe(place, { subtree: true, childList: true, attributes: true });
  Object.assign(globalThis, { labels });
}

/** Runs in the page. */
const keptLabels = () => (globalThis as unknown as { labels: string[] }).labels;
