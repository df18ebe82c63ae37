// Test aids only: a run of a few updates, as numbers that can be compared, and a model that is small enough for it.
import type { RunConfig } from "../../config/run-config.ts";
import { requestNodeGpu } from "../../gpu/node-device.ts";
import type { Checkpoint } from "../../persistence/checkpoint.ts";
import { buildRun } from "../../run/build-run.ts";
import type { TrainingFact } from "../events.ts";
import { train } from "../trainer.ts";

/** Settings of a tiny model that looks at pictures. */
export const tinySeeing = {
  hidden_size: 16,
  num_attention_heads: 2,
  num_key_value_heads: 2,
  intermediate_size: 32,
  vision_layers: 1,
  vision_hidden_size: 16,
  vision_heads: 2,
  pixel_shuffle: 2,
};

interface ShortRun {
  /** The metrics of every update and validation in their order, without times. */
  metrics: readonly Record<string, number>[];
  /** The run after its first update here, if it did one. */
  early: Checkpoint | undefined;
  /** The run at its end. */
  last: Checkpoint;
}

/** Trains to the end. @param from a checkpoint of the same run; absent: from the beginning. */
export async function shortRun(config: RunConfig, from?: Checkpoint): Promise<ShortRun> {
  const run = await buildRun("test", config, await requestNodeGpu(), from);
  const metrics: Record<string, number>[] = [];
  let early: Checkpoint | undefined;
  for await (const fact of train(run, new AbortController().signal)) {
    metrics.push(...metricsIn(fact));
    // Saved on its way, as a supervisor saves a run.
    if (fact.type === "metrics") early ??= structuredClone(await run.save());
  }
  const last = structuredClone(await run.save());
  run.dispose();
  return { metrics, early, last };
}

const isTime = (name: string) => name.startsWith("timing_s/") || name.startsWith("perf/");

function metricsIn(fact: TrainingFact): Record<string, number>[] {
  const found =
    fact.type === "metrics"
      ? [fact.values]
      : fact.type === "validation"
        ? fact.reports.map(({ metrics }) => metrics)
        : [];
  return found.map((values) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !isTime(name))),
  ) as Record<string, number>[];
}
