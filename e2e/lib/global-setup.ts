// One server and one browser for all files of browser tests: each would cost seconds, and more on a busy machine.
import type { TestProject } from "vitest/node";
import { launchServer } from "./browser.ts";
import { serveBuild } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the built page is served. */
    pageUrl: string;
    /** Where the shared browser takes connections. */
    browserEndpoint: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveBuild();
  const browser = await launchServer();
  project.provide("pageUrl", server.url);
  project.provide("browserEndpoint", browser.wsEndpoint());
  return async () => {
    await browser.close();
    await server.close();
  };
}
