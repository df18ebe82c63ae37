import { expect, it } from "vitest";
import { emptyView, type RunState, type RunView } from "../store/run-view.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { StopDialog } from "./help-sheet.tsx";

const dialog = (state: RunState, view: Partial<RunView> = {}) =>
  snapshot(<StopDialog open onClose={() => undefined} onStop={() => undefined} />, {
    ...{ ...emptyView(), ...view },
    state,
  });

it("says what a stop leaves, also before the first update", () => {
  expect(dialog("running")).toContain("The update in progress is finished and saved.");
  expect(dialog("preparing")).toContain("no update has begun");
  const phase = { phase: "validate", update: 0, done: 3, of: 64 } as const;
  expect(dialog("running", { phase })).toContain("The validation in progress ends without a result");
  expect(dialog("preparing")).not.toContain("is finished and saved");
});
