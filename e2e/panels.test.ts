// The panels of Train where the window crosses the width of a phone, as when a tablet is turned.
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { axe } from "./lib/axe.ts";
import { type PageWatch, watchPage } from "./lib/browser.ts";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();

/** Runs in the page: counts what is drawn on canvases. */
function countDrawings(): void {
  const proto = CanvasRenderingContext2D.prototype;
  const counts = Object.assign(globalThis, { drawings: 0 });
  for (const name of ["putImageData", "drawImage"] as const) {
    const draw = proto[name] as (...args: unknown[]) => void;
    Object.assign(proto, {
      [name](this: CanvasRenderingContext2D, ...args: unknown[]) {
        // Not those that are in no document: copies, from which a picture is scaled.
        if (this.canvas.isConnected) counts.drawings++;
        draw.apply(this, args);
      },
    });
  }
}
const drawings = (page: Page) =>
  page.evaluate(() => (globalThis as unknown as { drawings: number }).drawings);

/** What {@link watchWorkers} counts. */
interface Workers {
  /** Levels that the page has asked for. */
  levels: number;
  /** Turns of a policy that may still reach the page. */
  turns: number;
}

/** Runs in the page: counts the levels that it asks for, and holds back the turns of a policy. */
function watchWorkers(): void {
  const workers: Workers = { levels: 0, turns: Number.POSITIVE_INFINITY };
  Object.assign(globalThis, { workers });
  const isHeld = ({ kind, value }: { kind?: string; value?: { trajectory?: object } }) =>
    kind === "turn" ? workers.turns-- <= 0 : Boolean(value?.trajectory) && workers.turns <= 0;
  const { postMessage, addEventListener } = Worker.prototype;
  Object.assign(Worker.prototype, {
    postMessage(this: Worker, message: { command?: string }, options: StructuredSerializeOptions) {
      if (message.command === "preview") workers.levels++;
      postMessage.call(this, message, options);
    },
    addEventListener(this: Worker, type: string, then: (event: Event) => void) {
      addEventListener.call(this, type, (event) => {
        if (type !== "message" || !isHeld((event as MessageEvent).data)) then(event);
      });
    },
  });
}
const workers = (page: Page, change: Partial<Workers> = {}): Promise<Workers> =>
  page.evaluate(
    (part) => Object.assign((globalThis as unknown as { workers: Workers }).workers, part),
    change,
  );

