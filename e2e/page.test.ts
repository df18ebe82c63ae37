// The page without a run: it loads cleanly, checks a GPU, is accessible, explains a missing GPU, and refuses a wrong configuration.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deferred } from "../src/core/deferred.ts";
import { axe, OF_COLOURS } from "./lib/axe.ts";
import { launchBrowser, watchPage } from "./lib/browser.ts";
import { groundOf } from "./lib/ground.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();

async function openTrain(page: Page): Promise<void> {
  await page.goto(`${open.server.url}#/train`);
  await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
}

const headings: Record<string, string> = {
  "#/train": "Train",
  "#/trace": "Traces",
  "#/nowhere": "Page not found",
};

/** Resolves when nothing of the page has changed for a moment, after five seconds at the latest. It asks for no frames. */
const settled = (page: Page) =>
  page.evaluate(async () => {
    let changed = performance.now();
    const observer = new MutationObserver(() => {
      changed = performance.now();
    });
    observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const end = changed + 5000;
    while (performance.now() < Math.min(changed + 400, end))
      await new Promise((next) => setTimeout(next, 50));
    observer.disconnect();
  });

/** What comes in last: the pictures of the task and this machine's size. */
async function waitForPictures(page: Page): Promise<void> {
  await page.getByTestId("size-estimate").waitFor();
  await page.getByTestId("environment").locator("canvas").first().waitFor();
}

/** A small screen shows one of the three columns at a time. */
async function lookIntoTabs(page: Page, rules?: readonly string[]): Promise<void> {
  for (const [tab, last] of [
    ["Configure", page.getByTestId("size-estimate")],
    ["Episodes", page.getByTestId("environment").locator("canvas").first()],
  ] as const) {
    await page.getByRole("tab", { name: tab }).click();
    await last.waitFor();
    await settled(page);
    await expect.poll(() => axe(page, rules)).toEqual([]);
  }
}

// One light page for the tests that need none of their own: loading it is most of what they cost.
let problems: () => string[];
const shared = sharedPage(open, {
  visitor: { colorScheme: "light" },
  begin: async (page) => {
    problems = watchPage(page, open.server.url).problems;
    await openTrain(page);
  },
});

describe("the page", () => {
  it("loads without an error and asks no other server for anything", async () => {
    const { page } = shared;
    await page.getByRole("button", { name: "Start training" }).waitFor();
    // The worker has answered: this machine's size of the draft is known.
    await page.getByTestId("size-estimate").waitFor();
    expect(page.url()).toContain("#/train");
    expect(problems()).toEqual([]);
  });

  it("lists its shortcuts, and lets single keys be switched off (A3)", async () => {
    const { page } = shared;
    await page.keyboard.press("?");
    const sheet = page.getByRole("dialog", { name: "Keyboard shortcuts" });
    await sheet.getByText("Pause or resume").waitFor();
    await sheet.getByRole("switch").click();
    await page.keyboard.press("Escape");
    await sheet.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.waitForTimeout(300);
    expect(await sheet.isVisible()).toBe(false);
  });

  it("says what a missing trace and an unknown address are", async () => {
    const { page } = shared;
    await page.goto(`${open.server.url}#/trace/u1-0`);
    await page.getByText("This trajectory is not on this page").waitFor();
    await page.goto(`${open.server.url}#/nowhere`);
    await page.getByText("There is no such page").waitFor();
    await page.goto(`${open.server.url}#/train`);
  });
});

