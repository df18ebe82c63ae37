// Keeps one run going: pulls the trainer's events, saves checkpoints, survives the loss of the GPU device.
// Knows neither the page nor Node: GPU, storage and clock are handed in.
import { type ConfigChange, diffConfigs, getPath } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { checkpointTitle } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { totalUpdates } from "../config/run-length.ts";
import { GpuError, PolicyError, ProtocolError, serializeError } from "../core/errors.ts";
import {
  type Checkpoint,
  decodeCheckpoint,
  encodeCheckpoint,
  type Provenance,
} from "../persistence/checkpoint.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { alarmsOf, watchOf } from "./alarms.ts";
import { Continuity } from "./continuity.ts";
import { type Deferred, deferred } from "./deferred.ts";
import { EventLog } from "./event-log.ts";
import type { DeviceInfo, MemoryPlan, PrepareStep, TrainerEvent } from "./events.ts";
import { hasDiverged, historyUpTo, lastTold } from "./rewind.ts";
import { TraceLog } from "./trace-log.ts";

/** What the supervisor needs of a run; `Run` of build-run.ts is one. */
export interface SupervisedRun {
  readonly config: RunConfig;
  /** Updates done. While a `metrics` event of update u is being looked at, this is u and `save` gives that state. */
  readonly update: number;
  readonly device: DeviceInfo;
  readonly memory: MemoryPlan;
  /** Resolves with a sentence when the device is gone. */
  readonly lost: Promise<string>;
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[];
  save(): Promise<Checkpoint>;
  loseDevice(): void;
  dispose(): void;
}

export interface Clock {
  /** Milliseconds; only differences matter, except that `run_started` shows it as epoch time. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

export interface SupervisorDeps<R extends SupervisedRun> {
  /** Called again after a loss. */
  requestGpu(): Promise<GPU>;
  build(
    runId: string,
    config: RunConfig,
    gpu: GPU,
    checkpoint?: Checkpoint,
    onPrepare?: (steps: readonly PrepareStep[]) => void,
  ): Promise<R>;
  train(run: R, signal: AbortSignal): AsyncGenerator<TrainerEvent>;
  store: CheckpointStore;
  /** Bytes of the checkpoint that `trainer.init_checkpoint` names. */
  loadInitial(name: string): Promise<Uint8Array<ArrayBuffer>>;
  emit(event: TrainerEvent): void;
  clock: Clock;
  /** Trajectories to keep with the run; none when absent. */
  keepTraces?: number;
  /** How the run is made, for checkpoints that are to be published. */
  provenance?(): Provenance;
}

/** A run that is taken up again. */
export interface Resumption {
  good: GoodCheckpoint;
  history: readonly TrainerEvent[];
}

export interface SavedCheckpoint {
  name: string;
  bytes: Uint8Array<ArrayBuffer>;
}

type End = Pick<Extract<TrainerEvent, { type: "run_finished" }>, "reason" | "error">;

/** A checkpoint is due after this long even when `save_freq` says later. */
const SAVE_EVERY_MS = 60_000;
/** Two losses within this time: something is wrong that trying again does not cure. */
const LOSS_WINDOW_MS = 120_000;
/** Waits before asking for a new device; drivers need a moment after a reset. */
const RETRY_MS = [1000, 3000, 9000];
/** How long after an odd error the news of a lost device may take to arrive. */
const LOSS_NEWS_MS = 250;

/**
 * Pausing is not pulling the next event, and takes effect at the end of an update: only there is the state one that a
 * checkpoint can hold. `pause` and `step` resolve when the run is held and saved, `stop` when it has ended.
 */
export class Supervisor<R extends SupervisedRun> {
  private run: R | null = null;
  private events: AsyncGenerator<TrainerEvent> | null = null;
  private lost: Promise<never> = new Promise(() => {});
  private abort = new AbortController();
  private wish: "run" | "pause" | "stop" = "run";
  private stepping = false;
  /** The run is between two updates: it can be saved, held or ended here. */
  private atBoundary = true;
  private bell: Deferred<void> = deferred();
  private readonly stopped: Deferred<void> = deferred();
  private readonly finished: Deferred<void> = deferred();
  private holdWaiters: Deferred<void>[] = [];
  private saveWaiters: Deferred<SavedCheckpoint>[] = [];
  private config!: RunConfig;
  private continuity = new Continuity();
  private alarms = watchOf([]);
  private update = 0;
  private savedUpdate = -1;
  private savedAt = 0;
  private losses: number[] = [];
  private lossMessage = "";
  /** The last update's last step was taken. What kept it from being finite may be in the weights already. */
  private healthy = true;
  /** Built again after a loss, with nothing told since of whether it runs or waits. */
  private isBack = false;
  private readonly log: EventLog;
  private readonly traces: TraceLog | null;

