// The files of a headless run: configuration, metrics, validations and a few trajectories, beside its checkpoints.
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunConfig } from "../../config/run-config.ts";
import { warmupUpdates } from "../../config/run-length.ts";
import { PART } from "../../persistence/files.ts";
import { replaceFile } from "../../persistence/node-files.ts";
import type { ExtensionSource } from "../../rl/extension/api.ts";
import type { TrainerEvent } from "../events.ts";
import { Validations } from "../validations.ts";
import { toJsonLine } from "./json.ts";
import { appendLines, cutLines } from "./lines.ts";
import { PLUGINS } from "./plugins.ts";
import { toYaml } from "./source.ts";

/** The policy before PPO, in the folder of a run that was warmed up. */
export const WARMED_UP = "warmup.safetensors";

/** Writes as events come, so that a crash loses nothing that was reported. */
export class RunFolder {
  private readonly validations: Validations;
  private saveEvery = 1;
  private warmupEnd = 0;

  /**
   * @param episodes whether every episode that is told is kept, or a few of training to look at.
   * @param say hears of a file that is damaged.
   */
  constructor(
    private readonly folder: string,
    private readonly episodes: "sample" | "all" = "sample",
    say: (line: string) => void = (line) => void process.stderr.write(`${line}\n`),
  ) {
    mkdirSync(folder, { recursive: true });
    this.validations = new Validations(folder, say);
  }

  writeConfig(config: RunConfig): void {
    this.saveEvery = config.trainer.save_freq;
    this.warmupEnd = warmupUpdates(config);
    replaceFile(this.path("config.yaml"), toYaml(config));
  }

  /** The run goes on after an update: the episodes of later ones are played again. */
  takeUp(update: number): void {
    cutLines(this.path("trajectories.jsonl"), update);
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
        this.validations.add(event.report);
        break;
      case "rewound":
        this.validations.cut(event.update);
        for (const name of ["metrics.jsonl", "trajectories.jsonl"]) cutLines(this.path(name), event.update);
        break;
      case "checkpoint":
        // Of the others only the newest are kept; the policy before PPO is what every comparison starts from.
        if (event.update === this.warmupEnd && event.name) this.keepWarmedUp(event.name);
        break;
      case "trajectory":
        if (this.isKept(event)) this.append("trajectories.jsonl", event);
        break;
    }
  }

  private keepWarmedUp(checkpoint: string): void {
    const part = this.path(WARMED_UP + PART);
    copyFileSync(this.path(join("checkpoints", checkpoint)), part);
    renameSync(part, this.path(WARMED_UP));
  }

  /** A few are enough to look at: those of validations, and of training now and then. */
  private isKept({ source, update }: Extract<TrainerEvent, { type: "trajectory" }>): boolean {
    return this.episodes === "all" || source === "validation" || update % this.saveEvery === 0;
  }

  private append(name: string, value: object): void {
    appendLines(this.path(name), `${toJsonLine(value)}\n`);
  }

  private path(name: string): string {
    return join(this.folder, name);
  }
}
