import { expect, it } from "vitest";
import { emptyView } from "../store/run-view.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { ExportOnnx, type OnnxExport } from "./download-button.tsx";

const shown = (state: OnnxExport) =>
  snapshot(<ExportOnnx state={state} onStart={() => undefined} />, emptyView());

it("says that an export is being made, and that it is done", () => {
  expect(shown("none")).toContain("Export as ONNX</button>");
  expect(shown("none")).toContain('empty:hidden"></span>');
  expect(shown("working")).toMatch(/animate-spin.*Exporting…<\/button>/);
  expect(shown("done")).toMatch(/role="status".*Exported to your downloads/);
});
