// The composition root: builds the task, engine and policy of a configuration.
import type { Task } from "../agent/task.ts";
import { applyChanges, applyClassOf } from "../config/changes.ts";
import { envIdsOf } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftEndedWith, sftUpdates } from "../config/run-length.ts";
import { platformClock } from "../core/clock.ts";
import { GpuError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import { said } from "../core/message.ts";
import { loadEnvs } from "../envs/index.ts";
import { type Gpu, openGpu } from "../gpu/device.ts";
import { lossBehind } from "../gpu/device-loss.ts";
import { OPTIMIZER_STATE } from "../gpu/kernels/optimizer.ts";
import type { Tensor } from "../gpu/memory.ts";
import type { Judge } from "../judge/judge.ts";
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
import { Engine } from "../policy/wgsl/engine.ts";
import { Generator } from "../policy/wgsl/generator.ts";
import { initialParameters } from "../policy/wgsl/parameters.ts";
import type { ValueTableState } from "../rl/value-table.ts";
import { advantageStages } from "../training/advantages.ts";
import type { DeviceInfo, MemoryPlan, PrepareStep } from "../training/events.ts";
import {
  advantageOptions,
  ppoKinds,
  refPolicyScoring,
  sftAdvantages,
  sftSettings,
} from "../training/hyperparameters.ts";
import type { Counters, Run } from "../training/run.ts";
import { StateCritic } from "../training/state-critic.ts";
import { assertFits } from "./checkpoint-fit.ts";
import { extensionRecords } from "./extensions.ts";
import { assertLevels } from "./first-levels.ts";
import { initialFor } from "./initial-for.ts";
import { type JudgeHost, type Judging, openJudging } from "./judging.ts";
import { levelTests } from "./level-tests.ts";
import { flatFromTensors, tensorsFromFlat } from "./parameter-tensors.ts";
import { type RunSize, runSize } from "./size.ts";
import { DEFAULT_LIMIT, largestPart, tooLarge } from "./size-problem.ts";
import { judgedBy, scoredBy } from "./task.ts";
import { sessionTiles, tunedGpu } from "./tuned-gpu.ts";
import { entrySets, setsOf } from "./validation-sets.ts";

/** The size of a run. @throws EnvError or ConfigError if no level satisfies the options of training, or of a validation. */
function describe(config: RunConfig): RunSize {
  const size = runSize(config);
  assertLevels(config, setsOf(config, size.task));
  return size;
}

function memoryOf(config: RunConfig, size: RunSize, limit: number): MemoryPlan {
  const { arena, layout } = size.buffers;
  const problem = tooLarge(config, size, limit);
  return {
    total: arena.totalBytes,
    parts: arena.bytesByCategory,
    parameters: layout.count,
    largestBuffer: arena.largest.bytes,
    limit,
    ...(problem && { problem: said(problem.message, problem.hint) }),
  };
}

/** GPU memory of a configuration by purpose, without allocating it. @param limit the adapter's largest buffer in bytes. */
export async function planMemory(config: RunConfig, limit = DEFAULT_LIMIT): Promise<MemoryPlan> {
  await loadEnvs(envIdsOf(config));
  return memoryOf(config, describe(config), limit);
}

const largestBinding = ({ caps }: Gpu): number => Math.min(caps.maxBufferSize, caps.maxBindingSize);

/** The part of a device that events report. */
export const deviceInfo = ({ caps }: Gpu): DeviceInfo => ({
  vendor: caps.vendor,
  architecture: caps.architecture,
  description: caps.description,
  software: caps.software,
  features: caps.features,
});

/**
 * Opens the GPU, allocates buffers and loads or initialises the parameters.
 * Resumes a checkpoint of the same run, with optimiser and counters; from any other it takes only the parameters.
 * @param stored a checkpoint with a value head serves a model with a separate critic, too, and one of another run may have other words: see `initialFor`.
 * @param judgeHost files and network for judges that need them.
 * @param tiles which matrix products run with larger tiles on which device; numbers are the same with any.
 * @throws GpuError, ConfigError, EnvError, PolicyError, CheckpointError("wrong_architecture").
 */
export async function buildRun(
  runId: string,
  config: RunConfig,
  provider: GPU | undefined,
  stored?: Checkpoint,
  onPrepare: (steps: readonly PrepareStep[]) => void = () => undefined,
  judgeHost?: JudgeHost,
  tiles = sessionTiles,
): Promise<Run> {
  await loadEnvs(envIdsOf(config));
  const description = describe(config);
  const checkpoint =
    stored && (stored.meta.runId === runId ? stored : initialFor(description, config, stored));
  if (checkpoint) {
    const { architecture, task } = description;
    assertFits(config, { architecture, vocabulary: task.vocabulary }, checkpoint.meta);
  }
  const resumed = checkpoint?.meta.runId === runId ? checkpoint.meta : undefined;
  const judging = await openJudging(config, judgeHost, resumed?.repetition as RepetitionState | undefined);
  const preparation = reportPreparation(description, checkpoint, onPrepare);
  preparation.reach(0);
  const gpu = await openGpu(provider);
  try {
    return await build(await tunedGpu(gpu, description.architecture, tiles));
  } catch (error) {
    // Before the device is destroyed below, which would look like a loss.
    const loss = await lossBehind(error, gpu.lost, platformClock);
    // A failed start must release its memory.
    description.buffers.arena.destroy();
    gpu.destroy();
    throw loss ?? error;
  }

  async function build(tuned: Gpu): Promise<Run> {
    const problem = tooLarge(config, description, largestBinding(tuned));
    if (problem) throw new GpuError("limit_exceeded", problem.message, problem.hint);
    const engine = await createEngine(tuned, config, description);
    preparation.reach(1);
    loadParameters(engine, config, checkpoint, resumed !== undefined);
    await tuned.settle();
    preparation.reach(2);
    const run = assembleRun(runId, config, tuned, engine, description, judging, resumed);
    engine.reportCompiled(preparation.compile);
    const first = compileFirstPlans(run);
    // The others are not waited for, and so not counted. One that fails does so again where it is used, because the engine keeps it.
    engine.reportCompiled(() => undefined);
    compileOtherPlans(run).catch(() => undefined);
    await first;
    return run;
  }
}

/** Reports the steps of a build. Stage 1: memory is allocated; 2: parameters are loaded, kernels are compiled next. */
function reportPreparation(
  { buffers: { arena, layout } }: RunSize,
  checkpoint: Checkpoint | undefined,
  onPrepare: (steps: readonly PrepareStep[]) => void,
) {
  let stage = 0;
  let kernels = { done: 0, of: 1 };
  const report = () =>
    onPrepare([
      { step: "model", done: 1, of: 1, detail: `${layout.count.toLocaleString("en")} parameters` },
      { step: "allocate", done: Math.min(1, stage), of: 1, detail: formatMiB(arena.totalBytes, 0) },
      { step: "compile", ...kernels, detail: `${kernels.done} of ${kernels.of} kernels` },
      {
        step: "restore",
        done: Math.max(0, stage - 1),
        of: 1,
        detail: checkpoint ? `update ${checkpoint.meta.update}` : "new policy",
      },
    ]);
  return {
    reach(next: number): void {
      stage = next;
      report();
    },
    compile(done: number, of: number): void {
      kernels = { done, of };
      report();
    },
  };
}

async function createEngine(gpu: Gpu, config: RunConfig, size: RunSize): Promise<Engine> {
  try {
    return await Engine.create(gpu, size.options, size.buffers);
  } catch (error) {
    if (!(error instanceof GpuError) || error.code !== "out_of_memory") throw error;
    throw new GpuError(error.code, error.message, largestPart(config, size), { cause: error });
  }
}

/** Compiles the plans that a run begins with: those of SFT's steps, or else those that play episodes. All are requested at once. */
function compileFirstPlans({ engine, policy, config, update }: Run): Promise<void> {
  if (update >= sftUpdates(config)) return policy.prepare();
  return engine.prepareSteps([sftSettings(config, update + 1).kind], advantageStages(sftAdvantages(config)));
}

/** Compiles the plans that a run uses later. An earlier use waits for its plan. */
async function compileOtherPlans({ engine, policy, rolloutPolicy, config }: Run): Promise<void> {
  await Promise.all([
    policy.prepare(),
    rolloutPolicy?.prepare(),
    engine.prepareScoring(refPolicyScoring(config, engine)),
    engine.prepareSteps(ppoKinds(config), advantageStages(advantageOptions(config))),
  ]);
}

/** Step counts and bias corrections as computed on the GPU; recomputing them would round differently. */
const OPTIMIZER_TENSOR = "optimizer.state";
const CRITIC_OPTIMIZER_TENSOR = "optimizer.critic_state";

function loadParameters(
  engine: Engine,
  config: RunConfig,
  checkpoint: Checkpoint | undefined,
  isResumed: boolean,
): void {
  const { layout } = engine.buffers;
  if (!checkpoint) {
    engine.setParameters(initialParameters(layout, config.seed));
  } else if (isResumed) {
    const flat = (prefix: string) => flatFromTensors(layout, checkpoint.tensors, prefix);
    const states = optimizerStates(checkpoint);
    engine.setParameters(flat(PARAM), { m: flat(ADAM_M), v: flat(ADAM_V), ...states });
    if (checkpoint.tensors.has(`${REF_POLICY}embed.weight`))
      engine.write(engine.buffers.refParams, flat(REF_POLICY));
    if (engine.options.rolloutPolicy && checkpoint.tensors.has(`${ROLLOUT_POLICY}embed.weight`))
      engine.write(engine.buffers.rolloutParams, flat(ROLLOUT_POLICY));
  } else {
    engine.setParameters(flatFromTensors(layout, checkpoint.tensors, PARAM));
  }
}

/** The critic had no optimiser state of its own in earlier versions, which always stepped both together. */
function optimizerStates({ tensors }: Checkpoint) {
  const state = Float32Array.from(tensors.get(OPTIMIZER_TENSOR)?.data ?? []);
  const own = tensors.get(CRITIC_OPTIMIZER_TENSOR)?.data;
  if (own) return { state, criticState: Float32Array.from(own) };
  const criticState = state.slice();
  // Skipped steps are counted once.
  criticState.fill(0, OPTIMIZER_STATE.skipped, OPTIMIZER_STATE.skipped + 1);
  criticState.fill(0, OPTIMIZER_STATE.skippedInARow);
  return { state, criticState };
}

function assembleRun(
  runId: string,
  initial: RunConfig,
  gpu: Gpu,
  engine: Engine,
  description: RunSize,
  judging: Judging,
  resumed?: CheckpointMeta,
): Run {
  const ended = new AbortController();
  let tasks = judgedTasks(description.task, judging, initial, ended.signal);
  let config = initial;
  const run: Run = {
    runId,
    get config() {
      return config;
    },
    get task() {
      return tasks.task;
    },
    get evalTask() {
      return tasks.evalTask;
    },
    get evalSets() {
      const sets = setsOf(config, description.task).map((set) => ({
        ...set,
        task: judgedBy(set.task, judging.evaluation, config, ended.signal),
      }));
      return [...entrySets(config, tasks.evalTask), ...sets];
    },
    get demoTask() {
      return tasks.demoTask;
    },
    ...levelTests(description.task, () => config),
    engine,
    ...generatorsOf(engine, description),
    update: resumed?.update ?? 0,
    counters: countersOf(resumed?.counters),
    stateCritic: new StateCritic(description.task, resumed?.stateCritic as ValueTableState | undefined),
    device: deviceInfo(gpu),
    memory: memoryOf(initial, description, largestBinding(gpu)),
    lost: gpu.lost,
    applyChanges(changes) {
      const applicable = Object.entries(changes).filter(([path]) => applyClassOf(path) !== "restart");
      config = applyChanges(config, Object.fromEntries(applicable));
      tasks = rescored(tasks, config);
      return applicable.map(([path]) => path);
    },
    endSft() {
      config = applyChanges(config, sftEndedWith(config, run.update));
    },
    judgeSpent: judging.spent,
    save: () => saveRun(run, judging),
    loseDevice: () => gpu.destroy(),
    dispose() {
      ended.abort(new Error("The run has ended."));
      // First, because destroying the buffers of a device that hangs may throw.
      gpu.destroy();
      engine.dispose();
    },
  };
  return run;
}

/** The policy that is trained and, where episodes are played meanwhile, the copy that plays them. */
function generatorsOf(
  engine: Engine,
  { generatorBuffers, generatorOptions, task }: RunSize,
): Pick<Run, "policy" | "rolloutPolicy"> {
  const { image } = task.vocabulary;
  const over = (weights: Tensor) =>
    new Generator(engine, generatorBuffers, generatorOptions, (id) => id === image, weights);
  const { params, rolloutParams } = engine.buffers;
  return { policy: over(params), rolloutPolicy: engine.options.rolloutPolicy ? over(rolloutParams) : null };
}

type JudgedTasks = ReturnType<typeof judgedTasks>;

/** The tasks with the reward weights of another configuration. */
function rescored({ task, evalTask, demoTask }: JudgedTasks, config: RunConfig): JudgedTasks {
  const [scored, evaluated, demonstrated] = [task, evalTask, demoTask].map((of) => scoredBy(of, config));
  return { task: scored!, evalTask: evaluated!, demoTask: demonstrated! };
}

/** The task of training, validations and demonstrations, each with its judge. */
function judgedTasks(task: Task, judging: Judging, config: RunConfig, ended: AbortSignal) {
  const judged = (judge: Judge) => judgedBy(task, judge, config, ended);
  return {
    task: judged(judging.training),
    evalTask: judged(judging.evaluation),
    demoTask: judged(judging.demonstration),
  };
}

const NO_COUNTS: Counters = {
  tokens: 0,
  episodes: 0,
  flops: 0,
  wallMs: 0,
  optimizerSteps: 0,
  skippedSteps: 0,
  validatedUpdate: 0,
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
  for (const name of Object.keys(NO_COUNTS) as (keyof Counters)[]) counters[name] = stored[name] ?? 0;
  return counters;
}

/** Reads back parameters, moments and ref policy, with a description of the run. */
async function saveRun(run: Run, judging: Judging): Promise<Checkpoint> {
  const { engine, config, counters, task } = run;
  const { layout, params, m, v, refParams, rolloutParams, optimizerState, criticState } = engine.buffers;
  const stage = run.update > 0 && run.update >= sftUpdates(config) ? "ppo" : "warmup";
  const repetition = judging.memory();
  const learned = run.stateCritic.toJSON();
  const extensions = extensionRecords(config);
  const meta: CheckpointMeta = {
    format: "vagen-studio-checkpoint",
    version: 1,
    runId: run.runId,
    update: run.update,
    stage,
    config,
    vocabulary: task.vocabulary.toJSON(),
    counters: { ...counters },
    architecture: engine.architecture,
    ...(repetition && { repetition }),
    ...(learned.cells.length > 0 && { stateCritic: learned }),
    ...(extensions.length > 0 && { extensions }),
  };
  const tensors = new Map([
    [OPTIMIZER_TENSOR, { shape: [8], data: await engine.readFlat(optimizerState) }] as const,
    [CRITIC_OPTIMIZER_TENSOR, { shape: [8], data: await engine.readFlat(criticState) }] as const,
    ...tensorsFromFlat(layout, await engine.readFlat(params), PARAM),
    ...tensorsFromFlat(layout, await engine.readFlat(m), ADAM_M),
    ...tensorsFromFlat(layout, await engine.readFlat(v), ADAM_V),
    ...(engine.options.refPolicy
      ? tensorsFromFlat(layout, await engine.readFlat(refParams), REF_POLICY)
      : []),
    ...(engine.options.rolloutPolicy && counters.rolloutVersion !== undefined
      ? tensorsFromFlat(layout, await engine.readFlat(rolloutParams), ROLLOUT_POLICY)
      : []),
  ]);
  return { meta, tensors };
}