/** Resolves when the page has been drawn, and knows that it was scrolled. */
const nextFrame = (page: Page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

describe("the panels of Train", () => {
  let page: Page;
  let watch: PageWatch;
  sharedPage(open, {
    begin: async (fresh) => {
      page = fresh;
      watch = watchPage(page, open.server.url);
      await page.addInitScript(countDrawings);
      await page.addInitScript(watchWorkers);
      await page.goto(`${open.server.url}#/train`);
      await page.getByTestId("size-estimate").waitFor();
    },
  });
  const tab = (name: string) => page.getByRole("tab", { name });
  /** A click by hand: Playwright's own scrolls the page first. */
  const press = async (name: string) => {
    const { x, y } = (await tab(name).boundingBox())!;
    await page.mouse.click(x + 20, y + 20);
  };
  const selected = () => page.getByRole("tab", { selected: true }).innerText();
  const game = () => page.getByRole("region", { name: "You play this level" });
  const played = () =>
    game()
      .getByTestId("own-result")
      .getByText(/^1 action/);

  it("keep a game, and show the panel that was used last", async () => {
    await page.getByRole("button", { name: "Play it yourself" }).click();
    await game().getByText("No action yet.").waitFor();
    await page.keyboard.press("ArrowRight");
    await played().waitFor();
    await page.setViewportSize(PHONE);
    await expect.poll(selected).toBe("Episodes");
    await played().waitFor();
    await tab("Charts").click();
    await played().waitFor({ state: "hidden" });
    await page.setViewportSize(WIDE);
    await played().waitFor();
    expect(watch.problems()).toEqual([]);
  });

  it("hide a panel behind a tab from assistive technology, and draw nothing in it", async () => {
    await page.setViewportSize(PHONE);
    await tab("Charts").click();
    await expect.poll(() => page.getByRole("tabpanel").count()).toBe(1);
    await expect.poll(() => page.getByRole("region", { name: "Level preview" }).count()).toBe(0);
    await expect.poll(() => axe(page)).toEqual([]);
    const before = await drawings(page);
    await page.getByRole("button", { name: /Sokoban nano/ }).click();
    await page.waitForTimeout(1000);
    expect(await drawings(page)).toBe(before);
    await tab("Episodes").click();
    await page.getByText("Push every box onto a target").first().waitFor();
    await expect.poll(() => drawings(page)).toBeGreaterThan(before);
    await page.setViewportSize(WIDE);
    await expect.poll(() => page.getByRole("tabpanel").count()).toBe(0);
    expect(watch.problems()).toEqual([]);
  });

  it("stay where they were scrolled to, at each width and in each tab", async () => {
    await page.setViewportSize(WIDE);
    await page.getByRole("radio", { name: "All" }).check({ force: true });
    const configure = page.getByRole("region", { name: "Configure" }).locator("..");
    const scrolled = () => configure.evaluate((panel) => panel.scrollTop);
    const pageScrolled = () => page.evaluate(() => Math.round(scrollY));
    await configure.evaluate((panel) => panel.scrollTo(0, 700));
    await nextFrame(page);
    await page.setViewportSize(PHONE);
    await tab("Configure").click();
    await page.evaluate(() => scrollTo(0, 900));
    await nextFrame(page);
    await page.setViewportSize(WIDE);
    await expect.poll(scrolled).toBe(700);
    await page.setViewportSize(PHONE);
    await expect.poll(pageScrolled).toBe(900);
    await press("Episodes");
    await expect.poll(pageScrolled).toBeLessThan(900);
    await press("Configure");
    await expect.poll(pageScrolled).toBe(900);
    expect(watch.problems()).toEqual([]);
  });

  it("come back to a card far down the list, which takes several frames to fit the width", async () => {
    await page.setViewportSize(WIDE);
    const panels = page.locator("[data-orientation]");
    const scrolled = () => panels.evaluateAll((all) => Math.max(...all.map((panel) => panel.scrollTop)));
    await page
      .getByRole("button", { name: /SpatialGym small/ })
      .first()
      .click({ timeout: 20_000 });
    await expect.poll(scrolled).toBeGreaterThan(1000);
    const before = await scrolled();
    await page.setViewportSize(PHONE);
    await tab("Episodes").click();
    await page.setViewportSize(WIDE);
    await page.waitForTimeout(1000);
    expect(await scrolled()).toBe(before);
    expect(watch.problems()).toEqual([]);
  });

  it("keep the level, and go on with a policy's game where it was", async () => {
    await page.setViewportSize(WIDE);
    // The game of the first test, which goes on with every preset.
    if (await game().isVisible()) await game().getByRole("button", { name: "Stop playing" }).click();
    await page.getByLabel("Preset", { exact: true }).selectOption({ label: "FrozenLake small" });
    await page.setViewportSize(PHONE);
    await tab("Episodes").click();
    const level = page.getByRole("region", { name: "Level preview" });
    const showAgain = async (held: Partial<Workers>) => {
      await tab("Charts").click();
      await level.waitFor({ state: "hidden" });
      await workers(page, held);
      await tab("Episodes").click();
    };
    const letPlay = level.getByRole("button", { name: "Let a policy play this level" });
    const hasEnded = () => level.getByRole("button", { name: "Play another level" }).waitFor();
    const status = level.getByTestId("policy-plays").getByRole("status");
    const turns = level.getByRole("list", { name: "Turns" }).getByRole("button");
    await level.getByText(/^A shortest solution takes/).waitFor();
    await workers(page, { turns: 1 });
    await letPlay.click();
    await status.getByText("Turn 1").waitFor();
    const { levels } = await workers(page);
    expect(levels).toBeGreaterThan(0);
    await showAgain({ turns: 0 });
    await status.getByText("Turn 1").waitFor();
    await level.getByRole("button", { name: "Stop", exact: true }).waitFor();
    await page.waitForTimeout(500);
    expect(await workers(page)).toMatchObject({ levels });
    await showAgain({ turns: Number.MAX_SAFE_INTEGER });
    await hasEnded();
    const played = await turns.count();
    expect(played).toBeGreaterThan(1);
    // As many as without a pause: the turn that stood there was played again, and is there once.
    await letPlay.click();
    await hasEnded();
    expect(await turns.count()).toBe(played);
    expect(watch.problems()).toEqual([]);
  });
});
