// The models of a run in the page that compare drawings: files that the person chose, computed in the worker that trains.
import { ConfigError } from "../core/errors.ts";
import type { EmbeddingSession } from "../onnx/image-similarity.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";
import { SimilarityModels } from "../run/similarity-models.ts";
import type { ModelFiles } from "./protocol.ts";
import { openChosen } from "./similarity-host.ts";

/** The models of a run, and how another file takes the place of one of them. */
interface PageModels {
  models: SimilarityModels;
  /**
   * Uses a file as the model of a kind from now on, and releases the one before, which is opened again should this fail.
   * @throws PolicyError for a file that is no such model; CheckpointError for one that cannot be read; ConfigError if the run does not use
   * a model of this kind
   */
  take(kind: string, file: File): Promise<void>;
}

/** The models of these files, none of which is open yet. @param open makes a session of a model */
export function pageModels(
  given: ModelFiles,
  open: (onnx: Uint8Array) => Promise<EmbeddingSession>,
): PageModels {
  const files: Record<string, File> = { ...given };
  const models = new SimilarityModels({
    kinds: Object.keys(files),
    open: (kind) => openChosen({ kind, file: files[kind]! }, open),
    howToGive: () => "Choose its ONNX file under Configure → Task, or next to Resume",
  });
  async function take(kind: string, file: File): Promise<void> {
    if (!files[kind]) throw notUsed(kind, file);
    await models.replace(kind, () => openChosen({ kind, file }, open));
    files[kind] = file;
  }
  return { models, take };
}

function notUsed(kind: string, file: File): ConfigError {
  const { title } = similarityKinds.get(kind);
  return new ConfigError(
    "invalid_config",
    `The run does not use the ${title} model (${kind}), so it cannot use ${file.name}.`,
    "Give this model a weight under Configure → Task, then start a new run.",
  );
}
