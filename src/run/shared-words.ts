// Starts a model from a checkpoint with another vocabulary, such as that of another world: what the two have in common is kept.
import { type Vocabulary, vocabularyFromJson } from "../agent/vocabulary.ts";
import { type Checkpoint, PARAM } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { initialParameters, type ParameterLayout } from "../policy/wgsl/parameters.ts";
import { tensorsFromFlat } from "./parameter-tensors.ts";

/** What a checkpoint is changed for. */
interface Model {
  architecture: ModelArchitecture;
  layout: ParameterLayout;
  vocabulary: Vocabulary;
}

/**
 * The checkpoint with the vocabulary of `model`: words that both have keep their embeddings, further words begin at random, and all other
 * tensors stay as they are. A checkpoint with the same vocabulary is returned unchanged.
 * @param seed of the random embeddings, as in a run without a checkpoint.
 */
export function withSharedWords(stored: Checkpoint, model: Model, seed: number): Checkpoint {
  const { architecture, layout, vocabulary } = model;
  const { meta } = stored;
  if ((meta.vocabulary as { hash: string }).hash === vocabulary.hash) return stored;
  const ids = sharedIds(vocabularyFromJson(meta.vocabulary), vocabulary);
  const fresh = tensorsFromFlat(layout, initialParameters(layout, seed), PARAM);
  const changed = fresh.flatMap(([name, tensor]) => {
    const from = stored.tensors.get(name);
    if (!from || !/\b(?:embed|head)\.weight$/.test(name)) return [];
    copyWords(from, tensor, { ids, wordsAre: name.endsWith("embed.weight") ? "rows" : "columns" });
    return [[name, tensor] as const];
  });
  const { vocab, vocabStride } = architecture;
  return {
    meta: {
      ...meta,
      vocabulary: vocabulary.toJSON(),
      architecture: { ...meta.architecture, vocab, vocabStride },
    },
    tensors: new Map([...stored.tensors, ...changed]),
  };
}

/** The two ids of a word that two vocabularies have. */
type SharedId = readonly [from: number, to: number];

function sharedIds(from: Vocabulary, to: Vocabulary): SharedId[] {
  const known = new Map(from.toJSON().surfaces.map((text, id) => [text, id]));
  return to.toJSON().surfaces.flatMap((text, id): SharedId[] => {
    const old = known.get(text);
    return old === undefined ? [] : [[old, id]];
  });
}

interface Matrix {
  shape: readonly number[];
  data: Float32Array;
}

/** Copies what two matrices have of the shared words. */
function copyWords(
  from: Matrix,
  to: Matrix,
  { ids, wordsAre }: { ids: readonly SharedId[]; wordsAre: "rows" | "columns" },
): void {
  const isRow = wordsAre === "rows";
  const width = to.shape[isRow ? 1 : 0]!;
  const at = ({ shape }: Matrix, id: number, i: number) => (isRow ? id * shape[1]! + i : i * shape[1]! + id);
  for (const [old, id] of ids)
    for (let i = 0; i < width; i++) to.data[at(to, id, i)] = from.data[at(from, old, i)]!;
}
