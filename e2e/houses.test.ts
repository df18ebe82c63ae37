// A user loads houses of ProcTHOR: a broken file is refused, levels are drawn and played in the houses, and a run keeps them.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { house } from "../src/envs/navigation/procthor/sample-house.ts";
import { watchPage } from "./lib/browser.ts";
import { stopRun, waitForUpdate } from "./lib/run-strip.ts";
import { studio } from "./lib/studio.ts";
import { openConfig, smallPreset, startButton } from "./lib/tiny-run.ts";

const open = studio();

/** Navigation in few and short episodes, without validations, by a model of one layer with random weights: where it walks does not matter. */
function tinyWalk(): string {
  const run = parse(smallPreset("navigation-small", 400, 2));
  run.rollout.max_turns = 2;
  const layers = { num_hidden_layers: 1, vision_layers: 1 };
  Object.assign(run.model, layers, { hidden_size: 32, intermediate_size: 80, vision_hidden_size: 32 });
  Object.assign(run.sft, { total_updates: 0, one_turn_updates: 0 });
  Object.assign(run.actor, { ppo_epochs: 1, use_kl_loss: false });
  Object.assign(run.trainer, {
    micro_batch_tokens: 1024,
    test_freq: 0,
    val_seeds: "95001-95002",
    val_sets: {},
    init_checkpoint: "",
  });
  return stringify(run);
}

const json = (name: string, text: string) => ({
  name,
  mimeType: "application/json",
  buffer: Buffer.from(text),
});
const panel = (page: Page) => page.getByTestId("houses");
const choose = (page: Page, ...files: ReturnType<typeof json>[]) =>
  page.getByLabel("File of houses").setInputFiles(files);

/** What the agent is asked in the level on screen, when it is drawn. */
async function question(page: Page): Promise<string> {
  const level = page.getByRole("region", { name: "Level preview" });
  await expect.poll(() => level.locator("[aria-busy=true]").count()).toBe(0);
  await expect.poll(() => level.getByTestId("question").innerText()).toMatch(/^[A-Z].*\w\.$/);
  return level.getByTestId("question").innerText();
}

it("refuses a broken file, plays and trains in the houses of a good one, and resumes with them", async () => {
  const context = await open.visitor({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, tinyWalk());
  const own = await question(page);

  const broken = { ...house(), rooms: [{ ...house().rooms[0], roomType: "Garage" }] };
  await choose(page, json("broken.json", JSON.stringify(broken)));
  const alert = panel(page).getByRole("alert");
  await alert.filter({ hasText: 'broken.json: rooms[0].roomType is "Garage"' }).waitFor();
  await alert.filter({ hasText: "Use one of: Kitchen" }).waitFor();
  await panel(page).getByText("Tasks can take place in houses from a file").waitFor();
  expect(await question(page)).toBe(own);
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/houses-refused.png` });

  const one = JSON.stringify(house());
  await choose(page, json("houses.json", one), json("more.jsonl", `${one}\n${one}\n`));
  await panel(page).getByText("houses.jsonl: 3 houses. Tasks take place in them.").waitFor();
  await expect.poll(() => alert.count()).toBe(0);
  await panel(page).getByText("4 kinds of objects").click();
  await panel(page).getByText("Apple: 3, left out").waitFor();
  await expect.poll(() => question(page)).not.toBe(own);

  const policy = page.getByRole("region", { name: "A policy plays this level" });
  await policy.getByRole("button", { name: "Let a policy play this level" }).click();
  await policy.getByRole("button", { name: "Play another level" }).waitFor();
  expect(await policy.getByRole("alert").count()).toBe(0);
  if (process.env.SHOTS) await shots(page, process.env.SHOTS);

  await startButton(page).click();
  await waitForUpdate(page, 1);
  await expect.poll(() => panel(page).getByRole("button", { name: "Other houses…" }).isDisabled()).toBe(true);
  await page.getByRole("button", { name: "Pause" }).click();
  await page.getByRole("button", { name: "Resume" }).waitFor();

  // The page forgets its houses; the run has kept its own.
  await page.evaluate(() => localStorage.removeItem("vagen-extensions"));
  await page.reload();
  const resume = page.getByRole("button", { name: /resume from update [1-9]/i });
  await resume.waitFor();
  await resume.click();
  await panel(page).getByText("houses.jsonl: 3 houses.").waitFor();
  await waitForUpdate(page, 2);
  await stopRun(page);

  // A reload loads what the page keeps, in page and worker.
  await page.reload();
  await panel(page).getByText("houses.jsonl: 3 houses.").waitFor();
  await expect.poll(() => question(page)).not.toBe(own);
  await panel(page).getByRole("button", { name: "Remove houses.jsonl" }).click();
  await panel(page).getByText("Tasks can take place in houses from a file").waitFor();
  await expect.poll(() => question(page)).toBe(own);
  expect(watch.problems()).toEqual([]);
  await context.close();
});

/** For a look at the form: SHOTS=folder npx vitest run --project e2e e2e/houses.test.ts */
async function shots(page: Page, folder: string): Promise<void> {
  for (const theme of ["light", "dark"] as const)
    for (const width of [1440, 390]) {
      await page.emulateMedia({ colorScheme: theme });
      await page.setViewportSize({ width, height: 1000 });
      if (width < 1024) await page.getByRole("tab", { name: "Configure" }).click();
      await panel(page).scrollIntoViewIfNeeded();
      await page.screenshot({ path: `${folder}/houses-${width}-${theme}.png` });
    }
  await page.setViewportSize({ width: 1440, height: 1000 });
}
