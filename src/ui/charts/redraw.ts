// When charts draw: training reports faster than screens refresh, and charts are the most expensive part of the page.

/** Draws a chart. */
type Redraw = () => void;

interface Entry {
  redraw: Redraw;
  visible: boolean;
  dirty: boolean;
  drawnAt: number;
}

export const PER_FRAME = 2;
/** 2 Hz for each chart. */
export const MIN_INTERVAL_MS = 500;

/**
 * Schedules redraws: at most two charts a frame in turn, each at most twice a second, only those on screen. A hidden page
 * gets no frames, so it draws nothing; when it is shown again each chart draws once.
 */
export class RedrawQueue {
  readonly #entries = new Set<Entry>();
  #scheduled = false;
  readonly #requestFrame: (work: (now: number) => void) => void;

  constructor(requestFrame: (work: (now: number) => void) => void) {
    this.#requestFrame = requestFrame;
  }

  /**
   * Adds a chart, invisible at first; returns functions that set its visibility and remove it.
   * @param dirty Whether its drawing may be out of date.
   */
  join(redraw: Redraw, dirty = false): { setVisible(visible: boolean): void; leave(): void } {
    const entry: Entry = { redraw, visible: false, dirty, drawnAt: Number.NEGATIVE_INFINITY };
    this.#entries.add(entry);
    return {
      setVisible: (visible) => {
        entry.visible = visible;
        if (visible && entry.dirty) this.#wake();
      },
      leave: () => this.#entries.delete(entry),
    };
  }

  /** New data: every chart is out of date. */
  invalidate(): void {
    for (const entry of this.#entries) entry.dirty = true;
    this.#wake();
  }

  #wake(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#requestFrame((now) => this.#frame(now));
  }

  #frame(now: number): void {
    this.#scheduled = false;
    const waiting = [...this.#entries].filter((entry) => entry.visible && entry.dirty);
    // The one drawn longest ago first, so that none starves.
    const due = waiting
      .filter((entry) => now - entry.drawnAt >= MIN_INTERVAL_MS)
      .sort((a, b) => a.drawnAt - b.drawnAt)
      .slice(0, PER_FRAME);
    for (const entry of due) {
      entry.dirty = false;
      entry.drawnAt = now;
      entry.redraw();
    }
    if (waiting.length > due.length) this.#wake();
  }
}
