// Desired state of a run (running, paused, stopped) and the callers that wait until the run has reached it.
import { type Deferred, deferred } from "../core/deferred.ts";

/**
 * The supervisor reads `target` between two updates and waits for `nextWake` while the run is paused. Once a stop is
 * requested, later requests are ignored.
 */
export class RunControl {
  private current: "running" | "paused" | "stopped" = "running";
  private isStepping = false;
  private bell: Deferred<void> = deferred();
  private readonly stopRequested: Deferred<void> = deferred();
  private readonly finished: Deferred<void> = deferred();
  private pauseWaiters: Deferred<void>[] = [];
  private hasEnded = false;

  get target(): "running" | "paused" | "stopped" {
    return this.current;
  }

  /** Resolves when the run has ended, for whatever reason. */
  get done(): Promise<void> {
    return this.finished.promise;
  }

  /** Resolves when a stop is requested. */
  get stopping(): Promise<void> {
    return this.stopRequested.promise;
  }

  /** Resolves when the run is paused, has ended, or is resumed before it paused. */
  pause(): Promise<void> {
    if (this.current !== "stopped") this.current = "paused";
    return this.whenPaused();
  }

  resume(): void {
    if (this.current === "stopped") return;
    this.current = "running";
    this.isStepping = false;
    this.confirmPause();
    this.wake();
  }

  /** Runs one update, then pauses. Resolves as `pause` does. */
  step(): Promise<void> {
    if (this.current !== "stopped") this.current = "running";
    this.isStepping = true;
    return this.whenPaused();
  }

  /** Resolves when the run has ended. */
  stop(): Promise<void> {
    this.current = "stopped";
    this.stopRequested.resolve();
    this.wake();
    return this.done;
  }

  /** A new update is done: pauses the run if a step was requested. */
  completeStep(): void {
    if (!this.isStepping) return;
    this.isStepping = false;
    this.pauseIfRunning();
  }

  /** Pauses a run that cannot continue by itself, and resolves when it is resumed or stopped. */
  async pauseUntilResumed(): Promise<void> {
    this.pauseIfRunning();
    while (this.current === "paused") {
      this.confirmPause();
      await this.nextWake();
    }
  }

  /** Resolves every pending `pause` and `step`. */
  confirmPause(): void {
    for (const waiter of this.pauseWaiters.splice(0)) waiter.resolve();
  }

  /** Makes the supervisor of a paused run read `target` again. */
  wake(): void {
    this.bell.resolve();
  }

  /** Resolves with the next `wake`; earlier ones do not count. */
  nextWake(): Promise<void> {
    this.bell = deferred();
    return this.bell.promise;
  }

  /** The run has ended. */
  end(): void {
    this.hasEnded = true;
    this.confirmPause();
    this.finished.resolve();
  }

  private pauseIfRunning(): void {
    if (this.current === "running") this.current = "paused";
  }

  private whenPaused(): Promise<void> {
    if (this.hasEnded) return this.done;
    // `end` resolves it too: a race against `done` would keep a reaction of every step until the run ends.
    const waiter = deferred();
    this.pauseWaiters.push(waiter);
    this.wake();
    return waiter.promise;
  }
}
