// What is told about a run: to whoever listens, to its log and to its traces; every thing once.
import type { ConfigChange } from "../config/changes.ts";
import { totalUpdates } from "../config/run-length.ts";
import { serializeError } from "../core/errors.ts";
import type { CheckpointStore, GoodCheckpoint } from "../persistence/store.ts";
import { alarmsOf, watchOf } from "./alarms.ts";
import { Continuity } from "./continuity.ts";
import { EventLog } from "./event-log.ts";
import type { TrainerEvent } from "./events.ts";
import type { SupervisedRun } from "./live-run.ts";
import { historyUpTo, lastTold } from "./rewind.ts";
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

export class RunReporter {
  /** The update that warnings are about. */
  update = 0;
  private continuity = new Continuity();
  private alarms = watchOf([]);
  private readonly log: EventLog;
  private readonly traces: TraceLog | null;

  constructor(
    private readonly runId: string,
    private readonly deps: RunReporterDeps,
  ) {
    const onFailure = (error: unknown) => this.warnStorage(error);
    this.log = new EventLog(deps.store, runId, onFailure);
    this.traces = deps.keepTraces ? new TraceLog(deps.store, runId, deps.keepTraces, onFailure) : null;
  }

  /** Tells listeners, log and traces, unless they know; returns whether they did not. */
  tell(event: TrainerEvent): boolean {
    if (!this.continuity.admit(event)) return false;
    this.log.add(event);
    this.traces?.add(event);
    this.deps.emit(event);
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

  warnStorage(error: unknown): void {
    this.warn({
      code: "storage",
      message: `The run could not be saved: ${serializeError(error).message}`,
      hint: "Free some space, for example by deleting old runs. Training goes on.",
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
