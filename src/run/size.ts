// How large a run is: every buffer that it will allocate, described without a device.
import { prefixTokens } from "../agent/pivot.ts";
import { allTasks, pictureOf, type Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type ModelArchitecture, modelArchitecture } from "../policy/wgsl/architecture.ts";
import { describeEngine, type EngineBuffers, type EngineOptions } from "../policy/wgsl/engine-buffers.ts";
import {
  describeGenerator,
  type GeneratorBuffers,
  type GeneratorOptions,
} from "../policy/wgsl/generator-buffers.ts";
import { assertLevels } from "./first-levels.ts";
import { longestOf } from "./longest-episode.ts";
import { buildTask } from "./task.ts";
import { setsOf } from "./validation-sets.ts";

/** Everything that a configuration fixes before a device is opened. */
export interface RunSize {
  task: Task;
  architecture: ModelArchitecture;
  options: EngineOptions;
  generatorOptions: GeneratorOptions;
  buffers: EngineBuffers;
  generatorBuffers: GeneratorBuffers;
}

/**
 * The size of a run that has levels to play.
 * @throws EnvError or ConfigError if no level satisfies the options of training, or of a validation.
 */
export function playableSize(config: RunConfig): RunSize {
  const size = runSize(config);
  assertLevels(config, setsOf(config, size.task));
  return size;
}

/** The sizes of a configuration's run. Nothing that may be changed while it runs needs more than this. */
export function runSize(config: RunConfig): RunSize {
  const task = buildTask(config);
  const architecture = modelArchitecture(config.model, task.vocabulary.size, pictureOf(task));
  const generatorOptions = generatorOptionsOf(config, task);
  const options = engineOptionsOf(config, { task, architecture, maxContext: generatorOptions.maxContext });
  const buffers = describeEngine(options);
  const generatorBuffers = describeGenerator(
    buffers.arena,
    architecture,
    generatorOptions,
    options.microTokens,
  );
  return { task, architecture, options, generatorOptions, buffers, generatorBuffers };
}

function generatorOptionsOf(config: RunConfig, task: Task): GeneratorOptions {
  const { response_length: maxReply, train_batch_size: episodes } = config.rollout;
  // Validation sets may ask longer questions.
  const played = [...allTasks(task), ...setsOf(config, task).map((set) => set.task)];
  return {
    slots: Math.min(256, Math.max(episodes, Math.min(64, config.trainer.val_size))),
    maxContext: longestOf(played, maxReply).sequence,
    maxReply,
    endOfTurn: task.vocabulary.eos,
  };
}

/** What the options of the engine follow from, besides the configuration. */
interface Modelled extends Pick<RunSize, "task" | "architecture"> {
  /** Tokens of the longest sequence that is played. */
  maxContext: number;
}

function engineOptionsOf(config: RunConfig, { task, architecture, maxContext }: Modelled): EngineOptions {
  const { actor, algorithm, rollout, sft, trainer } = config;
  const { tokens, sequences } = longestOf(allTasks(task), rollout.response_length);
  const episodes = Math.max(rollout.train_batch_size, sft.train_batch_size);
  const batchTokens = episodes * tokens;
  return {
    architecture,
    microTokens: Math.max(trainer.micro_batch_tokens, leastMicroTokens(maxContext, task, config)),
    // Sequences that are trained alone are episodes to the estimators.
    batchEpisodes: task.areal?.exportStyle === "individual" ? episodes * sequences : episodes,
    batchTokens,
    batchSequences: episodes * sequences,
    refPolicy: actor.use_kl_loss || algorithm.use_kl_in_reward,
    fullKl: actor.use_kl_loss,
    keepsRefDistributions: actor.use_kl_loss && batchTokens * architecture.vocabStride * 4 <= KEPT_REF_BYTES,
    rolloutPolicy: rollout.max_head_offpolicyness > 0,
    ...(actor.use_pivot && { teacher: true }),
  };
}

/**
 * Tokens that a micro-step must hold for sequences of at most `maxContext`: the value after the last token of a cut episode is read
 * at one token more, and a running run may turn that on at any time. PIVOT's teacher reads a prefix besides.
 */
const leastMicroTokens = (maxContext: number, task: Task, { actor }: RunConfig): number =>
  maxContext + Math.max(1, actor.use_pivot ? prefixTokens(task, actor.pivot_prefix) : 0);

/** The most memory that keeping the ref policy's distributions of a batch may take. */
const KEPT_REF_BYTES = 72 * 2 ** 20;
