// The checkpoint of another run as the start of a run.
import type { Vocabulary } from "../agent/vocabulary.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import type { ParameterLayout } from "../policy/wgsl/parameters.ts";
import { withCriticFromPolicy } from "./critic-from-policy.ts";
import { withSharedWords } from "./shared-words.ts";

/** What a checkpoint has to fit. */
interface Size {
  architecture: ModelArchitecture;
  task: { vocabulary: Vocabulary };
  buffers: { layout: ParameterLayout };
}

/** The checkpoint with the critic of the run's model and, where the run starts from it and allows that, with the run's words. */
export function initialFor(
  { architecture, task: { vocabulary }, buffers: { layout } }: Size,
  { trainer, seed }: RunConfig,
  stored: Checkpoint,
): Checkpoint {
  // An evaluation of a run that started so must have all words of its own policy.
  const mayDiffer = trainer.init_vocabulary === "shared" && trainer.init_checkpoint !== "";
  const model = { architecture, layout, vocabulary };
  return withCriticFromPolicy(mayDiffer ? withSharedWords(stored, model, seed) : stored, architecture);
}
