// Which stored runs are drawn beside the run on screen. The choice is the tab's, and outlives a reload.
import { create } from "zustand";
import type { StoredRun } from "../../worker/protocol.ts";
import { applyEvent } from "./apply-event.ts";
import { emptyView, type RunView } from "./run-view.ts";
import { attempt, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-compared-runs";

/** More curves than the run's own and these could not be told apart. */
export const MOST_COMPARED = 3;

/** Ids of the chosen runs, in the order in which they were chosen. */
export const useCompared = create<{ ids: readonly string[] }>(() => ({ ids: readIds() }));

/** Draws a run beside the one on screen, or no longer. Beyond `MOST_COMPARED` runs it does nothing. */
export function compareWith(runId: string, chosen: boolean): void {
  const others = useCompared.getState().ids.filter((id) => id !== runId);
  if (chosen && others.length >= MOST_COMPARED) return;
  const ids = chosen ? [...others, runId] : others;
  useCompared.setState({ ids });
  attempt(() => tabStorage()?.setItem(KEY, JSON.stringify(ids)));
}

function readIds(): string[] {
  const ids: unknown = attempt(() => JSON.parse(tabStorage()?.getItem(KEY) ?? "null"));
  const known = Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  return known.slice(0, MOST_COMPARED);
}

/** The chosen runs that are stored, without the one on screen. */
export const comparedWith = (
  stored: readonly StoredRun[],
  ids: readonly string[],
  shown: string | null,
): StoredRun[] => ids.flatMap((id) => stored.find(({ runId }) => runId === id && runId !== shown) ?? []);

const views = new WeakMap<StoredRun, RunView>();

/** What the screen would show of a stored run, without its episodes. */
export function viewOfStored(run: StoredRun): RunView {
  const known = views.get(run);
  if (known) return known;
  const { runId, config, events, update, elsewhere } = run;
  const opened = { type: "stored_run_opened", resuming: false, elsewhere } as const;
  const view = applyEvent(emptyView(), { ...opened, runId, config, events, update });
  views.set(run, view);
  return view;
}
