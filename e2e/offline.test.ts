// The built page once it has been visited: every room opens without a network, and a run goes on.
import { expect, it } from "vitest";
import { updatesDone, waitForUpdate } from "./lib/run-strip.ts";
import { OFFLINE_COPY, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

it("opens every room without a network, trains on, and starts again from its copy", async () => {
  const context = await open.visitor(OFFLINE_COPY);
  const page = await context.newPage();
  await openConfig(page, open.server.url, tinyRun({ updates: 400 }));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await startButton(page).click();
  await waitForUpdate(page, 1);
  await context.setOffline(true);
  const before = await updatesDone(page);
  await page.goto(`${open.server.url}#/trace`);
  await page.locator("tbody a").first().click();
  await page.getByText("Observation", { exact: true }).first().waitFor();
  await page.goto(`${open.server.url}#/nowhere`);
  await page.getByText("There is no such page").waitFor();
  await page.goto(`${open.server.url}#/train`);
  await waitForUpdate(page, before + 1);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();

  await page.reload();
  await page.getByRole("button", { name: /resume from update/i }).click();
  await waitForUpdate(page, before + 1);
  expect(await page.getByText("could not be loaded").count()).toBe(0);
  await context.close();
});

it("loads a room again that could not be loaded before", async () => {
  const context = await open.visitor();
  const page = await context.newPage();
  let blocked = true;
  await page.route(/assets\/trace-.*\.js/, (route) => (blocked ? route.abort() : route.continue()));
  await page.goto(`${open.server.url}#/trace`);
  await page.getByRole("heading", { name: "This view could not be loaded" }).waitFor();
  blocked = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page
    .getByRole("heading", { name: /traces/i })
    .first()
    .waitFor();
  await context.close();
});
