// A run of a preset for measurements: it makes one update at a time.
import { readCheckpointFile } from "../cli/checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { buildRun } from "../run/build-run.ts";
import { platformPorts } from "../run/judge-ports.ts";
import { initialCheckpoint } from "../supervision/resume.ts";
import { train } from "../training/trainer.ts";

export interface PresetRun {
  /** Makes the next update; resolves to its metrics. */
  advance(): Promise<Readonly<Record<string, number>>>;
  dispose(): void;
}

/** Prepares a run from the checkpoint that `config` names. @throws Error from `advance` when the run has no further update. */
export async function presetRun(provider: GPU, name: string, config: RunConfig): Promise<PresetRun> {
  const checkpoint = await initialCheckpoint(config, readCheckpointFile);
  const host = {
    ports: platformPorts,
    readText: () => Promise.reject(new Error("the benchmark has no recording")),
    key: async () => "",
  };
  const run = await buildRun(name, config, provider, checkpoint, { judgeHost: host });
  const facts = train(run, new AbortController().signal);
  return {
    async advance() {
      for (;;) {
        const { value, done } = await facts.next();
        if (done) throw new Error(`The run "${name}" ended early.`);
        if (value.type === "metrics") return value.values;
      }
    },
    dispose: () => run.dispose(),
  };
}
