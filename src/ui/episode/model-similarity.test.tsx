// What a person reads below a drawing, before and after models are chosen.
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { useSimilarity } from "../store/similarity-store.ts";
import ModelSimilarity from "./model-similarity.tsx";

/** React's server rendering reads the initial state of a store. */
const initial = useSimilarity.getInitialState() as Record<string, unknown>;
afterEach(() => {
  for (const kind of Object.keys(initial)) delete initial[kind];
});

const read = () =>
  renderToStaticMarkup(<ModelSimilarity icon="<svg/>" drawing="<svg/>" />)
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
