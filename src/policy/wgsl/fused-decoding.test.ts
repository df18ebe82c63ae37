import { expect, test } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import { kernelSource } from "../../gpu/kernel.ts";
import { decodeReply } from "../../gpu/kernels/decode-reply.ts";
import { workgroupBytes } from "../../gpu/kernels/test-specs.ts";
import { type ModelArchitecture, modelArchitecture } from "./architecture.ts";
import { decodeConstants, decodePlaces, decodesInOneDispatch } from "./fused-decoding.ts";
import { parameterLayout } from "./parameters.ts";

/** Width, inner layer and heads of the nano, small and widest fused model. */
const SHAPES = [
  [32, 80, 2],
  [64, 176, 2],
  [128, 512, 4],
] as const;

const shaped = (
  [hidden_size, intermediate_size, heads]: readonly [number, number, number],
  vocabSize = 120,
) =>
  modelArchitecture(
    {
      ...RunConfig.parse({}).model,
      hidden_size,
      intermediate_size,
      num_attention_heads: heads,
      num_key_value_heads: heads,
    },
    vocabSize,
    { rows: 4, cols: 4 },
  );

test.each(SHAPES)(
  "a workgroup fits the device's memory at width %i, with any sequences that it holds",
  (...shape) => {
    const architecture = shaped(shape);
    expect(decodesInOneDispatch(architecture, { slots: 128, maxContext: 500 })).toBe(true);
    for (const software of [true, false])
      for (const maxWorkgroupMemory of [16_384, 32_768]) {
        const caps = { software, maxWorkgroupMemory };
        const constants = decodeConstants(architecture, parameterLayout(architecture), caps, 128);
        const { serial, workgroup } = decodeReply;
        const bytes = workgroupBytes(kernelSource(software ? serial : workgroup, constants));
        expect(bytes).toBeGreaterThan(0);
        expect(bytes).toBeLessThanOrEqual(maxWorkgroupMemory);
      }
  },
);

test("no more sequences share a workgroup of a software adapter than the next power of two that is not below the slots", () => {
  const architecture = shaped(SHAPES[0]);
  const caps = { software: true, maxWorkgroupMemory: 32_768 };
  const shared = (slots: number) =>
    decodeConstants(architecture, parameterLayout(architecture), caps, slots).SEQUENCES;
  expect([1, 2, 3, 4, 5, 8, 128].map(shared)).toEqual([1, 2, 4, 4, 8, 8, 8]);
});

test("models that are too wide, or whose cache exceeds a binding, decode layer by layer", () => {
  expect(decodesInOneDispatch(shaped([256, 512, 4]), { slots: 1, maxContext: 100 })).toBe(false);
  expect(decodesInOneDispatch(shaped([128, 512, 4]), { slots: 256, maxContext: 4096 })).toBe(false);
});

test("models whose vocabularies need the same room share a kernel, and their places are uniforms", () => {
  const [small, larger, largest] = [70, 120, 140].map((vocab) => shaped(SHAPES[0], vocab)) as [
    ModelArchitecture,
    ModelArchitecture,
    ModelArchitecture,
  ];
  const constants = (model: ModelArchitecture) =>
    decodeConstants(model, parameterLayout(model), { software: false, maxWorkgroupMemory: 16_384 }, 8);
  const places = (model: ModelArchitecture) => decodePlaces(model, parameterLayout(model));
  expect(constants(larger)).toEqual(constants(small));
  expect(constants(largest)).not.toEqual(constants(small));
  expect(places(larger).logits_vec4).toBeGreaterThan(places(small).logits_vec4);
  expect(places(larger).layer).toBeGreaterThan(places(small).layer);
});
