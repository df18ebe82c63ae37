import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { runStore } from "../store/run-store.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { useSimilarity } from "../store/similarity-store.ts";
import { renderPresentState } from "../testing/present-state.ts";
import { Preparing } from "./preparing.tsx";

renderPresentState(runStore);
/** React's server rendering reads the initial state of this store. */
const initial = useSimilarity.getInitialState() as Record<string, unknown>;

const config = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 1 } } });
const STEP = { step: "allocate", done: 0, of: 1, detail: "" } as const;

function read(view: Partial<RunView>): string {
  runStore.setState({ ...emptyView(), state: "preparing", config, ...view }, true);
  return renderToStaticMarkup(<Preparing />)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");
}

const MODELS = ["dino", "dreamsim"];
beforeEach(() => {
  for (const kind of MODELS)
    initial[kind] = { kind, file: new File([new Uint8Array(2 ** 21)], `${kind}.onnx`), key: 1 };
});
afterEach(() => {
  for (const kind of MODELS) delete initial[kind];
});

it("names the models that a run opens before its first step", () => {
  const text = read({});
  expect(text).toContain("Loading DINOv2 model dino.onnx (2.0 MiB)…");
  expect(text).not.toMatch(/dreamsim|Waiting for/);
});

it("shows the steps once they begin, and no model for a run that opens none", () => {
  expect(read({ prepare: [STEP] })).not.toContain("dino.onnx");
  expect(read({ prepare: [STEP] })).toContain("Allocate GPU memory");
  expect(read({ state: "recovering" })).not.toContain("dino.onnx");
  expect(read({ config: checkedRunConfig({}) })).toContain("Waiting for the training worker…");
});
