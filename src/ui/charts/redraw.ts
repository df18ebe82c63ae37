// When charts draw: training reports faster than screens refresh, and charts are the most expensive part of the page.

/** Draws a chart. */
type Redraw = () => void;

interface Entry {
  redraw: Redraw;
  visible: boolean;
  /** Its drawing may be out of date. */
  dirty: boolean;
  /** It came on screen with such a drawing, and has not been drawn since. */
  urgent: boolean;
  drawnAt: number;
}

export const PER_FRAME = 2;
/** 2 Hz for each chart. */
export const MIN_INTERVAL_MS = 500;
/** How many times as long as a frame's charts took none is drawn: charts have a fifth of the page's time, and training the rest. */
export const REST = 4;

/** What a queue needs of its page; times are in ms on the clock of animation frames. */
interface Page {
  requestFrame(work: (now: number) => void): void;
  /** Calls `work` after `ms`, unless the result is called before. */
  wait(work: () => void, ms: number): () => void;
  /** Draws at once. @returns the time that it took */
  timed(draw: () => void): number;
}

/**
 * Schedules redraws: at most two charts a frame in turn, each at most twice a second, only those on screen, and less often where
 * drawing takes long. One that comes on screen with an old drawing waits for no other: old numbers would look like new ones.
 * A hidden page gets no frames, so it draws nothing; when it is shown again each chart draws once.
 */
export class RedrawQueue {
  readonly #entries = new Set<Entry>();
  readonly #page: Page;
  #scheduled = false;
  #restsUntil = 0;
  #stopWaiting = () => {};

  constructor(page: Page) {
    this.#page = page;
  }

  /** Adds a chart, invisible and not drawn yet; returns functions that set its visibility and remove it. */
  join(redraw: Redraw): { setVisible(visible: boolean): void; leave(): void } {
    const drawnAt = Number.NEGATIVE_INFINITY;
    const entry: Entry = { redraw, visible: false, dirty: true, urgent: false, drawnAt };
    this.#entries.add(entry);
    return {
      setVisible: (visible) => {
        entry.visible = visible;
        entry.urgent = visible && entry.dirty;
        if (entry.urgent) this.#wake();
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
    this.#page.requestFrame((now) => this.#frame(now));
  }

  #frame(now: number): void {
    this.#scheduled = false;
    const took = this.#draw(this.#due(now), now);
    this.#stopWaiting();
    const next = Math.min(...this.#waiting().map((entry) => this.#dueAt(entry)));
    // Frames in between would draw nothing.
    if (Number.isFinite(next)) this.#stopWaiting = this.#page.wait(() => this.#wake(), next - now - took);
  }

  /** @returns the time that it took */
  #draw(entries: readonly Entry[], now: number): number {
    if (entries.length === 0) return 0;
    const took = this.#page.timed(() => {
      for (const entry of entries) {
        entry.dirty = false;
        entry.urgent = false;
        entry.drawnAt = now;
        entry.redraw();
      }
    });
    this.#restsUntil = now + took * (1 + REST);
    return took;
  }

  /** All that are urgent, else the ones drawn longest ago, so that none starves. */
  #due(now: number): Entry[] {
    const due = this.#waiting().filter((entry) => this.#dueAt(entry) <= now);
    const urgent = due.filter((entry) => entry.urgent);
    if (urgent.length > 0) return urgent;
    return due.sort((a, b) => a.drawnAt - b.drawnAt).slice(0, PER_FRAME);
  }

  #waiting(): Entry[] {
    return [...this.#entries].filter((entry) => entry.visible && entry.dirty);
  }

  #dueAt({ drawnAt, urgent }: Entry): number {
    const next = drawnAt + MIN_INTERVAL_MS;
    return urgent ? next : Math.max(next, this.#restsUntil);
  }
}
