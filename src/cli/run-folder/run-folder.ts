// The files that a headless run adds to its checkpoints and its event log, all written here from one stream of events:
// configuration, metrics, validations and episodes.
import { copyFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyChanges } from "../../config/changes.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { sftUpdates } from "../../config/run-length.ts";
import { serializeError } from "../../core/errors.ts";
import type { ExtensionSource } from "../../extension/api.ts";
import { PART } from "../../persistence/files.ts";
import { replaceFile } from "../../persistence/node-files.ts";
import { checkpointName } from "../../persistence/store.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { makeFolder } from "../disk.ts";
import { warning } from "../io.ts";
import { PLUGINS } from "../plugins.ts";
import { toYaml } from "../source.ts";
import { toJsonLine } from "./json.ts";
import { LineFile, lineUpdate, parsedLine, putAside } from "./lines.ts";
import { EPISODES } from "./saved-episodes.ts";

/** The policy before PPO, in the folder of a run that began with SFT. */
export const SFT_CHECKPOINT = "warmup.safetensors";

type MetricsEvent = Extract<TrainerEvent, { type: "metrics" }>;
type TrajectoryEvent = Extract<TrainerEvent, { type: "trajectory" }>;

/** Writes as events come, so that a crash loses nothing that was reported. */
export class RunFolder {
  private readonly metrics: LineFile;
  private readonly episodes: LineFile;
  private saveEvery = 1;
  private sftEnd = 0;
  private config: RunConfig | null = null;
  /** Episodes of the update at which the run was resumed that are in the file already. */
  private readonly written = new Set<string>();

  /**
   * @param keep whether the folder keeps every reported episode, or only a few of training.
   * @param say reports a file that cannot be written.
   */
  constructor(
    private readonly folder: string,
    private readonly keep: "sample" | "all" = "sample",
    private readonly say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
  ) {
    makeFolder(folder);
    const onFailure = (error: unknown) => say(notWritten(error));
    this.metrics = new LineFile(this.path("metrics.jsonl"), onFailure);
    this.episodes = new LineFile(this.path(EPISODES), onFailure);
  }

  writeConfig(config: RunConfig): void {
    this.saveEvery = config.trainer.save_freq;
    this.sftEnd = sftUpdates(config);
    this.config = config;
    replaceFile(this.path("config.yaml"), toYaml(config));
  }

  /** Starts a new run. Files of an earlier run that was never saved are renamed. */
  begin(): void {
    for (const name of ["metrics.jsonl", EPISODES, "events.jsonl"]) putAside(this.path(name), "before");
  }

  /**
   * Resumes the run after an update, with the events in its log. A process that was killed may have written rows that the
   * log lacks (the run reports them again), or half of a line.
   */
  resume(update: number, history: readonly TrainerEvent[]): void {
    this.metrics.rewrite((lines) => metricsLines(lines, update, history));
    // Episodes after the update are played again; those of the update itself only if its validation is repeated.
    this.episodes.rewrite((lines) =>
      lines.filter((line) => {
        if (lineUpdate(line) !== update) return lineUpdate(line) < update && line.endsWith("}");
        const id = idOf(parsedLine(line));
        if (id !== null) this.written.add(id);
        return id !== null;
      }),
    );
    const checkpoint = checkpointName(update);
    const isMissing = !existsSync(this.path(SFT_CHECKPOINT)) && existsSync(this.checkpointPath(checkpoint));
    if (update === this.sftEnd && isMissing) this.keepSft(checkpoint);
  }

  /** Copies the plugins, so that the run can be resumed when their files have changed. */
  writePlugins(sources: readonly ExtensionSource[]): void {
    if (sources.length > 0) makeFolder(this.path(PLUGINS));
    for (const { name, source } of sources) writeFileSync(this.path(join(PLUGINS, name)), source);
  }

  /**
   * Writes what the folder keeps of an event. A full disk must not end a run: each file reports once that it cannot be
   * written, and its lines are written when there is room.
   */
  record(event: TrainerEvent): void {
    try {
      this.write(event);
    } catch (error) {
      this.say(notWritten(error));
    }
  }

  private write(event: TrainerEvent): void {
    switch (event.type) {
      case "metrics":
        this.metrics.append(metricsLine(event));
        break;
      case "config_changed":
        this.writeConfig(applyChanges(this.config!, { [event.path]: event.to }));
        break;
      case "rewound":
        this.metrics.cut(event.update);
        this.episodes.cut(event.update);
        break;
      case "checkpoint":
        // Only the newest checkpoints are kept, but every comparison starts from the policy before PPO.
        if (event.update === this.sftEnd && event.name) this.keepSft(event.name);
        break;
      case "trajectory":
        if (this.isKept(event) && !this.written.has(idOf(event)!)) this.episodes.append(toJsonLine(event));
        break;
      case "run_finished":
        this.metrics.flush();
        this.episodes.flush();
        break;
    }
  }

  private keepSft(checkpoint: string): void {
    const part = this.path(SFT_CHECKPOINT + PART);
    copyFileSync(this.checkpointPath(checkpoint), part);
    renameSync(part, this.path(SFT_CHECKPOINT));
  }

  /** A sample has the episodes of validations, and those of training at every `trainer.save_freq`th update. */
  private isKept({ source, update }: TrajectoryEvent): boolean {
    return this.keep === "all" || source === "validation" || update % this.saveEvery === 0;
  }

  private checkpointPath(name: string): string {
    return this.path(join("checkpoints", name));
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

const notWritten = (error: unknown): string =>
  warning(
    `a report could not be written: ${serializeError(error).message}. Free some space on this disk. Training continues, and the report is written once there is room.`,
  );

const metricsLine = ({ type: _, values, ...head }: MetricsEvent): string =>
  toJsonLine({ ...head, ...values });

/** A row for each update that will not be reported again: from the log, or from the file where a damaged log lacks it. */
function metricsLines(lines: readonly string[], update: number, history: readonly TrainerEvent[]): string[] {
  const rows = new Map<number, string>();
  for (const line of lines)
    if (lineUpdate(line) <= update && parsedLine(line) !== null) rows.set(lineUpdate(line), line);
  for (const event of history) if (event.type === "metrics") rows.set(event.update, metricsLine(event));
  return [...rows].sort(([a], [b]) => a - b).map(([, line]) => line);
}

/** Identifies an episode within its run; null for a line that is not an episode. */
function idOf(event: unknown): string | null {
  const { source, update, trajectory } = (event ?? {}) as Partial<TrajectoryEvent>;
  const isEpisode =
    typeof source === "string" && typeof update === "number" && typeof trajectory?.id === "string";
  return isEpisode ? `${source} ${update} ${trajectory.id}` : null;
}
