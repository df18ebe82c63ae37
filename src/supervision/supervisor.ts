// Keeps one run going: pulls the trainer's events, has checkpoints saved, survives the loss of the GPU device.
// Knows neither the page nor Node: GPU, storage and clock are handed in.
import { getPath } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { PolicyError, ProtocolError, serializeError } from "../core/errors.ts";
import { isLoss, isWorthRetrying, lossBehind } from "../gpu/device-loss.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import type { PrepareStep, TrainerEvent } from "../training/events.ts";
import { CheckpointSaver, type CheckpointSaverDeps, type SavedCheckpoint } from "./checkpoint-saver.ts";
import { hasDiverged } from "./history.ts";
import { LiveRun, type SupervisedRun, type Train } from "./live-run.ts";
import { Recovery } from "./recovery.ts";
import { changesSince, initialCheckpoint, ownCheckpoint, type Resumption } from "./resume.ts";
import { RunControl } from "./run-control.ts";
import { RunReporter, type RunReporterDeps } from "./run-reporter.ts";

/** What a run needs from outside: a device, a model and a training; and what those need who save it and tell of it. */
export interface SupervisorDeps<R extends SupervisedRun> extends CheckpointSaverDeps, RunReporterDeps {
  /** Called again after a loss. */
  requestGpu(): Promise<GPU>;
  build(
    runId: string,
    config: RunConfig,
    gpu: GPU,
    checkpoint?: Checkpoint,
    onPrepare?: (steps: readonly PrepareStep[]) => void,
  ): Promise<R>;
  train: Train<R>;
  /** Bytes of the checkpoint that `trainer.init_checkpoint` names. */
  loadInitial(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

type End = Pick<Extract<TrainerEvent, { type: "run_finished" }>, "reason" | "error">;

/**
 * Pausing is not pulling the next event, and takes effect at the end of an update: only there is the state one that a
 * checkpoint can hold. `pause` and `step` resolve when the run is held and saved, `stop` when it has ended.
 */
export class Supervisor<R extends SupervisedRun> {
  /** Null before the run is built, while it has no device, and once it has ended. */
  private live: LiveRun<R> | null = null;
  private config!: RunConfig;
  /** The checkpoint that the run resumed from, if its store has none of its own: what it goes back to after a loss. */
  private origin: GoodCheckpoint | undefined;
  private wasBuilt = false;
  /** The run is between two updates: it can be saved, held or ended here. */
  private atBoundary = true;
  /** Built again after a loss, and not yet reported as running or held. */
  private isBack = false;
  private readonly control = new RunControl();
  private readonly reporter: RunReporter;
  private readonly saver: CheckpointSaver;
  private readonly recovery: Recovery;

  constructor(
    readonly runId: string,
    private readonly deps: SupervisorDeps<R>,
  ) {
    const { clock, store } = deps;
    const reporter = new RunReporter(runId, deps);
    this.reporter = reporter;
    this.saver = new CheckpointSaver(runId, deps, reporter);
    this.recovery = new Recovery({
      clock,
      control: this.control,
      reporter,
      lastGood: async () => (await store.loadLatestGood(runId)) ?? this.origin ?? null,
      startFrom: (good) => this.startFrom(good),
      raise: (checkpoint) => this.raise(checkpoint),
      wasBuilt: () => this.wasBuilt,
    });
  }

  /** Resolves when the run has ended, in whatever way. */
  get done(): Promise<void> {
    return this.control.done;
  }

  /**
   * Resolves once the run is built and training, or was stopped before. The run recovers from a device that is lost
   * meanwhile. @throws what building throws; nothing is left behind then.
   */
  async start(config: RunConfig, resumption?: Resumption): Promise<void> {
    this.config = config;
    const isBuilt = await this.buildFirst(resumption?.good).catch((error) => {
      this.settle();
      throw error;
    });
    if (!isBuilt) {
      this.settle();
      return this.reporter.mention({ type: "run_finished", update: this.updateNow(), reason: "stopped" });
    }
    if (resumption) await this.takeUp(resumption);
    this.reporter.tellStart(this.live!.run, this.deps.clock.now());
    this.reporter.warnSkipped(resumption?.good);
    void this.drive();
  }

  pause(): Promise<void> {
    return this.control.pause();
  }

  resume(): void {
    this.control.resume();
  }

  /** One update, then paused. */
  step(): Promise<void> {
    return this.control.step();
  }

  /** Finishes the update, saves, ends the run. */
  stop(): Promise<void> {
    return this.control.stop();
  }

  /** Changes values of the running run and returns the paths that were applied. */
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[] {
    const run = this.live?.run;
    if (!run) throw notNow("changed");
    const before = structuredClone(run.config);
    const paths = run.applyChanges(changes);
    this.config = run.config;
    // A reload goes on from the last checkpoint, and would undo what was changed since. A run that is held saves now, if
    // its weights may be kept.
    if (paths.length > 0) this.saver.noteChange();
    this.control.ring();
    for (const path of paths)
      this.reporter.tellChange(run.update, {
        path,
        from: getPath(before, path),
        to: getPath(run.config, path),
      });
    return paths;
  }

  /** Has the run saved at the end of the current update, for whoever may never come back (a hidden tab can be closed). */
  saveSoon(): void {
    this.saver.saveSoon();
  }

  /** Saves at the end of the current update and hands the file over. */
  saveCheckpoint(): Promise<SavedCheckpoint> {
    const saved = this.saver.request();
    this.control.ring();
    return saved;
  }

  /** Destroys the device as a driver reset would. */
  loseDevice(): void {
    this.live?.run.loseDevice();
  }

  // --- the loop -------------------------------------------------------------------------------------------------

  private async drive(): Promise<void> {
    let end: End | undefined;
    while (!end) end = await this.advance().catch((error) => this.onError(error));
    await this.finish(end);
  }

  /** One event, one wait, or one recovery. */
  private async advance(): Promise<End | undefined> {
    const { live, control } = this;
    if (!live) return this.recover();
    if (this.atBoundary) {
      await this.saver.serve(live);
      if (control.wish === "stop") return this.endWith(live, "stopped");
      if (control.wish === "pause") return this.hold(live);
    }
    const next = await live.next();
    return next.done ? this.endWith(live, "completed") : this.take(live, next.value);
  }

  private async take(live: LiveRun<R>, event: TrainerEvent): Promise<End | undefined> {
    switch (event.type) {
      case "run_started":
        // Said by `start`, once, and not again after a recovery.
        return;
      case "run_finished":
        if (event.reason === "completed" || event.reason === "stopped")
          return this.endWith(live, event.reason);
        return event;
      case "checkpoint":
        this.atBoundary = true;
        await this.saver.saveIfNew(live);
        return;
      case "metrics":
        return this.afterUpdate(live, event, this.reporter.tell(event));
      case "phase":
        this.atBoundary = false;
        this.isBack = false;
        break;
      case "validation":
        this.atBoundary = true;
        // A checkpoint that was made of this update before it would have the run validate once more.
        this.saver.invalidate();
        break;
    }
    this.reporter.tell(event);
  }

  private async afterUpdate(
    live: LiveRun<R>,
    event: Extract<TrainerEvent, { type: "metrics" }>,
    isNew: boolean,
  ): Promise<undefined> {
    const { control, reporter, saver } = this;
    this.atBoundary = true;
    reporter.update = event.update;
    // An update that is only repeated after a recovery is not the step that was asked for.
    if (isNew) {
      control.stepTaken();
      reporter.tellAlarms(event);
      this.recovery.noteUpdate();
    }
    void reporter.flushLog();
    saver.judge(event.values);
    await saver.saveIfDue(live);
    if (this.origin && saver.hasSavedAfter(this.origin.entry.update)) this.origin = undefined;
  }

  private async hold(live: LiveRun<R>): Promise<undefined> {
    const { control, saver } = this;
    await saver.saveIfNew(live);
    // Saving took time: a command or a change may have come meanwhile, and its ringing would not be heard.
    if (control.wish !== "pause" || saver.hasWork) return;
    control.settleHolds();
    this.sayHeld(live.run);
    await live.orLost(control.nextRing());
  }

  /** After a loss the screen shows a run that recovers; no update will tell it that the run is back and waits. */
  private sayHeld({ update }: R): void {
    if (this.isBack) this.reporter.mention({ type: "held", update });
    this.isBack = false;
  }

  private async endWith(live: LiveRun<R>, reason: "completed" | "stopped"): Promise<End> {
    const { saver } = this;
    await saver.saveIfNew(live);
    // What comes while the run is saved belongs to what it leaves, too.
    while (saver.hasWork) await saver.serve(live);
    return { reason };
  }

  private async finish(end: End): Promise<void> {
    const event: TrainerEvent = { type: "run_finished", update: this.updateNow(), ...end };
    this.lower();
    if (end.reason === "diverged") await this.saver.removeSinceMilestone(this.config.trainer.save_freq);
    await this.reporter.conclude(event);
    // Emitted last: a listener may start the next run, or delete this one, at once.
    this.settle();
    this.reporter.mention(event);
  }

  private async onError(error: unknown): Promise<End | undefined> {
    const loss = await lossBehind(error, this.live?.run.lost, this.deps.clock);
    if (loss === null)
      return { reason: isDivergence(error) ? "diverged" : "failed", error: serializeError(error) };
    this.reporter.update = this.updateNow();
    this.lower();
    this.recovery.noteLoss(loss);
  }

  private async recover(): Promise<End | undefined> {
    this.isBack = await this.recovery.recover();
    if (!this.isBack) return { reason: "stopped" };
  }

  // --- building and taking down ---------------------------------------------------------------------------------

  /** Whether the run was built; false when it was stopped before. @throws what building throws, unless it is a loss. */
  private async buildFirst(good: GoodCheckpoint | undefined): Promise<boolean> {
    try {
      if (good && (await this.deps.store.list(this.runId)).length === 0) this.origin = good;
      await this.raise(await this.startFrom(good));
      return true;
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      this.recovery.noteLoss(error);
    }
    for (;;) {
      try {
        return await this.recovery.recover();
      } catch (error) {
        // A run that does not fit never will: its error says what would.
        if (!isLoss(error) || error.code === "out_of_memory") throw error;
        this.recovery.noteLoss(error);
      }
    }
  }

  private async raise(checkpoint: Checkpoint | undefined): Promise<void> {
    const { runId, deps, reporter, saver } = this;
    const gpu = await deps.requestGpu();
    const run = await deps.build(runId, this.config, gpu, checkpoint, (steps) =>
      reporter.tell({ type: "prepare", steps }),
    );
    this.live = new LiveRun(run, deps.train);
    this.wasBuilt = true;
    this.atBoundary = true;
    reporter.update = run.update;
    saver.begin(run.update, checkpoint?.meta.runId === runId);
  }

  private lower(): void {
    this.live?.release();
    this.live = null;
  }

  private async startFrom(good: GoodCheckpoint | null | undefined): Promise<Checkpoint | undefined> {
    if (good) return ownCheckpoint(this.runId, good);
    return initialCheckpoint(this.config, (name) => this.deps.loadInitial(name));
  }

  private async takeUp({ good, history }: Resumption): Promise<void> {
    const isChanged = changesSince(good, this.config).length > 0;
    // As with a change in the running run: a reload before the next checkpoint would undo it, and none may come.
    if (isChanged) this.saver.noteChange();
    await this.reporter.takeUp(history, good.entry.update, isChanged || hasDiverged(history));
    // A run may go on with other values than it was saved with; its log says so, as of any change.
    for (const change of changesSince(good, this.config))
      this.reporter.tellChange(this.live!.run.update, change);
  }

  /** Updates that the run has done, or had done when it was last told of. */
  private updateNow(): number {
    return this.live?.run.update ?? this.reporter.update;
  }

  private settle(): void {
    this.saver.refuse(notNow("saved"));
    this.control.end();
  }
}

function isDivergence(error: unknown): boolean {
  return error instanceof PolicyError && error.code === "non_finite";
}

function notNow(what: string): ProtocolError {
  return new ProtocolError(
    "busy",
    `The run is not training now, so it cannot be ${what}.`,
    "Wait until it has recovered, or start a new run.",
  );
}
