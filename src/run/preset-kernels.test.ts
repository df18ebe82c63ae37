// Every kernel that a bundled preset would run, on a real GPU or on a software adapter, has a case with the constants that the preset gives
// it. `npm run check-gpu` and the translation to MSL and HLSL therefore cover what users run.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { envIdsOf } from "../config/entries.ts";
import { getPreset, presets } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { kernelCases } from "../conformance/cases/index.ts";
import { loadEnvs } from "../envs/index.ts";
import type { Gpu, GpuCaps } from "../gpu/device.ts";
import { TILE_CLASSES } from "../gpu/linear-tiles.ts";
import { Engine } from "../policy/wgsl/engine.ts";
import { Generator } from "../policy/wgsl/generator.ts";
import { advantageStages } from "../training/advantages.ts";
import {
  advantageOptions,
  ppoKinds,
  refPolicyScoring,
  sftAdvantages,
  sftSettings,
} from "../training/hyperparameters.ts";
import { runSize } from "./size.ts";

const ADVICE =
  "these kernels would run with constants that no case has. Add cases to src/conformance/cases: a model to HARDWARE or SOFTWARE in decoding.ts, a head size to PACKED and CACHED in attention.ts";

type Constants = Readonly<Record<string, number>>;

/** Offsets of tensors in a layer. They do not change how lanes share the work. */
const OFFSETS = new Set(["LAYER_LENGTH", "QKV", "OUT", "NORM2", "GATE_UP", "DOWN"]);

/** A kernel and its constants in one line. Of a vocabulary it says whether a lane has several columns. */
function nameOf({ label }: { readonly label: string }, constants: Constants): string {
  const shown = Object.entries(constants).flatMap(([name, value]) => {
    if (OFFSETS.has(name)) return [];
    if (name !== "LOGITS_ROOM_VEC4") return [`${name} ${value}`];
    return [`${4 * value > (constants.BLOCK ?? 1) ? "several columns" : "one column"} a lane`];
  });
  return [label, ...shown.sort()].join(", ");
}

type Adapter = Pick<GpuCaps, "software" | "maxWorkgroupMemory" | "largeTiles">;

const KIB = 1024;

/** Those that prefer one tile or the other, and software adapters with WebGPU's default of workgroup memory and with twice that. */
const ADAPTERS: Readonly<Record<"real GPUs" | "software adapters", readonly Adapter[]>> = {
  "real GPUs": [[], TILE_CLASSES].map((largeTiles) => ({
    software: false,
    maxWorkgroupMemory: 32 * KIB,
    largeTiles,
  })),
  "software adapters": [16, 32].map((kib) => ({
    software: true,
    maxWorkgroupMemory: kib * KIB,
    largeTiles: [],
  })),
};

/** A device that notes what is compiled for it, and does nothing. */
function recordingGpu(adapter: Adapter, compiled: Set<string>): Gpu {
  const caps = { ...adapter, maxBufferSize: 2 ** 40, maxBindingSize: 2 ** 40 };
  const device = {
    pushErrorScope() {},
    popErrorScope: async () => null,
    createBuffer: () => ({ destroy() {} }),
    createBindGroup: () => ({}),
    queue: { writeBuffer() {} },
  };
  const compile: Gpu["compile"] = async (spec, constants) => {
    compiled.add(nameOf(spec, constants));
    return {} as Awaited<ReturnType<Gpu["compile"]>>;
  };
  return { caps, device, compile } as unknown as Gpu;
}

/** The kernels of a run's plans. */
async function kernelsOf(config: RunConfig, adapter: Adapter): Promise<Set<string>> {
  await loadEnvs(envIdsOf(config));
  const { options, buffers, generatorBuffers, generatorOptions } = runSize(config);
  const compiled = new Set<string>();
  const engine = await Engine.create(recordingGpu(adapter, compiled), options, buffers);
  await new Generator(engine, generatorBuffers, generatorOptions, () => false).prepare();
  await engine.prepareSteps(
    [...ppoKinds(config), sftSettings(config, 1).kind],
    [advantageOptions(config), sftAdvantages(config)].flatMap(advantageStages),
  );
  await engine.prepareScoring(refPolicyScoring(config, engine));
  return compiled;
}

const inCases = new Set(
  kernelCases.map(({ spec, constants }) => nameOf(spec, { ...spec.constants, ...constants })),
);

async function withoutCase(config: RunConfig, adapters: keyof typeof ADAPTERS): Promise<string[]> {
  const kernels: string[] = [];
  for (const adapter of ADAPTERS[adapters]) kernels.push(...(await kernelsOf(config, adapter)));
  expect(kernels.length).toBeGreaterThan(40);
  return kernels.filter((kernel) => !inCases.has(kernel));
}

beforeAll(() => {
  vi.stubGlobal("GPUBufferUsage", {});
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe.each(["real GPUs", "software adapters"] as const)("on %s", (adapters) => {
  test.each(presets.all)("every kernel of $id has a case with its constants", async ({ id, config }) => {
    expect(await withoutCase(config, adapters), `${id}: ${ADVICE}`).toEqual([]);
  });
});

test("a model of another size has kernels without a case", async () => {
  const changes = {
    "model.hidden_size": 80,
    "model.num_attention_heads": 2,
    "model.intermediate_size": 160,
  };
  const config = applyChanges(getPreset("frozenlake-nano").config, changes);
  expect(await withoutCase(config, "real GPUs")).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^decode_reply_workgroup, BLOCK 128, FFN_VEC4 40, .* one column a lane$/),
      "attention_forward_staged, HEAD_VEC4 10",
      "attention_cached_group, HEAD_VEC4 10",
    ]),
  );
  expect(await withoutCase(config, "software adapters")).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^decode_reply, BLOCK 8, FFN_VEC4 40, .* SEQUENCES 8, .* several columns a lane$/,
      ),
      "attention_forward, HEAD_VEC4 10, TILE 3",
      "attention_cached, HEAD_VEC4 10",
    ]),
  );
});
