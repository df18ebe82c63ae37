// A long supervised run of tiny updates in one process: memory that grows with the number of updates is a leak.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { formatTable } from "../cli/format-progress.ts";
import { RunConfig } from "../config/run-config.ts";
import { platformClock } from "../core/clock.ts";
import { nodeFiles } from "../persistence/node-files.ts";
import { openStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import { Supervisor } from "../supervision/supervisor.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { KEPT_TRACES } from "../worker/protocol.ts";
import { watchGpu } from "./gpu-watch.ts";

/** What the process holds after an update. */
export interface SoakSample {
  update: number;
  /** JavaScript objects after a collection, in bytes. */
  heap: number;
  /** Contents of array buffers after it, in bytes; checkpoints are among them. */
  arrays: number;
  buffers: number;
  gpuBytes: number;
  /** Milliseconds since the first update began. */
  ms: number;
}

/** Real episodes, rollout, PPO and short SFT, each as small as the configuration allows. */
function tinyConfig(updates: number): RunConfig {
  const warmup = Math.max(1, Math.floor(updates / 20));
  return RunConfig.parse({
    env: { name: "frozenlake" },
    rollout: { prompt_format: "no_think", max_turns: 1, train_batch_size: 2, response_length: 16 },
    model: {
      hidden_size: 16,
      num_hidden_layers: 1,
      num_attention_heads: 1,
      num_key_value_heads: 1,
      intermediate_size: 16,
    },
    sft: { total_updates: warmup, one_turn_updates: 0, train_batch_size: 1, lr_warmup_steps: 0 },
    actor: { ppo_mini_batch_size: 2 },
    trainer: {
      total_updates: updates - warmup,
      test_freq: 0,
      val_size: 1,
      save_freq: updates,
      micro_batch_tokens: 256,
    },
  });
}

/** A function that collects garbage at once; the process needs no flags for it. */
export function garbageCollector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

/**
 * Trains for `updates` tiny updates as the page and the command line do, with checkpoints, log and traces in a temporary
 * folder, and samples the memory after every `every` of them.
 */
export async function soak(
  provider: GPU,
  updates: number,
  every: number,
  onSample: (sample: SoakSample) => void = () => undefined,
): Promise<SoakSample[]> {
  const watch = watchGpu();
  const collectGarbage = garbageCollector();
  const before = watch.counts();
  const start = performance.now();
  const samples: SoakSample[] = [];
  let readings: SoakSample[] = [];
  const readMemory = (update: number) => {
    collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    const { buffers, bytes } = watch.counts();
    readings.push({
      update,
      heap: heapUsed,
      arrays: arrayBuffers,
      buffers: buffers - before.buffers,
      gpuBytes: bytes - before.bytes,
      ms: performance.now() - start,
    });
  };
  await supervise(provider, tinyConfig(updates), (event) => {
    if (event.type !== "metrics") return;
    if ((every - (event.update % every)) % every < READINGS) readMemory(event.update);
    if (event.update % every !== 0) return;
    const sample = least(readings);
    readings = [];
    samples.push(sample);
    onSample(sample);
  });
  return samples;
}

/** Consecutive updates whose memory is read for a sample. */
const READINGS = 3;

/** The least of several readings: a checkpoint that is being saved during one of them is no leak. */
function least(readings: readonly SoakSample[]): SoakSample {
  const of = (key: "heap" | "arrays" | "buffers" | "gpuBytes") =>
    Math.min(...readings.map((sample) => sample[key]));
  return {
    ...readings.at(-1)!,
    heap: of("heap"),
    arrays: of("arrays"),
    buffers: of("buffers"),
    gpuBytes: of("gpuBytes"),
  };
}

/** Runs a configuration to its end. @throws when it ends otherwise. */
async function supervise(
  provider: GPU,
  config: RunConfig,
  onEvent: (event: TrainerEvent) => void,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "studio-soak-"));
  let end: TrainerEvent | null = null;
  const supervisor = new Supervisor<Run>("soak", {
    store: openStore(nodeFiles(folder)),
    requestGpu: async () => provider,
    build: ({ runId, config: given, gpu, checkpoint, onPrepare }) =>
      buildRun(runId, given, gpu, checkpoint, { onPrepare }),
    train,
    loadInitial: () => Promise.reject(new Error("a soak starts from nothing")),
    keepTraces: KEPT_TRACES,
    clock: platformClock,
    emit(event) {
      onEvent(event);
      if (event.type === "run_finished") end = event;
    },
  });
  try {
    await supervisor.start(config);
    await supervisor.done;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const { reason, error } = end as unknown as Extract<TrainerEvent, { type: "run_finished" }>;
  if (reason !== "completed") throw new Error(`The run ended as ${reason}: ${error?.message ?? "no error"}`);
}

/** Tolerated growth: caches of the engine fill late. */
const GROWTH = 0.1;
/** Array contents are few bytes in a tiny run, so that a trace more or less is a large share of them. */
const ARRAYS_SLACK = 2 ** 18;

/** A message for each kind of memory that grew between the first and the last sample. */
export function growth(samples: readonly SoakSample[]): string[] {
  const [first, last] = [samples[0], samples.at(-1)];
  if (!first || !last || first === last) return ["There are too few samples to compare."];
  const found: string[] = [];
  if (last.buffers > first.buffers || last.gpuBytes > first.gpuBytes)
    found.push(
      `GPU buffers grew from ${first.buffers} (${first.gpuBytes} bytes) to ${last.buffers} (${last.gpuBytes} bytes).`,
    );
  if (last.heap > first.heap * (1 + GROWTH))
    found.push(`The heap grew from ${first.heap} to ${last.heap} bytes.`);
  if (last.arrays > first.arrays * (1 + GROWTH) + ARRAYS_SLACK)
    found.push(`Array buffers grew from ${first.arrays} to ${last.arrays} bytes.`);
  return found;
}

/** `npm run bench -- --soak <updates>`: ten samples as a table, and an error when something grew. */
export async function soakCommand(updates: number, print: (text: string) => void): Promise<number> {
  const { requestGpu } = await import("../cli/gpu.ts");
  const samples = await soak(await requestGpu(), updates, Math.max(1, Math.floor(updates / 10)));
  print(
    formatTable([
      ["update", "heap MiB", "arrays MiB", "GPU buffers", "GPU KiB", "seconds"],
      ...samples.map(({ update, heap, arrays, buffers, gpuBytes, ms }) => [
        `${update}`,
        (heap / 2 ** 20).toFixed(2),
        (arrays / 2 ** 20).toFixed(2),
        `${buffers}`,
        (gpuBytes / 2 ** 10).toFixed(1),
        (ms / 1000).toFixed(1),
      ]),
    ]),
  );
  const grew = growth(samples);
  if (grew.length) throw new Error(grew.join("\n"));
  return 0;
}
