import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, inject } from "vitest";
import { launchShared } from "./browser.ts";

/** How long a step in the page may take, in ms. What is never reached fails; what a busy machine reaches late does not. */
export const PATIENCE = 120_000;

/** Options of a visitor whose browser keeps a copy of the studio, for visits without a network. */
export const OFFLINE_COPY: BrowserContextOptions = { serviceWorkers: "allow" };

/** The served page and a browser that shows it. */
export interface Studio {
  readonly server: { readonly url: string };
  readonly browser: Browser;
  /**
   * A visitor of their own, with nothing stored, in `from` or `browser`: 1440 × 900 px and saving data unless
   * `options` says otherwise. For other visitors, the page loads all of its code in advance and a service worker fetches a copy of the
   * whole studio. Together they take half of the CPU time of a visit; tests of the copy ask for them (`OFFLINE_COPY`).
   */
  visitor(options?: BrowserContextOptions, from?: Browser): Promise<BrowserContext>;
}

/** What a visitor is unless a test says otherwise. */
const USUAL: BrowserContextOptions = {
  viewport: { width: 1440, height: 900 },
  reducedMotion: "reduce",
  serviceWorkers: "block",
};

async function newVisitor(from: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await from.newContext({ ...USUAL, ...options });
  context.setDefaultTimeout(PATIENCE);
  if (options.serviceWorkers !== "allow") await context.addInitScript(saveData);
  return context;
}

/** Runs in the page: the browser asks pages to save data. */
function saveData(): void {
  const { connection } = navigator as Navigator & { connection?: object };
  if (connection) Object.defineProperty(connection, "saveData", { get: () => true });
}

/**
 * The built page and the browser, which all test files share. The browser closes when the test process exits. Visitors leave when their test ends, also when
 * it fails: a forgotten page would train on and slow down everything after it.
 */
export function studio(): Studio {
  const open = { server: { url: inject("pageUrl") } } as { server: { url: string }; browser: Browser };
  const visitors: BrowserContext[] = [];
  beforeAll(async () => {
    open.browser = await launchShared();
  });
  afterEach(async () => {
    await Promise.all(visitors.splice(0).map((context) => context.close()));
  });
  const visitor: Studio["visitor"] = async (options = {}, from = open.browser) => {
    const context = await newVisitor(from, options);
    visitors.push(context);
    return context;
  };
  return Object.assign(open, { visitor });
}

/** Options of {@link sharedPage}. */
interface SharedPageOptions {
  readonly visitor?: BrowserContextOptions;
  /** The browser; that of all files by default. */
  readonly from?: () => Browser;
  /** Prepares a new page: opens an address, begins to watch. */
  begin?(page: Page): Promise<void> | void;
}

/**
 * One page for the tests of a group, in their order: loading it is most of what they cost. Each begins where the one before ended; a test
 * that is tried again gets a new page, because the first try may have left the old one in any state.
 */
export function sharedPage(open: Studio, options: SharedPageOptions = {}): { readonly page: Page } {
  const shared = {} as { page: Page };
  const renew = async () => {
    await shared.page?.context().close();
    const from = options.from?.() ?? open.browser;
    shared.page = await (await newVisitor(from, options.visitor ?? {})).newPage();
    await options.begin?.(shared.page);
  };
  beforeAll(renew);
  beforeEach(({ task }) => (task.result?.retryCount ? renew() : undefined));
  afterAll(() => shared.page?.context().close());
  return shared;
}
