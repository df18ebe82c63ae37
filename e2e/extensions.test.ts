// A user pastes an extension, trains with it, loses the network, reloads and continues. Every room opens without a network, and keeps to
// the security policy of the page.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { writeCode } from "./lib/code.ts";
import { watchPolicy } from "./lib/policy.ts";
import { stopRun, updatesDone, waitForUpdate } from "./lib/run-strip.ts";
import { storedMetrics } from "./lib/stored-run.ts";
import { OFFLINE_COPY, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();
const example = readFileSync(join(import.meta.dirname, "../docs/examples/extension.mjs"), "utf8");

async function addExtension(page: Page, name: string, source: string): Promise<void> {
  const editor = page.getByRole("dialog", { name: "Extension" });
  // It stays open after a text that was refused.
  if (!(await editor.isVisible())) await page.getByRole("button", { name: "Add an extension…" }).click();
  await page.getByLabel("Name", { exact: true }).fill(name);
  await writeCode(page, source);
  await page.getByRole("button", { name: /^(Add|Replace)$/ }).click();
}

/** Looks into every room while a run trains, and reads one of its episodes. */
async function visitRooms(page: Page): Promise<void> {
  for (const room of ["#/trace", "#/nowhere", "#/train"]) {
    await page.goto(`${open.server.url}${room}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  }
  await page.goto(`${open.server.url}#/trace`);
  await page.locator("tbody a").first().click();
  await page.getByText("Observation", { exact: true }).first().waitFor();
  await page.goto(`${open.server.url}#/train`);
}

// The copy that the page opens without a network is made by a service worker, which the policy covers as well.
it("trains with the documented example, continues without a network, also after a reload, and keeps to its policy", async () => {
  const context = await open.visitor(OFFLINE_COPY);
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  const refused = await watchPolicy(page);
  await openConfig(page, open.server.url, tinyRun({ updates: 400 }));
  await page.getByRole("radio", { name: "All" }).check({ force: true });
  await page.getByRole("button", { name: "About γ turn", exact: true }).click();
  await page.keyboard.press("Escape");
  const panel = page.getByTestId("extensions");
  await panel.getByText("Extensions").click();
  await panel.getByText(/only paste what you trust/).waitFor();

  await addExtension(page, "broken", 'export default ({ metric }) => metric({ id: "Words" });');
  const editor = page.getByRole("dialog", { name: "Extension" });
  await editor.getByRole("alert").filter({ hasText: "broken: id of the metric" }).waitFor();
  await addExtension(page, "mine", example);
  await panel.getByText("estimator reward_to_go").waitFor();
  await expect.poll(() => panel.getByRole("alert").count()).toBe(0);

  await page.getByLabel("Advantage estimator", { exact: true }).selectOption({ label: "Reward to go" });
  const weight = page.getByLabel("Short replies", { exact: true });
  await weight.fill("0.1");
  await weight.press("Enter");
  if (process.env.SHOTS) await shots(page, process.env.SHOTS);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await startButton(page).click();
  await waitForUpdate(page, 1);
  await page.getByText("Words per reply").first().waitFor();
  await expect.poll(() => panel.getByRole("button", { name: "Remove mine" }).isDisabled()).toBe(true);
  await context.setOffline(true);
  const before = await updatesDone(page);
  await visitRooms(page);
  await waitForUpdate(page, before + 1);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();
  const done = await updatesDone(page);
  const [first] = await storedMetrics(page);
  expect(first?.values["custom_metrics/train/words_per_reply"]).toBeGreaterThan(0);
  expect(first?.values["reward/shorter"]).toBeGreaterThan(0);
  expect(await refused()).toEqual([]);

  // The page forgets its extensions; the run has kept its own.
  await page.evaluate(() => localStorage.removeItem("vagen-extensions"));
  await page.reload();
  const resume = page.getByRole("button", { name: /resume from update [1-9]/i });
  // The form is drawn again when the stored run is found, with its sections closed.
  await resume.waitFor();
  await page.getByTestId("extensions").getByText("Extensions").click();
  expect(await page.getByText("estimator reward_to_go").count()).toBe(0);
  await resume.click();
  await page.getByText("estimator reward_to_go").waitFor();
  await page.getByText("Running").first().waitFor();
  await waitForUpdate(page, done + 1);
  expect(await page.getByText("could not be loaded").count()).toBe(0);
  await stopRun(page);
  expect(await refused()).toEqual([]);
  expect(watch.problems()).toEqual([]);
  await context.setOffline(false);

  // A reload registers again what the page keeps, in page and worker.
  await page.reload();
  await page.getByTestId("extensions").getByText("Extensions").click();
  await page.getByText("estimator reward_to_go").waitFor();
  await page.getByRole("button", { name: "Remove mine" }).click();
  await page.getByText("estimator reward_to_go").waitFor({ state: "detached" });
  expect(watch.problems()).toEqual([]);
  await context.close();
});

/** For a look at the panel: SHOTS=folder npx vitest run --project e2e e2e/extensions.test.ts */
async function shots(page: Page, folder: string): Promise<void> {
  for (const theme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 900 });
      if (width < 1024) {
        await page.getByRole("tab", { name: "Configure" }).click();
        await page.getByTestId("extensions").getByText("Extensions").click();
      }
      await page.getByTestId("extensions").scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${folder}/extensions-${width}-${theme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByTestId("extensions").getByText("Extensions").click();
}
