// Which stored runs are drawn beside the run on screen. The choice is the tab's, and outlives a reload.
import { create } from "zustand";
import type { StoredRun } from "../../worker/protocol.ts";
import { applyEvent } from "./apply-event.ts";
import { emptyView, type RunView } from "./run-view.ts";
import { attempt, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-compared-runs";

/** More curves than the run's own and these could not be told apart. */
export const MOST_COMPARED = 3;

/** The id of the run in each place, of which every one has its look; null: the place is free. */
type Places = readonly (string | null)[];

export const useCompared = create<{ places: Places }>(() => ({ places: readPlaces() }));

/** A run that is compared, and its place, which it keeps when another one leaves. */
interface Placed {
  readonly run: StoredRun;
  readonly place: number;
}

/** The compared runs that are stored, without the one on screen. */
export const comparedWith = (stored: readonly StoredRun[], places: Places, shown: string | null): Placed[] =>
  places.flatMap((id, place) => {
    const run = stored.find(({ runId }) => runId === id && runId !== shown);
    return run ? [{ run, place }] : [];
  });

/**
 * Compares a run with the one on screen, or no longer. It takes a free place, or else that of a run that is not drawn, because it is discarded
 * or on screen; with `MOST_COMPARED` drawn it does nothing.
 * @param drawn the places of the runs that are
 */
export function compareWith(runId: string, chosen: boolean, drawn: readonly number[]): void {
  const others = useCompared.getState().places.map((id) => (id === runId ? null : id));
  const free = others.indexOf(null);
  const place = free >= 0 ? free : others.findIndex((_, at) => !drawn.includes(at));
  const places = chosen && place >= 0 ? others.with(place, runId) : others;
  useCompared.setState({ places });
  attempt(() => tabStorage()?.setItem(KEY, JSON.stringify(places)));
}

function readPlaces(): Places {
  const kept: unknown = attempt(() => JSON.parse(tabStorage()?.getItem(KEY) ?? "null"));
  const places: unknown[] = Array.isArray(kept) ? kept : [];
  return Array.from({ length: MOST_COMPARED }, (_, i) => {
    const id = places[i];
    return typeof id === "string" ? id : null;
  });
}

/** A stored run as it was last read: one that is read again unchanged has the same. */
export const stampOf = ({ runId, savedAt, events }: StoredRun): string =>
  [runId, savedAt, events.length].join();

const views = new Map<string, RunView>();

/** What the screen would show of a stored run, without its episodes. */
export function viewOfStored(run: StoredRun): RunView {
  const stamp = stampOf(run);
  const known = views.get(stamp);
  if (known) return known;
  const { runId, config, events, update, elsewhere } = run;
  const opened = { type: "stored_run_opened", resuming: false, elsewhere } as const;
  const view = applyEvent(emptyView(), { ...opened, runId, config, events, update });
  // Those of runs that are no longer compared go first.
  for (const old of views.keys()) if (views.size >= MOST_COMPARED) views.delete(old);
  views.set(stamp, view);
  return view;
}
