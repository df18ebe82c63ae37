// Drawings compared by a model of the user's, on the built page: chosen below a drawing, computed in a worker, kept until a reload.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { loadEnv } from "../src/envs/index.ts";
import { pictureOf } from "../src/envs/svg/svg.ts";
import { openSimilarity } from "../src/onnx/image-similarity.ts";
import { pixelModel } from "../src/onnx/test-pixel-model.ts";
import { openSession } from "../src/onnx/testing.ts";
import { caseStudies } from "../src/replay/case-studies.ts";
import { decodeReplay } from "../src/replay/codec.ts";
import { axe } from "./lib/axe.ts";
import { watchPage } from "./lib/browser.ts";
import { waitForUpdate } from "./lib/run-strip.ts";
import { storedMetrics } from "./lib/stored-run.ts";
import { sharedPage, studio } from "./lib/studio.ts";
import { openConfig, startButton } from "./lib/tiny-run.ts";

const open = studio();
const MODEL = pixelModel([1, 3, 32, 32], { output: "vector" });
/** The early policy's first drawing misses the icon, and stands beside it before the second. */
const TRACE = "#/replay/own-drawing/trace/1";
const REPLAY = "#/replay/own-drawing?show=1&turn=2";

/** The first drawing; the trace has the last one, too. */
const comparison = (page: Page) => page.getByTestId("comparison").first();
const models = (page: Page) => comparison(page).getByTestId("similarity-models");
const scores = (page: Page) => comparison(page).getByTestId("model-similarity");
const summary = (page: Page) => models(page).getByText("Compare with your own model");
const choose = (page: Page, title: string, bytes: Uint8Array | string, name = "mine.onnx") =>
  models(page)
    .getByLabel(`${title} model`, { exact: true })
    .setInputFiles({ name, mimeType: "application/octet-stream", buffer: Buffer.from(bytes) });

/** What the page shows of that drawing by `MODEL`, computed here. */
async function expectedScore(kind: string): Promise<string> {
  const id = caseStudies.find((study) => study.id === "own-drawing")!.replays[0]!.id;
  const path = join(import.meta.dirname, `../public/replays/${id}.json`);
  const { icon, drawing } = decodeReplay(JSON.parse(readFileSync(path, "utf8"))).trajectory.turns[0].after
    .facts!;
  await loadEnv("svg");
  const model = await openSimilarity({ kind, name: "", bytes: MODEL }, openSession);
  const [one, other] = [icon, drawing].map((code) => (side: number) => pictureOf(String(code), side));
  return (await model.compare(one!, other!)).toFixed(2);
}

/** For looking at, in the folder that is named. */
async function picture(page: Page, name: string): Promise<void> {
  await models(page).evaluate((element) => element.scrollIntoView({ block: "center" }));
  await page.screenshot({ path: `${process.env.SCREENSHOTS}/${name}.png` });
}

// One page for recordings, in this order: the runtime is loaded when a model is first chosen, and a reload forgets the models.
const shared = sharedPage(open);

it("loads a runtime when a model is chosen, shows its score beside the studio's own, and refuses other files", async () => {
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  const runtimes: string[] = [];
  page.on(
    "request",
    (request) => void (/ort-wasm.*\.wasm$/.test(request.url()) && runtimes.push(request.url())),
  );
  await page.goto(`${open.server.url}${TRACE}`);
  await summary(page).click();
  await models(page).getByText("Choose an image encoder as an ONNX file.").waitFor();
  expect([runtimes.length, await scores(page).count()]).toEqual([0, 0]);

  await choose(page, "DINOv2", MODEL);
  const dino = `DINOv2 (your model) ${await expectedScore("dino")}`;
  await expect.poll(() => scores(page).allInnerTexts()).toEqual([dino]);
  await choose(page, "DreamSim", MODEL, "dreams.onnx");
  const dreamsim = `DreamSim (your model) ${await expectedScore("dreamsim")}`;
  await expect.poll(() => scores(page).allInnerTexts()).toEqual([dino, dreamsim]);
  expect(dreamsim).toMatch(/ 0\.[3-9]\d$/);
  expect(new Set(runtimes).size).toBe(1);

  await choose(page, "DreamSim", "no model", "broken.onnx");
  await models(page)
    .getByRole("alert")
    .getByText(/^DreamSim model: broken\.onnx cannot be used: .* Give an image encoder/)
    .waitFor();
  expect(await scores(page).count()).toBe(2);
  await expect.poll(() => axe(page)).toEqual([]);
  await models(page).getByRole("button", { name: "Remove DreamSim model" }).click();
  await expect.poll(() => scores(page).count()).toBe(1);

  await page.reload();
  await summary(page).waitFor();
  expect(await scores(page).count()).toBe(0);
  expect(watch.problems()).toEqual([]);
});

