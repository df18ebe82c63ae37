// A language model as judge in the page: a server of this test plays an OpenAI-compatible endpoint, and misbehaves.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Page } from "playwright-core";
import { afterEach, expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { stopRun, waitForUpdate } from "./lib/run-strip.ts";
import { judgeTotal, metricsOfRuns, storedMetrics } from "./lib/stored-run.ts";
import { studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();
const KEY = "sk-test-0123456789";

interface Endpoint {
  url: string;
  /** The authorization of each request, in order. */
  seen: (string | undefined)[];
}

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

/** Lets pages ask it; is too busy for the first request, knows one key, and says YES where the claim names row 0. */
async function endpoint(): Promise<Endpoint> {
  const seen: Endpoint["seen"] = [];
  server = createServer(async (request, response) => {
    const allow = {
      "access-control-allow-origin": "*",
      "access-control-allow-headers": "authorization, content-type",
    };
    if (request.method === "OPTIONS") return void response.writeHead(204, allow).end();
    let text = "";
    for await (const chunk of request) text += chunk;
    const nth = seen.push(request.headers.authorization);
    const send = (status: number, body: object) =>
      response.writeHead(status, allow).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${KEY}`)
      return void send(401, { error: { message: `Incorrect API key: ${request.headers.authorization}` } });
    if (nth === 1) return void send(429, { error: { message: "Slow down." } });
    const content = `<answer>${text.includes("row 0") ? "YES" : "NO"}</answer>`;
    send(200, { choices: [{ message: { content } }], usage: { prompt_tokens: 90, completion_tokens: 5 } });
  });
  await new Promise<void>((ready) => server!.listen(0, "127.0.0.1", ready));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, seen };
}

const judged = (judge: string, { name = "Judged lake", updates = 2 } = {}) =>
  tinyRun({ name, updates, more: `reward: { judge_scoring: rubric }\njudge: ${judge}\n` });
const byModel = (url: string) =>
  `{ name: llm, base_url: "${url}", model: test, input_price: 1, output_price: 1 }`;

/** Opens a configuration on a page that has a run on screen. */
async function openNext(page: Page, yaml: string): Promise<void> {
  const file = { name: "next.yaml", mimeType: "text/yaml", buffer: Buffer.from(yaml) };
  await page.getByLabel("From a file…").setInputFiles(file);
  await page.getByText("the file next.yaml").waitFor({ state: "attached" });
}

const keyField = (page: Page) => page.getByLabel("Key of the judge's endpoint", { exact: true });

/** Everything that the page has stored, as text. */
const allStored = (page: Page) =>
  page.evaluate(async () => {
    const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage), location.href];
    async function read(folder: FileSystemDirectoryHandle): Promise<void> {
      for await (const entry of folder.values()) {
        if (entry.kind === "directory") await read(entry as FileSystemDirectoryHandle);
        else texts.push(await (await (entry as FileSystemFileHandle).getFile()).text());
      }
    }
    await read(await navigator.storage.getDirectory());
    return texts.join("\n");
  });

/** What a run with the same verdicts repeats: everything but times and the judge's bill. */
const repeatable = (metrics: Awaited<ReturnType<typeof storedMetrics>>) =>
  metrics.map(({ values }) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !/^(timing|perf|judge\/)/.test(name))),
  );

// One page for three runs: its worker keeps the kernels that it has compiled, and compiles them once more after the reload.
it("judges by a model, repeats the run from the verdicts that were paid for, and keeps these verdicts but no key", async () => {
  const { url, seen } = await endpoint();
  const page = await (await open.visitor()).newPage();
  await openConfig(page, open.server.url, judged(byModel(url)));
  const watch = watchPage(page, open.server.url);
  await keyField(page).fill(KEY);
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
  const metrics = await storedMetrics(page);
  expect(await judgeTotal(page, "retries")).toBe(1);
  expect(await judgeTotal(page, "requests")).toBe(seen.length);
  expect(await judgeTotal(page, "cost")).toBeGreaterThan(0);
  expect(metrics[0]!.values["judge/not_judged"]).toBe(0);
  expect(new Set(seen)).toEqual(new Set([`Bearer ${KEY}`]));
  const stored = await allStored(page);
  // Compared as booleans: a failure would otherwise print whole checkpoints.
  expect([stored.includes('"metrics"'), stored.includes(KEY)]).toEqual([true, false]);
  // Nobody but the endpoint was asked, and the only complaint is the browser's own, about the busy reply.
  expect(watch.foreignRequests.every((address) => address.startsWith(url))).toBe(true);
  expect(watch.pageErrors).toEqual([]);
  for (const complaint of watch.consoleErrors) expect(complaint).toContain("429");
  const downloading = page.waitForEvent("download");
  await page.getByLabel("Summary").getByRole("button", { name: "Download verdicts" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^judged-lake-.*-verdicts\.jsonl$/);
  const verdicts = await buffer(await download.createReadStream());

  const asked = seen.length;
  await openNext(page, judged("{ name: recorded, recording: paid.jsonl }", { name: "Repeated lake" }));
  await page.getByText("Choose the recording paid.jsonl; the page has not loaded it yet.").waitFor();
  await expect.poll(() => startButton(page).isDisabled()).toBe(true);
  const recording = { name: "paid.jsonl", mimeType: "application/jsonl", buffer: verdicts };
  await page.getByLabel("Recording of verdicts").setInputFiles(recording);
  await startButton(page).click();
  const ended = page.getByText("The run has finished");
  // What is said of the run before goes first.
  await ended.waitFor({ state: "detached" });
  await ended.waitFor();
  const [, repeated] = await metricsOfRuns(page);
  expect(repeatable(repeated!)).toEqual(repeatable(metrics));
  expect(seen.length).toBe(asked);

  await openNext(page, judged(byModel(url), { updates: 400 }));
  await keyField(page).fill(KEY);
  await startButton(page).click();
  // More than the run before has done.
  await waitForUpdate(page, 3);
  await page.reload();
  const notice = page.getByRole("region", { name: "Stored run" }).filter({ hasText: "was interrupted at" });
  await expect.poll(() => keyField(page).first().inputValue()).toBe("");
  await notice.getByLabel("Key of the judge's endpoint", { exact: true }).fill("sk-wrong-key");
  await notice.getByRole("button", { name: /resume from update/i }).click();
  await page.getByText(/The endpoint refuses the key/).waitFor();
  expect(await page.locator("main").innerText()).not.toContain("sk-wrong-key");

  // Verdicts are kept beside their run: it goes on without the file.
  await stopRun(page);
  await page.getByRole("button", { name: "Stored runs: resume" }).click();
  const runs = page.getByRole("list", { name: "Stored runs" }).getByRole("listitem");
  await runs.filter({ hasText: "Repeated lake" }).getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("button", { name: /Train 40 more/ }).click();
  await page.getByText("Running").first().waitFor();
});
