// The check of the GPU in a real browser: its worker runs kernels on a device of its own, and ends when it is cancelled. The whole
// check takes minutes on a software adapter; its cases run as GPU tests.
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

it("opens from the GPU's name, checks kernels with progress, and can be cancelled", async () => {
  const page = await (await open.visitor()).newPage();
  const watch = watchPage(page, open.server.url);
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("button", { name: "Software GPU" }).click();
  const dialog = page.getByRole("dialog", { name: "Check this GPU" });
  await dialog.getByRole("button", { name: "Start the check" }).click();
  // A later variant is reached when the first has run all of its cases; the small ones are over in a moment.
  await dialog.getByText(/^(?!1 )\d+ of \d+: \w+/).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.getByRole("button", { name: "Start the check" }).waitFor();
  await expect.poll(() => page.workers().some((worker) => worker.url().includes("check-worker"))).toBe(false);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "hidden" });
  expect(watch.problems()).toEqual([]);
});
