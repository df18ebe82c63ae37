// The debug switches on a tiny model.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { debug } from "../../gpu/debug.ts";
import { testGpu } from "../../gpu/testing.ts";
import { modelArchitecture } from "./architecture.ts";
import { Engine } from "./engine.ts";
import { describeEngine } from "./engine-buffers.ts";
import { Generator } from "./generator.ts";
import { describeGenerator } from "./generator-buffers.ts";
import type { Sequence } from "./pack.ts";
import { initialParameters } from "./parameters.ts";
import { tinyModel } from "./testing.ts";

const architecture = modelArchitecture(tinyModel, 19, { rows: 2, cols: 2 });

const ids = Int32Array.of(0, 5, 7, 9, 1);
const sequence: Sequence = {
  ids,
  imagePatch: new Int32Array(ids.length).fill(-1),
  images: [],
  targetMask: Uint8Array.of(0, 0, 1, 1, 1),
  batchStart: 0,
};

const options = {
  architecture,
  microTokens: 8,
  batchEpisodes: 1,
  batchTokens: 8,
  refPolicy: false,
  fullKl: false,
};

async function createEngine() {
  const engine = await Engine.create(await testGpu(), options);
  const { layout } = engine.buffers;
  return { engine, layout, params: initialParameters(layout, 3) };
}

afterEach(() => {
  debug.finite = false;
  debug.batch = null;
});

it("finite: computes the same, and names the first tensor that is not finite", async () => {
  const { engine, layout, params } = await createEngine();
  engine.setParameters(params);
  await engine.score([sequence], 1);
  const want = await engine.readFlat(engine.buffers.batch.oldLogprobs);
  debug.finite = true;
  await engine.score([sequence], 1);
  expect(await engine.readFlat(engine.buffers.batch.oldLogprobs)).toEqual(want);

  const { offset } = layout.byName.get("layers.1.norm2.weight")!;
  params[offset + 3] = Number.NaN;
  engine.setParameters(params);
  await expect(engine.score([sequence], 1)).rejects.toThrow(
    /^plan "score", dispatch \d+ of \d+, rmsnorm_forward: out "decoder.normed2" \[3\] is NaN; not finite before: weight "parameters" \[3\] is NaN\.$/,
  );
  debug.finite = false;
  await engine.score([sequence], 1);
  engine.dispose();
});

it("finite: replies to a prompt as without it", async () => {
  const buffers = describeEngine(options);
  const decoding = { slots: 1, maxContext: 16, maxReply: 4, endOfTurn: 18 };
  const own = describeGenerator(buffers.arena, architecture, decoding, options.microTokens);
  const engine = await Engine.create(await testGpu(), options, buffers);
  engine.setParameters(initialParameters(buffers.layout, 3));
  const generator = new Generator(engine, own, decoding, () => false);
  const reply = () => {
    generator.begin(1);
    const request = { slot: 0, promptIds: Int32Array.of(0, 5, 7), images: [], rngKey: 3 };
    return generator.generate([request], { temperature: 1, topP: 1, topK: 0, maxTokens: 4, seed: 5 });
  };
  const want = await reply();
  debug.finite = true;
  expect(await reply()).toEqual(want);
  engine.dispose();
});

it("batch: writes the first micro-batch that is trained on, once", async () => {
  const { engine, params } = await createEngine();
  engine.setParameters(params);
  const folder = mkdtempSync(join(tmpdir(), "vagen-"));
  debug.batch = join(folder, "batch.json");
  const settings = {
    kind: {
      objective: "imitation",
      kl: "off",
      policy: { objective: "clipped", ratio: "token", ownMean: false },
      clipValue: false,
      weightsValues: false,
      trains: "all",
      separateNorms: false,
    },
    temperature: 1,
    mean: { per: "token", divisor: 1 },
    valueMean: { per: "token", divisor: 1 },
    policyMean: { per: "token", divisor: 1 },
  };
  const numbers = Object.fromEntries(
    ["clipLow", "clipHigh", "clipC", "entropyCoef", "klCoef", "vfCoef", "valueClip", "actorLr", "criticLr"]
      .concat([
        "beta1",
        "beta2",
        "weightDecay",
        "gradClip",
        "criticGradClip",
        "normThreshold",
        "tauPos",
        "tauNeg",
        "covKlCoef",
        "pivotCoef",
        "pivotBeta",
      ])
      .map((name) => [name, 0.5]),
  );
  await engine.step([sequence], { ...settings, ...numbers } as never);
  expect(debug.batch).toBeNull();
  const { packed, values } = JSON.parse(readFileSync(join(folder, "batch.json"), "utf8"));
  expect(packed).toMatchObject({ tokens: 5, targets: 3, ids: [...ids], tokenOfTarget: [1, 2, 3] });
  expect(values.scale).toBeCloseTo(1 / 3);
  rmSync(folder, { recursive: true });
  engine.dispose();
});
