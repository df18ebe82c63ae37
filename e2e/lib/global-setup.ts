// One server for all files of browser tests: one for each would cost seconds, and more on a busy machine.
import type { TestProject } from "vitest/node";
import { serveBuild } from "./server.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the built page is served. */
    pageUrl: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await serveBuild();
  project.provide("pageUrl", server.url);
  return () => server.close();
}
