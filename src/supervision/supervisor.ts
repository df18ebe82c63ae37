// Keeps one run going: pulls the trainer's facts, saves checkpoints, survives the loss of the GPU device.
// Knows neither the page nor Node: its GPU, store and clock are parameters.
import { diffConfigs, getPath } from "../config/changes.ts";
import type { RunConfig } from "../config/run-config.ts";
import { Breaker } from "../core/breaker.ts";
import { PolicyError, ProtocolError, serializeError } from "../core/errors.ts";
import { isLoss, isWorthRetrying, lossBehind } from "../gpu/device-loss.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { GoodCheckpoint } from "../persistence/store.ts";
import type { PrepareStep, TrainerEvent, TrainingFact, ValidationReport } from "../training/events.ts";
import { CheckpointSaver, type CheckpointSaverDeps, type SavedCheckpoint } from "./checkpoint-saver.ts";
import { hasDiverged, hasLostChange } from "./history.ts";
import { LiveRun, type SupervisedRun, type Train } from "./live-run.ts";
import { Recovery } from "./recovery.ts";
import { changesSince, initialCheckpoint, ownCheckpoint, type Resumption } from "./resume.ts";
import { RunControl } from "./run-control.ts";
import { type Notice, RunReporter, type RunReporterDeps } from "./run-reporter.ts";

/** What a run is built from. */
interface BuildRequest {
  readonly runId: string;
  readonly config: RunConfig;
  readonly gpu: GPU;
  /** The state from which the run goes on; undefined for one that begins. */
  readonly checkpoint: Checkpoint | undefined;
  /** Receives the progress of the preparation, all steps each time. */
  readonly onPrepare: (steps: readonly PrepareStep[]) => void;
}

/** Dependencies of a supervised run: device, model builder, training loop, checkpoint store, event sink. */
export interface SupervisorDeps<R extends SupervisedRun> extends CheckpointSaverDeps, RunReporterDeps {
  /** Called again after a loss. */
  requestGpu(): Promise<GPU>;
  build(request: BuildRequest): Promise<R>;
  train: Train<R>;
  /** Bytes of the checkpoint that `trainer.init_checkpoint` names. */
  loadInitial(name: string): Promise<Uint8Array<ArrayBuffer>>;
}

/** Ends the build of a run that was stopped. Callers of the supervisor never see it. */
class BuildStopped extends Error {}

type End = Pick<Extract<TrainerEvent, { type: "run_finished" }>, "reason" | "error">;

/**
 * Pauses a run by not pulling its next fact, and only between two updates, where a checkpoint can hold the whole state.
 * `pause` and `step` resolve when the run is paused and saved, `stop` when it has ended.
 */
