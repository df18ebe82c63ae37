// What the worker with ONNX Runtime does with models that compare drawings: it keeps the latest of each kind open.
import { PolicyError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import type { Mutex } from "../core/mutex.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { DrawnSimilarity } from "../onnx/drawn-similarity.ts";
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

/** A model that is open, of the choice with that key. */
interface OpenModel {
  key: number;
  model: DrawnSimilarity;
}

/** Makes a session of a model. */
type OpenSession = (onnx: Uint8Array) => Promise<EmbeddingSession>;

/** The handlers. `open` makes a session of a model; `calls` wait for each other, because the runtime must not be entered twice. */
export function similarityHost(open: OpenSession, calls: Mutex): HandlersOf<SimilarityCommands> {
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
    const draw = await drawer();
    const model = await openChosen({ kind, file }, open);
    const fresh = { key, model: new DrawnSimilarity(model, draw, MOST_EMBEDDINGS) };
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
        return comparing.model.compare({ icon, drawing }, async () => {
          // The runtime computes without a pause, in which the page may have sent that it needs no more.
          await macrotask();
          signal.throwIfAborted();
        });
      }),
  };
}

/** Draws the code of drawings. What it takes is loaded with the first model. */
async function drawer() {
  await loadEnv("svg");
  return envs.get("svg").drawings!.picture;
}

/** Opens a model that the user chose. @throws PolicyError for a file that is no such model; CheckpointError for one that cannot be read */
export async function openChosen(
  { kind, file }: Pick<SimilarityModel, "kind" | "file">,
  open: OpenSession,
): Promise<ImageSimilarity> {
  assertSize(file);
  return openSimilarity({ kind, name: file.name, bytes: await readChosen(file) }, open);
}

function assertSize({ name, size }: File): void {
  if (size > MAX_MODEL_BYTES)
    throw new PolicyError(
      "wrong_architecture",
      `${name} cannot be used: it has ${formatMiB(size, 0)}; models of up to ${formatMiB(MAX_MODEL_BYTES, 0)} are opened.`,
      "Choose a smaller model, or one with weights of 16 bits.",
    );
}
