// One policy in several environments: added in the form, trained, and charted and traced apart.
import { buffer, text } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { watchPage } from "./lib/browser.ts";
import { stopRun, waitForUpdate } from "./lib/run-strip.ts";
import { studio } from "./lib/studio.ts";
import { openConfig, startButton } from "./lib/tiny-run.ts";

const open = studio();

const yaml = `version: 1
name: Two worlds
env: { name: frozenlake, config: { size: 4 } }
rollout: { max_turns: 2, train_batch_size: 2, response_length: 56 }
model: { hidden_size: 32, num_hidden_layers: 1, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 80 }
sft: { total_updates: 2, one_turn_updates: 1, train_batch_size: 4, target_accuracy: 0 }
actor: { ppo_mini_batch_size: 2, ppo_epochs: 1, use_kl_loss: false }
trainer: { total_updates: 400, test_freq: 500, val_size: 2, micro_batch_tokens: 512 }
`;

/** The grounds of a chart in the picture that can be saved of it: where it marks SFT, and to the right of that. */
async function groundsInPicture(page: Page, title: string): Promise<number[]> {
  await page.getByRole("radio", { name: "Whole run" }).check({ force: true });
  const chart = page.getByRole("article", { name: title, exact: true });
  const band = chart.locator('rect[fill="var(--reasoning)"]');
  const [x, y, width, height] = await Promise.all(
    ["x", "y", "width", "height"].map(async (name) => Number(await band.getAttribute(name))),
  );
  await chart.getByRole("button", { name: `Numbers of ${title}` }).click();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Picture (PNG)" }).click(),
  ]);
  const chartHeight = Number(await chart.locator("svg.recharts-surface").getAttribute("height"));
  await page.getByRole("button", { name: "Close", exact: true }).click();
  const png = (await buffer(await download.createReadStream())).toString("base64");
  const parts = [x!, x! + width!].map((left) => [left + 2, y!, width! - 4, height!] as const);
  return page.evaluate(commonColours, { png, chartHeight, parts });
}

/** Runs in the page: the most frequent colour in each part of a chart, which lies at the bottom of its picture. */
async function commonColours({
  png,
  chartHeight,
  parts,
}: {
  png: string;
  chartHeight: number;
  parts: readonly (readonly [x: number, y: number, width: number, height: number])[];
}): Promise<number[]> {
  const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d")!;
  context.drawImage(picture, 0, 0);
  return parts.map(([x, y, width, height]) => {
    const top = picture.height - 2 * chartHeight;
    const { data } = context.getImageData(2 * x, top + 2 * y, 2 * width, 2 * height);
    const counts = new Map<number, number>();
    for (const colour of new Uint32Array(data.buffer)) counts.set(colour, (counts.get(colour) ?? 0) + 1);
    return [...counts].sort(([, a], [, b]) => b - a)[0]![0];
  });
}

/**
 * Runs in the page: scrolls the charts to their end, as slowly as a wheel does, and gives what each that was not drawn before showed in its
 * heading in the frames in which it was on screen. A chart without a picture counts as "not drawn".
 */
async function headingsOnScreen(): Promise<Record<string, string[]>> {
  const charts = [...document.querySelectorAll<HTMLElement>("article[data-testid^=chart-]")];
  const isDrawn = (chart: Element) => chart.querySelector("svg.recharts-surface") !== null;
  const below = charts.filter((chart) => !isDrawn(chart));
  let panel = charts[0]!.parentElement!;
  while (!/auto|scroll/.test(getComputedStyle(panel).overflowY)) panel = panel.parentElement!;
  const seen: Record<string, Set<string>> = {};
  const frame = () => new Promise((shown) => requestAnimationFrame(shown));
  const look = () => {
    const room = panel.getBoundingClientRect();
    for (const chart of below) {
      const { top, bottom } = chart.getBoundingClientRect();
      if (top >= room.bottom || bottom <= room.top) continue;
      const heading = isDrawn(chart) ? chart.querySelector("header")!.innerText : "not drawn";
      seen[chart.dataset.testid!] = (seen[chart.dataset.testid!] ?? new Set()).add(heading);
    }
  };
  for (let before = -1; panel.scrollTop > before; ) {
    before = panel.scrollTop;
    panel.scrollTop += 40;
    await frame();
    look();
  }
  return Object.fromEntries(Object.entries(seen).map(([id, headings]) => [id, [...headings]]));
}