export class Supervisor<R extends SupervisedRun> {
  /** Null before the run is built, while it has no device, and once it has ended. */
  private live: LiveRun<R> | null = null;
  private config!: RunConfig;
  /** The checkpoint that the run resumed from, if its own store is still empty: a lost run restarts from it. */
  private origin: GoodCheckpoint | undefined;
  private wasBuilt = false;
  /** Ends the wait for a build when the run is stopped. */
  private readonly builds = new Breaker();
  /** Between two updates the run can be saved, paused or ended. */
  private betweenUpdates = true;
  /** Rebuilt after a loss or sent back, but not reported as running or paused yet. */
  private isRebuilt = false;
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
      attach: (checkpoint) => this.attach(checkpoint),
      wasBuilt: () => this.wasBuilt,
    });
  }

  /** Resolves when the run has ended, for whatever reason. */
  get done(): Promise<void> {
    return this.control.done;
  }

  /** Whether the run was ever built; false for one that was stopped before that. */
  get hasBegun(): boolean {
    return this.wasBuilt;
  }

  /**
   * Resolves once the run is built and training, or was stopped before that. Recovers if the device is lost during the build.
   * @throws what building the run or reading its history throws; the run has then ended.
   */
  async start(config: RunConfig, resumption?: Resumption): Promise<void> {
    this.config = config;
    this.reporter.update = resumption?.good.entry.update ?? 0;
    if (resumption?.goesBack) void this.control.pause();
    void this.control.stopping.then(() => this.builds.break(new BuildStopped()));
    try {
      if (!(await this.buildFirst(resumption?.good))) return await this.endUnbuilt(resumption);
      if (resumption) await this.continueFrom(resumption);
    } catch (error) {
      await this.endFailed(resumption);
      throw error;
    }
    // The page shows it as prepared; without the event it would never learn that the run waits.
    this.isRebuilt = resumption?.goesBack ?? false;
    this.reporter.emitStarted(this.live!.run, this.deps.clock.now());
    this.reporter.warnSkipped(resumption?.good);
    void this.drive();
  }

  pause(): Promise<void> {
    return this.control.pause();
  }

  resume(): void {
    this.control.resume();
  }

  /** Runs one update, then pauses. */
  step(): Promise<void> {
    return this.control.step();
  }

  /** Finishes the current update, or drops a validation that is not complete; then saves and ends the run. */
  stop(): Promise<void> {
    this.live?.stop();
    return this.control.stop();
  }

  /** Changes values of the run and returns the applied paths. @throws ProtocolError("busy") without a device */
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[] {
    const run = this.live?.run;
    if (!run) throw notNow("changed");
    const before = structuredClone(run.config);
    const paths = run.applyChanges(changes);
    this.config = run.config;
    // A reload continues from the last checkpoint and would undo later changes, so a paused run saves now if its weights
    // are healthy.
    if (paths.length > 0) this.saver.noteChange();
    this.control.wake();
    for (const path of paths)
      this.reporter.emitChange(run.update, {
        path,
        from: getPath(before, path),
        to: getPath(run.config, path),
      });
    return paths;
  }

  /** Saves at the end of the current update. The page calls this when its tab is hidden, since the tab may be closed next. */
  saveSoon(): void {
    this.saver.saveSoon();
  }

  /** Saves at the end of the current update and resolves to the file. */
  saveCheckpoint(): Promise<SavedCheckpoint> {
    const saved = this.saver.request();
    this.control.wake();
    return saved;
  }

  /** Emits and logs a warning about the run. */
  warn(notice: Notice): void {
    this.reporter.warn(notice);
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

  /** Handles one fact, one pause, or one recovery. */
  private async advance(): Promise<End | undefined> {
    const { live, control } = this;
    if (!live) return this.recover();
    if (this.betweenUpdates) {
      await this.saver.serve(live);
      if (control.target === "stopped") return this.endWith(live, "stopped");
      if (control.target === "paused") return this.waitWhilePaused(live);
    }
    const next = await live.next();
    if (!next.done) return this.take(live, next.value);
    // A stop ends training within a validation.
    return this.endWith(live, control.target === "stopped" ? "stopped" : "completed");
  }

  private async take(live: LiveRun<R>, fact: TrainingFact): Promise<undefined> {
    switch (fact.type) {
      case "sft_ended":
        this.reporter.emit(fact);
        return this.adopt(live.run, fact.update);
      case "checkpoint_due":
        this.betweenUpdates = true;
        await this.saver.saveIfNew(live);
        return;
      case "metrics":
        return this.afterUpdate(live, fact, this.reporter.emit(fact));
      case "phase":
        this.betweenUpdates = false;
        this.isRebuilt = false;
        break;
      case "validation":
        this.betweenUpdates = true;
        // A checkpoint from before this validation would make a resumed run repeat it.
        this.saver.invalidate();
        this.reportValidation(fact.reports);
        return;
    }
    this.reporter.emit(fact);
  }

  /** Alarms follow the whole validation. */
  private reportValidation(reports: readonly ValidationReport[]): void {
    const events = reports.map((report) => ({ type: "validation", report }) as const);
    const fresh = events.filter((event) => this.reporter.emit(event));
    for (const event of fresh) this.reporter.emitAlarms(event);
  }

  /** Takes over what the training loop has changed in the run's configuration. */
  private adopt({ config }: R, update: number): undefined {
    const changes = diffConfigs(this.config, config);
    this.config = config;
    for (const change of changes) this.reporter.emitChange(update, change, "automatic");
  }

  private async afterUpdate(
    live: LiveRun<R>,
    event: Extract<TrainerEvent, { type: "metrics" }>,
    isNew: boolean,
  ): Promise<undefined> {
    const { control, reporter, saver } = this;
    this.betweenUpdates = true;
    reporter.update = event.update;
    // An update that is only repeated after a recovery does not complete a requested step.
    if (isNew) {
      control.completeStep();
      reporter.emitAlarms(event);
      this.recovery.noteUpdate();
    }
    void reporter.flushLog();
    saver.noteHealth(event.values);
    await saver.saveIfDue(live);
    if (this.origin && saver.hasSavedAfter(this.origin.entry.update)) this.origin = undefined;
  }

  private async waitWhilePaused(live: LiveRun<R>): Promise<undefined> {
    const { control, saver } = this;
    await saver.saveIfNew(live);
    // A command or change that arrived during the save has already called `wake`, so waiting would miss it.
    if (control.target !== "paused" || saver.hasWork) return;
    control.confirmPause();
    this.emitPaused(live.run);
    await live.orLost(control.nextWake());
  }

  /** After a loss the page shows the run as recovering; without this event it would never learn that the run is paused. */
  private emitPaused({ update }: R): void {
    if (this.isRebuilt) this.reporter.emit({ type: "paused", update });
    this.isRebuilt = false;
  }

  private async endWith(live: LiveRun<R>, reason: "completed" | "stopped"): Promise<End> {
    const { saver } = this;
    await saver.saveIfNew(live);
    // Requests and changes that arrive while the run is being saved must be saved, too.
    while (saver.hasWork) await saver.serve(live);
    return { reason };
  }

  private async finish(end: End): Promise<void> {
    const event: TrainerEvent = { type: "run_finished", update: this.updateNow(), ...end };
    this.detach();
    if (end.reason === "diverged") await this.saver.removeSinceMilestone(this.config.trainer.save_freq);
    await this.reporter.close(event);
    // Emitted last, because a listener may start the next run or delete this one at once.
    this.end();
    this.reporter.emitOnly(event);
  }

  private async onError(error: unknown): Promise<End | undefined> {
    const loss = await lossBehind(error, this.live?.run.lost, this.deps.clock);
    if (loss === null)
      return { reason: isDivergence(error) ? "diverged" : "failed", error: serializeError(error) };
    this.reporter.update = this.updateNow();
    this.detach();
    this.recovery.noteLoss(loss);
  }

  private async recover(): Promise<End | undefined> {
    this.isRebuilt = await this.recovery.recover();
    if (!this.isRebuilt) return { reason: "stopped" };
  }

  // --- building and releasing -----------------------------------------------------------------------------------

  /** Resolves to false if the run was stopped before it was built. @throws what building throws, unless it is a loss. */
  private async buildFirst(good: GoodCheckpoint | undefined): Promise<boolean> {
    try {
      return await this.buildDespiteLosses(good);
    } catch (error) {
      if (error instanceof BuildStopped) return false;
      throw error;
    }
  }

  private async buildDespiteLosses(good: GoodCheckpoint | undefined): Promise<boolean> {
    try {
      if (good && (await this.deps.store.list(this.runId)).length === 0) this.origin = good;
      await this.attach(await this.builds.guard(this.startFrom(good)));
      return true;
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      this.recovery.noteLoss(error);
    }
    for (;;) {
      try {
        return await this.recovery.recover();
      } catch (error) {
        // A run that ran out of memory twice does not fit; the error suggests sizes that do.
        if (!isLoss(error) || error.code === "out_of_memory") throw error;
        this.recovery.noteLoss(error);
      }
    }
  }

  /** Builds the run, after a loss on a new device. @throws BuildStopped; what building throws */
  private async attach(checkpoint: Checkpoint | undefined): Promise<void> {
    const { runId, deps, reporter, saver } = this;
    const run = await this.unlessStopped(this.build(checkpoint));
    this.live = new LiveRun(run, deps.train);
    this.wasBuilt = true;
    this.betweenUpdates = true;
    reporter.update = run.update;
    saver.begin(run.update, checkpoint?.meta.runId === runId);
  }

  private async build(checkpoint: Checkpoint | undefined): Promise<R> {
    const { runId, config, deps, reporter } = this;
    const onPrepare = (steps: readonly PrepareStep[]) => {
      // The build gives up at its next step, and releases its device.
      if (this.control.target === "stopped") throw new BuildStopped();
      reporter.emit({ type: "prepare", steps });
    };
    return deps.build({ runId, config, gpu: await deps.requestGpu(), checkpoint, onPrepare });
  }

  /** Does not wait for the rest of a build once the run is stopped. @throws BuildStopped; what building throws */
  private async unlessStopped(building: Promise<R>): Promise<R> {
    try {
      return await this.builds.guard(building);
    } catch (error) {
      if (error instanceof BuildStopped) building.then((late) => late.dispose()).catch(() => undefined);
      throw error;
    }
  }

  /** Ends a run that could not be built or continued. The caller reports why. */
  private async endFailed(resumption: Resumption | undefined): Promise<void> {
    this.detach();
    if (resumption?.goesBack && !this.wasBuilt) await this.endUnbuilt(resumption).catch(() => undefined);
    this.end();
  }

  /** Ends a run that was not built, as stopped. Its stored history stays as it was, unless the run goes back. */
  private async endUnbuilt(resumption: Resumption | undefined): Promise<void> {
    const end: TrainerEvent = { type: "run_finished", update: this.updateNow(), reason: "stopped" };
    // The checkpoints of the later updates are deleted already.
    if (resumption?.goesBack) {
      await this.continueFrom(resumption);
      await this.reporter.close(end);
    }
    this.end();
    this.reporter.emitOnly(end);
  }

  private detach(): void {
    this.live?.release();
    this.live = null;
  }

  private async startFrom(good: GoodCheckpoint | null | undefined): Promise<Checkpoint | undefined> {
    if (good) return ownCheckpoint(this.runId, good);
    return initialCheckpoint(this.config, (name) => this.deps.loadInitial(name));
  }

  /** Continues the history of a stored run. */
  private async continueFrom({ good, history, goesBack = false }: Resumption): Promise<void> {
    const isChanged = changesSince(good, this.config).length > 0;
    // As in `applyChanges`: a reload before the next checkpoint would undo the change.
    if (isChanged) this.saver.noteChange();
    const isAnother = isChanged || goesBack || hasDiverged(history) || hasLostChange(history, this.config);
    await this.reporter.resume(history, good.entry.update, isAnother);
    // Its log has this event; the page has forgotten that of a later one.
    if (goesBack) this.reporter.emitOnly({ type: "checkpoint", ...stored(good.entry) });
    for (const change of changesSince(good, this.config)) this.reporter.emitChange(good.entry.update, change);
  }

  /** The number of updates done; without a device, as last reported. */
  private updateNow(): number {
    return this.live?.run.update ?? this.reporter.update;
  }

  private end(): void {
    this.saver.rejectRequests(notNow("saved"));
    this.control.end();
  }
}

/** What the page knows of a stored checkpoint, which has its mark already. */
const stored = ({ update, bytes, name }: GoodCheckpoint["entry"]) => ({
  update,
  bytes,
  name,
  temporary: true as const,
});

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
