// What is asked of a run: to go on, to wait, to end; and who is told once it does.
import { type Deferred, deferred } from "../core/deferred.ts";

/**
 * Only keeps the wishes; whoever drives the run looks at them between two updates and waits here for the next one.
 * Nothing is wished of a run any more once it is to stop.
 */
export class RunControl {
  private current: "run" | "pause" | "stop" = "run";
  private stepping = false;
  private bell: Deferred<void> = deferred();
  private readonly stopAsked: Deferred<void> = deferred();
  private readonly finished: Deferred<void> = deferred();
  private holdWaiters: Deferred<void>[] = [];
  private hasEnded = false;

  get wish(): "run" | "pause" | "stop" {
    return this.current;
  }

  /** Resolves when the run has ended, in whatever way. */
  get done(): Promise<void> {
    return this.finished.promise;
  }

  /** Resolves when the run is to stop. */
  get stopping(): Promise<void> {
    return this.stopAsked.promise;
  }

  /** Resolves when the run is held, has ended, or is to go on after all. */
  pause(): Promise<void> {
    if (this.current !== "stop") this.current = "pause";
    return this.whenHeld();
  }

  resume(): void {
    if (this.current === "stop") return;
    this.current = "run";
    this.stepping = false;
    this.settleHolds();
    this.ring();
  }

  /** One update, then paused. Resolves as `pause` does. */
  step(): Promise<void> {
    if (this.current !== "stop") this.current = "run";
    this.stepping = true;
    return this.whenHeld();
  }

  /** Resolves when the run has ended. */
  stop(): Promise<void> {
    this.current = "stop";
    this.stopAsked.resolve();
    this.ring();
    return this.done;
  }

  /** A new update is done: if it is the step that was asked for, the run is to pause. */
  stepTaken(): void {
    if (!this.stepping) return;
    this.stepping = false;
    this.pauseUnasked();
  }

  /** Pauses a run that cannot go on by itself, and resolves when it is to go on or to stop. */
  async holdUnasked(): Promise<void> {
    this.pauseUnasked();
    while (this.current === "pause") {
      this.settleHolds();
      await this.nextRing();
    }
  }

  /** Tells everyone who waits for it that the run is held. */
  settleHolds(): void {
    for (const waiter of this.holdWaiters.splice(0)) waiter.resolve();
  }

  /** Has whoever holds the run look again at what is asked of it. */
  ring(): void {
    this.bell.resolve();
  }

  /** Resolves with the next `ring`; those before were not heard. */
  nextRing(): Promise<void> {
    this.bell = deferred();
    return this.bell.promise;
  }

  /** The run has ended. */
  end(): void {
    this.hasEnded = true;
    this.settleHolds();
    this.finished.resolve();
  }

  private pauseUnasked(): void {
    if (this.current === "run") this.current = "pause";
  }

  private whenHeld(): Promise<void> {
    if (this.hasEnded) return this.done;
    // `end` settles it too: a race against `done` would keep a reaction of every step until the run ends.
    const waiter = deferred();
    this.holdWaiters.push(waiter);
    this.ring();
    return waiter.promise;
  }
}