  constructor(
    readonly runId: string,
    private readonly deps: SupervisorDeps<R>,
  ) {
    const onFailure = (error: unknown) => this.warnStorage(error);
    this.log = new EventLog(deps.store, runId, onFailure);
    this.traces = deps.keepTraces ? new TraceLog(deps.store, runId, deps.keepTraces, onFailure) : null;
  }

  /** Resolves when the run has ended, in whatever way. */
  get done(): Promise<void> {
    return this.finished.promise;
  }

  /** Resolves once the run is built and training. @throws what building throws; nothing is left behind then. */
  async start(config: RunConfig, resumption?: Resumption): Promise<void> {
    this.config = config;
    try {
      await this.raise(this.ownFrom(resumption?.good) ?? (await this.initial()));
    } catch (error) {
      this.settle();
      throw error;
    }
    if (resumption) await this.takeUp(resumption);
    this.announceChanges(resumption?.good);
    this.announce();
    this.warnSkipped(resumption?.good ?? null);
    void this.drive();
  }

  pause(): Promise<void> {
    if (this.wish !== "stop") this.wish = "pause";
    return this.whenHeld();
  }

  resume(): void {
    if (this.wish === "stop") return;
    this.wish = "run";
    this.stepping = false;
    this.settleHolds();
    this.ring();
  }

  /** One update, then paused. */
  step(): Promise<void> {
    if (this.wish !== "stop") this.wish = "run";
    this.stepping = true;
    return this.whenHeld();
  }

  /** Finishes the update, saves, ends the run. */
  stop(): Promise<void> {
    this.wish = "stop";
    this.stopped.resolve();
    this.ring();
    return this.done;
  }

  /** Changes values of the running run and returns the paths that were applied. */
  applyChanges(changes: Readonly<Record<string, unknown>>): readonly string[] {
    const run = this.run;
    if (!run) throw notNow("changed");
    const before = structuredClone(run.config);
    const paths = run.applyChanges(changes);
    this.config = run.config;
    // A reload goes on from the last checkpoint, and would undo what was changed since.
    if (paths.length > 0) this.savedAt = Number.NEGATIVE_INFINITY;
    for (const path of paths)
      this.tellChange({ path, from: getPath(before, path), to: getPath(run.config, path) });
    return paths;
  }

  /** Has the run saved at the end of the current update, for whoever may never come back (a hidden tab can be closed). */
  saveSoon(): void {
    this.savedAt = Number.NEGATIVE_INFINITY;
  }

  /** Saves at the end of the current update and hands the file over. */
  saveCheckpoint(): Promise<SavedCheckpoint> {
    const waiter = deferred<SavedCheckpoint>();
    this.saveWaiters.push(waiter);
    this.ring();
    return waiter.promise;
  }

  /** Destroys the device as a driver reset would. */
  loseDevice(): void {
    this.run?.loseDevice();
  }

  // --- the loop -------------------------------------------------------------------------------------------------

  private async drive(): Promise<void> {
    let end: End | undefined;
    while (!end) end = await this.advance().catch((error) => this.onError(error));
    await this.finish(end);
  }

  /** One event, one wait, or one recovery. */
  private async advance(): Promise<End | undefined> {
    if (!this.run) return this.recover();
    if (this.atBoundary) {
      await this.serveSaves();
      if (this.wish === "stop") return this.endWith("stopped");
      if (this.wish === "pause") return this.hold();
    }
    const next = await this.orLost(this.events!.next());
    return next.done ? this.endWith("completed") : this.take(next.value);
  }

  private async take(event: TrainerEvent): Promise<End | undefined> {
    switch (event.type) {
      case "run_started":
        // Said by `start`, once, and not again after a recovery.
        return;
      case "run_finished":
        if (event.reason === "completed" || event.reason === "stopped") return this.endWith(event.reason);
        return event;
      case "checkpoint":
        this.atBoundary = true;
        await this.saveIfNew();
        return;
      case "metrics":
        return this.afterUpdate(event, this.emit(event));
      case "phase":
        this.atBoundary = false;
        this.isBack = false;
        break;
      case "validation":
        this.atBoundary = true;
        // A checkpoint that was made of this update before it would have the run validate once more.
        this.savedUpdate = -1;
        break;
    }
    this.emit(event);
  }

