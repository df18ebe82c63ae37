import type { Page } from "playwright-core";

/** The colour of the page's ground, which differs between themes. */
export const groundOf = (page: Page): Promise<string> =>
  page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
