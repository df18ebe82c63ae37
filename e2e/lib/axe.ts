// What axe, the accessibility checker, finds on a page.
import axeCore from "axe-core";
import type { Page } from "playwright-core";

/** The rules that depend on colours: enough for a view that was checked by all rules in the other theme. */
export const OF_COLOURS = ["color-contrast", "link-in-text-block"];

/** Serious and critical findings, as sentences. @param rules these only; all that are usual if absent */
export async function axe(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Evaluated rather than added as a script, which the page's policy refuses.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeCore.source);
  return page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    // Rules that pass are not described: on a long page that takes longer than the check.
    const { violations } = await axe.run(document, {
      resultTypes: ["violations"],
      ...(rules && { runOnly: [...rules] }),
    });
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ""}`));
  }, rules);
}