  private async afterUpdate(
    event: Extract<TrainerEvent, { type: "metrics" }>,
    isNew: boolean,
  ): Promise<undefined> {
    this.atBoundary = true;
    this.update = event.update;
    // An update that is only repeated after a recovery is not the step that was asked for.
    if (this.stepping && isNew) {
      this.stepping = false;
      if (this.wish === "run") this.wish = "pause";
    }
    if (isNew) for (const alarm of alarmsOf(this.alarms, event)) this.emit(alarm);
    void this.log.flush();
    this.healthy = !event.values["training/skipped_in_a_row"];
    if (this.deps.clock.now() - this.savedAt >= SAVE_EVERY_MS) await this.saveIfNew();
  }

  private async hold(): Promise<undefined> {
    await this.saveIfNew();
    this.settleHolds();
    // Saving took time: a command may have come meanwhile, and its ringing would not be heard.
    if (this.wish !== "pause" || this.saveWaiters.length > 0) return;
    this.sayHeld();
    this.bell = deferred();
    await this.orLost(this.bell.promise);
  }

  /** After a loss the screen shows a run that recovers; no update will tell it that the run is back and waits. */
  private sayHeld(): void {
    if (this.isBack) this.deps.emit({ type: "held", update: this.run!.update });
    this.isBack = false;
  }

  private async endWith(reason: "completed" | "stopped"): Promise<End> {
    await this.saveIfNew();
    return { reason };
  }

  private async finish(end: End): Promise<void> {
    const event: TrainerEvent = { type: "run_finished", update: this.run?.update ?? this.update, ...end };
    this.lower();
    this.log.add(event);
    await Promise.all([this.log.flush(), this.traces?.flush()]);
    // Told last: whoever hears it may start the next run, or delete this one, at once.
    this.settle();
    this.deps.emit(event);
  }

  // --- device loss ----------------------------------------------------------------------------------------------

  private async onError(error: unknown): Promise<End | undefined> {
    const loss = await this.asLoss(error);
    if (loss === null)
      return { reason: isDivergence(error) ? "diverged" : "failed", error: serializeError(error) };
    this.update = this.run?.update ?? this.update;
    this.lower();
    this.lossMessage = loss;
    this.losses.push(this.deps.clock.now());
  }

  /** Buffers fail in many ways once a device is gone; such an error is a consequence of the loss, not a fault. */
  private async asLoss(error: unknown): Promise<string | null> {
    if (isLoss(error)) return error.message;
    const run = this.run;
    if (!run) return null;
    return Promise.race([run.lost, this.deps.clock.sleep(LOSS_NEWS_MS).then(() => null)]);
  }

  private async recover(): Promise<End | undefined> {
    const { clock, store } = this.deps;
    const good = await store.loadLatestGood(this.runId);
    const recent = this.losses.filter((time) => clock.now() - time < LOSS_WINDOW_MS);
    this.reportLoss(good, recent.length < 2);
    if (recent.length >= 2)
      await this.holdWithoutDevice({
        code: "device_unstable",
        message: "The graphics device was lost twice within two minutes; the run is paused.",
        hint: "Choose a smaller preset or fewer tokens per micro-step, close other programs that use the GPU, then resume.",
      });
    if (this.wish === "stop") return { reason: "stopped" };
    return this.rebuild(this.ownFrom(good) ?? (await this.initial()));
  }

  private reportLoss(good: GoodCheckpoint | null, recovering: boolean): void {
    const resumeFrom = good?.entry.update ?? 0;
    this.emit({
      type: "device_lost",
      update: this.update,
      message: this.lossMessage,
      recovering,
      resumeFrom,
    });
    this.update = resumeFrom;
    this.warnSkipped(good);
  }

  /** Trying again by itself would not help: wait for the person, who is told what does. */
  private async holdWithoutDevice({ code, message, hint }: Advice): Promise<void> {
    this.warn(code, message, hint);
    if (this.wish === "run") this.wish = "pause";
    while (this.wish === "pause") {
      this.settleHolds();
      this.bell = deferred();
      await this.bell.promise;
    }
    this.losses = [];
  }