describe("the check of the GPU", () => {
  // Its worker runs kernels on a device of its own. The whole check takes minutes on a software adapter; its cases run as GPU tests.
  it("opens from the GPU's name, checks kernels with progress, and ends when it is cancelled", async () => {
    const { page } = shared;
    await page.getByRole("button", { name: "Software GPU" }).click();
    const dialog = page.getByRole("dialog", { name: "Check this GPU" });
    await dialog.getByRole("button", { name: "Start the check" }).click();
    // A later variant is reached when the first has run all of its cases; the small ones are over in a moment.
    await dialog.getByText(/^(?!1 )\d+ of \d+: \w+/).waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.getByRole("button", { name: "Start the check" }).waitFor();
    await expect
      .poll(() => page.workers().some((worker) => worker.url().includes("check-worker")))
      .toBe(false);
    await dialog.getByRole("button", { name: "Close" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(problems()).toEqual([]);
  });
});

describe("every room", () => {
  // In light and in dark, on a wide and on a small screen.
  /** The colour of the light ground, once it was seen. */
  let light = "";

  for (const width of [1440, 390])
    for (const colorScheme of ["light", "dark"] as const)
      for (const route of ["#/train", "#/trace", "#/nowhere"])
        it(`is accessible at ${route}, ${colorScheme}, ${width} px wide (A1)`, async () => {
          const { page } = shared;
          await page.setViewportSize({ width, height: 900 });
          await page.emulateMedia({ colorScheme });
          await page.goto(`${open.server.url}${route}`);
          await page
            .getByRole("heading", { level: 1, name: headings[route]!, exact: true })
            .waitFor({ state: "attached" });
          light ||= await groundOf(page);
          if (colorScheme === "light") await expect.poll(() => groundOf(page)).toBe(light);
          else await expect.poll(() => groundOf(page)).not.toBe(light);
          // What comes in later, as pictures of the task and this machine's size, is looked at too.
          if (width >= 1024 && route === "#/train") await waitForPictures(page);
          await settled(page);
          const rules = colorScheme === "dark" ? OF_COLOURS : undefined;
          await expect.poll(() => axe(page, rules)).toEqual([]);
          if (width < 1024 && route === "#/train") await lookIntoTabs(page, rules);
          // Nothing is wider than the screen.
          await expect
            .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
            .toBeLessThanOrEqual(width);
        });
});

describe("the configuration", () => {
  // The rooms were left on a small screen.
  beforeAll(async () => {
    await shared.page.setViewportSize({ width: 1440, height: 900 });
    await shared.page.emulateMedia({ colorScheme: "light" });
    await openTrain(shared.page);
  });

  it("explains each parameter", async () => {
    const { page } = shared;
    await page.getByRole("button", { name: "About γ turn", exact: true }).click();
    const card = page.getByRole("dialog", { name: "γ turn" });
    await card.getByText("algorithm.high_level_gamma").waitFor();
    await page.keyboard.press("Escape");
    await card.waitFor({ state: "hidden" });
  });

  it("refuses wrong values beside their fields, and leads to them (T6)", async () => {
    const { page } = shared;
    const start = page.getByRole("button", { name: "Start training" });
    await page.getByTestId("size-estimate").waitFor();
    const lr = page.getByLabel("Actor learning rate", { exact: true });
    for (const [text, message] of [
      ["-1", "It must be a number from 1e-8 to 0.1."],
      ["fast", "Write digits, for example"],
    ] as const) {
      await lr.fill(text);
      await lr.press("Enter");
      await page.getByText(message).first().waitFor();
      await expect.poll(() => start.isDisabled()).toBe(true);
      await page.getByRole("button", { name: "Actor learning rate", exact: true }).click();
      await expect.poll(() => lr.evaluate((field) => field === document.activeElement)).toBe(true);
    }
    await lr.fill("3e-4");
    await lr.press("Enter");
    await expect.poll(() => start.isEnabled()).toBe(true);
  });

  it("follows the preset and the task", async () => {
    const { page } = shared;
    await page.getByRole("button", { name: /Sokoban nano/ }).click();
    await page.getByText("Push every box onto a target").first().waitFor();
    await page.getByRole("radio", { name: "All" }).check({ force: true });
    await page.getByLabel("Boxes", { exact: true }).waitFor();
  });

  it("says of another task where the settings come from and which policy fits it", async () => {
    const { page } = shared;
    const preset = page.getByLabel("Preset", { exact: true });
    await preset.selectOption({ label: "FrozenLake nano" });
    await page.getByLabel("Task", { exact: true }).selectOption({ label: "Sokoban" });
    await page.getByText("The settings come from the preset “FrozenLake nano”").waitFor();
    await expect.poll(() => preset.inputValue()).toBe("");
    await page
      .getByText("“Task” is Sokoban; the policy “FrozenLake nano, after SFT” needs")
      .first()
      .waitFor();
    await page.getByRole("button", { name: "Start from “Sokoban nano, after SFT”" }).click();
    await expect.poll(() => page.getByText("needs task FrozenLake.").count()).toBe(0);
    // The start goes back with the task.
    await page.getByLabel("Task", { exact: true }).selectOption({ label: "FrozenLake" });
    await expect.poll(() => preset.inputValue()).toBe("frozenlake-nano");
    await expect.poll(() => page.getByText(/needs task Sokoban\.$/).count()).toBe(0);
    await page.getByLabel("Task", { exact: true }).selectOption({ label: "Sokoban" });
    // The list gives the preset back, though it had been chosen before.
    await preset.selectOption({ label: "FrozenLake nano" });
    await expect.poll(() => preset.inputValue()).toBe("frozenlake-nano");
  });

  it("offers the preset of a task whose policy needs other settings, and undo takes it back", async () => {
    const { page } = shared;
    const preset = page.getByLabel("Preset", { exact: true });
    const task = page.getByLabel("Task", { exact: true });
    const footer = page.getByRole("status").filter({ hasText: "needs task FrozenLake." });
    const use = footer.getByRole("button", { name: "Use the preset “Navigation small”" });
    await preset.selectOption({ label: "FrozenLake nano" });
    await task.selectOption({ label: "Navigation" });
    await use.click();
    await expect.poll(() => preset.inputValue()).toBe("navigation-small");
    await expect.poll(() => page.getByTestId("other-preset").count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await expect.poll(() => task.inputValue()).toBe("navigation");
    await use.waitFor();
    // What keeps a draft from running can be the task, too.
    await task.selectOption({ label: "Blackjack" });
    const wrong = page.getByRole("alert").filter({ hasText: "your attention" });
    await wrong.getByRole("button", { name: "Use the preset “Blackjack nano”" }).click();
    await expect.poll(() => preset.inputValue()).toBe("blackjack-nano");
    await preset.selectOption({ label: "FrozenLake nano" });
  });

  it("writes a choice out below a list that cuts it", async () => {
    const { page } = shared;
    await page.getByRole("radio", { name: "All" }).check({ force: true });
    const list = page.getByLabel("Scoring of claims", { exact: true });
    const below = list.locator("xpath=following-sibling::p");
    await list.selectOption({ label: "F1 of fixed words, VAGEN's exact scorer of 2026" });
    await expect.poll(() => below.textContent()).toBe("F1 of fixed words, VAGEN's exact scorer of 2026");
    await list.selectOption({ label: "YES or NO (rubric)" });
    await expect.poll(() => below.count()).toBe(0);
    await page.getByRole("button", { name: "Undo" }).first().click();
    await page.getByRole("button", { name: "Undo" }).first().click();
  });

  it("refuses a task that no level satisfies before anything is started", async () => {
    const { page } = shared;
    const start = page.getByRole("button", { name: "Start training" });
    await page.getByRole("button", { name: /Sokoban nano/ }).click();
    await page.getByRole("radio", { name: "All" }).check({ force: true });
    const steps = page.getByLabel("Solution length", { exact: true });
    const write = async (text: string) => {
      await steps.fill(text);
      await steps.press("Enter");
    };
    // What can be told at once stands beside the field; what only a search shows, in the footer. Both in the preview too.
    for (const [text, reason] of [
      ["500, 500", "has only 240 states"],
      ["60, 70", "“Solution length” is 60, 70; seed 1: none of"],
    ] as const) {
      await write(text);
      await page.getByRole("alert").getByText(reason).waitFor();
      await page.getByLabel("Level preview").getByText("Use [1, 12]").waitFor();
      await expect.poll(() => start.isDisabled()).toBe(true);
    }
    await write("1, 12");
    await page.getByTestId("size-estimate").waitFor();
    await expect.poll(() => start.isEnabled()).toBe(true);
    await page.getByTestId("environment").locator("canvas").first().waitFor();
  });

  it("keeps what it says of a file while the presets arrive, marks the next change, and takes it back", async () => {
    const page = await (await open.visitor()).newPage();
    const arrived = deferred<void>();
    await page.route("**/presets-*.js", (route) => arrived.promise.then(() => route.continue()));
    await page.goto(`${open.server.url}#/train`);
    const buffer = Buffer.from("actor: { lr: 7 }");
    await page.getByLabel("From a file…").setInputFiles({ name: "bad.yaml", mimeType: "text/yaml", buffer });
    const refusal = page.getByText("bad.yaml: actor.lr is 7");
    await refusal.waitFor();
    arrived.resolve();
    const lam = page.getByLabel("λ", { exact: true });
    await lam.waitFor();
    // The worker has connected, and the level and the size of the first draft are there.
    await page.getByTestId("size-estimate").waitFor();
    expect(await refusal.isVisible()).toBe(true);
    await lam.fill("0.9");
    await lam.press("Enter");
    await refusal.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "1 changed" }).click();
    await expect.poll(() => page.locator("[data-field]").count()).toBe(1);
    await page.getByRole("button", { name: /^Back to/ }).click();
    await page.getByText("Nothing differs from the preset.").waitFor();
    await page.getByRole("button", { name: "Undo (Ctrl+Z)" }).click();
    await expect.poll(() => lam.inputValue()).toBe("0.9");
  });

  it("keeps theme and edits over a reload, and says when it cannot", async () => {
    const { page } = shared;
    const background = () => groundOf(page);
    const light = await background();
    await page.getByRole("button", { name: /Theme: system/ }).click();
    await page.getByRole("button", { name: /Theme: light/ }).click();
    await expect.poll(background).not.toBe(light);
    const preset = page.getByLabel("Preset", { exact: true });
    await preset.selectOption({ label: "FrozenLake nano" });
    await expect.poll(() => preset.inputValue()).toBe("frozenlake-nano");
    const lr = page.getByLabel("Actor learning rate", { exact: true });
    const usual = await lr.inputValue();
    await lr.fill("1e-4");
    await lr.press("Enter");
    await page.reload();
    await expect.poll(() => lr.inputValue()).toBe("1e-4");
    await page.getByRole("button", { name: "1 changed" }).waitFor();
    const dark = page.getByRole("button", { name: /Theme: dark/ });
    await dark.waitFor();
    await expect.poll(background).not.toBe(light);
    await dark.click();
    await expect.poll(background).toBe(light);
    await page.getByRole("button", { name: /Theme: system/ }).waitFor();
    await page.evaluate(() => {
      const kept = JSON.parse(sessionStorage.getItem("vagen-draft")!);
      sessionStorage.setItem("vagen-draft", JSON.stringify({ ...kept, draft: { ...kept.draft, old: 1 } }));
    });
    await page.reload();
    await page.getByText("could not be restored").waitFor();
    await expect.poll(() => lr.inputValue()).toBe(usual);
    expect(problems()).toEqual([]);
  });

  it("offers the change that mends a problem, of a field that is hidden too (390 px wide)", async () => {
    const { page } = shared;
    await page.setViewportSize({ width: 390, height: 900 });
    await page.getByRole("tab", { name: "Configure" }).click();
    await page.getByRole("radio", { name: "Basic" }).check({ force: true });
    await page.getByTestId("size-estimate").waitFor();
    const write = async (label: string, text: string) => {
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByLabel(label, { exact: true }).press("Enter");
    };
    await write("Episodes per update", "3");
    await write("λ", "7");
    await write("Actor learning rate", "7");
    const problems = page.getByRole("alert").filter({ hasText: "3 values need your attention" });
    const heightOfFooter = async () => (await problems.locator("..").boundingBox())!.height;
    await expect.poll(heightOfFooter).toBeLessThan(900 / 4);
    await problems.getByRole("button", { name: "2 more" }).click();
    await problems.getByRole("button", { name: "Minibatch", exact: true }).click();
    const minibatch = page.getByLabel("Minibatch", { exact: true });
    await expect.poll(() => minibatch.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.getByRole("button", { name: "Set to 3", exact: true }).click();
    await expect.poll(() => minibatch.inputValue()).toBe("3");
    await page.getByRole("button", { name: "Set “λ” to 1" }).click();
    await page.getByRole("button", { name: "Set “Actor learning rate” to 0.1" }).click();
    await expect.poll(() => page.getByRole("button", { name: "Start training" }).isEnabled()).toBe(true);
  });
});

describe("a browser without WebGPU", () => {
  let bare: Browser;
  beforeAll(async () => {
    bare = await launchBrowser({ withoutWebgpu: true });
  });
  afterAll(() => bare?.close());
  let problems: () => string[];
  const visitor = sharedPage(open, {
    from: () => bare,
    begin: async (page) => {
      problems = watchPage(page, open.server.url).problems;
      await page.goto(`${open.server.url}#/train`);
    },
  });

  for (const width of [1440, 390])
    it(`explains itself and stays useful, ${width} px wide (U1)`, async () => {
      const { page } = visitor;
      await page.setViewportSize({ width, height: 900 });
      await page.getByRole("heading", { name: "Training needs WebGPU" }).waitFor();
      expect(await page.getByRole("button", { name: "Start training" }).count()).toBe(0);
      await page
        .getByText(/Chrome or Edge 113/)
        .first()
        .waitFor();
      // Levels can be looked at and the configuration be read.
      if (width < 1024) await page.getByRole("tab", { name: "Episodes" }).click();
      await page.getByTestId("environment").locator("canvas").first().waitFor();
      if (width < 1024) await page.getByRole("tab", { name: "Configure" }).click();
      await page.getByRole("button", { name: "Why can't I train?" }).waitFor();
      await expect.poll(() => axe(page)).toEqual([]);
      await page.getByRole("button", { name: "Why can't I train?" }).click();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("unsupported");
      expect(problems()).toEqual([]);
    });
});
