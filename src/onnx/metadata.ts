// What an exported model says about itself, as entries of the file's metadata: tokenizer, configuration, origin.
import { fromBinary } from "@bufbuild/protobuf";
import { type ModelProto, ModelProtoSchema } from "onnx-buf";
import { CheckpointError } from "../core/errors.ts";
import { formatMiB } from "../core/format.ts";
import { short } from "../core/short.ts";
import { type CheckpointMeta, parseMeta } from "../persistence/checkpoint-meta.ts";

const PREFIX = "vagen_studio.";
/** Fields of the checkpoint's metadata with an entry of their own, for readers in other languages. */
const OWN_ENTRIES = ["config", "vocabulary", "architecture", "provenance"] as const;
/** Larger than any model that the studio trains. */
export const MAX_ONNX_BYTES = 2 ** 28;

const EXPORT_AGAIN =
  "Choose a file that the studio exported, with “Export as ONNX” in the page or npm run export-onnx.";

/** The entries of a checkpoint's model. All values are JSON. */
export function metadataProps(meta: CheckpointMeta, maxPositions: number): Record<string, string> {
  const rest: Partial<Record<string, unknown>> = { ...meta };
  const props: Record<string, string> = {};
  for (const name of OWN_ENTRIES) {
    if (meta[name] !== undefined) props[PREFIX + name] = JSON.stringify(meta[name]);
    delete rest[name];
  }
  return {
    [`${PREFIX}checkpoint`]: JSON.stringify(rest),
    [`${PREFIX}max_positions`]: JSON.stringify(maxPositions),
    ...props,
  };
}

/** An exported policy before it is opened by the runtime. */
interface OnnxPolicyFile {
  meta: CheckpointMeta;
  /** Longest conversation in tokens. */
  maxPositions: number;
}

/**
 * Reads the metadata of an exported policy. `file` names it in messages. The weights are not checked; the runtime does that.
 * @throws CheckpointError("foreign" or "corrupt") for a file that this studio did not write, or that is damaged or too large.
 */
export function readOnnxPolicy(bytes: Uint8Array, file: string): OnnxPolicyFile {
  assertSize(bytes.length, file);
  const entries = new Map(parseModel(bytes, file).metadataProps.map(({ key, value }) => [key, value]));
  const head = entries.get(`${PREFIX}checkpoint`);
  if (head === undefined)
    throw foreign(`${file} is an ONNX model, but no policy of this studio: it has no ${PREFIX}checkpoint.`);
  const own = OWN_ENTRIES.filter((name) => entries.has(PREFIX + name));
  const fields = own.map((name) => `,${JSON.stringify(name)}:${entries.get(PREFIX + name)}`);
  const meta = parseMeta(head.trimEnd().replace(/\}$/, `${fields.join("")}}`), file);
  return { meta, maxPositions: positionsOf(entries.get(`${PREFIX}max_positions`), file) };
}

/** @throws CheckpointError("foreign") for a file that is too large to be opened. */
export function assertSize(bytes: number, file: string): void {
  if (bytes > MAX_ONNX_BYTES)
    throw foreign(
      `${file} has ${formatMiB(bytes, 0)}; the studio opens ONNX files of up to ${formatMiB(MAX_ONNX_BYTES, 0)}.`,
    );
}

function parseModel(bytes: Uint8Array, file: string): ModelProto {
  let model: ModelProto;
  try {
    model = fromBinary(ModelProtoSchema, bytes);
  } catch {
    throw foreign(`${file} is not an ONNX file, or it is damaged: it cannot be read to its end.`);
  }
  if (!model.graph || model.graph.node.length === 0)
    throw foreign(`${file} is not an ONNX file: it holds no graph.`);
  return model;
}

function positionsOf(text: string | undefined, file: string): number {
  const positions = Number(text);
  if (Number.isSafeInteger(positions) && positions > 0) return positions;
  throw new CheckpointError(
    "corrupt",
    `${file} is damaged: ${PREFIX}max_positions is ${short(String(text))}, expected a whole number above 0.`,
    EXPORT_AGAIN,
  );
}

const foreign = (message: string) => new CheckpointError("foreign", message, EXPORT_AGAIN);
