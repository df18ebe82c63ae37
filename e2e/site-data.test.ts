// A browser that blocks site data keeps nothing, and says so; the run can be downloaded.
import { expect, it, onTestFinished } from "vitest";
import { visitWithoutSiteData, watchPage } from "./lib/browser.ts";
import { PATIENCE, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

it("trains without site data, says that nothing is kept, and offers the download", async () => {
  const context = await visitWithoutSiteData();
  onTestFinished(() => context.close());
  context.setDefaultTimeout(PATIENCE);
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, tinyRun({ updates: 1 }));
  await expect(page.evaluate(() => localStorage.length)).rejects.toThrow("SecurityError");
  await startButton(page).click();
  const notice = page.getByRole("status").filter({ hasText: "This browser stores no files for this page" });
  await notice.waitFor();
  await page.getByText("The run has finished").waitFor();
  const downloading = page.waitForEvent("download");
  await notice.getByRole("button", { name: "Download checkpoint" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/\.safetensors$/);
  expect(watch.problems()).toEqual([]);
});
