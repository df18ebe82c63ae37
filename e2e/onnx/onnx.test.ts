// A policy plays in ONNX Runtime, on the built page, without WebGPU and without a request to another origin.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, watchPage } from "../lib/browser.ts";
import { OFFLINE_COPY, studio } from "../lib/studio.ts";
import { openConfig, startButton, tinyRun } from "../lib/tiny-run.ts";

const open = studio();
let withoutWebgpu: Browser;
beforeAll(async () => {
  withoutWebgpu = await launchBrowser({ withoutWebgpu: true });
});
afterAll(() => withoutWebgpu?.close());

const player = (page: Page) => page.getByRole("region", { name: "A policy plays this level" });
const playButton = (page: Page) => page.getByRole("button", { name: "Let a policy play this level" });

/** Waits until the episode on screen is over; returns its outcome. */
async function playedToEnd(page: Page): Promise<string> {
  const status = page.getByTestId("policy-plays").getByRole("status");
  await status
    .getByText(/^.(?: )?(Success|Failed|Out of turns)/)
    .first()
    .waitFor();
  return status.innerText();
}

it("plays levels to their end without WebGPU, and again without a network", async () => {
  const context = await open.visitor(OFFLINE_COPY, withoutWebgpu);
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  const wasm: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".wasm") && wasm.push(request.url())));
  await page.goto(`${open.server.url}#/train`);
  expect(await page.evaluate(async () => (await navigator.gpu?.requestAdapter()) ?? null)).toBe(null);
  await playButton(page).waitFor();
  // The runtime is large: no visit pays for it before it is used.
  expect(wasm).toEqual([]);
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);

  await playButton(page).click();
  expect(await playedToEnd(page)).toMatch(/Success|Failed|Out of turns/);
  const facts = await page.getByTestId("onnx-facts").innerText();
  expect(facts).toMatch(
    /^Policy \d+\.\d MiB, ONNX Runtime 13\.6 MiB on the CPU \(WebAssembly\), opened in \d+\.\d s, \d+\.\d ms a token$/,
  );
  const turns = page.getByRole("list", { name: "Turns" }).getByRole("button");
  expect(await turns.count()).toBeGreaterThan(0);
  await turns.first().click();
  await page.getByTestId("policy-plays").getByText("Observation", { exact: true }).waitFor();

  // Another level on screen ends the episode of the one before, which nothing could stop any more.
  await playButton(page).click();
  await page.getByRole("button", { name: "Next level" }).click();
  await playButton(page).waitFor();
  expect(await page.getByTestId("policy-plays").count()).toBe(0);
  await page.getByRole("button", { name: "Previous level" }).click();
  await playButton(page).waitFor();
  expect(await page.getByTestId("policy-plays").count()).toBe(0);

  await context.setOffline(true);
  await page.reload();
  await playButton(page).click();
  await playedToEnd(page);
  await page.getByRole("button", { name: "Another level" }).click();
  await playedToEnd(page);
  expect(watch.foreignRequests).toEqual([]);
  expect(watch.pageErrors).toEqual([]);
  expect(new Set(wasm).size).toBe(1);
  await context.close();
});

it("plays a level on the GPU when that is chosen, and stays on the CPU while its runtime cannot be loaded", async () => {
  const context = await open.visitor(OFFLINE_COPY);
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  const wasm: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".wasm") && wasm.push(request.url())));
  await page.goto(`${open.server.url}#/train`);
  await playButton(page).waitFor();
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  const runOn = (name: string) => page.getByRole("radio", { name });
  expect(await runOn("CPU (WebAssembly)").isChecked()).toBe(true);
  expect(wasm).toEqual([]);

  await context.setOffline(true);
  await playButton(page).click();
  await player(page).getByRole("alert").getByText("frozenlake-nano-trained could not be loaded.").waitFor();
  await context.setOffline(false);
  await playButton(page).click();
  await playedToEnd(page);
  expect(wasm.length).toBe(1);
  await context.setOffline(true);
  await page.getByText("GPU (WebGPU)", { exact: true }).click();
  await player(page).getByRole("alert").getByText("ONNX Runtime could not be loaded.").waitFor();
  expect(await runOn("CPU (WebAssembly)").isChecked()).toBe(true);
  await context.setOffline(false);

  await page.getByText("GPU (WebGPU)", { exact: true }).click();
  const loading = page.getByText("Loading the policy and ONNX Runtime for the GPU…");
  await loading.waitFor({ state: "detached" });
  await player(page).getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(() => runOn("GPU (WebGPU)").isChecked()).toBe(true);
  await playButton(page).click();
  expect(await playedToEnd(page)).toMatch(/Success|Failed|Out of turns/);
  expect(await page.getByTestId("onnx-facts").innerText()).toMatch(
    /^Policy \d+\.\d MiB, ONNX Runtime 25\.5 MiB on the GPU \(WebGPU\), opened in \d+\.\d s, \d+\.\d ms a token$/,
  );
  expect(new Set(wasm).size).toBe(2);
  // Kept for visits without a network.
  const isKept = (url: string) => page.evaluate(async (url) => Boolean(await caches.match(url)), url);
  expect(await Promise.all([...new Set(wasm)].map(isKept))).toEqual([true, true]);
  expect(watch.foreignRequests).toEqual([]);
  expect(watch.pageErrors).toEqual([]);
  await context.close();
});

