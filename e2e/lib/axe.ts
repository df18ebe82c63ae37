// What axe, the accessibility checker, finds on a page.
import axeCore from "axe-core";
import type { Page } from "playwright-core";

/** Serious and critical findings, as sentences. */
export async function axe(page: Page): Promise<string[]> {
  // Evaluated rather than added as a script, which the page's policy refuses.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeCore.source);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    // Rules that pass are not described: on a long page that takes longer than the check.
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
  });
}
