// The files of a headless run: configuration, metrics, validations and a few trajectories, beside its checkpoints.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { RunConfig } from "../../config/run-config.ts";
import { warmupUpdates } from "../../config/run-length.ts";
import type { ExtensionSource } from "../../rl/extension/api.ts";
import type { TrainerEvent, ValidationReport } from "../events.ts";
import { appendLines } from "./append-lines.ts";
import { toJsonLine } from "./json.ts";
import { PLUGINS } from "./plugins.ts";
import { toYaml } from "./source.ts";

/** The policy before PPO, in the folder of a run that was warmed up. */
export const WARMED_UP = "warmup.safetensors";

/** Writes as events come, so that a crash loses nothing that was reported. */
export class RunFolder {
  private reports: ValidationReport[];
  private saveEvery = 1;
  private warmupEnd = 0;

  private readonly isNew: boolean;

  /** @param episodes whether every episode that is told is kept, or a few of training to look at. */
  constructor(
    private readonly folder: string,
    private readonly episodes: "sample" | "all" = "sample",
  ) {
    this.isNew = !existsSync(folder);
    mkdirSync(folder, { recursive: true });
    this.reports = readReports(join(folder, "validation.json"));
  }

  writeConfig(config: RunConfig): void {
    this.saveEvery = config.trainer.save_freq;
    this.warmupEnd = warmupUpdates(config);
    writeFileSync(join(this.folder, "config.yaml"), toYaml(config));
  }

  /** The run goes on after an update: the episodes of later ones are played again. */
  takeUp(update: number): void {
    this.cut("trajectories.jsonl", update);
  }

  /** A run that could not begin leaves nothing behind where nothing was. */
  discardIfNew(): void {
    if (this.isNew) rmSync(this.folder, { recursive: true, force: true });
  }

  /** Copies of the plugins, as they are now, to go on with when their files have changed. */
  writePlugins(sources: readonly ExtensionSource[]): void {
    if (sources.length > 0) mkdirSync(this.path(PLUGINS), { recursive: true });
    for (const { name, source } of sources) writeFileSync(this.path(join(PLUGINS, name)), source);
  }

  record(event: TrainerEvent): void {
    switch (event.type) {
      case "metrics": {
        const { type: _, values, ...head } = event;
        this.append("metrics.jsonl", { ...head, ...values });
        break;
      }
      case "validation":
        this.reports.push(event.report);
        this.writeReports();
        break;
      case "rewound":
        this.reports = this.reports.filter(({ update }) => update <= event.update);
        this.writeReports();
        for (const name of ["metrics.jsonl", "trajectories.jsonl"]) this.cut(name, event.update);
        break;
      case "checkpoint":
        // Of the others only the newest are kept; the policy before PPO is what every comparison starts from.
        if (event.update === this.warmupEnd && event.name)
          copyFileSync(this.path(join("checkpoints", event.name)), this.path(WARMED_UP));
        break;
      case "trajectory":
        if (this.isKept(event)) this.append("trajectories.jsonl", event);
        break;
    }
  }

  /** A few are enough to look at: those of validations, and of training now and then. */
  private isKept({ source, update }: Extract<TrainerEvent, { type: "trajectory" }>): boolean {
    return this.episodes === "all" || source === "validation" || update % this.saveEvery === 0;
  }

  private writeReports(): void {
    writeFileSync(this.path("validation.json"), `${JSON.stringify(this.reports, null, 2)}\n`);
  }

  /** Drops the lines after an update; what is not such a line is left alone. */
  private cut(name: string, update: number): void {
    const lines = readLines(this.path(name));
    const kept = lines.filter((line) => lineUpdate(line) <= update);
    if (kept.length === lines.length) return;
    const part = this.path(`${name}.part`);
    writeFileSync(part, kept.map((line) => `${line}\n`).join(""));
    renameSync(part, this.path(name));
  }

  private append(name: string, value: object): void {
    appendLines(this.path(name), `${toJsonLine(value)}\n`);
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}

function readLines(path: string): string[] {
  try {
    return readFileSync(path, "utf8").split("\n").filter(Boolean);
  } catch {
    return [];
  }
}

/** Every line names its update before anything nested could; 0 where none is named. */
const lineUpdate = (line: string): number => Number(/"update":(\d+)/.exec(line)?.[1] ?? 0);

/** A run that is taken up again adds to its earlier reports. */
function readReports(path: string): ValidationReport[] {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return [];
  }
}
