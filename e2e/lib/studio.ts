import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { serveBuild, type TestServer } from "./server.ts";

/** How long a step in the page may take, in ms. What is never reached fails; what a busy machine reaches late does not. */
export const PATIENCE = 120_000;

/** The served page and a browser that shows it. */
export interface Studio {
  readonly server: TestServer;
  readonly browser: Browser;
  /** A visitor of their own, with nothing stored: 1440 × 900 px unless `options` says otherwise, in `from` or `browser`. */
  visitor(options?: BrowserContextOptions, from?: Browser): Promise<BrowserContext>;
}

/** The built page on a server of its own, and a browser, for all tests of a file; both are there when a test runs. */
export function studio(): Studio {
  const open = {} as { server: TestServer; browser: Browser };
  beforeAll(async () => {
    open.server = await serveBuild();
    open.browser = await launchBrowser();
  });
  afterAll(async () => {
    await open.browser?.close();
    await open.server?.close();
  });
  const visitor: Studio["visitor"] = async (options = {}, from = open.browser) => {
    const context = await from.newContext({ viewport: { width: 1440, height: 900 }, ...options });
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return Object.assign(open, { visitor });
}
