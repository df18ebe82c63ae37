import { describe, expect, test } from "vitest";
import { CheckpointError } from "../core/errors.ts";
import {
  assertArchitecture,
  type Checkpoint,
  type CheckpointMeta,
  decodeCheckpoint,
  decodeMeta,
  encodeCheckpoint,
} from "./checkpoint.ts";
import { headBytes, type Tensor, writeSafetensors } from "./safetensors.ts";
import { sampleCheckpoint } from "./testing/sample-checkpoint.ts";

const NAME = "update-7.safetensors";
const sample = (): Checkpoint => sampleCheckpoint({ update: 7 });
const codeOf = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
  decodeCheckpoint(bytes, NAME).then(
    () => "accepted",
    (error) => (error instanceof CheckpointError ? error.code : `threw ${error}`),
  );

describe("checkpoint", () => {
  test("survives a round trip bit for bit", async () => {
    const back = await decodeCheckpoint(await encodeCheckpoint(sample()), NAME);
    expect(back.meta).toEqual(sample().meta);
    expect([...back.tensors]).toEqual([...sample().tensors]);
  });

  test("the same checkpoint makes the same bytes", async () => {
    expect(await encodeCheckpoint(sample())).toEqual(await encodeCheckpoint(sample()));
  });

  test("a file cut off at any byte is called truncated", async () => {
    const bytes = await encodeCheckpoint(sample());
    for (let length = 0; length < bytes.length; length++)
      expect([length, await codeOf(bytes.slice(0, length))]).toEqual([length, "truncated"]);
  });

  test("every flipped bit is detected", async () => {
    const bytes = await encodeCheckpoint(sample());
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice();
      damaged[at]! ^= 1 << (at % 8);
      expect(["corrupt", "truncated", "foreign"], `byte ${at}`).toContain(await codeOf(damaged));
    }
  });

  test("a flipped byte in the weights is called corrupt, with both checksums", async () => {
    const bytes = await encodeCheckpoint(sample());
    bytes[bytes.length - 3]! ^= 0x10;
    await expect(decodeCheckpoint(bytes, NAME)).rejects.toThrow(
      /update-7\.safetensors is damaged: its checksum is [0-9a-f]{12}…, expected [0-9a-f]{12}…/,
    );
  });

  test("bytes behind the end are called corrupt", async () => {
    const bytes = await encodeCheckpoint(sample());
    const longer = new Uint8Array(bytes.length + 4);
    longer.set(bytes);
    expect(await codeOf(longer)).toBe("corrupt");
  });

  test("another program's safetensors file is foreign", async () => {
    const weights = new Map<string, Tensor>([["model.embed", { shape: [2], data: Float32Array.of(1, 2) }]]);
    const theirs = writeSafetensors(weights, { format: "pt" });
    await expect(decodeCheckpoint(theirs, "llama.safetensors")).rejects.toMatchObject({
      code: "foreign",
      message: expect.stringContaining('its format is "pt"'),
      hint: expect.stringContaining("that this studio saved"),
    });
  });

  test("a checkpoint of a later version is rejected with its version", async () => {
    const later = sample();
    later.meta.version = 2 as 1;
    await expect(decodeCheckpoint(await encodeCheckpoint(later), NAME)).rejects.toThrow(
      "checkpoint version 2",
    );
  });

  test("the metadata can be read from the first bytes alone", async () => {
    const bytes = await encodeCheckpoint(sample());
    const head = bytes.slice(0, headBytes(bytes.slice(0, 8)));
    expect(head.length).toBeLessThan(bytes.length);
    expect(decodeMeta(head, NAME, bytes.length)).toEqual(sample().meta);
  });
});

describe("assertArchitecture", () => {
  const nano = { model: { hidden_size: 32, heads: [2, 2] }, vocabulary: 112 };

  test("accepts the same architecture", () => {
    expect(() => assertArchitecture(nano, structuredClone(nano), NAME)).not.toThrow();
  });

  test.each([
    [{ ...nano, model: { hidden_size: 64, heads: [2, 2] } }, "model.hidden_size is 64 in the file and 32"],
    [{ ...nano, model: { hidden_size: 32, heads: [2, 4] } }, "model.heads.1 is 4 in the file and 2"],
    [{ model: nano.model }, "vocabulary is missing in the file and 112"],
    [{ ...nano, critic: "head" }, 'critic is "head" in the file and missing'],
  ])("names the field and both values", (found, words) => {
    expect(() => assertArchitecture(nano, found, NAME)).toThrow(words);
    expect(() => assertArchitecture(nano, found, NAME)).toThrow(
      expect.objectContaining({
        code: "wrong_architecture",
        hint: expect.stringContaining("choose a checkpoint"),
      }),
    );
  });
});

