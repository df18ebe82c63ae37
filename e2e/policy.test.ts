// The policy of the built page refuses what it should. That the page itself keeps to it is tested with a run (extensions.test.ts).
import { expect, it } from "vitest";
import { watchPolicy } from "./lib/policy.ts";
import { studio } from "./lib/studio.ts";

const open = studio();

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
  const directives = async () => (await refused()).map((text) => text.split(" ")[0]);
  await expect.poll(directives).toEqual(expect.arrayContaining(["script-src-elem", "script-src-attr"]));
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
