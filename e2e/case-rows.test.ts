// The case studies on a phone: each environment has a row that is swiped card by card.
import type { Locator, Page } from "playwright-core";
import { expect, it } from "vitest";
import { sharedPage, studio } from "./lib/studio.ts";

const open = studio();
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** Runs in the page: notes after each change how wide the document is at most. */
function noteWidest(): void {
  const noted = { widest: 0 };
  Object.assign(globalThis, { noted });
  const note = () => {
    noted.widest = Math.max(noted.widest, document.documentElement.scrollWidth);
  };
  const options = { subtree: true, childList: true, attributes: true };
  new MutationObserver(note).observe(document, options);
}

// One visitor for all tests, in this order: the first looks at what is loaded before it is in view.
const shared = sharedPage(open, {
  visitor: PHONE,
  begin: async (page) => {
    await page.addInitScript(noteWidest);
    await page.goto(open.server.url);
  },
});

/** The environment with the most case studies. */
const ROW = "FrozenLake";
const row = (page: Page) => page.getByRole("list", { name: ROW, exact: true });
const cards = (page: Page) => row(page).locator("> li");
/** The pictures of a card that are there, drawn or about to be. */
const pictures = (card: Locator) => card.locator("canvas");

async function rowOnPhone(): Promise<Page> {
  const { page } = shared;
  await cards(page).first().scrollIntoViewIfNeeded();
  await pictures(cards(page).first()).first().waitFor();
  return page;
}

/** Where a card begins, from the left edge of the row. */
const leftOf = (card: Locator): Promise<number> =>
  card.evaluate(
    (element) => element.getBoundingClientRect().left - element.parentElement!.getBoundingClientRect().left,
  );

const widthOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth);

it("has a card ready before any of it is in view, and loads none that is far away", async () => {
  const page = await rowOnPhone();
  const { x } = (await cards(page).nth(2).boundingBox())!;
  expect(x).toBeGreaterThan(PHONE.viewport.width);
  await expect.poll(() => pictures(cards(page).nth(2)).count()).toBeGreaterThan(0);
  const count = await cards(page).count();
  expect(await pictures(cards(page).nth(count - 1)).count()).toBe(0);
});

it("lets every row of the page be swiped, and nothing else", async () => {
  const page = await rowOnPhone();
  const rows = page.getByRole("region", { name: "Case studies" }).getByRole("list");
  const facts = await rows.evaluateAll((lists) =>
    lists.map((list) => ({
      snaps: getComputedStyle(list).scrollSnapType,
      stops: [...list.children].map((card) => getComputedStyle(card).scrollSnapAlign),
      overflows: list.scrollWidth > list.clientWidth,
      several: list.children.length > 1,
      right: list.getBoundingClientRect().right,
    })),
  );
  expect(facts.length).toBeGreaterThan(4);
  for (const { snaps, stops, overflows, several, right } of facts) {
    expect(snaps).toMatch(/^x/);
    expect(new Set(stops)).toEqual(new Set(["start"]));
    expect(overflows).toBe(several);
    expect(right).toBeLessThanOrEqual(PHONE.viewport.width);
  }
  await page.evaluate(() => scrollTo(200, scrollY));
  expect(await page.evaluate(() => scrollX)).toBe(0);
});

it("is never wider than the screen, not even while its parts arrive", async () => {
  const { page } = shared;
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  // The plots of the method, which measure their place when they are there.
  await page
    .getByRole("img", { name: /at update/ })
    .first()
    .waitFor();
  const widest = () =>
    page.evaluate(() => (globalThis as unknown as { noted: { widest: number } }).noted.widest);
  expect(await widest()).toBe(PHONE.viewport.width);
});

it("stops at each card of a row, the last one too, while the page stays as wide as the screen", async () => {
  const page = await rowOnPhone();
  const count = await cards(page).count();
  expect(count).toBeGreaterThan(2);
  const gap = await leftOf(cards(page).first());
  const stops: number[] = [];
  for (let i = 0; i < count; i++) {
    // Not quite at the card: where a finger may leave the row.
    await cards(page)
      .nth(i)
      .evaluate((card) => card.parentElement!.scrollTo({ left: (card as HTMLElement).offsetLeft + 20 }));
    const last = i === count - 1;
    if (!last) await expect.poll(() => leftOf(cards(page).nth(i))).toBeCloseTo(gap, 0);
    const { right, room } = await cards(page)
      .nth(i)
      .evaluate((card) => ({
        right: card.getBoundingClientRect().right,
        room: document.documentElement.clientWidth,
      }));
    expect(right).toBeLessThanOrEqual(room);
    stops.push(await row(page).evaluate((list) => list.scrollLeft));
    await expect.poll(() => widthOf(page)).toBe(PHONE.viewport.width);
  }
  expect([...stops].sort((a, b) => a - b)).toEqual(stops);
  expect(new Set(stops).size).toBe(count);
  await cards(page).last().getByRole("link").click();
  await page.waitForURL(/#\/replay\//);
});
