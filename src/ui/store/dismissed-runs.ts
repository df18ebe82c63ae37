// Which stored runs the user does not want to be offered again in this session, which outlives a reload.
import { create } from "zustand";
import type { StoredRun } from "../../worker/protocol.ts";
import { attempt, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-dismissed-runs";

type Saved = Pick<StoredRun, "runId" | "savedAt">;

/** Names a run as it was last saved: a run that is saved again has another key. */
export const savedKey = ({ runId, savedAt }: Saved): string => `${runId}@${savedAt}`;

/** Keys of the runs that were stored when the offer was dismissed; null if it was not. */
export const useDismissed = create<{ keys: readonly string[] | null }>(() => ({ keys: readDismissed() }));

/** Dismisses the offer of these runs, until one is saved again. */
export function dismissRuns(runs: readonly Saved[]): void {
  const keys = runs.map(savedKey);
  useDismissed.setState({ keys });
  attempt(() => tabStorage()?.setItem(KEY, JSON.stringify(keys)));
}

function readDismissed(): string[] | null {
  const keys: unknown = attempt(() => JSON.parse(tabStorage()?.getItem(KEY) ?? "null"));
  return Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : null;
}
