// The composition root: turns a configuration into a run that is ready to train.
import { envIdsOf } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { sftUpdates } from "../config/run-length.ts";
import { platformClock } from "../core/clock.ts";
import { GpuError } from "../core/errors.ts";
import { loadEnvs } from "../envs/index.ts";
import { type Gpu, openGpu } from "../gpu/device.ts";
import { lossBehind } from "../gpu/device-loss.ts";
import type { GpuKeeper } from "../gpu/gpu-keeper.ts";
import type { Tensor } from "../gpu/memory.ts";
import type { TileChoices } from "../gpu/tile-choice.ts";
import type { RepetitionState } from "../judge/repetition.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import { Engine } from "../policy/wgsl/engine.ts";
import { Generator } from "../policy/wgsl/generator.ts";
import type { LossKind } from "../policy/wgsl/step-settings.ts";
import { advantageStages } from "../training/advantages.ts";
import type { DeviceInfo, PrepareStep } from "../training/events.ts";
import {
  advantageOptions,
  ppoKinds,
  refPolicyScoring,
  rehearsalSettings,
  sftAdvantages,
  sftSettings,
} from "../training/hyperparameters.ts";
import type { Run } from "../training/run.ts";
import { expectedOf } from "./expected.ts";
import { type JudgeHost, type Judging, openJudging } from "./judging.ts";
import { levelTests } from "./level-tests.ts";
import { memoryOf } from "./memory-plan.ts";
import { type Preparation, reportPreparation } from "./preparation.ts";
import { RunTasks } from "./run-tasks.ts";
import { openPaidModels, type SimilarityModels } from "./similarity-models.ts";
import { playableSize, type RunSize } from "./size.ts";
import { largestPart, tooLarge } from "./size-problem.ts";
import { loadParameters, progressOf, type Start, saveRun, startFrom } from "./stored-state.ts";
import { sessionTiles, tunedGpu } from "./tuned-gpu.ts";

/** What the host of a run provides. */
interface BuildOptions {
  /** Gets all steps of the build each time that one of them advances. */
  onPrepare?: ((steps: readonly PrepareStep[]) => void) | undefined;
  /** Files and network for judges that need them. */
  judgeHost?: JudgeHost | undefined;
  /** The models that compare drawings, as far as the user gave any. They stay open when the run ends. */
  models?: SimilarityModels | undefined;
  /** Keeps the device when the run ends, and opens kept ones; otherwise each run has its own. */
  gpus?: Pick<GpuKeeper, "open"> | undefined;
  /** Which matrix products run with larger tiles on which device; numbers are the same with any. */
  tiles?: TileChoices;
  /** Plays episodes only: the kernels that train are not compiled ahead. */
  playsOnly?: boolean;
}

/**
 * Opens the GPU, allocates buffers and loads or initialises the parameters.
 * Resumes a checkpoint of the same run, with optimiser and counters; from any other it takes only the parameters.
 * @param stored a checkpoint with a value head serves a model with a separate critic, too, and one of another run may have other words or fewer layers: see `initialFor`.
 * @throws GpuError, ConfigError, EnvError, PolicyError, CheckpointError("wrong_architecture").
 */
export async function buildRun(
  runId: string,
  config: RunConfig,
  provider: GPU | undefined,
  stored?: Checkpoint,
  {
    onPrepare = () => undefined,
    judgeHost,
    models,
    gpus = { open: openGpu },
    tiles = sessionTiles,
    playsOnly = false,
  }: BuildOptions = {},
): Promise<Run> {
  await loadEnvs(envIdsOf(config));
  const size = playableSize(config);
  const start = startFrom(stored, { runId, config, size });
  const judging = await openJudging(
    config,
    judgeHost,
    start.resumed?.repetition as RepetitionState | undefined,
  );
  await openPaidModels(config, models, start.resumed !== undefined);
  const report = reportTo(onPrepare);
  const preparation = reportPreparation(size, start.checkpoint, report.send);
  preparation.begun();
  const gpu = await gpus.open(provider);
  try {
    const tuned = await tunedGpu(gpu, size.architecture, tiles);
    return await buildOn(tuned, { runId, config, size, start, judging, models, playsOnly }, preparation);
  } catch (error) {
    // Before the device is destroyed below, which would look like a loss.
    const loss = report.hasThrown(error) ? null : await lossBehind(error, gpu.lost, platformClock);
    // A failed start must release its memory.
    size.buffers.arena.destroy();
    gpu.destroy();
    throw loss ?? error;
  }
}

/** Passes reports on, and remembers what the caller threw to end the build: no lost device is behind that. */
function reportTo(onPrepare: NonNullable<BuildOptions["onPrepare"]>) {
  const thrown = new Set<unknown>();
  return {
    hasThrown: (error: unknown): boolean => thrown.has(error),
    send(steps: readonly PrepareStep[]): void {
      try {
        onPrepare(steps);
      } catch (error) {
        thrown.add(error);
        throw error;
      }
    },
  };
}

