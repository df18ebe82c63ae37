// What the worker with ONNX Runtime does with models that compare drawings: it keeps the latest of each kind open.
import { PolicyError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import type { Mutex } from "../core/mutex.ts";
import { loadEnv } from "../envs/index.ts";
import {
  type EmbeddingSession,
  type ImageSimilarity,
  MAX_MODEL_BYTES,
  openSimilarity,
} from "../onnx/image-similarity.ts";
import { macrotask } from "../training/macrotask.ts";
import { readChosen } from "./chosen-file.ts";
import type { HandlersOf } from "./onnx-host.ts";
import type { SimilarityCommands, SimilarityModel } from "./onnx-protocol.ts";

/** At most this many embeddings of a model are kept. All drawings of an episode share its icon. */
const MOST_EMBEDDINGS = 100;

/** A model that is open, and what it said of drawings, by their code. */
interface OpenModel {
  key: number;
  model: ImageSimilarity;
  /** The one that was used last comes last. */
  embeddings: Map<string, Float32Array>;
}

/** The handlers. `open` makes a session of a model; `calls` wait for each other, because the runtime must not be entered twice. */
export function similarityHost(
  open: (onnx: Uint8Array) => Promise<EmbeddingSession>,
  calls: Mutex,
): HandlersOf<SimilarityCommands> {
  const present = new Map<string, OpenModel>();

  async function close(kind: string): Promise<void> {
    const last = present.get(kind);
    present.delete(kind);
    await last?.model.release();
  }

  async function opened({ kind, file, key }: SimilarityModel): Promise<OpenModel> {
    const last = present.get(kind);
    if (last?.key === key) return last;
    assertSize(file);
    // Before the next one is opened: there may not be room for both.
    await close(kind);
    const model = await openSimilarity({ kind, name: file.name, bytes: await readChosen(file) }, open);
    const fresh: OpenModel = { key, model, embeddings: new Map() };
    present.set(kind, fresh);
    return fresh;
  }

  return {
    openSimilarity: (wanted) =>
      calls.run(async () => {
        await opened(wanted);
        return null;
      }),
    closeSimilarity: (kind) =>
      calls.run(async () => {
        await close(kind);
        return null;
      }),
    similarity: ({ model, icon, drawing }, { signal }) =>
      calls.run(async () => {
        signal.throwIfAborted();
        const comparing = await opened(model);
        const one = await embeddingOf(comparing, icon);
        // The runtime computes without a pause, in which the page may have sent that it needs no more.
        await macrotask();
        signal.throwIfAborted();
        const other = await embeddingOf(comparing, drawing);
        return comparing.model.score(one, other);
      }),
  };
}

async function embeddingOf({ model, embeddings }: OpenModel, code: string): Promise<Float32Array> {
  const embedding = embeddings.get(code) ?? (await embeddingBy(model, code));
  embeddings.delete(code);
  embeddings.set(code, embedding);
  if (embeddings.size > MOST_EMBEDDINGS) embeddings.delete(embeddings.keys().next().value!);
  return embedding;
}

async function embeddingBy(model: ImageSimilarity, code: string): Promise<Float32Array> {
  await loadEnv("svg");
  const { pictureOf } = await import("../envs/svg/svg.ts");
  return model.embed((side) => pictureOf(code, side));
}

function assertSize({ name, size }: File): void {
  if (size > MAX_MODEL_BYTES)
    throw new PolicyError(
      "wrong_architecture",
      `${name} cannot be used: it has ${formatMiB(size, 0)}; models of up to ${formatMiB(MAX_MODEL_BYTES, 0)} are opened.`,
      "Choose a smaller model, or one with weights of 16 bits.",
    );
}
