import { expect, it } from "vitest";
import { emptyView, type RunState } from "../store/run-view.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { StopDialog } from "./help-sheet.tsx";

const dialog = (state: RunState) =>
  snapshot(<StopDialog open onClose={() => undefined} onStop={() => undefined} />, { ...emptyView(), state });

it("says what a stop leaves, also before the first update", () => {
  expect(dialog("running")).toContain("The update in progress is finished and saved.");
  expect(dialog("preparing")).toContain("no update has begun");
  expect(dialog("preparing")).not.toContain("is finished and saved");
});
