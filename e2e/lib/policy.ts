// What the content security policy of the page refuses.
import type { Page } from "playwright-core";

/** Collects what the policy refuses on the page, from its first script on. A reload begins a new list. */
export async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(globalThis, { refused });
    document.addEventListener("securitypolicyviolation", (event) =>
      refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}:${event.lineNumber}`),
    );
  });
  return () => page.evaluate(() => (globalThis as unknown as { refused: string[] }).refused);
}
