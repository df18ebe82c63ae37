// Exports a checkpoint as an ONNX model, and makes a policy of an exported model that is open in ONNX Runtime.
import { pictureOf, type Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import { knownIds } from "../config/rules/registered.ts";
import type { RunConfig } from "../config/run-config.ts";
import { CheckpointError } from "../core/errors.ts";
import { message, setting, value } from "../core/message.ts";
import { createMutex, type Mutex } from "../core/mutex.ts";
import { policyToOnnx } from "../onnx/export-policy.ts";
import { OrtPolicy, type OrtSession } from "../onnx/ort-policy.ts";
import type { Checkpoint, CheckpointMeta } from "../persistence/checkpoint.ts";
import { type ModelArchitecture, modelArchitecture } from "../policy/wgsl/architecture.ts";
import { assertFits } from "./checkpoint-fit.ts";
import { idsKnownTo } from "./extensions.ts";
import { longestEpisode } from "./longest-episode.ts";
import { buildTask } from "./task.ts";

/** The task that a checkpoint was trained for, and its model. */
interface Trained {
  config: RunConfig;
  task: Task;
  architecture: ModelArchitecture;
}

/** Makes another configuration of the checkpoint's own: other levels, another recording's task. */
type Retask = (stored: RunConfig) => RunConfig;

/**
 * @throws ConfigError for a configuration that this build cannot read; CheckpointError("wrong_architecture") if the task needs
 *   another model or vocabulary.
 */
function trainedAs(meta: CheckpointMeta, retask: Retask = (stored) => stored): Trained {
  // Its houses are needed to play, and then other ones may do.
  const known = { ...knownIds(), houses: idsKnownTo(meta.extensions).houses };
  const stored = checkedRunConfig(meta.config, "The checkpoint's configuration", known);
  const config = { ...retask(stored), model: stored.model };
  const task = buildTask(config);
  if (task.layout?.kind === "compact") throw compactNeedsGpu();
  const { vocabulary } = task;
  const architecture = modelArchitecture(config.model, vocabulary.size, pictureOf(task));
  assertFits(config, { architecture, vocabulary }, meta);
  return { config, task, architecture };
}

const compactNeedsGpu = () =>
  new CheckpointError(
    "wrong_architecture",
    message`An ONNX model cannot play conversations with summaries (${setting("trainer.harness")} ${value("trainer.harness", "compact")}).`,
    "Evaluate the checkpoint with the studio's own model, or choose one that was trained in another layout.",
  );

/** The bytes of an `.onnx` file with the checkpoint's policy. @throws CheckpointError, ConfigError. */
export function exportOnnx(checkpoint: Checkpoint): Uint8Array<ArrayBuffer> {
  const { config, task, architecture } = trainedAs(checkpoint.meta);
  const { sequence } = longestEpisode(task, config.rollout.response_length);
  return policyToOnnx(checkpoint, architecture, sequence);
}

interface OnnxModel {
  meta: CheckpointMeta;
  maxPositions: number;
  session: OrtSession;
  /** Guards the runtime, which other sessions may use as well. */
  mutex?: Mutex;
}

/** The policy of an exported model, and the task that it plays, its own or another. @throws as `exportOnnx` does. */
export function openOnnxPolicy(
  { meta, maxPositions, session, mutex = createMutex() }: OnnxModel,
  retask?: Retask,
): Pick<Trained, "config" | "task"> & { policy: OrtPolicy } {
  const { config, task, architecture } = trainedAs(meta, retask);
  const { image, eos: endOfTurn } = task.vocabulary;
  const policy = new OrtPolicy({ session, architecture, image, endOfTurn, maxPositions, mutex });
  return { config, task, policy };
}
