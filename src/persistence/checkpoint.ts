// A checkpoint: everything that a run needs to continue exactly where it stopped, as one safetensors file.
import { CheckpointError } from "../core/errors.ts";
import { short, shown } from "../core/short.ts";
import { type CheckpointMeta, parseMeta } from "./checkpoint-meta.ts";
import { assertFinite } from "./finite.ts";
import {
  headBytes,
  layOut,
  NOT_OURS,
  patchMetadata,
  RE_DOWNLOAD,
  readHeader,
  readSafetensors,
  type Tensor,
  type TensorEntry,
  writeSafetensors,
} from "./safetensors.ts";
import { sha256 } from "./sha256.ts";

export type { CheckpointMeta, ExtensionRecord, Provenance } from "./checkpoint-meta.ts";

export interface Checkpoint {
  meta: CheckpointMeta;
  /** Weights, moments and the ref policy's weights by prefix; other state under names of its own. */
  tensors: ReadonlyMap<string, Tensor>;
}

const FORMAT = "vagen-studio-checkpoint";
/** Prefixes of tensor names. */
export const PARAM = "param.";
export const ADAM_M = "adam_m.";
export const ADAM_V = "adam_v.";
export const REF_POLICY = "ref.";
export const ROLLOUT_POLICY = "rollout.";

/** The checkpoint as the bytes of a safetensors file, sealed with a SHA-256 over everything in it. */
export async function encodeCheckpoint({ meta, tensors }: Checkpoint): Promise<Uint8Array<ArrayBuffer>> {
  const json = JSON.stringify(meta);
  const entries = layOut(tensors);
  const file = writeSafetensors(tensors, { format: FORMAT, meta: json, sha256: "0".repeat(64) });
  const checksum = await seal(json, entries, file.subarray(headBytes(file)));
  patchMetadata(file, entries, { format: FORMAT, meta: json, sha256: checksum });
  return file;
}

/** The checkpoint in a file. @throws CheckpointError truncated, corrupt, foreign or non_finite; `file` names it in messages. */
export async function decodeCheckpoint(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<Checkpoint> {
  const { header, tensors } = readSafetensors(bytes, file);
  const meta = readMeta(header.metadata, file);
  const found = await seal(header.metadata.meta!, header.entries, bytes.subarray(header.dataStart));
  if (found !== header.metadata.sha256) throw wrongChecksum(file, header.metadata.sha256, found);
  assertFinite(tensors, file);
  return { meta, tensors };
}

/** The metadata of a file, from its first bytes. The tensors are not read, and the checksum is not verified. */
export function decodeMeta(head: Uint8Array, file: string, fileBytes: number): CheckpointMeta {
  return readMeta(readHeader(head, file, fileBytes).metadata, file);
}

/** SHA-256 over the metadata, the table of tensors and the data, so that a change of any of them is detected. */
async function seal(
  meta: string,
  entries: readonly TensorEntry[],
  data: Uint8Array<ArrayBuffer>,
): Promise<string> {
  const table = entries.map(({ name, dtype, shape, begin, end }) => [name, dtype, shape, begin, end]);
  return sha256(`${meta}\n${JSON.stringify(table)}\n${await sha256(data)}`);
}

function readMeta(metadata: Readonly<Record<string, string>>, file: string): CheckpointMeta {
  if (metadata.format !== FORMAT || metadata.meta === undefined)
    throw new CheckpointError(
      "foreign",
      `${file} is a safetensors file, but no checkpoint of this studio: ${metadata.format === undefined ? "it names no format" : `its format is ${short(JSON.stringify(metadata.format))}`}, expected "${FORMAT}".`,
      NOT_OURS,
    );
  return parseMeta(metadata.meta, file);
}

function wrongChecksum(file: string, expected: string | undefined, found: string): CheckpointError {
  const start = (hash: string | undefined) => (hash ?? "none").slice(0, 12);
  return new CheckpointError(
    "corrupt",
    `${file} is damaged: its checksum is ${start(found)}…, expected ${start(expected)}….`,
    RE_DOWNLOAD,
  );
}

/**
 * Rejects a checkpoint of another architecture.
 * @throws CheckpointError("wrong_architecture") naming the first field that differs, and both values.
 */
export function assertArchitecture(expected: object, found: object, file: string): void {
  const difference = firstDifference(expected, found, "");
  if (!difference) return;
  const { field, want, got } = difference;
  throw new CheckpointError(
    "wrong_architecture",
    `${file} holds another model: ${field} is ${shown(got)} in the file and ${shown(want)} in the configuration.`,
    `Set ${field} to ${shown(got)}, or choose a checkpoint that was made with ${shown(want)}.`,
  );
}

interface Difference {
  field: string;
  want: unknown;
  got: unknown;
}

function firstDifference(want: unknown, got: unknown, field: string): Difference | null {
  if (!isObject(want) || !isObject(got)) return Object.is(want, got) ? null : { field, want, got };
  for (const key of new Set([...Object.keys(want), ...Object.keys(got)])) {
    const inside = firstDifference(want[key], got[key], field ? `${field}.${key}` : key);
    if (inside) return inside;
  }
  return null;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
