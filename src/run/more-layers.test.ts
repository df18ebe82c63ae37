import { expect, it } from "vitest";
import { noise } from "../conformance/numbers.ts";
import { type Checkpoint, PARAM } from "../persistence/checkpoint.ts";
import { type ModelConfig, modelArchitecture } from "../policy/wgsl/architecture.ts";
import { forwardRef } from "../policy/wgsl/model.ref.ts";
import { packSequences } from "../policy/wgsl/pack.ts";
import { parameterLayout } from "../policy/wgsl/parameters.ts";
import { tinyModel } from "../policy/wgsl/testing.ts";
import { withCriticFromPolicy } from "./critic-from-policy.ts";
import { withMoreLayers } from "./more-layers.ts";
import { flatFromTensors, tensorsFromFlat } from "./parameter-tensors.ts";

const SEED = 7;

const modelWith = (changes: Partial<ModelConfig>) => {
  const architecture = modelArchitecture({ ...tinyModel, ...changes }, 19, { rows: 2, cols: 2 });
  return { architecture, layout: parameterLayout(architecture) };
};

type Model = ReturnType<typeof modelWith>;

/** A checkpoint of a model, as after training: no tensor has a value that it would begin with. */
function checkpointOf({ architecture, layout }: Model, layers: number): Checkpoint {
  const flat = noise(layout.flatLength, 5, 0.5);
  return {
    meta: { architecture, config: { model: { ...tinyModel, num_hidden_layers: layers } } },
    tensors: new Map(tensorsFromFlat(layout, flat, PARAM)),
  } as unknown as Checkpoint;
}

/** What a model says and values after a short text. */
function outputOf({ architecture, layout }: Model, { tensors }: Checkpoint) {
  const ids = Int32Array.from([0, 5, 7, 9, 11, 7]);
  const none = { imagePatch: ids.map(() => -1), images: [] };
  const packed = packSequences(
    [{ ids, ...none, targetMask: Uint8Array.from(ids, (_, t) => Number(t > 0)), batchStart: 0 }],
    architecture,
  );
  return forwardRef(architecture, layout, Float64Array.from(flatFromTensors(layout, tensors, PARAM)), packed);
}

const [shallow, deep] = [1, 3].map((layers) => modelWith({ num_hidden_layers: layers })) as [Model, Model];

it.each(["head", "separate"] as const)("the deeper model computes the same, with a %s critic", (critic) => {
  const [before, after] = [shallow, deep].map(({ architecture }) =>
    modelWith({ critic, num_hidden_layers: architecture.decoder.layers }),
  ) as [Model, Model];
  const stored = checkpointOf(before, 1);
  const grown = withMoreLayers(stored, after, SEED);
  expect(outputOf(after, grown)).toEqual(outputOf(before, stored));
  expect(grown.meta.architecture).toEqual(after.architecture);
  expect(grown.meta.config).toMatchObject({ model: { num_hidden_layers: 3 } });
});

it("additional layers can learn: all but their outputs begin at random", () => {
  const { tensors } = withMoreLayers(checkpointOf(shallow, 1), deep, SEED);
  const largest = (name: string) => Math.max(...tensors.get(PARAM + name)!.data.map(Math.abs));
  for (const layer of ["layers.1", "layers.2"]) {
    for (const name of ["qkv", "gate_up", "norm1", "norm2"])
      expect(largest(`${layer}.${name}.weight`), name).toBeGreaterThan(0);
    for (const name of ["out", "down"]) expect(largest(`${layer}.${name}.weight`), name).toBe(0);
  }
});

it("a critic that the checkpoint lacks is a copy of the deeper policy", () => {
  const separate = modelWith({ critic: "separate", num_hidden_layers: 3 });
  const { tensors, meta } = withMoreLayers(checkpointOf(shallow, 1), separate, SEED);
  expect([...tensors.keys()].filter((name) => name.includes("critic"))).toEqual([]);
  const whole = withCriticFromPolicy({ meta, tensors }, separate.architecture);
  expect(whole.tensors.get(`${PARAM}critic.layers.2.qkv.weight`)).toBe(
    tensors.get(`${PARAM}layers.2.qkv.weight`),
  );
  expect(() => flatFromTensors(separate.layout, whole.tensors, PARAM)).not.toThrow();
});

it("stored tensors are kept, and a checkpoint with as many layers or more stays as it is", () => {
  const stored = checkpointOf(shallow, 1);
  const { tensors } = withMoreLayers(stored, deep, SEED);
  for (const [name, tensor] of stored.tensors) expect(tensors.get(name)).toBe(tensor);
  const full = checkpointOf(deep, 3);
  for (const model of [deep, shallow]) expect(withMoreLayers(full, model, SEED)).toEqual(full);
});
