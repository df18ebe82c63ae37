// The models of a run in the page that compare drawings: files that the person chose, computed in the worker that trains.
import type { EmbeddingSession } from "../onnx/image-similarity.ts";
import { SimilarityModels } from "../run/similarity-models.ts";
import type { ModelFiles } from "./protocol.ts";
import { openChosen } from "./similarity-host.ts";

/** The models of these files, none of which is open yet. @param open makes a session of a model */
export const pageModels = (
  files: ModelFiles,
  open: (onnx: Uint8Array) => Promise<EmbeddingSession>,
): SimilarityModels =>
  new SimilarityModels({
    kinds: Object.keys(files),
    open: (kind) => openChosen({ kind, file: files[kind]! }, open),
    howToGive: () => "Choose its ONNX file under Configure → Task, or next to Resume",
  });
