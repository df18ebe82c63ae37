// What the form says of edits that a run does not have: while it is on, and before it goes on.
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { pendingPaths } from "../session/draft-changes.ts";
import { editField, loadDraft, tieDraft, useDraft } from "../store/draft-store.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { fakeRun } from "../testing/fake-run.ts";
import { snapshot, viewOf } from "../testing/snapshot.tsx";
import { KeptEdits } from "./kept-edits.tsx";
import { PendingBar } from "./pending-bar.tsx";

/** React's server rendering reads this very object. */
const initial = useDraft.getInitialState();
const untouched = { ...initial };
afterEach(() => {
  Object.assign(initial, untouched);
  useDraft.setState(untouched, true);
});

/** What `element` says in the present state of the draft. */
function markup(...of: Parameters<typeof snapshot>): string {
  Object.assign(initial, useDraft.getState());
  return snapshot(...of);
}

const config = checkedRunConfig({ name: "Lake", sft: { total_updates: 20, one_turn_updates: 5 } });
const events = fakeRun("r", config, 30);
const running = { ...viewOf(events), state: "running" } as RunView;

beforeEach(() => {
  loadDraft(config, null);
  tieDraft("r");
});

const textOf = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

it("offers to apply edits once the run is built, and says so before", () => {
  editField("actor.lr", 1e-4);
  const bar = (view: Partial<RunView>) => markup(<PendingBar />, { ...running, ...view });
  expect(bar({})).not.toMatch(/still being prepared|disabled/);
  expect(bar({ state: "preparing" })).toMatch(/<button[^>]* disabled=""/);
  expect(textOf(bar({ state: "preparing" }))).toMatch(/still being prepared.* Apply 1 change to the run/);
});

it("does not offer to apply edits while the run has no device, and says so", () => {
  editField("actor.lr", 1e-4);
  for (const state of ["recovering", "paused", "running"] as const) {
    const bar = markup(<PendingBar />, { ...running, state, deviceLost: true });
    expect(bar).toMatch(/<button[^>]* disabled=""/);
    expect(textOf(bar)).toContain(
      "The run has lost its graphics device. You can apply the change once it trains again.",
    );
  }
});

it("counts another task as one change, as the form does", () => {
  editField("env.name", "blackjack");
  expect(pendingPaths(config, useDraft.getState().draft).length).toBeGreaterThan(1);
  expect(textOf(markup(<PendingBar />, running))).toContain("Restart to apply 1 change");
  expect(said()).toMatch(/These need a new run: Task ?\./);
});

it("lists no setting that the run has changed itself", () => {
  const path = "sft.total_updates";
  const change = { type: "config_changed", update: 4, path, from: 20, to: 4, automatic: true } as const;
  expect(textOf(markup(<PendingBar />, viewOf([...events, change])))).toContain("The run uses these values");
});

const stored: StoredRun = {
  ...{ runId: "r", name: "Lake", update: 30, totalUpdates: 60, savedAt: 0, config },
  ...{ elsewhere: false, recordingKept: false, events },
};
const said = (run: Partial<StoredRun> = {}, view = emptyView()) =>
  textOf(markup(<KeptEdits />, view, { stored: [{ ...stored, ...run }] }));

it("says before a run is resumed that it keeps its own settings, and which edits stay in the form", () => {
  expect(said()).toBe("");
  editField("actor.lr", 1e-4);
  editField("seed", 9);
  expect(said().trim()).toBe(
    "If you continue Lake, it keeps its own settings. Your later changes stay in the form. " +
      "You can apply these once it trains: Actor learning rate . These need a new run: Seed .",
  );
  expect(said({ elsewhere: true })).toBe("");
  expect(said({ update: 60 })).toBe("");
});

it("says the same of the run that was stopped on screen, and nothing of the run of another draft", () => {
  editField("actor.lr", 1e-4);
  const checkpoint = { update: 30, name: "c", bytes: 1 };
  expect(said({}, { ...running, checkpoint, state: "stopped" })).toContain("If you continue Lake");
  expect(said({}, { ...running, checkpoint, state: "finished" })).toBe("");
  expect(said({}, { ...running, checkpoint: null, state: "stopped" })).toBe("");
  tieDraft("another");
  expect(said()).toBe("");
});
