import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { SECTIONS } from "../../config/describe.ts";
import type { Tried } from "../../extension/index.ts";
import { useExtensions } from "../store/extension-store.ts";
import { addedText } from "./extension-reports.tsx";
import { Extensions } from "./extensions.tsx";

const own = { name: "key and door of the third floor", source: "export default () => {};" };
const added = { active: [own], registered: [{ provides: ["environment key-door"] }] };

/** The panel with an extension. React's server rendering reads the initial state of a store. */
function panel(state: object = added): string {
  const initial = useExtensions.getInitialState();
  const before = { ...initial };
  Object.assign(initial, state);
  try {
    return renderToStaticMarkup(<Extensions />);
  } finally {
    Object.assign(initial, before);
  }
}

it("points to the section of the form where each part is chosen", () => {
  expect(panel()).toContain(`choose it under ${SECTIONS.env}.`);
  expect(panel()).not.toContain(SECTIONS.algorithm);
  const provides = ["estimator reward_to_go", "filter unsettled", "rewardTerm shorter", "metric words"];
  const html = panel({ ...added, registered: [{ provides }] });
  expect(html).toContain(`To use the estimator, choose it under ${SECTIONS.algorithm}.`);
  // The basic view lacks these two settings.
  expect(html).toContain(`To use the filter, choose it under ${SECTIONS.algorithm}, in the view “All”.`);
  expect(html).toContain(`give it a weight under ${SECTIONS.reward}, in the view “All”.`);
});

it("shows the whole name of an extension", () => {
  const [, look] = /<span class="([^"]*)">key and door of the third floor</.exec(panel())!;
  expect(look).not.toContain("truncate");
});

describe("the checks of an environment", () => {
  const lines: Tried["reports"][number]["lines"] = [
    { check: "Levels begin", outcome: "passed", found: "20 levels" },
    { check: "Any actions may be played", outcome: "failed", found: "step failed" },
    { check: "The picture shows what changes", outcome: "not run", found: "" },
  ];
  const reports = (of: typeof lines) => ({ [own.source]: [{ title: "Key and door", lines: of }] });
  const textOf = (html: string) => html.replace(/<[^>]+>/g, "");

  it("stand closed below an extension whose checks passed", () => {
    const html = panel({ ...added, reports: reports(lines.slice(0, 1)) });
    expect(html).toMatch(/<details class="[^"]*"><summary[^>]*>Key and door: 1 of 1 check passed</);
    expect(textOf(html)).toContain("✓Passed: Levels begin. 20 levels");
  });

  it("stand open below one that is not active, each with its outcome", () => {
    const html = panel({ idle: [{ ...own, problem: "1 of 3 checks failed." }], reports: reports(lines) });
    expect(html).toMatch(/<details open=""[^>]*><summary[^>]*>Key and door: 1 of 3 checks failed, and 1 was/);
    expect(textOf(html)).toContain("✗Failed: Any actions may be played. step failed");
    expect(textOf(html)).toContain("–Not run: The picture shows what changes.");
  });

  it("are counted in the line about the extension that was added last", () => {
    const both = [
      ...Object.values(reports(lines.slice(0, 1)))[0]!,
      { title: "Walk", lines: lines.slice(0, 1) },
    ];
    expect(addedText({ name: "mine", how: "added" }, both)).toBe("mine was added. 2 of 2 checks passed.");
    expect(addedText({ name: "mine", how: "replaced" }, [])).toBe("mine was replaced.");
  });
});