it("exports the run's policy as ONNX and plays with it; refuses a broken file and keeps what was open", async () => {
  const context = await open.visitor();
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  await openConfig(page, open.server.url, tinyRun({ updates: 1 }));
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Export as ONNX" }).first().click();
  const path = join(await mkdtemp(join(tmpdir(), "onnx-")), "mine.onnx");
  await (await download).saveAs(path);
  expect((await download).suggestedFilename()).toMatch(/\.onnx$/);

  const visit = await context.newPage();
  const watchVisit = watchPage(visit, open.server.url);
  await visit.goto(`${open.server.url}#/train`);
  const choose = (file: Parameters<ReturnType<Page["getByLabel"]>["setInputFiles"]>[0]) =>
    visit.getByLabel("ONNX file").setInputFiles(file);
  await playButton(visit).waitFor();
  const broken = { name: "mine.onnx", mimeType: "application/octet-stream", buffer: Buffer.from("no model") };
  await choose(broken);
  await player(visit).getByRole("alert").getByText("mine.onnx is not an ONNX file").waitFor();
  const kept = player(visit).getByLabel("Policy", { exact: true }).locator("option:checked");
  await expect.poll(() => kept.innerText()).toBe("FrozenLake nano, trained");
  await choose(path);
  await player(visit).getByRole("alert").waitFor({ state: "detached" });
  await expect.poll(() => kept.innerText()).toBe("mine.onnx");
  await playButton(visit).click();
  await playedToEnd(visit);
  await player(visit).getByText("Judge and turns are those of the file: the rule").waitFor();
  await player(visit).getByText("and at most 3 turns.").waitFor();

  // Either can be chosen again.
  const policies = player(visit).getByLabel("Policy", { exact: true });
  await policies.selectOption({ label: "FrozenLake nano, trained" });
  await choose(broken);
  const refusal = player(visit).getByRole("alert");
  await refusal.waitFor();
  await playButton(visit).click();
  await refusal.waitFor({ state: "detached" });
  await playedToEnd(visit);
  await player(visit).getByText("Judge and turns are those of the configuration: the rule").waitFor();
  await policies.selectOption({ label: "mine.onnx" });
  await playButton(visit).click();
  await playedToEnd(visit);
  await player(visit).getByText("those of the file").waitFor();
  expect(watchVisit.problems()).toEqual([]);
  expect(watch.problems()).toEqual([]);
  await context.close();
});

it("lets the policy of a recording try again from a turn, without WebGPU", async () => {
  const page = await (await open.visitor({}, withoutWebgpu)).newPage();
  const watch = watchPage(page, open.server.url);
  // In the last turn of this episode the gift is one step away.
  await page.goto(`${open.server.url}#/replay/base-full?show=2&turn=5`);
  await page.getByRole("button", { name: /^Let the policy retry/ }).click();
  const tries = page.getByTestId("tries");
  await tries.getByText(/\d+ of 10 tries from turn 5 succeed\./).waitFor();
  expect(Number(/(\d+) of 10/.exec(await tries.innerText())?.[1])).toBeGreaterThan(5);
  expect(watch.problems()).toEqual([]);
});
