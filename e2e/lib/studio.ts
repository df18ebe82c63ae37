import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";
import { afterAll, afterEach, beforeAll, inject } from "vitest";

/** How long a step in the page may take, in ms. What is never reached fails; what a busy machine reaches late does not. */
export const PATIENCE = 120_000;

/** Options of a visitor whose browser keeps a copy of the studio, for visits without a network. */
export const OFFLINE_COPY: BrowserContextOptions = { serviceWorkers: "allow" };

/** The served page and a browser that shows it. */
export interface Studio {
  readonly server: { readonly url: string };
  readonly browser: Browser;
  /**
   * A visitor of their own, with nothing stored, in `from` or `browser`: 1440 × 900 px and without a service worker unless
   * `options` says otherwise. On every first visit the service worker fetches a copy of the whole studio, which takes 2 of the
   * 5 CPU seconds of a visit; tests of the copy ask for it (`OFFLINE_COPY`).
   */
  visitor(options?: BrowserContextOptions, from?: Browser): Promise<BrowserContext>;
}

/**
 * The built page and the browser that all files share, for the tests of a file. Visitors leave when their test ends, also when
 * it fails: a forgotten page would train on and slow down everything after it.
 */
export function studio(): Studio {
  const open = { server: { url: inject("pageUrl") } } as { server: { url: string }; browser: Browser };
  const visitors: BrowserContext[] = [];
  beforeAll(async () => {
    open.browser = await chromium.connect(inject("browserEndpoint"));
  });
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((context) => context.close()));
  });
  afterAll(() => open.browser?.close());
  const visitor: Studio["visitor"] = async (options = {}, from = open.browser) => {
    const context = await from.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: "reduce",
      serviceWorkers: "block",
      ...options,
    });
    visitors.push(context);
    context.setDefaultTimeout(PATIENCE);
    return context;
  };
  return Object.assign(open, { visitor });
}
