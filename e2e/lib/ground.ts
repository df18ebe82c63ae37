import type { Page } from "playwright-core";

/** The colour of the page's ground, which each theme has of its own. */
export const groundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