/** A worker that dies, once, when it is asked to compare. */
function dieOnce(): void {
  const post = Worker.prototype.postMessage;
  let hasDied = false;
  Worker.prototype.postMessage = function (this: Worker, message: { command?: string }, ...rest: [never]) {
    if (hasDied || message.command !== "similarity") return post.call(this, message, ...rest);
    hasDied = true;
    this.dispatchEvent(new Event("error"));
  };
}

it("says why a drawing could not be compared, and tries again", async () => {
  const { page } = shared;
  await page.goto("about:blank");
  await page.goto(`${open.server.url}${REPLAY}`);
  await page.evaluate(dieOnce);
  await summary(page).click();
  await choose(page, "DINOv2", MODEL);
  const alert = comparison(page).getByRole("alert");
  await alert.filter({ hasText: "DINOv2 (your model): The worker that compares drawings" }).waitFor();
  expect(await scores(page).count()).toBe(0);
  await expect.poll(() => axe(page)).toEqual([]);
  await comparison(page).getByRole("button", { name: "Try again with the DINOv2 model" }).click();
  await expect.poll(() => scores(page).allInnerTexts()).toEqual([expect.stringMatching(/ 0\.\d\d$/)]);
  await expect.poll(() => alert.count()).toBe(0);
});

it("fits below a drawing, 1440 and 390 px wide", async () => {
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  const expectFit = async (name: string) => {
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      const shown = () => page.evaluate(() => document.documentElement.scrollWidth);
      await expect.poll(shown).toBeLessThanOrEqual(width);
      // Colours change no size.
      for (const colorScheme of process.env.SCREENSHOTS ? (["light", "dark"] as const) : []) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `${name}-${width}-${colorScheme}`);
      }
    }
  };
  for (const address of [TRACE, REPLAY]) {
    await page.goto(`${open.server.url}${address}`);
    await summary(page).waitFor();
    const name = address === TRACE ? "trace" : "replay";
    await expectFit(`${name}-closed`);
    await summary(page).click();
    await choose(page, "DINOv2", MODEL, "dinov2-with-registers-small-opset17.onnx");
    await expect.poll(() => scores(page).first().innerText()).toMatch(/0\.\d\d$/);
    await choose(page, "DreamSim", pixelModel([1, 4, 8, 8]), "an-encoder-of-another-kind.onnx");
    await models(page)
      .getByRole("alert")
      .getByText(/expected one square picture/)
      .waitFor();
    await expectFit(name);
  }
  expect(watch.problems()).toEqual([]);
});

/** Two episodes an update from the smaller of the policies that ship, paid by DINOv2. */
const PAID = `version: 1
name: Paid icons
env: { name: svg, config: { max_shapes: 1, lattice: 8, resolution: 32, dino_weight: 5 } }
rollout: { prompt_format: grounding, max_turns: 1, train_batch_size: 2, response_length: 48 }
model: { hidden_size: 32, num_hidden_layers: 2, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 80, vision_layers: 2, vision_hidden_size: 64, vision_heads: 2, pixel_shuffle: 1 }
actor: { ppo_mini_batch_size: 2, ppo_epochs: 1, use_kl_loss: false }
trainer: { total_updates: 400, test_freq: 0, val_size: 1, micro_batch_tokens: 512, init_checkpoint: svg-nano-warmup }
sft: { train_batch_size: 4 }
`;

it("pays a run the model that was chosen in the form, and asks for it again after a reload", async () => {
  const page = await (await open.visitor()).newPage();
  const watch = watchPage(page, open.server.url);
  const file = { name: "mine.onnx", mimeType: "application/octet-stream", buffer: Buffer.from(MODEL) };
  await openConfig(page, open.server.url, PAID);
  await page.getByText("The weight of DINOv2 is 5, but no DINOv2 model is chosen.").waitFor();
  await expect.poll(() => startButton(page).isDisabled()).toBe(true);
  expect(await page.getByLabel("DreamSim model", { exact: true }).count()).toBe(0);
  // The level preview is dimmed until its new picture has come.
  await expect.poll(() => axe(page)).toEqual([]);
  await page.getByLabel("DINOv2 model", { exact: true }).setInputFiles(file);
  await startButton(page).click();
  await waitForUpdate(page, 1);
  await expect.poll(async () => (await storedMetrics(page)).length).toBeGreaterThan(0);
  const [first] = await storedMetrics(page);
  expect(first!.values["train/measured/dino"]).toBeGreaterThan(0.5);
  expect(first!.values["critic/score/mean"]).toBeGreaterThan(2);

  await page.reload();
  const notice = page.getByRole("region", { name: "Stored run" }).filter({ hasText: "was interrupted at" });
  const resume = notice.getByRole("button", { name: /resume from update/i });
  await expect.poll(() => resume.isDisabled()).toBe(true);
  await notice.getByLabel("DINOv2 model", { exact: true }).setInputFiles(file);
  await expect.poll(() => resume.isEnabled()).toBe(true);
  expect(watch.problems()).toEqual([]);
});
