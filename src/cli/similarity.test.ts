// Similarity by a model of the user's, with a model that is small enough to be computed by hand: its tokens are the pixels.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { Trajectory } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import type { Evaluation } from "../eval/evaluate.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { measuredValues } from "../rl/measured.ts";
import { assertPaid, openShown, similarityModels, withSimilarities } from "./similarity.ts";

beforeAll(() => loadEnv("svg"));

const [svg, sokoban] = [envs.get("svg"), envs.get("sokoban")];
const unpaid = { spec: svg } as Task;
const folder = mkdtempSync(join(tmpdir(), "similarity-"));
const SIDE = 8;

/** The path of a model of `src/onnx/testing.ts`. */
function written(...[input, options = {}]: Parameters<typeof pixelModel>): string {
  const path = join(folder, `${[...(input ?? []), ...Object.values(options)].join("-")}.onnx`);
  writeFileSync(path, pixelModel(input, options));
  return path;
}

const filled = (color: string) =>
  `<svg viewBox="0 0 64 64"><rect x="0" y="0" width="64" height="64" fill="${color}"/></svg>`;

const episode = (icon: string, drawing?: string): Trajectory => {
  const facts = { icon, ...(drawing !== undefined && { drawing }) };
  return { turns: [{ after: { frame: "canvas", things: [], facts } }] } as unknown as Trajectory;
};

const episodes = [
  episode(filled("red"), filled("red")),
  episode(filled("red"), filled("blue")),
  episode(filled("red")),
];

async function scores(kind: string, model: string): Promise<number[]> {
  const models = similarityModels([`${kind}=${model}`]);
  const before = {
    trajectories: episodes,
    metrics: { "val/measured/similarity": 0.5 },
  } as unknown as Evaluation;
  const { trajectories, metrics } = await withSimilarities(before, unpaid, models);
  const values = measuredValues(trajectories, kind);
  expect(metrics["val/measured/similarity"]).toBe(0.5);
  expect(metrics[`val/measured/${kind}`]).toBeCloseTo(values.reduce((sum, value) => sum + value, 0) / 3);
  await models.release();
  return values;
}

describe("a model's similarity", () => {
  it("of DINOv2 is (cos + 1) / 2 of the pictures with ImageNet's statistics", async () => {
    const prepared = (rgb: readonly number[]) =>
      rgb.map((value, i) => (value - [0.485, 0.456, 0.406][i]!) / [0.229, 0.224, 0.225][i]!);
    const [red, blue] = [prepared([1, 0, 0]), prepared([0, 0, 1])];
    const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
    const cosine = dot(red, blue) / Math.sqrt(dot(red, red) * dot(blue, blue));
    const [same, other, none] = await scores("dino", written([1, 3, SIDE, SIDE]));
    expect(same).toBeCloseTo(1, 5);
    expect(other).toBeCloseTo((cosine + 1) / 2, 5);
    expect(none).toBe(0);
  });

  it("of DreamSim is the cosine, at least 0", async () => {
    const [same, other, none] = await scores("dreamsim", written([1, 3, SIDE, SIDE]));
    expect([same, other, none].map((value) => value!.toFixed(5))).toEqual(["1.00000", "0.00000", "0.00000"]);
  });

  it("takes models that give one vector", async () => {
    const [same, other] = await scores("dreamsim", written([1, 3, SIDE, SIDE], { output: "vector" }));
    expect([same, other].map((value) => value!.toFixed(5))).toEqual(["1.00000", "0.00000"]);
  });

  it("takes models that leave the size of the picture open", async () => {
    expect((await scores("dino", written(["batch", 3, "height", "width"])))[0]).toBeCloseTo(1, 5);
  });
});

describe("what cannot be used is refused with what was given", () => {
  const refused = async (given: string, env = svg) =>
    openShown(similarityModels([given]), checkedRunConfig({ env: { name: env.id } }), env);

  it("names the kind, the file and the environment", async () => {
    await expect(refused("clip=a.onnx")).rejects.toThrow(
      '--similarity is "clip=a.onnx"; expected dino or dreamsim',
    );
    await expect(refused("dino")).rejects.toThrow('--similarity is "dino"');
    await expect(refused("dino=missing.onnx")).rejects.toThrow(
      "missing.onnx cannot be read: there is no such file",
    );
    await expect(refused("dino=a.onnx", sokoban)).rejects.toThrow("sokoban has none");
  });

  it("says what a model has in place of a picture", async () => {
    const noModel = join(folder, "no-model.onnx");
    writeFileSync(noModel, "no model");
    await expect(refused(`dino=${noModel}`)).rejects.toThrow(`${noModel} cannot be used`);
    await expect(refused(`dino=${written([1, 4, SIDE, SIDE])}`)).rejects.toThrow("shape [1, 4, 8, 8]");
    await expect(refused(`dino=${written([1, 3, SIDE, 9])}`)).rejects.toThrow("expected one square picture");
    const input = written([1, 3, SIDE, SIDE], { type: "uint8" });
    await expect(refused(`dino=${input}`)).rejects.toThrow(
      `${input} cannot be used: The model's input pixel_values has the type uint8; expected float32.`,
    );
  });

  it("computes a picture before any episode, and says what an output is in place of an embedding", async () => {
    const model = written([1, 3, SIDE, SIDE], { output: "picture" });
    await expect(refused(`dreamsim=${model}`)).rejects.toMatchObject({
      message: `--similarity is "dreamsim=${model}", but ${model} cannot be used: The model's output has the shape [1, 3, 8, 8]; expected 32-bit floats of shape [1, tokens, width] or [1, width].`,
      hint: "Export the image encoder with last_hidden_state or one vector as its output.",
    });
  });

  it("a kind that is given twice", () => {
    expect(() => similarityModels(["dino=a.onnx", "dino=b.onnx"])).toThrow(
      "--similarity gives dino twice: a.onnx and b.onnx.",
    );
  });
});

describe("a training refuses a model that it would not use, and names the option", () => {
  const given =
    (env: object, more: object = {}) =>
    () =>
      assertPaid(similarityModels(["dino=a.onnx"]), checkedRunConfig({ env, ...more }));

  it("where its weight is 0, or nothing is drawn", () => {
    expect(given({ name: "svg" })).toThrow(
      "--similarity gives a dino model, but env.config.dino_weight is 0, so the run would not use it.",
    );
    expect(given({ name: "frozenlake" })).toThrow("nothing in this run is drawn");
    expect(given({ name: "frozenlake" }, { envs: { svg: {} } })).toThrow(
      "but envs.svg.config.dino_weight is 0",
    );
  });

  it("and takes one that pays in any of the environments", () => {
    expect(given({ name: "svg", config: { dino_weight: 0.5 } })).not.toThrow();
    const svg = { config: { dino_weight: 0.5 } };
    expect(given({ name: "frozenlake" }, { envs: { svg } })).not.toThrow();
  });
});

it("does not compute again what the task has measured", async () => {
  const models = similarityModels(["dino=missing.onnx"]);
  const evaluation = { trajectories: episodes, metrics: {} } as unknown as Evaluation;
  const paid = { spec: svg, appraisal: { measures: ["dino"] } } as unknown as Task;
  expect(await withSimilarities(evaluation, paid, models)).toBe(evaluation);
});
