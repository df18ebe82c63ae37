// How large a run is: every buffer that it will allocate, described without a device.
import { prefixTokens } from "../agent/pivot.ts";
import { allTasks, pictureOf, type Task } from "../agent/task.ts";
import type { RunConfig } from "../config/run-config.ts";
import { type ModelArchitecture, modelArchitecture } from "../policy/wgsl/architecture.ts";
import { describeEngine, type EngineBuffers, type EngineOptions } from "../policy/wgsl/engine-buffers.ts";
import { describeGenerator, type GeneratorBuffers, type GeneratorOptions } from "../policy/wgsl/generator.ts";
import { buildTask, longestEpisode } from "./task.ts";
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
 * Tokens that a micro-step must hold for sequences of at most `maxContext`: the value after the last token of a cut episode is read
 * at one token more, and a running run may turn that on at any time. PIVOT's teacher reads a prefix besides.
 */
const leastMicroTokens = (maxContext: number, task: Task, { actor }: RunConfig): number =>
  maxContext + Math.max(1, actor.use_pivot ? prefixTokens(task, actor.pivot_prefix) : 0);

/** The most memory that keeping the ref policy's distributions of a batch may take. */
const KEPT_REF_BYTES = 64 * 2 ** 20;

/** The sizes of a configuration's run. Nothing that may be changed while it runs needs more than this. */
export function runSize(config: RunConfig): RunSize {
  const task = buildTask(config);
  const architecture = modelArchitecture(config.model, task.vocabulary.size, pictureOf(task));
  const slots = Math.min(
    256,
    Math.max(config.rollout.train_batch_size, Math.min(64, config.trainer.val_size)),
  );
  const { response_length: maxReply } = config.rollout;
  const trained = allTasks(task).map((one) => longestEpisode(one, maxReply));
  const tokens = Math.max(...trained.map((longest) => longest.tokens));
  const sequences = Math.max(...trained.map((longest) => longest.sequences));
  // Validation sets may ask longer questions.
  const played = [...allTasks(task), ...setsOf(config, task).map((set) => set.task)];
  const maxContext = Math.max(...played.map((one) => longestEpisode(one, maxReply).sequence));
  const episodes = Math.max(config.rollout.train_batch_size, config.sft.train_batch_size);
  const options: EngineOptions = {
    architecture,
    microTokens: Math.max(config.trainer.micro_batch_tokens, leastMicroTokens(maxContext, task, config)),
    // Sequences that are trained alone are episodes to the estimators.
    batchEpisodes: task.areal?.exportStyle === "individual" ? episodes * sequences : episodes,
    batchTokens: episodes * tokens,
    batchSequences: episodes * sequences,
    refPolicy: config.actor.use_kl_loss || config.algorithm.use_kl_in_reward,
    fullKl: config.actor.use_kl_loss,
    keepsRefDistributions:
      config.actor.use_kl_loss && episodes * tokens * architecture.vocabStride * 4 <= KEPT_REF_BYTES,
    rolloutPolicy: config.rollout.max_head_offpolicyness > 0,
    ...(config.actor.use_pivot && { teacher: true }),
  };
  const buffers = describeEngine(options);
  const generatorOptions = {
    slots,
    maxContext,
    maxReply,
    endOfTurn: task.vocabulary.eos,
  };
  const generatorBuffers = describeGenerator(
    buffers.arena,
    architecture,
    generatorOptions,
    options.microTokens,
  );
  return { task, architecture, options, generatorOptions, buffers, generatorBuffers };
}
