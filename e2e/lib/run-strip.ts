// What the strip above a run shows.
import { errors, type Page } from "playwright-core";
import { expect } from "vitest";

/** Updates done and the run's total; zeros before the first. */
export async function stripUpdates(page: Page): Promise<{ done: number; total: number }> {
  const text = await page.getByTestId("run-strip").innerText();
  const [, done = "0", total = "0"] = UPDATES.exec(text) ?? [];
  return { done: Number(done.replaceAll(",", "")), total: Number(total.replaceAll(",", "")) };
}

const UPDATES = /update\s+([\d,]+)(?:\s*\/\s*([\d,]+))?/i;

/** Updates done, as the run strip says. */
export const updatesDone = async (page: Page): Promise<number> => (await stripUpdates(page)).done;

/** Resolves when at least `update` updates are done. Polls inside the page, because every call from outside slows down a page that trains. */
export async function waitForUpdate(page: Page, update: number): Promise<void> {
  const isDone = ({ update, pattern }: { update: number; pattern: RegExp }) => {
    const strip = document.querySelector<HTMLElement>("[data-testid=run-strip]");
    const [, done = "0"] = pattern.exec(strip?.innerText ?? "") ?? [];
    return Number(done.replaceAll(",", "")) >= update;
  };
  await page.waitForFunction(isDone, { update, pattern: UPDATES }, { polling: 100 }).catch((error) => {
    // The expectation below reports the update that was reached.
    if (!(error instanceof errors.TimeoutError)) throw error;
  });
  expect(await updatesDone(page)).toBeGreaterThanOrEqual(update);
}

/** Stops the run for good, by the button and its question. */
export async function stopRun(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: /stop/i }).click();
  await page.getByText("The run was stopped").waitFor();
}
