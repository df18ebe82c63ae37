// What a person sees of an episode on the Trace page.
import type { Locator, Page } from "playwright-core";

/** How a part of a reply looks; two parts that look alike could not be told apart. */
export interface SectionLook {
  /** The colour of its ground. */
  readonly ground: string;
  /** Colour and style of the rail at its side. */
  readonly rail: string;
}

/** The look of the first block of a kind of section; throws where its class is missing. */
export function sectionLook(page: Page, name: string): Promise<SectionLook> {
  return page
    .getByRole("article")
    .getByRole("group", { name, exact: true })
    .first()
    .evaluate((block, label) => {
      if (!/(^| )section section-\w+/.test(block.className)) throw new Error(`${label} has no section class`);
      const rail = getComputedStyle(block, "::before");
      return {
        ground: getComputedStyle(block).backgroundColor,
        rail: `${rail.borderLeftColor} ${rail.borderLeftStyle} ${rail.borderLeftWidth}`,
      };
    }, name);
}

/** How many different grounds the tokens of the page have: 1 when none is coloured. */
export function groundsOfTokens(page: Page): Promise<number> {
  return page
    .locator("[data-tok]")
    .evaluateAll((tokens) => new Set(tokens.map((token) => getComputedStyle(token).backgroundColor)).size);
}

/** How many different colours each of the canvases shows: 1 is an empty one. In one step, because a canvas may go at any time. */
export function coloursOf(canvases: Locator): Promise<number[]> {
  return canvases.evaluateAll((elements) =>
    (elements as HTMLCanvasElement[]).map((canvas) => {
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      return new Set(new Uint32Array(data.buffer)).size;
    }),
  );
}

/** The numbers of the chosen token as the inspector lists them, by name. */
export async function shownTokenFacts(page: Page): Promise<Record<string, string>> {
  const facts = page.getByLabel("Inspector", { exact: true }).first().locator("dl > div");
  const entries = await facts.evaluateAll((rows) =>
    rows.map((row) => [row.querySelector("dt")!.innerText, row.querySelector("dd")!.innerText]),
  );
  return Object.fromEntries(entries);
}