  private async rebuild(checkpoint: Checkpoint | undefined): Promise<End | undefined> {
    while (this.wish !== "stop") {
      let problem: unknown;
      for (const wait of RETRY_MS) {
        await Promise.race([this.deps.clock.sleep(wait), this.stopped.promise]);
        if (this.isStopping()) return { reason: "stopped" };
        try {
          await this.raise(checkpoint);
          this.isBack = true;
          return;
        } catch (error) {
          if (isLoss(error)) throw error;
          // The run was built before, so whatever is in the way now (no adapter for a while, say) came with the loss.
          problem = error;
        }
      }
      await this.holdWithoutDevice(adviceOnAbsence(problem));
    }
    return { reason: "stopped" };
  }

  private isStopping(): boolean {
    return this.wish === "stop";
  }

  // --- building and taking down ---------------------------------------------------------------------------------

  private async raise(checkpoint: Checkpoint | undefined): Promise<void> {
    const gpu = await this.deps.requestGpu();
    const run = await this.deps.build(this.runId, this.config, gpu, checkpoint, (steps) =>
      this.emit({ type: "prepare", steps }),
    );
    this.run = run;
    this.update = run.update;
    const isStored = checkpoint?.meta.runId === this.runId;
    this.savedUpdate = isStored ? run.update : -1;
    // What was never saved cannot be taken up after a reload, so the first update is saved at once.
    this.savedAt = isStored ? this.deps.clock.now() : Number.NEGATIVE_INFINITY;
    this.atBoundary = true;
    this.healthy = true;
    this.lost = run.lost.then((message) => {
      throw new GpuError("device_lost", message);
    });
    this.lost.catch(() => {});
    this.abort = new AbortController();
    this.events = this.deps.train(run, this.abort.signal);
  }

  /** Lets go of run and device. Nothing here may wait for them: a lost device answers nothing. */
  private lower(): void {
    this.abort.abort();
    this.events?.return(undefined).catch(() => {});
    try {
      this.run?.dispose();
    } catch {
      // Buffers of a lost device may refuse to be destroyed; they are gone either way.
    }
    this.run = null;
    this.events = null;
  }

  /** What is stored under this run's id is this run, even when its folder was renamed since. */
  private ownFrom(good: GoodCheckpoint | null | undefined): Checkpoint | undefined {
    return good ? { ...good.checkpoint, meta: { ...good.checkpoint.meta, runId: this.runId } } : undefined;
  }

  private async initial(): Promise<Checkpoint | undefined> {
    const name = this.config.trainer.init_checkpoint;
    if (!name) return undefined;
    const title = checkpointTitle(name);
    const { meta, tensors } = await decodeCheckpoint(await this.deps.loadInitial(name), title);
    // Only a checkpoint of this very run continues it; of any other, a run takes the weights and nothing else.
    return { meta: { ...meta, runId: `${title} as a start` }, tensors };
  }

  /**
   * What was told before stays true when the same updates are computed again in the same way. With other settings, or
   * after a divergence, what comes after the checkpoint is told anew and the old story of it is dropped.
   */
  private async takeUp({ good, history }: Resumption): Promise<void> {
    const { update } = good.entry;
    const isChanged = this.changesSince(good).length > 0;
    // As with a change in the running run: a reload before the next checkpoint would undo it.
    if (isChanged) this.savedAt = Number.NEGATIVE_INFINITY;
    const isAnother = isChanged || hasDiverged(history);
    const kept = isAnother ? historyUpTo(history, update) : history;
    this.continuity = new Continuity(kept);
    this.alarms = watchOf(kept);
    await this.traces?.restore(isAnother ? update : undefined);
    if (kept.length === history.length) return;
    this.log.rewrite(kept);
    const from = lastTold(history);
    if (from > update) this.emit({ type: "rewound", update, from });
  }

  /** A run may go on with other values than it was saved with; its log says so, as of any change. */
  private announceChanges(good: GoodCheckpoint | undefined): void {
    if (good) for (const change of this.changesSince(good)) this.tellChange(change);
  }

  private changesSince({ checkpoint }: GoodCheckpoint): ConfigChange[] {
    // Completed as the run's own configuration is, so that a value which is newer than the file is no change.
    return diffConfigs(checkedRunConfig(checkpoint.meta.config), this.config);
  }

