// A person plays the level of the preview: on a board, in worlds whose actions have arguments, and in an environment of their own.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";

const open = studio();
const own = (page: Page) => page.getByRole("region", { name: "You play this level" });
const result = (page: Page) => own(page).getByTestId("own-result");

async function begin(page: Page, task: string): Promise<void> {
  await page.getByLabel("Task", { exact: true }).selectOption({ label: task });
  const begins = own(page).getByRole("button", { name: "Play it yourself" });
  await begins.or(own(page).getByTestId("play-on")).first().waitFor();
  if (await begins.isVisible()) await begins.click();
  await result(page).getByText("No action yet.").waitFor();
}

it("plays boards by buttons and keys, and worlds by writing", async () => {
  const page = await (await open.visitor({ viewport: { width: 1440, height: 1000 } })).newPage();
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  await begin(page, "FrozenLake");
  await page.keyboard.press("ArrowRight");
  await result(page)
    .getByText(/1 action/)
    .waitFor();
  await own(page).getByRole("button", { name: "Start again" }).click();
  await result(page).getByText("No action yet.").waitFor();
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
    const field = own(page).getByLabel("Your action");
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
      .getByText(/1 action/)
      .waitFor();
    expect(await axe(page)).toEqual([]);
  }
  expect(watch.problems()).toEqual([]);
});
