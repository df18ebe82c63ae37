// The one cursor that all charts share: an update, kept outside React because it moves with the pointer.
import { useSyncExternalStore } from "react";

interface ChartCursor {
  /** The update under the pointer; null when it is nowhere. */
  update: number | null;
  /** Which chart shows the numbers. */
  chart: string | null;
}

const NOWHERE: ChartCursor = { update: null, chart: null };
let cursor = NOWHERE;
let announced = false;
const listeners = new Set<() => void>();

/** Moves the cursor; listeners are called once a frame at most. */
export function setCursor(next: ChartCursor): void {
  if (next.update === cursor.update && next.chart === cursor.chart) return;
  cursor = next;
  if (announced) return;
  announced = true;
  requestAnimationFrame(() => {
    announced = false;
    for (const listener of listeners) listener();
  });
}

/** Clears the cursor. */
export const clearCursor = (): void => setCursor(NOWHERE);

/** Where the cursor is now. */
export const cursorNow = (): ChartCursor => cursor;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useCursor = (): ChartCursor => useSyncExternalStore(subscribe, cursorNow, cursorNow);
