import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import { ModelProtoSchema } from "onnx-buf";
import { expect, it } from "vitest";
import { vocabularyFromJson } from "../agent/vocabulary.ts";
import { checkedRunConfig } from "../config/check.ts";
import { CheckpointError } from "../core/errors.ts";
import { runSize } from "../run/size.ts";
import { policyToOnnx } from "./export-policy.ts";
import { assertSize, MAX_ONNX_BYTES, readOnnxPolicy } from "./metadata.ts";
import { bundledPolicy } from "./testing.ts";

const { checkpoint, config } = await bundledPolicy("sokoban-nano-trained");
const { architecture } = runSize(config);
const onnx = policyToOnnx(checkpoint, architecture, 321);

/** The file with other metadata. */
function withProps(change: (props: Map<string, string>) => void): Uint8Array {
  const model = fromBinary(ModelProtoSchema, onnx);
  const props = new Map(model.metadataProps.map(({ key, value }) => [key, value]));
  change(props);
  const metadataProps = [...props].map(([key, value]) => ({
    $typeName: "onnx.StringStringEntryProto" as const,
    key,
    value,
  }));
  return toBinary(ModelProtoSchema, create(ModelProtoSchema, { ...model, metadataProps }));
}

function refusal(bytes: Uint8Array): CheckpointError {
  try {
    readOnnxPolicy(bytes, "mine.onnx");
  } catch (error) {
    if (error instanceof CheckpointError) return error;
    throw error;
  }
  throw new Error("was read");
}

it("has the tokenizer, the configuration and the origin in the file", () => {
  const { meta, maxPositions } = readOnnxPolicy(onnx, "mine.onnx");
  expect(meta).toEqual(checkpoint.meta);
  expect(maxPositions).toBe(321);
  expect(vocabularyFromJson(meta.vocabulary).hash).toBe(checkpoint.meta.vocabulary.hash);
  expect(checkedRunConfig(meta.config).env.name).toBe("sokoban");
  const entries = new Map(fromBinary(ModelProtoSchema, onnx).metadataProps.map((p) => [p.key, p.value]));
  expect(JSON.parse(entries.get("vagen_studio.vocabulary")!).surfaces).toContain("<eos>");
  expect(JSON.parse(entries.get("vagen_studio.provenance")!).commit).toMatch(/^[0-9a-f]{40}$/);
});

it.each([
  ["an empty file", new Uint8Array(0), "holds no graph"],
  ["text", new TextEncoder().encode("this is not a model"), "is not an ONNX file"],
  ["a cut file", onnx.subarray(0, onnx.length - 1000), "cannot be read to its end"],
  ["a model of others", withProps((props) => props.clear()), "no policy of this studio"],
  [
    "a description that is not JSON",
    withProps((props) => props.set("vagen_studio.config", "{")),
    "it is not JSON",
  ],
  [
    "a description of the wrong kind",
    withProps((props) => props.set("vagen_studio.vocabulary", "7")),
    "meta.vocabulary is 7",
  ],
  [
    "a wrong length",
    withProps((props) => props.set("vagen_studio.max_positions", "-3")),
    "vagen_studio.max_positions is -3",
  ],
])("refuses %s", (_, bytes, reason) => {
  const { message, hint } = refusal(bytes);
  expect(message).toContain("mine.onnx");
  expect(message).toContain(reason);
  expect(hint).toBeTruthy();
});

it("refuses a file that is too large before it is read", () => {
  expect(() => assertSize(MAX_ONNX_BYTES, "mine.onnx")).not.toThrow();
  expect(() => assertSize(MAX_ONNX_BYTES + 1, "mine.onnx")).toThrow(/opens ONNX files of up to 256 MiB/);
});
