// The worker's comparisons on onnxruntime-node, by a model that can be computed by hand.
import { describe, expect, it } from "vitest";
import { createMutex } from "../core/mutex.ts";
import type { EmbeddingSession } from "../onnx/image-similarity.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { openSession } from "../onnx/testing.ts";
import { similarityHost } from "./similarity-host.ts";

const filled = (color: string) =>
  `<svg viewBox="0 0 64 64"><rect x="0" y="0" width="64" height="64" fill="${color}"/></svg>`;
const [RED, BLUE] = [filled("red"), filled("blue")];

const fileOf = (bytes: BlobPart, name = "mine.onnx") => new File([bytes], name);
const chosen = (key: number, kind = "dreamsim", file = fileOf(pixelModel())) => ({ kind, file, key });
const context = () => ({ signal: new AbortController().signal, onTurn: () => undefined });

/**
 * The handlers, the sessions that are open, how many were opened, and how many pictures they computed.
 * @param onPicture is called with that number when another one begins
 */
function started(onPicture: (count: number) => void = () => undefined) {
  const open = new Set<EmbeddingSession>();
  let opened = 0;
  let pictures = 0;
  const host = similarityHost(async (onnx) => {
    const session = await openSession(onnx);
    const { inputNames, outputNames, inputMetadata } = session;
    const run = ((...args: Parameters<EmbeddingSession["run"]>) => {
      onPicture(++pictures);
      return session.run(...args);
    }) as EmbeddingSession["run"];
    const own: EmbeddingSession = {
      ...{ inputNames, outputNames, inputMetadata, run },
      release: async () => void open.delete(own),
    };
    open.add(own);
    opened++;
    return own;
  }, createMutex());
  return { host, open, opened: () => opened, pictures: () => pictures };
}

describe("comparing", () => {
  it("gives the score of each kind for a drawing and its icon", async () => {
    const { host, open } = started();
    const score = (kind: string, drawing: string, key: number) =>
      host.similarity({ model: chosen(key, kind), icon: RED, drawing }, context());
    expect(await score("dreamsim", RED, 1)).toBeCloseTo(1, 5);
    expect(await score("dreamsim", BLUE, 1)).toBeCloseTo(0, 5);
    expect(await score("dino", RED, 2)).toBeCloseTo(1, 5);
    const other = await score("dino", BLUE, 2);
    expect(other).toBeGreaterThan(0.1);
    expect(other).toBeLessThan(0.9);
    expect(open.size).toBe(2);
  });

  it("opens a model once, and releases it for the next of its kind", async () => {
    const { host, open, opened } = started();
    await host.openSimilarity(chosen(1), context());
    await host.similarity({ model: chosen(1), icon: RED, drawing: BLUE }, context());
    expect(opened()).toBe(1);
    const [first] = open;
    await host.openSimilarity(chosen(2), context());
    expect([open.size, open.has(first!), opened()]).toEqual([1, false, 2]);
  });

  it("computes each picture once for a model", async () => {
    const { host, pictures } = started();
    await host.openSimilarity(chosen(1), context());
    expect(pictures()).toBe(1);
    for (const drawing of [RED, BLUE, BLUE])
      await host.similarity({ model: chosen(1), icon: RED, drawing }, context());
    expect(pictures()).toBe(3);
    await host.similarity({ model: chosen(2), icon: RED, drawing: BLUE }, context());
    expect(pictures()).toBe(6);
  });

  it("keeps the icon however many drawings are compared with it", async () => {
    const { host, pictures } = started();
    const drawings = Array.from({ length: 102 }, (_, i) => filled(`rgb(0,0,${i})`));
    for (const drawing of [...drawings, drawings.at(-1)!, drawings[0]!])
      await host.similarity({ model: chosen(1), icon: RED, drawing }, context());
    // One to try the model, the icon, the drawings, and the first of them, which was evicted.
    expect(pictures()).toBe(1 + 1 + drawings.length + 1);
  });

  it("closes the model of a kind, and opens it again where it is still asked", async () => {
    const { host, open, opened } = started();
    await host.openSimilarity(chosen(1), context());
    await host.openSimilarity(chosen(2, "dino"), context());
    await host.closeSimilarity("dreamsim", context());
    await host.closeSimilarity("dreamsim", context());
    expect([open.size, opened()]).toEqual([1, 2]);
    await host.similarity({ model: chosen(1), icon: RED, drawing: RED }, context());
    expect([open.size, opened()]).toEqual([2, 3]);
  });

  it("leaves out a drawing that is gone when its icon has been computed", async () => {
    const gone = new AbortController();
    const { host, pictures } = started((count) => void (count === 2 && gone.abort()));
    await host.openSimilarity(chosen(1), context());
    const asked = host.similarity(
      { model: chosen(1), icon: RED, drawing: BLUE },
      { ...context(), signal: gone.signal },
    );
    await expect(asked).rejects.toThrow(/abort/i);
    expect(pictures()).toBe(2);
  });

  it("computes nothing for a drawing that is no longer shown", async () => {
    const { host, opened } = started();
    const gone = { ...context(), signal: AbortSignal.abort() };
    await expect(host.similarity({ model: chosen(1), icon: RED, drawing: BLUE }, gone)).rejects.toThrow(
      /abort/i,
    );
    expect(opened()).toBe(0);
  });
});

describe("a file that cannot be used", () => {
  it.each([
    ["no model", fileOf("no model"), /^mine\.onnx cannot be used: .*protobuf/i, /^Give an image encoder/],
    [
      "pictures of four channels",
      fileOf(pixelModel([1, 4, 8, 8])),
      "mine.onnx cannot be used: The model's inputs are pixel_values, the first of shape [1, 4, 8, 8]; expected one square picture, [batch, 3, side, side].",
      "Export the image encoder alone, with pixel_values as its only input.",
    ],
    [
      "no embedding",
      fileOf(pixelModel([1, 3, 8, 8], { output: "picture" })),
      /^mine\.onnx cannot be used: The model's output has the shape \[1, 3, 8, 8\]; expected/,
      /last_hidden_state/,
    ],
    [
      "more than ONNX allows",
      { name: "mine.onnx", size: 2 ** 31 + 1 } as File,
      "mine.onnx cannot be used: it has 2048 MiB; models of up to 2048 MiB are opened.",
      /smaller/,
    ],
    [
      "nothing any more",
      { name: "mine.onnx", size: 9, arrayBuffer: () => Promise.reject(new Error("gone")) } as unknown as File,
      "mine.onnx can no longer be read.",
      "Choose it again.",
    ],
  ])("is refused with its name and what to do: %s", async (_, file, message, hint) => {
    const { host, open } = started();
    await expect(host.openSimilarity(chosen(1, "dino", file), context())).rejects.toMatchObject({
      message: typeof message === "string" ? message : expect.stringMatching(message),
      hint: typeof hint === "string" ? hint : expect.stringMatching(hint),
    });
    expect(open.size).toBe(0);
  });

  it("leaves the model before it, which is opened again", async () => {
    const { host } = started();
    await host.openSimilarity(chosen(1), context());
    await expect(host.openSimilarity(chosen(2, "dreamsim", fileOf("no model")), context())).rejects.toThrow();
    expect(await host.similarity({ model: chosen(1), icon: RED, drawing: RED }, context())).toBeCloseTo(1, 5);
  });
});