/** What a run is made of, apart from its device. */
interface Parts {
  runId: string;
  config: RunConfig;
  size: RunSize;
  start: Start;
  judging: Judging;
  models: SimilarityModels | undefined;
  playsOnly: boolean;
}

async function buildOn(gpu: Gpu, parts: Parts, preparation: Preparation): Promise<Run> {
  const { config, size, start } = parts;
  const engine = await createEngine(gpu, config, size);
  preparation.allocated();
  loadParameters(engine, start, config.seed);
  await gpu.settle();
  preparation.loaded();
  const run = assembleRun(engine, parts);
  await (parts.playsOnly ? compilePlayer(run, preparation) : compilePlans(run, preparation));
  return run;
}

/** @throws GpuError("limit_exceeded" or "out_of_memory") with the settings to lower. */
async function createEngine(gpu: Gpu, config: RunConfig, size: RunSize): Promise<Engine> {
  const problem = tooLarge(config, size, largestBinding(gpu));
  if (problem) throw new GpuError("limit_exceeded", problem.message, problem.hint);
  try {
    return await Engine.create(gpu, size.options, size.buffers);
  } catch (error) {
    if (!(error instanceof GpuError) || error.code !== "out_of_memory") throw error;
    throw new GpuError(error.code, error.message, largestPart(config, size), { cause: error });
  }
}

const largestBinding = ({ caps }: Gpu): number => Math.min(caps.maxBufferSize, caps.maxBindingSize);

function assembleRun(engine: Engine, { runId, config, size, start, judging, models }: Parts): Run {
  const { gpu } = engine;
  const ended = new AbortController();
  const tasks = new RunTasks(config, { task: size.task, judging, models, ended: ended.signal });
  const run: Run = {
    runId,
    get config() {
      return tasks.config;
    },
    get task() {
      return tasks.task;
    },
    get evalTask() {
      return tasks.evalTask;
    },
    get evalSets() {
      return tasks.evalSets;
    },
    get demoTask() {
      return tasks.demoTask;
    },
    ...levelTests(size.task, () => tasks.config),
    engine,
    ...generatorsOf(engine, size),
    ...progressOf(start, size.task),
    ...(start.checkpoint && !start.resumed && { expected: expectedOf(start.checkpoint.meta) }),
    device: deviceInfo(gpu),
    memory: memoryOf(config, size, largestBinding(gpu)),
    lost: gpu.lost,
    applyChanges: (changes) => tasks.applyChanges(changes),
    endSft: () => tasks.endSft(run.update),
    judgeSpent: judging.spent,
    save: () => saveRun(run, judging.memory()),
    loseDevice: () => gpu.destroy(),
    dispose() {
      ended.abort(new Error("The run has ended."));
      try {
        engine.dispose();
        gpu.release();
      } catch (error) {
        // Destroying the buffers of a lost device may throw.
        gpu.destroy();
        throw error;
      }
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

/** The part of a device that events report. */
export const deviceInfo = ({ caps }: Gpu): DeviceInfo => ({
  vendor: caps.vendor,
  architecture: caps.architecture,
  description: caps.description,
  software: caps.software,
  features: caps.features,
});

/** Compiles the plans that play episodes. */
function compilePlayer({ engine, policy }: Run, { compiled }: Preparation): Promise<void> {
  engine.reportCompiled(compiled);
  return policy.prepare();
}

/** Requests all plans of a run, and resolves when those are compiled that it begins with. Only these are reported. */
async function compilePlans(run: Run, { compiled }: Preparation): Promise<void> {
  const { engine } = run;
  engine.reportCompiled(compiled);
  const first = compileFirstPlans(run);
  // The others are not waited for, and so not counted. One that fails does so again where it is used, because the engine keeps it.
  engine.reportCompiled(() => undefined);
  compileOtherPlans(run).catch(() => undefined);
  await first;
}

/** Compiles the plans that a run begins with: those of SFT's steps, or else those that play episodes. All are requested at once. */
function compileFirstPlans({ engine, policy, config, update }: Run): Promise<void> {
  if (update >= sftUpdates(config)) return policy.prepare();
  return engine.prepareSteps([sftSettings(config, update + 1).kind], advantageStages(sftAdvantages(config)));
}

/** The kinds of the steps that follow SFT. */
const kindsAfterSft = (config: RunConfig): LossKind[] => [
  ...ppoKinds(config),
  ...(config.sft.rehearsal_steps > 0 ? [rehearsalSettings(config).kind] : []),
];

/** Compiles the plans that a run uses later. An earlier use waits for its plan. */
async function compileOtherPlans({ engine, policy, rolloutPolicy, config }: Run): Promise<void> {
  await Promise.all([
    policy.prepare(),
    rolloutPolicy?.prepare(),
    engine.prepareScoring(refPolicyScoring(config, engine)),
    engine.prepareSteps(kindsAfterSft(config), advantageStages(advantageOptions(config))),
  ]);
}
