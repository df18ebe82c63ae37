// The checkpoint of another run as the start of a run.
import type { Vocabulary } from "../agent/vocabulary.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Checkpoint, CheckpointMeta } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import type { ParameterLayout } from "../policy/wgsl/parameters.ts";
import { assertFits } from "./checkpoint-fit.ts";
import { withCriticFromPolicy } from "./critic-from-policy.ts";
import { withMoreLayers } from "./more-layers.ts";
import { withSharedWords } from "./shared-words.ts";

/** What a checkpoint has to fit. */
interface Size {
  architecture: ModelArchitecture;
  task: { vocabulary: Vocabulary };
  buffers: { layout: ParameterLayout };
}

/** The checkpoint adapted to the run's model: its critic and, where the run starts from it and its settings allow that, its words and number of layers. */
export function initialFor(
  { architecture, task: { vocabulary }, buffers: { layout } }: Size,
  { trainer, seed }: RunConfig,
  stored: Checkpoint,
): Checkpoint {
  const model = { architecture, layout, vocabulary };
  const known = wordsMayDiffer(trainer) ? withSharedWords(stored, model, seed) : stored;
  const deep = layersMayDiffer(trainer) ? withMoreLayers(known, model, seed) : known;
  return withCriticFromPolicy(deep, architecture);
}

/**
 * Checks with its metadata alone that a run can start from a checkpoint, as far as that can be said without its tensors: where words may
 * differ, the start says it.
 * @throws CheckpointError as `assertFits` does.
 */
export function assertCanStart(size: Size, config: RunConfig, stored: CheckpointMeta): void {
  if (wordsMayDiffer(config.trainer)) return;
  const { meta } = initialFor(size, config, { meta: stored, tensors: new Map() });
  assertFits(config, { architecture: size.architecture, vocabulary: size.task.vocabulary }, meta);
}

/** An evaluation of a run that started so must have all words of its own policy. */
const wordsMayDiffer = ({ init_vocabulary, init_checkpoint }: RunConfig["trainer"]): boolean =>
  init_vocabulary === "shared" && init_checkpoint !== "";

/** An evaluation of a run that started so reads its own policy, which has all layers. */
const layersMayDiffer = ({ init_layers, init_checkpoint }: RunConfig["trainer"]): boolean =>
  init_layers === "fewer" && init_checkpoint !== "";
