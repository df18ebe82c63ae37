// Publishes a run's events exactly once: to the listener, the event log and the trace log.
import type { ConfigChange } from "../config/changes.ts";
import { totalUpdates } from "../config/run-length.ts";
import { serializeError } from "../core/errors.ts";
import { formatInteger } from "../core/format.ts";
import { FREE_SPACE } from "../persistence/files.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { type TrainerEvent, WORKS_AGAIN } from "../training/events.ts";
import { EventDeduplicator } from "./deduplicate.ts";
import { EventLog, KEPT_EVENTS } from "./event-log.ts";
import { alarmsOf, historyUpTo, lastReported, watchesOf } from "./history.ts";
import type { SupervisedRun } from "./live-run.ts";
import { TraceLog } from "./trace-log.ts";

export interface RunReporterDeps {
  store: CheckpointStore;
  /** Receives every event of the run. */
  emit(event: TrainerEvent): void;
  /** The number of trajectories to store with the run; none if absent. */
  keepTraces?: number;
  /** What limits the storage of this run; asked at the start and after each checkpoint until it resolves to a notice. */
  storageNotice?(): Promise<Notice | null>;
}

/** A warning without its update, which the reporter adds. */
export interface Notice {
  code: string;
  message: string;
  hint?: string | undefined;
}

/** The stored parts of a run. Each has its own warning, because each failure loses something different. */
const STORED = {
  checkpoint: {
    code: "storage",
    what: "The run",
    hint: `${FREE_SPACE} Or download a checkpoint now. Training continues, and saving is retried.`,
  },
  log: {
    code: "storage_log",
    what: "The run's log",
    hint: `${FREE_SPACE} Training continues; the log is completed once there is room.`,
  },
  traces: {
    code: "storage_traces",
    what: "The run's newest episodes",
    hint: `${FREE_SPACE} Training continues, and saving is retried.`,
  },
} as const;
type StoredPart = keyof typeof STORED;

export class RunReporter {
  /** The update that warnings refer to. */
  update = 0;
  private deduplicator = new EventDeduplicator();
  private alarms = watchesOf([]);
  private readonly log: EventLog;
  private readonly traces: TraceLog | null;
  /** The parts whose last write failed. */
  private readonly failing = new Set<StoredPart>();
  private warnedDropped = false;
  private warnedStorage = false;

  constructor(
    private readonly runId: string,
    private readonly deps: RunReporterDeps,
  ) {
    const reportsOf = (part: StoredPart) => ({
      onFailure: (error: unknown) => this.storageFailed(part, error),
      onWritten: () => this.storageWorks(part),
    });
    this.log = new EventLog(deps.store, runId, {
      ...reportsOf("log"),
      onDropped: () => this.warnDropped(),
    });
    this.traces = deps.keepTraces
      ? new TraceLog(deps.store, runId, deps.keepTraces, reportsOf("traces"))
      : null;
  }

  /** Emits, logs and stores an event unless it is a repetition; returns whether it was new. */
  emit(event: TrainerEvent): boolean {
    if (!this.deduplicator.admit(event)) return false;
    this.log.add(event);
    this.traces?.add(event);
    this.deps.emit(event);
    if (event.type === "checkpoint") this.storageWorks("checkpoint");
    if (event.type === "checkpoint" || event.type === "run_started") void this.checkStorage();
    return true;
  }

  /** The run is built and trains. @param time epoch milliseconds. */
  emitStarted({ config, device, memory, update }: SupervisedRun, time: number): void {
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

  /** A value of the configuration changed after `update`; automatically if the run itself changed it. */
  emitChange(update: number, { path, from, to }: ConfigChange, cause?: "automatic"): void {
    this.emit({ type: "config_changed", update, path, from, to, ...(cause && { automatic: true }) });
  }

  /** Emits an event without logging it. */
  emitOnly(event: TrainerEvent): void {
    this.deps.emit(event);
  }

  /** Emits the alarms that begin or end with the metrics of a new update, or with a new validation. */
  emitAlarms(event: TrainerEvent): void {
    for (const alarm of alarmsOf(this.alarms, event)) this.emit(alarm);
  }

  warn({ code, message, hint }: Notice): void {
    const event: TrainerEvent = { type: "warning", update: this.update, code, message };
    this.emit(hint === undefined ? event : { ...event, hint });
  }

  /** Warns that the run could not be saved; not again until a save succeeds. */
  warnStorage(error: unknown): void {
    this.storageFailed("checkpoint", error);
  }

  private async checkStorage(): Promise<void> {
    if (this.warnedStorage) return;
    const notice = await this.deps.storageNotice?.();
    if (!notice || this.warnedStorage) return;
    this.warnedStorage = true;
    this.warn(notice);
  }

  private storageFailed(part: StoredPart, error: unknown): void {
    if (this.failing.has(part)) return;
    this.failing.add(part);
    const { code, what, hint } = STORED[part];
    const reason = serializeError(error).message.replace(/\.$/, "");
    this.warn({ code, message: `${what} could not be saved: ${reason}.`, hint });
  }

  private storageWorks(part: StoredPart): void {
    if (!this.failing.delete(part)) return;
    this.warnedDropped = false;
    const { code, what } = STORED[part];
    this.warn({ code: code + WORKS_AGAIN, message: `${what} can be saved again.` });
  }

  private warnDropped(): void {
    if (this.warnedDropped) return;
    this.warnedDropped = true;
    this.warn({
      code: "storage_log_dropped",
      message: `The run's log has not been saved for ${formatInteger(KEPT_EVENTS)} events, so its oldest metrics are dropped.`,
      hint: `${FREE_SPACE} After a reload, charts lack those updates.`,
    });
  }

  /** Warns about newer checkpoints that were skipped because they cannot be read. */
  warnSkipped(good: GoodCheckpoint | null | undefined): void {
    for (const { code, message, hint } of good?.skipped ?? []) {
      const used = `The run uses the checkpoint of update ${good!.entry.update} instead.`;
      this.warn({ code: `checkpoint_${code}`, message: `${message} ${used}`, hint });
    }
  }

  /**
   * Continues the history of a run from its checkpoint of `update`. Repeated updates normally give the same events, which
   * are then suppressed. If `isAnother` (changed values, or a divergence), they do not: drops the history after the
   * checkpoint and reports those updates again.
   */
  async resume(history: readonly TrainerEvent[], update: number, isAnother: boolean): Promise<void> {
    const kept = isAnother ? historyUpTo(history, update) : history;
    this.deduplicator = new EventDeduplicator(kept);
    this.alarms = watchesOf(kept);
    await this.traces?.restore(isAnother ? update : undefined);
    if (kept.length === history.length) return;
    this.log.rewrite(kept);
    const from = lastReported(history);
    if (from > update) this.emit({ type: "rewound", update, from });
  }

  /** Resolves when the log so far is stored, or writing it has failed. */
  flushLog(): Promise<void> {
    return this.log.flush();
  }

  /** Resolves when the traces so far are stored, or writing them has failed. */
  async flushTraces(): Promise<void> {
    await this.traces?.flush();
  }

  /** Stores everything, and a last event that the caller emits afterwards. */
  async close(last: TrainerEvent): Promise<void> {
    this.log.add(last);
    await Promise.all([this.flushLog(), this.flushTraces()]);
  }
}
