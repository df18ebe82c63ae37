// What is left of a run when it has ended: it goes on for longer, is downloaded, survives a reload with its traces, and
// is not trained by two tabs at once.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

/** The smallest run that has everything: two updates from a bundled policy. */
const TINY = `version: 1
name: Tiny lake
env: { name: frozenlake, config: { size: 4, p: 0.8, render_mode: vision, max_actions_per_step: 5 } }
rollout: { prompt_format: grounding_worldmodeling, max_turns: 5, train_batch_size: 8, response_length: 56 }
model: { hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 80 }
actor: { ppo_mini_batch_size: 8, ppo_epochs: 1 }
trainer: { total_updates: 2, test_freq: 50, val_size: 8, init_checkpoint: frozenlake-nano-warmup }
`;

async function openTiny(page: Page): Promise<void> {
  await page.goto(open.server.url);
  const file = { name: "tiny.yaml", mimeType: "text/yaml", buffer: Buffer.from(TINY) };
  await page.getByLabel("Open a configuration").setInputFiles(file);
  await page.getByText("the file tiny.yaml").waitFor({ state: "attached", timeout: 60_000 });
  await page.getByTestId("size-estimate").waitFor({ timeout: 60_000 });
}

const startButton = (page: Page) => page.getByRole("button", { name: "Start training" });
const wait = { timeout: 120_000 };

it("goes on after its end, is downloaded, and comes back with its traces", async () => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openTiny(page);
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor(wait);

  await page.getByLabel("How many more updates").fill("1");
  await page.getByRole("button", { name: "Train 1 more update" }).click();
  await page.getByText("Preparing").first().waitFor();
  await page.getByText("The run has finished").waitFor(wait);
  expect(await page.getByTestId("run-strip").innerText()).toMatch(/update\s+3\s*\/\s*3/);
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download checkpoint" }).click();
  expect((await downloading).suggestedFilename()).toMatch(/^tiny-lake-.*-update-000003\.safetensors$/);

  await page.getByLabel("How many more updates").fill("500");
  await page.getByRole("button", { name: "Train 500 more updates" }).click();
  await page.getByText("Running").first().waitFor(wait);
  const other = await context.newPage();
  await openTiny(other);
  await other.getByText("A run is open in another tab").waitFor();
  await other.getByText(/Another tab is training the run Tiny lake/).waitFor();
  expect(await startButton(other).isDisabled()).toBe(true);
  await other.getByRole("button", { name: "Show it as it was last saved" }).click();
  await other.getByText("Shown as it was last saved; another tab trains it").waitFor();
  expect(await other.getByRole("button", { name: "Continue" }).count()).toBe(0);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: /stop/i }).click();
  await page.getByText("The run was stopped").waitFor(wait);
  // Let go of, it can go on in either tab.
  await other.getByRole("button", { name: "Continue" }).waitFor(wait);
  await other.close();

  await page.reload();
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: "Continue" }).waitFor();
  await page.getByRole("link", { name: "Read its episodes" }).click();
  await page.locator("tbody a").first().click();
  await page.getByText("Observation", { exact: true }).first().waitFor();
  expect(watch.problems()).toEqual([]);
  await context.close();
});

it("says which settings a checkpoint of another model needs", async () => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
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
  await startButton(page).click();
  await page.getByText(/The checkpoint holds another model/).waitFor(wait);
  await page.getByText(/Set “Width” to 64, “MLP width” to 176/).waitFor();
  await context.close();
});

it("offers to resume a run that was reloaded in its first minute, without a pause", async () => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openTiny(page);
  await page.getByLabel("PPO updates", { exact: true }).first().fill("400");
  await startButton(page).click();
  await page
    .getByTestId("run-strip")
    .getByText(/update\s+[1-9]/)
    .waitFor(wait);
  // The first checkpoint is written right after the update that the strip shows.
  await page
    .getByTestId("run-strip")
    .getByText(/update\s+[2-9]/)
    .waitFor(wait);
  await page.reload();
  await page.getByRole("button", { name: /resume from update [1-9]/i }).click();
  await page.getByText("Running").first().waitFor(wait);
  expect(watch.problems()).toEqual([]);
  await context.close();
});

it("ends at a total below what is done, and counts what is trained more from there, also after a reload", async () => {
  const context = await open.browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openTiny(page);
  const total = page.getByLabel("PPO updates", { exact: true }).first();
  const strip = page.getByTestId("run-strip");
  await total.fill("400");
  await startButton(page).click();
  await strip.getByText(/update\s+[3-9]/).waitFor(wait);
  await total.fill("1");
  await total.press("Enter");
  await page.getByText(/With PPO updates at 1 it ends after the present one/).waitFor(wait);
  await page.getByRole("button", { name: "Apply 1 change to the run" }).click();
  await page.getByText("The run has finished").waitFor(wait);
  const done = Number(/update\s+(\d+)\s*\/\s*(\d+)/.exec(await strip.innerText())![1]);
  expect(await page.getByLabel("Summary").innerText()).toContain(`at update ${done}, greedy`);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ended.png` });

  await page.getByLabel("How many more updates").fill("1");
  await page.getByRole("button", { name: "Train 1 more update" }).click();
  const more = new RegExp(`update\\s+${done + 1}\\s*/\\s*${done + 1}`);
  await expect.poll(() => strip.innerText(), wait).toMatch(more);
  await page.getByText("The run has finished").waitFor(wait);
  await page.reload();
  await page.getByText(`finished at update ${done + 1}, success`).waitFor(wait);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/stored.png` });
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await expect.poll(() => strip.innerText(), wait).toMatch(more);
  expect(await total.inputValue()).toBe(`${done + 1}`);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/opened.png` });
  expect(watch.problems()).toEqual([]);
  await context.close();
});
