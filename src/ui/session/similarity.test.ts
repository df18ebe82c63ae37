// The page's functions with the worker's handlers in the same thread, on onnxruntime-node.
import { afterEach, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { checkedRunConfig } from "../../config/check.ts";
import { createMutex } from "../../core/mutex.ts";
import { pixelModel } from "../../onnx/test-pixel-model.ts";
import { openSession } from "../../onnx/testing.ts";
import { createOnnxClient } from "../../worker/onnx-client.ts";
import type { SimilarityCommands, ToOnnxWorker } from "../../worker/onnx-protocol.ts";
import { similarityHost } from "../../worker/similarity-host.ts";
import { emptyView, type RunView } from "../store/run-view.ts";
import { useSimilarity } from "../store/similarity-store.ts";
import { createSimilarity } from "./similarity.ts";

afterEach(() => useSimilarity.setState({}, true));

/** The functions, and the commands that the worker got. @param run the run on screen; none unless it is given */
function started(run: Partial<Parameters<typeof createSimilarity>[1]> = {}) {
  const host = similarityHost(openSession, createMutex());
  const sent: string[] = [];
  const client: Parameters<typeof createSimilarity>[0] = {
    call(command, arg, { signal = new AbortController().signal } = {}) {
      sent.push(command);
      const handler = host[command as keyof SimilarityCommands];
      return handler(arg as never, { signal, onTurn: () => undefined }) as never;
    },
    isRunning: () => true,
  };
  const similarity = createSimilarity(client, { ...noRun, ...run });
  return { ...similarity, sent };
}

const noRun = { kinds: () => [], give: async () => null };

const filled = (color: string) =>
  `<svg viewBox="0 0 64 64"><rect x="0" y="0" width="64" height="64" fill="${color}"/></svg>`;
const COMPARED = { icon: filled("red"), drawing: filled("red") };
const NEVER = new AbortController().signal;
const file = (bytes: BlobPart = pixelModel(), name = "mine.onnx") => new File([bytes], name);
const current = (kind: string) => useSimilarity.getState()[kind];

it("keeps a model that can be used, and the one before where another cannot", async () => {
  const { openModel, removeModel, sent } = started();
  await openModel("dino", file());
  const first = current("dino")!;
  await expect(openModel("dino", file("no model", "other.onnx"))).rejects.toThrow(
    "other.onnx cannot be used",
  );
  expect(current("dino")).toBe(first);
  await openModel("dreamsim", file());
  expect(Object.keys(useSimilarity.getState())).toEqual(["dino", "dreamsim"]);
  await removeModel("dino");
  expect(Object.keys(useSimilarity.getState())).toEqual(["dreamsim"]);
  expect(sent.at(-1)).toBe("closeSimilarity");
});

it("remembers what a model said of a drawing, and nothing of another model", async () => {
  const { openModel, similarityOf, knownSimilarity, sent } = started();
  await openModel("dreamsim", file());
  const model = current("dreamsim")!;
  expect(knownSimilarity(model, COMPARED)).toBe(undefined);
  const value = await similarityOf(model, COMPARED, NEVER);
  expect(value).toBeCloseTo(1, 5);
  expect(knownSimilarity(model, COMPARED)).toBe(value);
  expect(knownSimilarity(model, { ...COMPARED, drawing: filled("blue") })).toBe(undefined);
  await openModel("dreamsim", file());
  expect(knownSimilarity(current("dreamsim")!, COMPARED)).toBe(undefined);
  expect(sent).toEqual(["openSimilarity", "similarity", "openSimilarity"]);
});

it("leaves a model to the run that pays it, and opens it again for a comparison", async () => {
  const { openModel, similarityOf, leaveToRuns, sent } = started();
  const runs = createStore<RunView>(() => emptyView());
  const stop = leaveToRuns(runs);
  await openModel("dino", file());
  await openModel("dreamsim", file());
  sent.length = 0;
  const config = checkedRunConfig({ env: { name: "svg", config: { dino_weight: 1 } } });
  runs.setState({ state: "preparing", config });
  runs.setState({ state: "running" });
  expect(sent).toEqual(["closeSimilarity"]);
  expect(current("dino")).toBeDefined();
  expect(await similarityOf(current("dino")!, COMPARED, NEVER)).toBeCloseTo(1, 5);
  stop();
  runs.setState({ state: "finished" });
  runs.setState({ state: "preparing" });
  expect(sent).toEqual(["closeSimilarity", "similarity"]);
});

it("gives a run that pays a model another file for it, and keeps no copy of its own", async () => {
  const given: string[] = [];
  const give = async (kind: string, { name }: File) => {
    if (name === "refused.onnx") throw new Error("no room");
    return given.push(`${kind} ${name}`);
  };
  const { openModel, sent } = started({ kinds: () => ["dino"], give });
  await openModel("dino", file());
  expect([given, sent]).toEqual([["dino mine.onnx"], ["openSimilarity", "closeSimilarity"]]);
  await expect(openModel("dino", file(pixelModel(), "refused.onnx"))).rejects.toThrow("no room");
  expect(current("dino")!.file.name).toBe("mine.onnx");
  await openModel("dreamsim", file());
  expect([given.length, sent.at(-1)]).toEqual([1, "openSimilarity"]);
});

it("removes a model after its worker has died, and starts no other", async () => {
  const workers: EventTarget[] = [];
  const client = createOnnxClient({
    start() {
      const worker = new EventTarget();
      workers.push(worker);
      const answer = (id: number) =>
        worker.dispatchEvent(new MessageEvent("message", { data: { kind: "return", id, value: null } }));
      return {
        addEventListener: worker.addEventListener.bind(worker),
        postMessage: (message) => queueMicrotask(() => answer((message as ToOnnxWorker).id)),
        terminate: () => undefined,
      };
    },
  });
  const { openModel, removeModel } = createSimilarity(client, noRun);
  await openModel("dino", file());
  workers[0]!.dispatchEvent(new Event("error"));
  await removeModel("dino");
  expect(current("dino")).toBe(undefined);
  expect(workers).toHaveLength(1);
});
