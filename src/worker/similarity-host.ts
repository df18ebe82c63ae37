// What the worker with ONNX Runtime does with models that compare drawings: it keeps the latest of each kind open.
import { PolicyError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import { loadEnv } from "../envs/index.ts";
import {
  type EmbeddingSession,
  type ImageSimilarity,
  MAX_MODEL_BYTES,
  openSimilarity,
} from "../onnx/image-similarity.ts";
import type { Mutex } from "../onnx/mutex.ts";
import { readChosen } from "./chosen-file.ts";
import type { HandlersOf } from "./onnx-host.ts";
import type { SimilarityCommands, SimilarityModel } from "./onnx-protocol.ts";

/** The handlers. `open` makes a session of a model; `calls` wait for each other, because the runtime must not be entered twice. */
export function similarityHost(
  open: (onnx: Uint8Array) => Promise<EmbeddingSession>,
  calls: Mutex,
): HandlersOf<SimilarityCommands> {
  const present = new Map<string, { key: number; model: ImageSimilarity }>();

  async function opened({ kind, file, key }: SimilarityModel): Promise<ImageSimilarity> {
    const last = present.get(kind);
    if (last?.key === key) return last.model;
    assertSize(file);
    // Before the next one is opened: there may not be room for both.
    present.delete(kind);
    await last?.model.release();
    const model = await openSimilarity({ kind, name: file.name, bytes: await readChosen(file) }, open);
    present.set(kind, { key, model });
    return model;
  }

  return {
    openSimilarity: (wanted) =>
      calls.run(async () => {
        await opened(wanted);
        return null;
      }),
    similarity: ({ model, icon, drawing }, { signal }) =>
      calls.run(async () => {
        signal.throwIfAborted();
        const comparing = await opened(model);
        await loadEnv("svg");
        const { pictureOf } = await import("../envs/svg/svg.ts");
        return comparing.compare(
          (side) => pictureOf(icon, side),
          (side) => pictureOf(drawing, side),
        );
      }),
  };
}

function assertSize({ name, size }: File): void {
  if (size > MAX_MODEL_BYTES)
    throw new PolicyError(
      "wrong_architecture",
      `${name} cannot be used: it has ${formatMiB(size, 0)}; models of up to ${formatMiB(MAX_MODEL_BYTES, 0)} are opened.`,
      "Choose a smaller model, or one with weights of 16 bits.",
    );
}
