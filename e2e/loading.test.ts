// While the WebAssembly of a world arrives, the page says what is loaded; when it does not arrive, what is missing, and the page tries again.
import type { Locator, Page, Route } from "playwright-core";
import { expect, it } from "vitest";
import { deferred } from "../src/core/deferred.ts";
import { axe } from "./lib/axe.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();
const MUJOCO = "**/mujoco-*.wasm";
const level = (page: Page) => page.getByRole("region", { name: "Level preview" });
const own = (page: Page) => page.getByRole("region", { name: "You play this level" });

const choose = (page: Page, task: string) =>
  page.getByLabel("Task", { exact: true }).selectOption({ label: task });

/** Keeps the file from the page until `arrive` or `fail` is called; requests after that are not held. `held` counts those before it. */
async function hold(page: Page, file: string) {
  const next = deferred<(route: Route) => Promise<void>>();
  const arrive = (route: Route) => route.continue();
  let requests = 0;
  await page.route(file, async (route) => {
    requests += 1;
    await (await next.promise)(route);
  });
  const fail = async () => {
    next.resolve((route) => route.fulfill({ status: 503 }));
    await page.waitForResponse((response) => response.status() === 503);
    await page.route(file, arrive);
  };
  return { arrive: () => next.resolve(arrive), fail, held: () => requests };
}

// One page: physics and renderer are loaded once, and neither is needed before its test.
const shared = sharedPage(open);

const failed = (place: Locator) =>
  place
    .getByRole("alert")
    .first()
    .getByText(/physics, MuJoCo: the server answered 503 to mujoco-\S+\.wasm\. .* try again/)
    .waitFor();

it("shows what the level waits for, names what did not load, and tries again", async () => {
  const { page } = shared;
  await page.goto(`${open.server.url}#/train`);
  const physics = await hold(page, MUJOCO);
  const waits = "Loading physics (MuJoCo), 9.8 MiB…";
  await choose(page, "PrimitiveSkill");
  await level(page).getByText(waits).first().waitFor();
  // Nothing of the task before it is left.
  await level(page).getByText("Pick, place and push with a robot's hand").waitFor();
  await expect.poll(() => level(page).locator("canvas").count()).toBe(0);
  await expect.poll(() => level(page).innerText()).not.toContain("FrozenLake");
  await page.getByRole("button", { name: "Play it yourself" }).click();
  await own(page).getByText(waits).waitFor();
  expect(await own(page).getByTestId("load-bar").locator("progress").getAttribute("max")).toBe("10313475");
  await expect.poll(() => axe(page)).toEqual([]);
  // The worker that draws the level and the page have asked for it; one that asked after the failure would get it.
  await expect.poll(physics.held).toBe(2);
  await physics.fail();
  await failed(own(page));
  const again = await hold(page, MUJOCO);
  await own(page).getByRole("button", { name: "Try again" }).click();
  await own(page).getByText(waits).waitFor();
  again.arrive();
  await own(page).getByText("No action yet.").waitFor();
  await own(page).getByRole("button", { name: "Stop playing" }).click();
  await failed(level(page));
  await level(page).getByRole("button", { name: "Try again" }).click();
  await level(page).getByTestId("environment").first().waitFor();
  await expect.poll(() => page.getByTestId("load-bar").count()).toBe(0);
  // The size of the run was refused for the same reason.
  await expect.poll(() => page.getByText("could not load its physics").count()).toBe(0);
});

it("shows what a recording of drawings waits for", async () => {
  const { page } = shared;
  const renderer = await hold(page, "**/index_bg-*.wasm");
  await page.goto(`${open.server.url}#/replay/same-words`);
  await page.getByText("Loading renderer (resvg), 2.4 MiB…").waitFor();
  renderer.arrive();
  await page.getByTestId("environment").first().waitFor();
});

it("says when the page itself or one of its rooms does not arrive, and loads it again", async () => {
  const page = await (await open.visitor()).newPage();
  // A part of what the page begins with, as after its files were replaced.
  await page.route("**/assets/styles-*.js", (route) => route.fulfill({ status: 404 }));
  await page.goto(`${open.server.url}#/trace`);
  const missing = page.getByRole("alert").filter({ hasText: "VAGEN Studio could not be loaded" });
  await missing.getByText("A file of the page did not arrive.").waitFor();
  await expect.poll(() => axe(page)).toEqual([]);
  await page.unroute("**/assets/styles-*.js");
  await page.route("**/assets/trace-*.js", (route) => route.abort());
  await missing.getByRole("button", { name: "Reload the page" }).click();
  await page.getByRole("heading", { name: "This view could not be loaded" }).waitFor();
  expect(await missing.count()).toBe(0);
  await page.unroute("**/assets/trace-*.js");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Traces" }).waitFor();
});

it("says when the settings or the presets do not arrive", async () => {
  const page = await (await open.visitor()).newPage();
  for (const [file, missing] of [
    ["boot", "The settings could not be loaded."],
    ["presets", "The presets could not be loaded."],
  ] as const) {
    await page.goto("about:blank");
    await page.route(`**/assets/${file}-*.js`, (route) => route.fulfill({ status: 404 }));
    await page.goto(`${open.server.url}#/train`);
    await page.getByRole("alert").filter({ hasText: missing }).getByRole("button").waitFor();
    await expect.poll(() => axe(page)).toEqual([]);
    await page.unroute(`**/assets/${file}-*.js`);
  }
});
