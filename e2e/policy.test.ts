// The built page keeps to its content security policy in every room, and the policy refuses what it should.
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { watchPage } from "./lib/browser.ts";
import { OFFLINE_COPY, studio } from "./lib/studio.ts";
import { openConfig, startButton, tinyRun } from "./lib/tiny-run.ts";

const open = studio();

/** Collects what the policy refuses on the page, from its first script on. */
async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(globalThis, { refused });
    document.addEventListener("securitypolicyviolation", (event) =>
      refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  return () => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);
}

const EXTENSION = `export default ({ rewardTerm }) => {
  rewardTerm({ id: "shorter", title: "Short replies", score: () => 0 });
};`;

async function addExtension(page: Page): Promise<void> {
  const panel = page.getByTestId("extensions");
  await panel.getByText("Extensions").click();
  await page.getByRole("button", { name: "Add an extension…" }).click();
  await page.getByLabel("Name", { exact: true }).fill("mine");
  await page.getByLabel("Code", { exact: true }).fill(EXTENSION);
  await page.getByRole("button", { name: /^Add$/ }).click();
  await panel.getByText("reward term shorter").waitFor();
}

it("keeps to its policy in every room, with a run and an extension", async () => {
  const page = await (await open.visitor(OFFLINE_COPY)).newPage();
  const watch = watchPage(page, open.server.url);
  const refused = await watchPolicy(page);
  await openConfig(page, open.server.url, tinyRun());
  await page.getByRole("radio", { name: "All" }).check({ force: true });
  await page.getByRole("button", { name: "About γ turn", exact: true }).click();
  await page.keyboard.press("Escape");
  await addExtension(page);
  await startButton(page).click();
  await page.getByText("The run has finished").waitFor();
  for (const room of ["#/trace", "#/nowhere", "#/train"]) {
    await page.goto(`${open.server.url}${room}`);
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
  }
  await page.goto(`${open.server.url}#/trace`);
  await page.locator("tbody a").first().click();
  await page.getByText("Observation", { exact: true }).first().waitFor();
  expect(await refused()).toEqual([]);
  expect(watch.problems()).toEqual([]);
  await page.context().close();
});

it("runs no inline script, no handler and no script of another origin", async () => {
  const page = await (await open.visitor()).newPage();
  const refused = await watchPolicy(page);
  await page.goto(`${open.server.url}#/train`);
  const ran = await page.evaluate(async () => {
    const inline = document.createElement("script");
    inline.textContent = "globalThis.injected = true";
    document.body.append(inline);
    const foreign = document.createElement("script");
    foreign.src = "https://other.example/script.js";
    document.body.append(foreign);
    document.body.insertAdjacentHTML("beforeend", `<img src="x:" onerror="globalThis.injected = true">`);
    await new Promise((resolve) => setTimeout(resolve, 500));
    return "injected" in globalThis;
  });
  expect(ran).toBe(false);
  const directives = (await refused()).map((text) => text.split(" ")[0]);
  expect(directives).toEqual(expect.arrayContaining(["script-src-elem", "script-src-attr"]));
  await page.context().close();
});

it("is served with the policy, also for workers, and refuses to be framed", async () => {
  for (const path of ["", "sw.js"]) {
    const { headers } = await fetch(open.server.url + path);
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("content-security-policy")).not.toContain("'unsafe-eval'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
  }
});
