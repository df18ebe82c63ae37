// Compares drawings by models of the user's, in a worker of its own. Loaded with the first drawing on screen, or with the form.
import { createOnnxClient } from "../../worker/onnx-client.ts";
import type { ComparedDrawing, SimilarityModel } from "../../worker/onnx-protocol.ts";
import { runStore } from "../store/run-store.ts";
import { isActive } from "../store/run-view.ts";
import { dropModel, kindsInRun, takeModel } from "../store/similarity-store.ts";
import { giveModel } from "./session.ts";

/** At most this many results are kept; a page rarely shows more drawings. */
const MOST_KNOWN = 500;

const idOf = ({ key }: SimilarityModel, { icon, drawing }: ComparedDrawing): string =>
  JSON.stringify([key, icon, drawing]);

/** The run on screen. */
interface ShownRun {
  /** Kinds of the models that it has open. */
  kinds(): readonly string[];
  /** Gives it another file for one of them. */
  give(kind: string, file: File): Promise<unknown>;
}

/** The functions of this file over another client and another run; the page uses those below. */
export function createSimilarity({ call, isRunning }: ReturnType<typeof createOnnxClient>, run: ShownRun) {
  const known = new Map<string, number>();
  let chosen = 0;

  function keep(id: string, value: number): void {
    known.set(id, value);
    if (known.size > MOST_KNOWN) known.delete(known.keys().next().value!);
  }

  /** A worker that has ended or cannot be asked has nothing to free. */
  async function close(kind: string): Promise<void> {
    if (isRunning()) await call("closeSimilarity", kind).catch(() => undefined);
  }

  return {
    /**
     * Opens a file as the model of a kind, in place of the one before, which stays if this fails. A run that pays it takes the file as well,
     * in place of its own.
     * @throws PolicyError for a file that is no such model; CheckpointError for one that cannot be read.
     */
    async openModel(kind: string, file: File): Promise<void> {
      const model = { kind, file, key: ++chosen };
      await call("openSimilarity", model);
      if (run.kinds().includes(kind)) {
        // It can be used; both workers need not hold it.
        await close(kind);
        await run.give(kind, file);
      }
      takeModel(model);
    },

    /** Forgets the model of a kind, and frees what it takes. */
    async removeModel(kind: string): Promise<void> {
      dropModel(kind);
      await close(kind);
    },

    /**
     * Frees the models that a run has open, once it begins: a large one takes gigabytes, and both workers need not hold it. A comparison
     * opens it again.
     * @returns a function that ends this.
     */
    leaveToRuns: (runs: Pick<typeof runStore, "subscribe">): (() => void) =>
      runs.subscribe((view, previous) => {
        if (isActive(view.state) && !isActive(previous.state)) void Promise.all(kindsInRun(view).map(close));
      }),

    /** The similarity of a drawing that was compared before; undefined otherwise. */
    knownSimilarity: (model: SimilarityModel, compared: ComparedDrawing): number | undefined =>
      known.get(idOf(model, compared)),

    /** How similar a drawing is to its icon, between 0 and 1. @throws what the worker threw; the signal's reason when aborted. */
    async similarityOf(
      model: SimilarityModel,
      { icon, drawing }: ComparedDrawing,
      signal: AbortSignal,
    ): Promise<number> {
      const value = await call("similarity", { model, icon, drawing }, { signal });
      keep(idOf(model, { icon, drawing }), value);
      return value;
    },
  };
}

const similarity = createSimilarity(
  createOnnxClient({
    does: "compares drawings by your model",
    remedy: "Try again, or choose a smaller model.",
  }),
  { kinds: () => kindsInRun(runStore.getState()), give: giveModel },
);
export const { openModel, removeModel, knownSimilarity, similarityOf } = similarity;
similarity.leaveToRuns(runStore);
