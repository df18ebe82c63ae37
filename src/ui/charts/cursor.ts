// The one cursor that all charts share: an update, kept outside the run's state because it moves with the pointer.
import { create } from "zustand";

interface ChartCursor {
  /** The update under the pointer; null when there is none. */
  update: number | null;
  /** The chart that shows the numbers. */
  chart: string | null;
}

export const useCursor = create<ChartCursor>(() => ({ update: null, chart: null }));

/** Moves the cursor. A pointer that stays on one update redraws nothing. */
export function setCursor(next: ChartCursor): void {
  const { update, chart } = useCursor.getState();
  if (next.update !== update || next.chart !== chart) useCursor.setState(next);
}

/** Clears the cursor. */
export const clearCursor = (): void => setCursor({ update: null, chart: null });
