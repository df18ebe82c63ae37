// The run on screen. Events arrive faster than anyone reads: those of a tenth of a second are folded, and React is notified once.
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { applyEvent } from "./apply-event.ts";
import { emptyView, type RunView, type ViewEvent } from "./run-view.ts";

export const runStore = createStore<RunView>(() => emptyView());

/** Each change of the view costs layout and paint, which a training on the same processor pays for. */
export const BETWEEN_MS = 100;

let queue: ViewEvent[] = [];
let appliedAt = Number.NEGATIVE_INFINITY;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Passes an event to the screen, which shows it in the next frame, but no sooner than `BETWEEN_MS` after the events before it. */
export function receive(event: ViewEvent): void {
  queue.push(event);
  if (queue.length > 1) return;
  const wait = Math.min(BETWEEN_MS, appliedAt + BETWEEN_MS - performance.now());
  if (wait > 0) timer = setTimeout(() => inNextFrame(flush), wait);
  else inNextFrame(flush);
}

/** Applies the waiting events now, e.g. before reading the view to decide something. */
export function flush(): void {
  clearTimeout(timer);
  const batch = queue;
  queue = [];
  if (batch.length === 0) return;
  runStore.setState((view) => batch.reduce(applyEvent, view), true);
  appliedAt = performance.now();
}

/** A hidden page gets no animation frames, but its run continues, and its memory must not fill with waiting events. */
function inNextFrame(work: () => void): void {
  if (typeof document === "undefined" || document.visibilityState === "hidden") setTimeout(work, 0);
  else requestAnimationFrame(work);
}

/** The smallest slice that a component needs; it renders again only when that slice changes. */
export function useRun<T>(select: (view: RunView) => T): T {
  return useStore(runStore, select);
}
