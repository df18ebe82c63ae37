import { expect, it } from "vitest";
import { createVocabulary } from "../agent/vocabulary.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { ModelArchitecture } from "../policy/wgsl/architecture.ts";
import { initialParameters, type ParameterLayout } from "../policy/wgsl/parameters.ts";
import { tensorsFromFlat } from "./parameter-tensors.ts";
import { withSharedWords } from "./shared-words.ts";

const [old, own] = [
  createVocabulary({ own: ["lamp", "sofa"] }),
  createVocabulary({ own: ["teddy", "lamp"] }),
];
const WIDTH = 3;

/** A layout of two matrices over words and one that has nothing to do with them. */
function layoutFor(words: number): ParameterLayout {
  const spec = (name: string, shape: number[], offset: number) => ({
    ...{ name, shape, offset, length: shape[0]! * shape[1]! },
    ...{ group: "actor" as const, decay: false, init: { kind: "normal" as const, std: 1 } },
  });
  const block = Math.ceil((words * WIDTH) / 64) * 64;
  const specs = [
    spec("embed.weight", [words, WIDTH], 0),
    spec("head.weight", [WIDTH, words], block),
    spec("vision.patch.weight", [2, 2], 2 * block),
  ];
  return { specs, byName: new Map(), flatLength: 2 * block + 64, count: 0 };
}

const layout = layoutFor(own.size);
const architecture = { vocab: own.size, vocabStride: own.size } as ModelArchitecture;
const stored = {
  meta: {
    vocabulary: old.toJSON(),
    architecture: { vocab: old.size, vocabStride: old.size, critic: "head" },
  },
  tensors: new Map(tensorsFromFlat(layoutFor(old.size), initialParameters(layoutFor(old.size), 1), "param.")),
} as unknown as Checkpoint;
const idOf = (vocabulary: typeof old, word: string) => vocabulary.toJSON().surfaces.indexOf(word);

const row = (tensors: Checkpoint["tensors"], id: number) =>
  tensors.get("param.embed.weight")!.data.slice(id * WIDTH, (id + 1) * WIDTH);
const column = ({ data, shape }: { data: Float32Array; shape: readonly number[] }, id: number) =>
  Array.from({ length: WIDTH }, (_, i) => data[i * shape[1]! + id]);

it("words that both vocabularies have keep their embeddings, others begin at random", () => {
  const { meta, tensors } = withSharedWords(stored, { architecture, layout, vocabulary: own }, 7);
  expect(meta.vocabulary).toEqual(own.toJSON());
  expect(meta.architecture).toEqual({ vocab: own.size, vocabStride: own.size, critic: "head" });
  const fresh = new Map(tensorsFromFlat(layout, initialParameters(layout, 7), "param."));
  for (const [word, from] of [
    ["lamp", stored],
    ["<eos>", stored],
    ["teddy", null],
  ] as const) {
    const id = idOf(own, word);
    const source = from ? { tensors: from.tensors, id: idOf(old, word) } : { tensors: fresh, id };
    expect(row(tensors, id), word).toEqual(row(source.tensors as Checkpoint["tensors"], source.id));
    const [here, there] = [tensors, source.tensors].map((all) => all.get("param.head.weight")!);
    expect(column(here!, id), word).toEqual(column(there!, source.id));
  }
  expect(idOf(own, "lamp")).not.toBe(idOf(old, "lamp"));
});

it("everything else is kept, and a checkpoint with the same words stays as it is", () => {
  const { tensors } = withSharedWords(stored, { architecture, layout, vocabulary: own }, 7);
  expect(tensors.get("param.vision.patch.weight")).toBe(stored.tensors.get("param.vision.patch.weight"));
  expect(withSharedWords(stored, { architecture, layout, vocabulary: old }, 7)).toBe(stored);
});
