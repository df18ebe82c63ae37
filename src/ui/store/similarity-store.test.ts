import { beforeEach, expect, test } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { missingKinds, modelObstacle, modelsFor, takeModel, useSimilarity } from "./similarity-store.ts";

const icons = (options: object) => checkedRunConfig({ env: { name: "svg", config: options } });
const file = (name: string) => new File([], name);

beforeEach(() => useSimilarity.setState({}, true));

test("a run is given the models that it pays, and no others", () => {
  takeModel({ kind: "dino", file: file("dino.onnx"), key: 1 });
  takeModel({ kind: "dreamsim", file: file("dreamsim.onnx"), key: 2 });
  expect(modelsFor(icons({}))).toEqual({});
  expect(modelsFor(checkedRunConfig({}))).toEqual({});
  const { models } = modelsFor(icons({ dreamsim_weight: 5 }));
  expect(Object.entries(models!).map(([kind, { name }]) => [kind, name])).toEqual([
    ["dreamsim", "dreamsim.onnx"],
  ]);
});

test("a run waits for the models that it pays, in any of its environments", () => {
  const config = checkedRunConfig({
    env: { name: "svg", config: { dino_weight: 1 } },
    envs: { icons: { name: "svg", config: { dino_weight: 2, dreamsim_weight: 5 } } },
  });
  expect(missingKinds(config)).toEqual(["dino", "dreamsim"]);
  expect(modelObstacle(config)).toBe(
    "The weight of DINOv2 is 1, but no DINOv2 model is chosen. Choose its ONNX file.",
  );
  takeModel({ kind: "dino", file: file("dino.onnx"), key: 1 });
  expect(modelObstacle(config)).toContain("The weight of DreamSim is 5");
  takeModel({ kind: "dreamsim", file: file("dreamsim.onnx"), key: 2 });
  expect([modelObstacle(config), missingKinds(config)]).toEqual(["", []]);
  expect(modelObstacle(icons({}))).toBe("");
});