  private tellChange({ path, from, to }: ConfigChange): void {
    this.emit({ type: "config_changed", update: this.run!.update, path, from, to });
  }

  private announce(): void {
    const { config, device, memory, update } = this.run!;
    const time = this.deps.clock.now();
    this.emit({
      type: "run_started",
      runId: this.runId,
      config,
      device,
      memory,
      update,
      totalUpdates: totalUpdates(config),
      time,
    });
  }

  // --- saving ---------------------------------------------------------------------------------------------------

  private async serveSaves(): Promise<void> {
    for (let waiter = this.saveWaiters[0]; waiter; waiter = this.saveWaiters[0]) {
      const saved = await this.save();
      this.saveWaiters.shift();
      waiter.resolve(saved);
    }
  }

  private async saveIfNew(): Promise<void> {
    if (this.run!.update !== this.savedUpdate && this.healthy) await this.save();
    await this.traces?.flush();
  }

  private async save(): Promise<SavedCheckpoint> {
    const run = this.run!;
    const checkpoint = await this.orLost(run.save());
    const bytes = await encodeCheckpoint(this.withProvenance(checkpoint));
    this.savedUpdate = run.update;
    this.savedAt = this.deps.clock.now();
    const name = await this.store(run.update, bytes);
    return { name: `${this.runId}-${name}`, bytes };
  }

  /** A full disk must not end a run; it goes on, and says that it is not safe. */
  private async store(update: number, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    try {
      const { name } = await this.deps.store.save(this.runId, update, bytes);
      this.emit({ type: "checkpoint", update, bytes: bytes.byteLength, name });
      void this.log.flush();
      return name;
    } catch (error) {
      this.warnStorage(error);
      return `update-${update}.safetensors`;
    }
  }

  private withProvenance({ meta, tensors }: Checkpoint): Checkpoint {
    const provenance = this.deps.provenance?.();
    return { meta: provenance ? { ...meta, provenance } : meta, tensors };
  }

  // --- small things ---------------------------------------------------------------------------------------------

  /** Tells consumers, unless they know. */
  private emit(event: TrainerEvent): boolean {
    if (!this.continuity.admit(event)) return false;
    this.log.add(event);
    this.traces?.add(event);
    this.deps.emit(event);
    return true;
  }

  private orLost<T>(work: Promise<T>): Promise<T> {
    work.catch(() => {});
    return Promise.race([work, this.lost]);
  }

  private whenHeld(): Promise<void> {
    const waiter = deferred();
    this.holdWaiters.push(waiter);
    this.ring();
    return Promise.race([waiter.promise, this.done]);
  }

  private settleHolds(): void {
    for (const waiter of this.holdWaiters.splice(0)) waiter.resolve();
  }

  private settle(): void {
    this.settleHolds();
    for (const waiter of this.saveWaiters.splice(0)) waiter.reject(notNow("saved"));
    this.finished.resolve();
  }

  private ring(): void {
    this.bell.resolve();
  }

  private warnSkipped(good: GoodCheckpoint | null): void {
    for (const { code, message, hint } of good?.skipped ?? [])
      this.warn(`checkpoint_${code}`, `${message} Taken instead: update ${good!.entry.update}.`, hint);
  }

  private warnStorage(error: unknown): void {
    const { message } = serializeError(error);
    this.warn(
      "storage",
      `The run could not be saved: ${message}`,
      "Free some space, for example by deleting old runs. Training goes on.",
    );
  }

  private warn(code: string, message: string, hint?: string): void {
    const event: TrainerEvent = { type: "warning", update: this.update, code, message };
    this.emit(hint === undefined ? event : { ...event, hint });
  }
}

interface Advice {
  code: string;
  message: string;
  hint: string;
}

function adviceOnAbsence(problem: unknown): Advice {
  return {
    code: "device_absent",
    message: `No graphics device came back; the run is paused. (${serializeError(problem).message})`,
    hint: "Press Resume to try again. If that does not help, reload the page or restart the browser: the run goes on from its last checkpoint.",
  };
}

/** A device that hangs is as good as gone. */
const LOSSES: ReadonlySet<string> = new Set(["device_lost", "out_of_memory", "timeout"]);

function isLoss(error: unknown): error is GpuError {
  return error instanceof GpuError && LOSSES.has(error.code);
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
