// The run on screen. Events arrive faster than screens refresh: fold those of a frame, then notify React once.
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { applyEvent } from "./apply-event.ts";
import { emptyView, type RunView, type ViewEvent } from "./run-view.ts";

export const runStore = createStore<RunView>(() => emptyView());

let queue: ViewEvent[] = [];

/** Passes an event to the screen, which shows it within a frame. */
export function receive(event: ViewEvent): void {
  queue.push(event);
  if (queue.length === 1) schedule(flush);
}

/** Applies the waiting events now, e.g. before reading the view to decide something. */
export function flush(): void {
  const batch = queue;
  queue = [];
  if (batch.length > 0) runStore.setState((view) => batch.reduce(applyEvent, view), true);
}

/** A hidden page gets no animation frames, but its run continues, and its memory must not fill with waiting events. */
function schedule(work: () => void): void {
  if (typeof document === "undefined" || document.visibilityState === "hidden") setTimeout(work, 0);
  else requestAnimationFrame(work);
}

/** The smallest slice that a component needs; it renders again only when that slice changes. */
export function useRun<T>(select: (view: RunView) => T): T {
  return useStore(runStore, select);
}
