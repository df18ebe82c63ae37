// The files of a headless run: configuration, metrics, validations and a few trajectories, beside its checkpoints.
import { copyFileSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunConfig } from "../../config/run-config.ts";
import { warmupUpdates } from "../../config/run-length.ts";
import { PART } from "../../persistence/files.ts";
import { replaceFile } from "../../persistence/node-files.ts";
import { checkpointName } from "../../persistence/store.ts";
import type { ExtensionSource } from "../../rl/extension/api.ts";
import { lastTold } from "../../supervision/history.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { makeFolder } from "../disk.ts";
import { PLUGINS } from "../plugins.ts";
import { toYaml } from "../source.ts";
import { toJsonLine } from "./json.ts";
import { appendLines, cutLines, lineUpdate, parsedLine, putAside, rewriteLines } from "./lines.ts";
import { Validations } from "./validation-file.ts";

/** The policy before PPO, in the folder of a run that was warmed up. */
export const WARMED_UP = "warmup.safetensors";

const METRICS = "metrics.jsonl";
const EPISODES = "trajectories.jsonl";

type MetricsEvent = Extract<TrainerEvent, { type: "metrics" }>;
type TrajectoryEvent = Extract<TrainerEvent, { type: "trajectory" }>;

/** Writes as events come, so that a crash loses nothing that was reported. */
export class RunFolder {
  private readonly validations: Validations;
  private saveEvery = 1;
  private warmupEnd = 0;
  /** Episodes of the update at which the run was resumed that are in the file. */
  private readonly written = new Set<string>();

  /** Lines that could not be written, by file. */
  private readonly pending = new Map<string, string>();

  /**
   * @param episodes whether every reported episode is kept, or only a few of training.
   * @param say reports a damaged file.
   */
  constructor(
    private readonly folder: string,
    private readonly episodes: "sample" | "all" = "sample",
    say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
  ) {
    makeFolder(folder);
    this.validations = new Validations(folder, say);
  }

  writeConfig(config: RunConfig): void {
    this.saveEvery = config.trainer.save_freq;
    this.warmupEnd = warmupUpdates(config);
    replaceFile(this.path("config.yaml"), toYaml(config));
  }

  /** The run begins. Files of an earlier run that was never saved are kept under other names. */
  begin(): void {
    for (const name of [METRICS, EPISODES, "events.jsonl"]) putAside(this.path(name));
  }

  /**
   * The run resumes after an update, with the events in its log. A process that was killed may have written rows that the
   * log lacks (the run reports them again), or half of a line.
   */
  takeUp(update: number, history: readonly TrainerEvent[]): void {
    rewriteLines(this.path(METRICS), (lines) => metricsLines(lines, update, history));
    // Episodes after the update are played again; those of the update itself are, if its validation is made again.
    rewriteLines(this.path(EPISODES), (lines) =>
      lines.filter((line) => {
        if (lineUpdate(line) !== update) return lineUpdate(line) < update && line.endsWith("}");
        const id = idOf(parsedLine(line));
        if (id !== null) this.written.add(id);
        return id !== null;
      }),
    );
    const checkpoint = checkpointName(update);
    const isMissing = !existsSync(this.path(WARMED_UP)) && existsSync(this.checkpointPath(checkpoint));
    if (update === this.warmupEnd && isMissing) this.keepWarmedUp(checkpoint);
  }

  /** Copies of the plugins, as they are now, to go on with when their files have changed. */
  writePlugins(sources: readonly ExtensionSource[]): void {
    if (sources.length > 0) makeFolder(this.path(PLUGINS));
    for (const { name, source } of sources) writeFileSync(this.path(join(PLUGINS, name)), source);
  }

  record(event: TrainerEvent): void {
    switch (event.type) {
      case "metrics":
        this.append(METRICS, metricsRow(event));
        break;
      case "validation":
        this.validations.add(event.report);
        break;
      case "rewound":
        this.validations.cut(event.update);
        for (const name of [METRICS, EPISODES]) cutLines(this.path(name), event.update);
        break;
      case "checkpoint":
        // Of the others only the newest are kept; the policy before PPO is what every comparison starts from.
        if (event.update === this.warmupEnd && event.name) this.keepWarmedUp(event.name);
        break;
      case "trajectory":
        if (this.isKept(event) && !this.written.has(idOf(event)!)) this.append(EPISODES, event);
        break;
      case "run_finished":
        for (const name of [...this.pending.keys()]) this.writePending(name);
        break;
    }
  }

  private keepWarmedUp(checkpoint: string): void {
    const part = this.path(WARMED_UP + PART);
    copyFileSync(this.checkpointPath(checkpoint), part);
    renameSync(part, this.path(WARMED_UP));
  }

  /** A few are enough to look at: those of validations, and of training now and then. */
  private isKept({ source, update }: TrajectoryEvent): boolean {
    return this.episodes === "all" || source === "validation" || update % this.saveEvery === 0;
  }

  /** Whether rows could not be written. They are written with the next row that can be. */
  get isBehind(): boolean {
    return this.pending.size > 0;
  }

  private append(name: string, value: object): void {
    this.pending.set(name, newest(`${this.pending.get(name) ?? ""}${toJsonLine(value)}\n`));
    this.writePending(name);
  }

  private writePending(name: string): void {
    appendLines(this.path(name), this.pending.get(name)!);
    this.pending.delete(name);
  }

  private checkpointPath(name: string): string {
    return this.path(join("checkpoints", name));
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

/** Characters of a file's lines that wait for room on the disk. */
const MOST_PENDING = 32e6;

/** The lines, without the oldest where they are too many to keep. */
const newest = (lines: string): string =>
  lines.length <= MOST_PENDING ? lines : lines.slice(lines.indexOf("\n", lines.length - MOST_PENDING) + 1);

function metricsRow({ type: _, values, ...head }: MetricsEvent): object {
  return { ...head, ...values };
}

/** One row for each update that will not be reported again: as the log has it, or else as the file has it. */
function metricsLines(
  lines: readonly string[],
  update: number,
  history: readonly TrainerEvent[],
): readonly string[] {
  const last = Math.max(update, lastTold(history));
  const rows = new Map<number, string>();
  for (const line of lines)
    if (lineUpdate(line) <= last && parsedLine(line) !== null) rows.set(lineUpdate(line), line);
  for (const event of history)
    if (event.type === "metrics") rows.set(event.update, toJsonLine(metricsRow(event)));
  return [...rows].sort(([a], [b]) => a - b).map(([, line]) => line);
}

/** Identifies an episode within its run; null for a line that is not an episode. */
function idOf(event: unknown): string | null {
  const { source, update, trajectory } = (event ?? {}) as Partial<TrajectoryEvent>;
  const isEpisode =
    typeof source === "string" && typeof update === "number" && typeof trajectory?.id === "string";
  return isEpisode ? `${source} ${update} ${trajectory.id}` : null;
}
