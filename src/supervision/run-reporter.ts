// Reports what happens in a run to its listeners, its log and its traces; everything once.
import type { ConfigChange } from "../config/changes.ts";
import { totalUpdates } from "../config/run-length.ts";
import { serializeError } from "../core/errors.ts";
import { FREE_SPACE } from "../persistence/files.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { type TrainerEvent, WORKS_AGAIN } from "../training/events.ts";
import { Continuity } from "./deduplicate.ts";
import { EventLog, KEPT_EVENTS } from "./event-log.ts";
import { alarmsOf, historyUpTo, lastTold, watchOf } from "./history.ts";
import type { SupervisedRun } from "./live-run.ts";
import { TraceLog } from "./trace-log.ts";

export interface RunReporterDeps {
  store: CheckpointStore;
  emit(event: TrainerEvent): void;
  /** Trajectories to keep with the run; none when absent. */
  keepTraces?: number;
}

/** A warning before it is known which update it is about. */
export interface Notice {
  code: string;
  message: string;
  hint?: string | undefined;
}

/** What is stored of a run. Each part has its own warning, because each failure loses something else. */
const STORED = {
  checkpoint: {
    code: "storage",
    what: "The run",
    hint: `${FREE_SPACE} Or download a checkpoint now, to be safe. Training continues, and saving is retried.`,
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
  /** The update that warnings are about. */
  update = 0;
  private continuity = new Continuity();
  private alarms = watchOf([]);
  private readonly log: EventLog;
  private readonly traces: TraceLog | null;
  /** What could not be stored when it was last tried. */
  private readonly failing = new Set<StoredPart>();
  private warnedDropped = false;

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

  /** Tells listeners, log and traces, unless they know; returns whether they did not. */
  tell(event: TrainerEvent): boolean {
    if (!this.continuity.admit(event)) return false;
    this.log.add(event);
    this.traces?.add(event);
    this.deps.emit(event);
    if (event.type === "checkpoint") this.storageWorks("checkpoint");
    return true;
  }

  /** Tells that a run has been built and trains. @param time epoch milliseconds. */
  tellStart({ config, device, memory, update }: SupervisedRun, time: number): void {
    this.tell({
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

  /** Tells of a value that is another one after `update`. */
  tellChange(update: number, { path, from, to }: ConfigChange): void {
    this.tell({ type: "config_changed", update, path, from, to });
  }

  /** Tells listeners alone, of what the log has already or is not to have. */
  mention(event: TrainerEvent): void {
    this.deps.emit(event);
  }

  /** Tells the alarms that begin or end with the metrics of an update that is new. */
  tellAlarms(metrics: TrainerEvent): void {
    for (const alarm of alarmsOf(this.alarms, metrics)) this.tell(alarm);
  }

  warn({ code, message, hint }: Notice): void {
    const event: TrainerEvent = { type: "warning", update: this.update, code, message };
    this.tell(hint === undefined ? event : { ...event, hint });
  }

  /** Warns that the run could not be saved, once until it is saved again. */
  warnStorage(error: unknown): void {
    this.storageFailed("checkpoint", error);
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
      message: `The run's log has not been saved for ${KEPT_EVENTS.toLocaleString("en")} events, so the oldest metrics are left out of it.`,
      hint: `${FREE_SPACE} Charts after a reload will lack those updates.`,
    });
  }

  /** Says which newer checkpoints were passed over for this one. */
  warnSkipped(good: GoodCheckpoint | null | undefined): void {
    for (const { code, message, hint } of good?.skipped ?? []) {
      const taken = `Taken instead: update ${good!.entry.update}.`;
      this.warn({ code: `checkpoint_${code}`, message: `${message} ${taken}`, hint });
    }
  }

  /**
   * Goes on telling a run's story from its checkpoint of `update`. What was told before stays true when the same updates
   * are computed again in the same way. When `isAnother`, what comes after the checkpoint is told anew and the old story
   * of it is dropped.
   */
  async takeUp(history: readonly TrainerEvent[], update: number, isAnother: boolean): Promise<void> {
    const kept = isAnother ? historyUpTo(history, update) : history;
    this.continuity = new Continuity(kept);
    this.alarms = watchOf(kept);
    await this.traces?.restore(isAnother ? update : undefined);
    if (kept.length === history.length) return;
    this.log.rewrite(kept);
    const from = lastTold(history);
    if (from > update) this.tell({ type: "rewound", update, from });
  }

  /** Resolves when the log so far is stored, or is known not to be. */
  flushLog(): Promise<void> {
    return this.log.flush();
  }

  /** Resolves when the traces so far are stored, or are known not to be. */
  async flushTraces(): Promise<void> {
    await this.traces?.flush();
  }

  /** Stores all there is, with a last event that nobody has heard yet. */
  async conclude(last: TrainerEvent): Promise<void> {
    this.log.add(last);
    await Promise.all([this.flushLog(), this.flushTraces()]);
  }
}
