// The user's own models that compare drawings. They are kept in memory only, until the page is reloaded or closed.
import { create } from "zustand";
import type { SimilarityModel } from "../../worker/onnx-protocol.ts";

/** Models that can be used, each under its kind. */
export const useSimilarity = create<Readonly<Record<string, SimilarityModel>>>(() => ({}));

/** Takes a model in place of the one of its kind. */
export function takeModel(model: SimilarityModel): void {
  useSimilarity.setState({ [model.kind]: model });
}

/** Forgets the model of a kind. The worker may still have it open. */
export function dropModel(kind: string): void {
  const { [kind]: _, ...others } = useSimilarity.getState();
  useSimilarity.setState(others, true);
}
