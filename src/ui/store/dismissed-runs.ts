// Which stored runs the user does not want to be offered again in this session, which outlives a reload.
import { create } from "zustand";
import { attempt, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-dismissed-runs";

/** Ids of the runs that were stored when the offer was dismissed; null if it was not. */
export const useDismissed = create<{ ids: readonly string[] | null }>(() => ({ ids: readDismissed() }));

/** Dismisses the offer of these runs. */
export function dismissRuns(ids: readonly string[]): void {
  useDismissed.setState({ ids });
  attempt(() => tabStorage()?.setItem(KEY, JSON.stringify(ids)));
}

function readDismissed(): string[] | null {
  const ids: unknown = attempt(() => JSON.parse(tabStorage()?.getItem(KEY) ?? "null"));
  return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : null;
}
