// What a user sees while a run trains: one line that is rewritten on a terminal, or a line every few seconds elsewhere.
import { sftUpdates, updateName } from "../config/run-length.ts";
import { formatDuration, formatInteger, formatMiB } from "../core/format.ts";
import { findingOf } from "../rl/alarms/alarm.ts";
import type { TrainerEvent } from "../training/events.ts";
import {
  emptyProgress,
  foldProgress,
  type Progress,
  progressLine,
  samplingName,
  validationLines,
} from "./format-progress.ts";
import { type Io, warning } from "./io.ts";

/** Without a terminal, at most one progress line in this time. */
const LINE_EVERY_MS = 5000;
const CLEAR_LINE = "\r\u001b[K";

export class Console {
  private progress: Progress = emptyProgress();
  private lastLineAt = Number.NEGATIVE_INFINITY;
  private readonly startedAt: number;

  constructor(
    private readonly io: Io,
    private readonly now: () => number,
  ) {
    this.startedAt = now();
  }

  show(event: TrainerEvent): void {
    this.progress = foldProgress(this.progress, event);
    const line = this.lineFor(event);
    if (line) this.print(line);
    const isNews = event.type === "metrics" || this.progress.playing !== null;
    if (isNews || this.io.isTty) this.showProgress(event.type === "metrics");
  }

  /** Whether a validation is being played, which a stop cuts; an update is finished first. */
  get isValidating(): boolean {
    return this.progress.playing?.phase === "validate";
  }

  /** A line that stays. */
  print(line: string): void {
    this.io.err(this.io.isTty ? `${CLEAR_LINE}${line}\n` : `${line}\n`);
  }

  private showProgress(isUpdate: boolean): void {
    if (this.progress.stage === null) return;
    if (this.io.isTty) {
      this.io.err(CLEAR_LINE + progressLine(this.progress, this.io.columns() - 1));
      return;
    }
    const isLast = isUpdate && this.progress.update === this.progress.totalUpdates;
    if (this.now() - this.lastLineAt < LINE_EVERY_MS && !isLast) return;
    this.lastLineAt = this.now();
    this.io.err(`${progressLine(this.progress)}\n`);
  }

  private lineFor(event: TrainerEvent): string {
    switch (event.type) {
      case "run_started": {
        const { device, memory, update } = event;
        const name = device.description || `${device.vendor} ${device.architecture}`.trim() || "GPU";
        const from = update > 0 ? `, from update ${update}` : "";
        return `${formatInteger(memory.parameters)} parameters, ${formatMiB(memory.total, 0)} on ${name}${device.software ? " (software)" : ""}${from}`;
      }
      case "validation": {
        const { update, temperature } = event.report;
        const head = `validation after ${this.nameOf(update)}, ${samplingName(temperature)}`;
        return validationLines(head, event.report);
      }
      case "warning":
        return warning(`${event.message}${event.hint ? ` ${event.hint}` : ""}`);
      case "alarm":
        return this.alarmLine(event);
      case "sft_ended":
        return event.message;
      case "config_changed":
        if (event.automatic) return "";
        return `${event.path}: ${event.from} → ${event.to}, after ${this.nameOf(event.update)}`;
      case "device_lost":
        return `${event.message} ${event.recovering ? `Going back to ${this.nameOf(event.resumeFrom)}.` : ""}`.trim();
      case "rewound":
        return `Going back from ${this.nameOf(event.from)} to ${this.nameOf(event.update)}.`;
      case "run_finished":
        return `${event.reason} after ${this.nameOf(event.update)}, ${formatDuration(this.now() - this.startedAt)}`;
      default:
        return "";
    }
  }

  private alarmLine(alarm: Extract<TrainerEvent, { type: "alarm" }>): string {
    if (alarm.state === "over") return `alarm over at ${this.nameOf(alarm.update)}: ${alarm.title}`;
    const since = alarm.began > 0 ? `since ${this.nameOf(alarm.began)}` : "from the start";
    return `alarm: ${alarm.title} ${since} (${findingOf(alarm)}). ${alarm.remedy}`;
  }

  /** An update as the progress line counts it; checkpoints, whose files are named, count over the whole run. */
  private nameOf(update: number): string {
    const { config } = this.progress;
    return updateName(update, config && update > 0 ? sftUpdates(config) : 0);
  }
}
