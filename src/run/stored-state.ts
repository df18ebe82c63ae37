// What a checkpoint holds of a run: what a run takes from one when it is built, and what it saves in one.
import type { Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import type { Tensor } from "../gpu/memory.ts";
import type { RepetitionState } from "../judge/repetition.ts";
import {
  ADAM_M,
  ADAM_V,
  type Checkpoint,
  type CheckpointMeta,
  PARAM,
  REF_POLICY,
  ROLLOUT_POLICY,
} from "../persistence/checkpoint.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { initialParameters } from "../policy/wgsl/parameters.ts";
import type { ValueTableState } from "../rl/value-table.ts";
import type { Counters, Run } from "../training/run.ts";
import { StateCritic } from "../training/state-critic.ts";
import { assertFits } from "./checkpoint-fit.ts";
import { extensionRecords } from "./extensions.ts";
import { initialFor } from "./initial-for.ts";
import { flatFromTensors, tensorsFromFlat } from "./parameter-tensors.ts";
import type { RunSize } from "./size.ts";

/** What a run starts from; empty: random parameters. */
export interface Start {
  /** Holds parameters that fit the run's model. */
  checkpoint?: Checkpoint;
  /** The metadata of the checkpoint if the run itself saved it. Then the run continues, with optimiser and counters. */
  resumed?: CheckpointMeta;
}

/** The run that starts. */
interface Starting {
  runId: string;
  config: RunConfig;
  size: RunSize;
}

/**
 * What a run starts from.
 * @param stored a checkpoint of the same run, or of another one, which `initialFor` adapts.
 * @throws CheckpointError("wrong_architecture") if it does not fit the model.
 */
export function startFrom(stored: Checkpoint | undefined, { runId, config, size }: Starting): Start {
  if (!stored) return {};
  const isOwn = stored.meta.runId === runId;
  const checkpoint = isOwn ? stored : initialFor(size, config, stored);
  const { architecture, task } = size;
  assertFits(config, { architecture, vocabulary: task.vocabulary }, checkpoint.meta);
  return isOwn ? { checkpoint, resumed: checkpoint.meta } : { checkpoint };
}

/** Writes the parameters to the GPU and, when a run is resumed, the other tensors. @param seed of random parameters. */
export function loadParameters(engine: Engine, { checkpoint, resumed }: Start, seed: number): void {
  const { layout } = engine.buffers;
  if (!checkpoint) engine.setParameters(initialParameters(layout, seed));
  else if (resumed) restoreTensors(engine, checkpoint);
  else engine.setParameters(flatFromTensors(layout, checkpoint.tensors, PARAM));
}

function restoreTensors(engine: Engine, { tensors }: Checkpoint): void {
  const { layout, refParams, rolloutParams } = engine.buffers;
  const flat = (prefix: string) => flatFromTensors(layout, tensors, prefix);
  const has = (prefix: string) => tensors.has(`${prefix}embed.weight`);
  engine.setParameters(flat(PARAM), { m: flat(ADAM_M), v: flat(ADAM_V), ...optimizerStates(tensors) });
  if (has(REF_POLICY)) engine.write(refParams, flat(REF_POLICY));
  if (engine.options.rolloutPolicy && has(ROLLOUT_POLICY)) engine.write(rolloutParams, flat(ROLLOUT_POLICY));
}

/** Step counts and bias corrections as computed on the GPU; recomputing them would round differently. */
const OPTIMIZER_TENSOR = "optimizer.state";
const CRITIC_OPTIMIZER_TENSOR = "optimizer.critic_state";

/** The critic had no optimiser state of its own in earlier versions, which always stepped both together. */
function optimizerStates(tensors: Checkpoint["tensors"]) {
  const state = Float32Array.from(tensors.get(OPTIMIZER_TENSOR)?.data ?? []);
  const own = tensors.get(CRITIC_OPTIMIZER_TENSOR)?.data;
  if (own) return { state, criticState: Float32Array.from(own) };
  const criticState = state.slice();
  // Skipped steps are counted once.
  criticState.fill(0, OPTIMIZER_STATE.skipped, OPTIMIZER_STATE.skipped + 1);
  criticState.fill(0, OPTIMIZER_STATE.skippedInARow);
  return { state, criticState };
}

/** Where a run continues: after its last update if it is resumed, otherwise at the beginning. */
export const progressOf = (
  { resumed }: Start,
  task: Task,
): Pick<Run, "update" | "counters" | "stateCritic"> => ({
  update: resumed?.update ?? 0,
  counters: countersOf(resumed?.counters),
  stateCritic: new StateCritic(task, resumed?.stateCritic as ValueTableState | undefined),
});

const NO_COUNTS: Counters = {
  tokens: 0,
  episodes: 0,
  flops: 0,
  wallMs: 0,
  optimizerSteps: 0,
  skippedSteps: 0,
  validatedUpdate: -1,
};

/** The counters of a run, continued from a checkpoint's. In older ones a KL coefficient of 0 means that it has not moved. */
export function countersOf({
  klCoef = 0,
  rolloutVersion,
  ...stored
}: Readonly<Record<string, number>> = {}): Counters {
  const counters: Counters = {
    ...NO_COUNTS,
    ...(klCoef > 0 && { klCoef }),
    ...(rolloutVersion !== undefined && { rolloutVersion }),
  };
  for (const name of Object.keys(NO_COUNTS) as (keyof Counters)[])
    counters[name] = stored[name] ?? NO_COUNTS[name]!;
  return counters;
}

/** A checkpoint of the run as it is now. @param repetition the judge's memory; undefined if there is none. */
export async function saveRun(run: Run, repetition: RepetitionState | undefined): Promise<Checkpoint> {
  return { meta: metaOf(run, repetition), tensors: await tensorsOf(run) };
}

function metaOf(run: Run, repetition: RepetitionState | undefined): CheckpointMeta {
  const { runId, update, config, task, counters, engine } = run;
  const learned = run.stateCritic.toJSON();
  const extensions = extensionRecords(config);
  return {
    format: "vagen-studio-checkpoint",
    version: 1,
    runId,
    update,
    stage: update > 0 && update >= sftUpdates(config) ? "ppo" : "warmup",
    config,
    vocabulary: task.vocabulary.toJSON(),
    counters: { ...counters },
    architecture: engine.architecture,
    ...(repetition && { repetition }),
    ...(learned.cells.length > 0 && { stateCritic: learned }),
    ...(extensions.length > 0 && { extensions }),
  };
}

/**
 * Reads back the parameters, moments and optimiser states and, where there are any, the other policies. The two short states are read
 * together. The rest is read one after another, because each takes a buffer of its size beside those that the memory plan counts.
 */
async function tensorsOf({ engine, counters }: Run): Promise<Checkpoint["tensors"]> {
  const { layout, params, m, v, refParams, rolloutParams, optimizerState, criticState } = engine.buffers;
  const { refPolicy, rolloutPolicy } = engine.options;
  const states = [optimizerState, criticState].map((tensor) => engine.readFlat(tensor));
  const [state, ownState] = await Promise.all(states);
  const named = async (flat: Tensor, prefix: string) =>
    tensorsFromFlat(layout, await engine.readFlat(flat), prefix);
  return new Map([
    [OPTIMIZER_TENSOR, { shape: [8], data: state! }] as const,
    [CRITIC_OPTIMIZER_TENSOR, { shape: [8], data: ownState! }] as const,
    ...(await named(params, PARAM)),
    ...(await named(m, ADAM_M)),
    ...(await named(v, ADAM_V)),
    ...(refPolicy ? await named(refParams, REF_POLICY) : []),
    ...(rolloutPolicy && counters.rolloutVersion !== undefined
      ? await named(rolloutParams, ROLLOUT_POLICY)
      : []),
  ]);
}
