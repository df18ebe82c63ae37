// What a person reads below a drawing, before and after models are chosen.
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { runStore } from "../store/run-store.ts";
import { useSimilarity } from "../store/similarity-store.ts";
import { renderPresentState } from "../testing/present-state.ts";
import ModelSimilarity from "./model-similarity.tsx";

/** React's server rendering reads the initial state of a store. */
const initial = useSimilarity.getInitialState() as Record<string, unknown>;
afterEach(() => {
  for (const kind of Object.keys(initial)) delete initial[kind];
});

renderPresentState(runStore);

const read = (facts = {}) =>
  renderToStaticMarkup(<ModelSimilarity icon="<svg/>" drawing="<svg/>" facts={facts} />)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

it("shows only a place to choose models before one is chosen", () => {
  const text = read();
  expect(text).toMatch(/^ Compare with your own model .* DINOv2 model… DreamSim model… $/);
  expect(text).not.toContain("(your model)");
});

it("names each model by its kind, and says that it is the user's", () => {
  initial.dreamsim = { kind: "dreamsim", key: 1, file: new File([], "dreamsim.onnx") };
  const text = read();
  expect(text).toMatch(/^ DreamSim \(your model\) is computed… Compare with/);
  expect(text).toMatch(/DINOv2 model… DreamSim: dreamsim\.onnx Other… Remove $/);
});

it("asks a model only for what the run that has it open has not said", () => {
  initial.dino = { kind: "dino", key: 1, file: new File([], "dino.onnx") };
  const config = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 1 } } });
  runStore.setState({ state: "running", config });
  expect(read({ dino: 0.7 })).not.toContain("DINOv2 (your model)");
  expect(read({ similarity: 0.7 })).toContain("DINOv2 (your model)");
  runStore.setState({ state: "finished" });
  expect(read({ dino: 0.7 })).toContain("DINOv2 (your model)");
});
