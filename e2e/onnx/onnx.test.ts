// A policy plays in ONNX Runtime, on the built page, without WebGPU and without a request to another origin. That the policy of a run is
// exported and plays: finished-run.test.ts.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser, watchPage } from "../lib/browser.ts";
import { playButton, playedToEnd, player } from "../lib/policy-player.ts";
import { OFFLINE_COPY, sharedPage, studio } from "../lib/studio.ts";
import { openConfig, tinyRun } from "../lib/tiny-run.ts";

const open = studio();
let withoutWebgpu: Browser;
beforeAll(async () => {
  withoutWebgpu = await launchBrowser({ withoutWebgpu: true });
});
afterAll(() => withoutWebgpu?.close());

// One page without WebGPU: it keeps the runtime that it has loaded.
const shared = sharedPage(open, { visitor: OFFLINE_COPY, from: () => withoutWebgpu });

it("plays levels to their end without WebGPU, and again without a network", async () => {
  const { page } = shared;
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

  await page.context().setOffline(true);
  await page.reload();
  await playButton(page).click();
  await playedToEnd(page);
  await page.getByRole("button", { name: "Another level" }).click();
  await playedToEnd(page);
  expect(watch.foreignRequests).toEqual([]);
  expect(watch.pageErrors).toEqual([]);
  expect(new Set(wasm).size).toBe(1);
  await page.context().setOffline(false);
});

it("lets the policy of a recording try again from a turn, without WebGPU", async () => {
  const { page } = shared;
  const watch = watchPage(page, open.server.url);
  // In the last turn of this episode the gift is one step away.
  await page.goto(`${open.server.url}#/replay/base-full?show=2&turn=5`);
  await page.getByRole("button", { name: /^Let the policy retry/ }).click();
  const tries = page.getByTestId("tries");
  await tries.getByText(/\d+ of 10 tries from turn 5 succeed\./).waitFor();
  expect(Number(/(\d+) of 10/.exec(await tries.innerText())?.[1])).toBeGreaterThan(5);
  expect(watch.problems()).toEqual([]);
});

it("plays a level on the GPU when that is chosen, and stays on the CPU while its runtime cannot be loaded", async () => {
  const context = await open.visitor(OFFLINE_COPY);
  const page = await context.newPage();
  const watch = watchPage(page, open.server.url);
  const wasm: string[] = [];
  page.on("request", (request) => void (request.url().endsWith(".wasm") && wasm.push(request.url())));
  // One turn a level: a software adapter takes seconds for each.
  await openConfig(page, open.server.url, tinyRun().replace("max_turns: 3", "max_turns: 1"));
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
