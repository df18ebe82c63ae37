import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { launchBrowser } from "./browser.ts";
import { serveBuild, type TestServer } from "./server.ts";

/** The built page on a server of its own, and a browser, for all tests of a file; both are there when a test runs. */
export function studio(): { readonly server: TestServer; readonly browser: Browser } {
  const open = {} as { server: TestServer; browser: Browser };
  beforeAll(async () => {
    open.server = await serveBuild();
    open.browser = await launchBrowser();
  });
  afterAll(async () => {
    await open.browser?.close();
    await open.server?.close();
  });
  return open;
}
