// The running clock of a player: one time that picture, text and scrubber read. It is outside React, because it changes
// with every frame of the screen.

export interface ClockState {
  ms: number;
  playing: boolean;
  /** Times real time. */
  speed: number;
  /** Where playing starts and ends. */
  from: number;
  to: number;
}

/** Asks for the next frame, and takes back that request. */
interface Frames {
  request(callback: (now: number) => void): number;
  cancel(handle: number): void;
}

const screen: Frames = {
  request: (callback) => requestAnimationFrame(callback),
  cancel: (handle) => cancelAnimationFrame(handle),
};

/** After a pause of the page, as in a hidden tab, playing goes on where it was. */
const LONGEST_FRAME_MS = 100;

export class PlayerClock {
  private state: ClockState;
  private readonly listeners = new Set<() => void>();
  private handle: number | null = null;
  private before = 0;
  /** Times at which playing pauses, in order. */
  stops: readonly number[] = [];

  constructor(
    initial: Partial<ClockState>,
    private readonly frames: Frames = screen,
  ) {
    this.state = { ms: 0, playing: false, speed: 1, from: 0, to: 0, ...initial };
  }

  readonly get = (): ClockState => this.state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  /** Plays from here, or from the start when the end is reached. */
  readonly play = (): void => {
    const { ms, from, to, playing } = this.state;
    if (playing || to <= from) return;
    this.set({ playing: true, ms: ms >= to || ms < from ? from : ms });
    this.before = Number.NaN;
    this.handle = this.frames.request(this.tick);
  };

  readonly pause = (): void => {
    if (this.handle !== null) this.frames.cancel(this.handle);
    this.handle = null;
    if (this.state.playing) this.set({ playing: false });
  };

  readonly toggle = (): void => (this.state.playing ? this.pause() : this.play());

  /** Goes to a time and pauses there. */
  readonly seek = (ms: number): void => {
    this.pause();
    this.set({ ms: Math.max(0, ms) });
  };

  readonly setSpeed = (speed: number): void => this.set({ speed });

  /** Another timeline: the same moment in its time. For use while React renders, which reads the clock anyway. */
  retimeQuietly(change: Pick<ClockState, "ms" | "from" | "to">): void {
    this.state = { ...this.state, ...change };
  }

  private readonly tick = (now: number): void => {
    const elapsed = Number.isNaN(this.before) ? 0 : Math.min(LONGEST_FRAME_MS, now - this.before);
    this.before = now;
    const { ms, speed, to } = this.state;
    const next = ms + elapsed * speed;
    const stop = this.stops.find((time) => time > ms && time <= next);
    const end = stop ?? (next >= to ? to : null);
    if (end !== null) {
      this.handle = null;
      this.set({ ms: end, playing: false });
      return;
    }
    this.set({ ms: next });
    // A listener may have paused.
    if (this.state.playing) this.handle = this.frames.request(this.tick);
  };

  private set(change: Partial<ClockState>): void {
    this.state = { ...this.state, ...change };
    for (const listener of this.listeners) listener();
  }
}
