// The messages below the form before a run starts.
import { afterEach, beforeEach, expect, it } from "vitest";
import { getPreset } from "../../config/presets.ts";
import { editField, loadDraft, useDraft } from "../store/draft-store.ts";
import { emptyView } from "../store/run-view.ts";
import { useSession } from "../store/session-store.ts";
import { fakePlan } from "../testing/fake-run.ts";
import { snapshot } from "../testing/snapshot.tsx";
import { StartBar } from "./start-bar.tsx";

/** React's server rendering reads these very objects. */
const [drafted, session] = [useDraft.getInitialState(), useSession.getInitialState()];
const untouched = [{ ...drafted }, { ...session }] as const;
afterEach(() => {
  Object.assign(drafted, untouched[0]);
  useDraft.setState(untouched[0], true);
  Object.assign(session, untouched[1]);
});

/** The foot of the form in the present state of the draft. */
function foot(): string {
  Object.assign(drafted, useDraft.getState());
  return snapshot(<StartBar />, emptyView());
}

beforeEach(() => {
  loadDraft(getPreset("frozenlake-nano").config, "frozenlake-nano");
  Object.assign(session, { size: { state: "known", plan: fakePlan } });
});

it("shows no size of a draft that has problems: the last one known is of another draft", () => {
  expect(foot()).toContain("size-estimate");
  editField("env.name", "blackjack");
  expect(foot()).not.toContain("size-estimate");
});