/** A file with the right checksum, whatever it says. */
async function sealed(change: (meta: Record<string, unknown>) => void): Promise<Uint8Array<ArrayBuffer>> {
  const { meta, tensors } = sample();
  const changed = structuredClone(meta) as unknown as Record<string, unknown>;
  change(changed);
  return encodeCheckpoint({ meta: changed as unknown as CheckpointMeta, tensors });
}

describe("a checkpoint with wrong metadata", () => {
  const vocabulary = sample().meta.vocabulary;
  test.each<[string, (meta: Record<string, unknown>) => void, string]>([
    ["no vocabulary", (meta) => delete meta.vocabulary, "meta.vocabulary is missing"],
    ["an empty vocabulary", (meta) => (meta.vocabulary = null), "meta.vocabulary is null"],
    [
      "a vocabulary without tokens",
      (meta) => (meta.vocabulary = { ...vocabulary, surfaces: undefined }),
      "meta.vocabulary.surfaces is missing",
    ],
    [
      "a token that is null",
      (meta) => (meta.vocabulary = { ...vocabulary, surfaces: ["<eos>", null] }),
      "meta.vocabulary.surfaces.1 is null",
    ],
    [
      "a vocabulary of 2 MB",
      (meta) => (meta.vocabulary = { ...vocabulary, surfaces: ["a".repeat(2 ** 21)] }),
      "The vocabulary is too large",
    ],
    ["no configuration", (meta) => (meta.config = null), "meta.config is null"],
    ["a list as configuration", (meta) => (meta.config = []), "meta.config is []"],
    ["no architecture", (meta) => (meta.architecture = "big"), 'meta.architecture is "big"'],
    ["counters that are texts", (meta) => (meta.counters = { tokens: "1" }), 'meta.counters.tokens is "1"'],
    ["a negative update", (meta) => (meta.update = -1), "meta.update is -1"],
    ["a run without a name", (meta) => (meta.runId = 7), "meta.runId is 7"],
    ["another stage", (meta) => (meta.stage = "dpo"), 'meta.stage is "dpo"'],
    ["extensions that are none", (meta) => (meta.extensions = [null]), "meta.extensions.0 is null"],
    [
      "a memory that is none",
      (meta) => (meta.repetition = { prediction: 3 }),
      "meta.repetition.prediction is 3",
    ],
    [
      "1,000 nested lists",
      (meta) => (meta.config = { deep: JSON.parse(`${"[".repeat(1000)}${"]".repeat(1000)}`) }),
      "nests more than 32 levels deep",
    ],
  ])("%s", async (_, change, words) => {
    await expect(decodeCheckpoint(await sealed(change), NAME)).rejects.toMatchObject({
      name: "CheckpointError",
      code: "corrupt",
      message: expect.stringContaining(words),
      hint: expect.any(String),
    });
  });

  test("results that could not be measured are omitted", async () => {
    const provenance = { command: "c", commit: "d", seed: 1, figures: { a: null, b: 0.5 } };
    const bytes = await sealed((meta) => (meta.provenance = provenance));
    const { meta } = await decodeCheckpoint(bytes, NAME);
    expect(meta.provenance!.figures).toEqual({ b: 0.5 });
  });
});

describe("weights that are no numbers", () => {
  test.each([
    [
      "param.head",
      Number.NaN,
      "1 of the 4 values of param.head are NaN or infinite, the first is NaN at index 2",
    ],
    [
      "adam_v.embed",
      Number.POSITIVE_INFINITY,
      "values of adam_v.embed are NaN or infinite, the first is Infinity",
    ],
  ])("in %s: %d", async (name, value, words) => {
    const checkpoint = sample();
    checkpoint.tensors.get(name)!.data[2] = value;
    await expect(decodeCheckpoint(await encodeCheckpoint(checkpoint), NAME)).rejects.toMatchObject({
      code: "non_finite",
      message: expect.stringContaining(words),
      hint: expect.stringContaining("earlier checkpoint"),
    });
  });
});
