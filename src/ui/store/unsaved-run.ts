// The run of this tab that has no checkpoint yet. A reload or a crash of the tab loses it, and the page then says so.
import { create } from "zustand";
import { runStore } from "./run-store.ts";
import { isActive, type RunView } from "./run-view.ts";
import type { useSession } from "./session-store.ts";
import { attempt, type TabStorage, tabStorage } from "./tab-storage.ts";

const KEY = "vagen-unsaved-run";

export interface UnsavedRun {
  readonly runId: string;
  readonly name: string;
}

/** The run that the last visit of this tab left unsaved; null for none. */
export const useUnsaved = create<{ left: UnsavedRun | null }>(() => ({ left: readLeft() }));

/** From now on, notes the run on screen in the storage of this tab while it has no checkpoint. Returns a function that stops that. */
export function noteUnsaved(storage: TabStorage | undefined = tabStorage()): () => void {
  return runStore.subscribe((view, previous) => {
    const unsaved = unsavedOf(view);
    if (view.runId === previous.runId && unsaved?.runId === unsavedOf(previous)?.runId) return;
    attempt(() => (unsaved ? storage?.setItem(KEY, JSON.stringify(unsaved)) : storage?.removeItem(KEY)));
  });
}

const unsavedOf = ({ runId, config, state, checkpoint }: RunView): UnsavedRun | null =>
  runId && config && isActive(state) && !checkpoint ? { runId, name: config.name } : null;

/** Dismisses the note about a lost run. */
export function dismissLoss(): void {
  useUnsaved.setState({ left: null });
  attempt(() => tabStorage()?.removeItem(KEY));
}

type Known = Pick<ReturnType<typeof useSession.getState>, "stored" | "storedKnown" | "elsewhere">;

/** Whether a run that was left unsaved is lost: it was not saved after all, and no other tab trains it. */
export const isLost = ({ runId }: UnsavedRun, { stored, storedKnown, elsewhere }: Known): boolean =>
  storedKnown &&
  !stored.some((run) => run.runId === runId) &&
  // An empty id: it is not known yet which run another tab trains.
  elsewhere !== runId &&
  elsewhere !== "";

function readLeft(storage: TabStorage | undefined = tabStorage()): UnsavedRun | null {
  const left = attempt(() => JSON.parse(storage?.getItem(KEY) ?? "null") as Partial<UnsavedRun> | null);
  return typeof left?.runId === "string" && typeof left.name === "string"
    ? { runId: left.runId, name: left.name }
    : null;
}