/** Adds a set of Sokoban's levels to validate on, after a mistake. */
async function addSet(page: Page): Promise<void> {
  const section = page.getByTestId("validation-sets");
  await section.getByText("Further validation sets").first().click();
  await section.getByRole("button", { name: "Add a set" }).click();
  const set = section.getByRole("listitem");
  const name = set.getByLabel("Name", { exact: true });
  await name.fill("sokoban");
  await name.press("Enter");
  await set.getByText("“sokoban” is taken. Use another name.").waitFor();
  expect(await name.inputValue()).toBe("set");
  await name.fill("short walks");
  await name.press("Enter");
  await set.getByText("It is not a valid name for a set. Use 1 to 60 letters").waitFor();
  const problems = page.getByRole("alert").filter({ hasText: "your attention" });
  await problems.getByText("is “short walks”; it is not a valid name for a set").waitFor();
  // A set that gets another name keeps its row: Tab leads to its next field.
  await name.fill("short_walks");
  await name.press("Tab");
  const remove = set.getByRole("button", { name: "Remove the set short_walks" });
  await expect.poll(() => remove.evaluate((button) => button === document.activeElement)).toBe(true);
  await set.getByLabel("Environment", { exact: true }).selectOption("sokoban");
  await set.getByLabel("Seeds", { exact: true }).fill("9-1");
  await set.getByLabel("Seeds", { exact: true }).press("Enter");
  await set.getByText("9-1 ends before it begins").waitFor();
  // The problem leads to the field, into a part of the form that was closed.
  await section.getByText("Further validation sets").first().click();
  await problems.getByRole("button", { name: "Validation seeds, short_walks" }).click();
  const seeds = set.getByLabel("Seeds", { exact: true });
  await expect.poll(() => seeds.evaluate((field) => field === document.activeElement)).toBe(true);
  await set.getByLabel("Seeds", { exact: true }).fill("7-8");
  await set.getByLabel("Seeds", { exact: true }).press("Enter");
  await set.getByText("Turns and options").click();
  await set.getByLabel("Turns per episode", { exact: true }).fill("1");
  await set.getByLabel("Turns per episode", { exact: true }).press("Enter");
  await set.getByText("Turns and options (1 of its own)").waitFor();
  await set.getByRole("button", { name: "Back to 2: Turns per episode" }).click();
  await set.getByText("Turns and options", { exact: true }).waitFor();
  const folder = process.env.SCREENSHOTS;
  if (folder) await section.screenshot({ path: `${folder}/several-sets.png` });
}

/** The data set of VAGEN-Lite has both environments, with levels as their weights say. */
async function savesForVagen(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save for VAGEN…" }).click();
  const dialog = page.getByRole("dialog", { name: "Save for VAGEN" });
  const folder = process.env.SCREENSHOTS;
  await dialog.getByRole("button", { name: "trainer.yaml" }).waitFor();
  if (folder) await page.screenshot({ path: `${folder}/several-vagen.png` });
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    dialog.getByRole("button", { name: "train.yaml", exact: true }).click(),
  ]);
  const { envs } = parse(await text(await download.createReadStream()));
  expect(envs.map(({ name }: { name: string }) => name)).toEqual(["FrozenLake", "Sokoban"]);
  expect(envs[1].n_envs).toBe(2 * envs[0].n_envs);
  await dialog.getByText("VAGEN, legacy").click();
  await dialog.getByRole("button", { name: "dataset.yaml" }).waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
}

it("trains in two environments that were chosen in the form", async () => {
  const context = await open.visitor({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, yaml);
  const section = page.getByTestId("further-envs");
  await section.getByText("Further environments").first().click();
  await section.getByRole("button", { name: "Sokoban" }).click();
  await section.getByRole("listitem").filter({ hasText: "Sokoban" }).getByLabel("Weight").fill("2");
  await section.getByText("Turns, seeds and options").click();
  await section.getByLabel("Turns per episode", { exact: true }).fill("99");
  await section.getByLabel("Turns per episode", { exact: true }).press("Enter");
  await section
    .getByText(/at most 20/)
    .first()
    .waitFor();
  await section.getByLabel("Turns per episode", { exact: true }).fill("2");
  await section.getByLabel("Turns per episode", { exact: true }).press("Enter");
  const folder = process.env.SCREENSHOTS;
  if (folder) await section.screenshot({ path: `${folder}/several-form.png` });
  await addSet(page);
  await savesForVagen(page);
  await startButton(page).click();
  await waitForUpdate(page, 5);
  await page.getByText("Success rate: sokoban").first().waitFor();
  await page.getByText("Success rate: frozenlake").first().waitFor();
  if (folder) await page.screenshot({ path: `${folder}/several-train.png`, fullPage: true });
  await stopRun(page);
  // Charts far below the screen are not drawn before somebody scrolls to them.
  const charts = page.locator("article[data-testid^=chart-]");
  const drawn = charts.locator("svg.recharts-surface");
  expect(await drawn.count()).toBeGreaterThan(0);
  expect(await drawn.count()).toBeLessThan(await charts.count());
  // One that comes on screen shows what it is to show from its first frame on.
  const undrawn = (await charts.count()) - (await drawn.count());
  const headings = await page.evaluate(headingsOnScreen);
  expect(Object.keys(headings)).toHaveLength(undrawn);
  for (const [id, shown] of Object.entries(headings)) expect(shown, id).toHaveLength(1);
  expect(Object.values(headings).flat()).not.toContain("not drawn");
  const [ofSft, ofPpo] = await groundsInPicture(page, "Throughput");
  expect(ofSft).not.toBe(ofPpo);
  await page.goto(`${open.server.url}#/trace`);
  const rows = page.getByRole("row").filter({ hasText: "Training" });
  await rows.first().waitFor();
  expect(await rows.filter({ hasText: "sokoban" }).count()).toBeGreaterThan(0);
  expect(await rows.filter({ hasText: "frozenlake" }).count()).toBeGreaterThan(0);
  if (folder) await page.screenshot({ path: `${folder}/several-trace.png`, fullPage: true });
  await rows.filter({ hasText: "sokoban" }).first().getByRole("link").click();
  await page.getByRole("article", { name: "Turn 1" }).getByRole("figure").locator("canvas").first().waitFor();
  expect(await page.getByText("cannot be replayed").count()).toBe(0);
  expect(watch.problems()).toEqual([]);
  await context.close();
});
