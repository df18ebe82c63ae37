import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { exportWithNotes } from "../../config/vagen/export.ts";
import { Written } from "./vagen-dialog.tsx";

it("has a button for each file, and says what VAGEN would do otherwise and what has to be done first", () => {
  const written = exportWithNotes(getPreset("three-tasks-small").config, "lite");
  const html = renderToStaticMarkup(<Written {...written} />);
  for (const name of ["trainer.yaml", "train.yaml", "val.yaml"])
    expect(html).toContain(`</svg> ${name}</button>`);
  expect(html).toContain("VAGEN plays navigation on a server: fill in config.base_urls of its entries.");
  expect(html).toContain("VAGEN-Lite does not have config.eval_set &quot;base_common_train&quot;");
  expect(html).toMatch(/VAGEN would train differently: it has no key or value for \d+ settings\./);
  expect(html).toMatch(/\d+ settings that VAGEN has no key or value for are kept\s+as comments/);
});

it("says nothing of differences where there are none", () => {
  const html = renderToStaticMarkup(<Written files={[]} comments={0} otherwise={[]} toPrepare={[]} />);
  expect(html).not.toContain("VAGEN");
});
