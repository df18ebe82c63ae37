// The safetensors format: 8 bytes little-endian header length, a JSON header, then the tensors back to back.
// https://github.com/huggingface/safetensors. Reading is strict: a file that breaks a rule is rejected with the rule in the message.
import { CheckpointError } from "../core/errors.ts";
import { short } from "../core/short.ts";

/** A dense tensor in row-major order. Half-precision files are widened when they are read. */
export interface Tensor {
  shape: number[];
  data: Float32Array;
}

/** A tensor in a file: byte offsets [begin, end) from the start of the data section. */
export interface TensorEntry {
  name: string;
  dtype: Dtype;
  shape: number[];
  begin: number;
  end: number;
}

/** The header of a file, checked against the size of its data section. */
interface SafetensorsHeader {
  metadata: Readonly<Record<string, string>>;
  /** In file order: every entry begins where the previous one ends. */
  entries: readonly TensorEntry[];
  /** Bytes before the data section. */
  dataStart: number;
}

const BYTES_PER_ELEMENT = { F32: 4, F16: 2, BF16: 2 } as const;
type Dtype = keyof typeof BYTES_PER_ELEMENT;

/** Far above any header of this studio, and small enough to parse; a larger number means that the file is something else. */
const MAX_HEADER_BYTES = 32 * 2 ** 20;
const OPENING_BRACE = 0x7b;
export const RE_DOWNLOAD = "Copy or download the file again, or use an earlier checkpoint.";
export const NOT_OURS = "Choose a .safetensors file that this studio saved.";

/** Writes the tensors in the map's order as F32. The data section starts at a multiple of 8. */
export function writeSafetensors(
  tensors: ReadonlyMap<string, Tensor>,
  metadata: Readonly<Record<string, string>>,
): Uint8Array<ArrayBuffer> {
  const entries = layOut(tensors);
  const head = encodeHeader(entries, metadata);
  const dataBytes = entries.at(-1)?.end ?? 0;
  const file = new Uint8Array(8 + head.length + dataBytes);
  new DataView(file.buffer).setBigUint64(0, BigInt(head.length), true);
  file.set(head, 8);
  for (const { name, begin } of entries) {
    new Float32Array(file.buffer, 8 + head.length + begin, tensors.get(name)!.data.length).set(
      tensors.get(name)!.data,
    );
  }
  return file;
}

/** Replaces the metadata of a written file with metadata of the same length, e.g. to fill in a checksum. */
export function patchMetadata(
  file: Uint8Array,
  entries: readonly TensorEntry[],
  metadata: Readonly<Record<string, string>>,
): void {
  const head = encodeHeader(entries, metadata);
  if (8 + head.length !== headBytes(file)) throw new RangeError("the new metadata has another length");
  file.set(head, 8);
}

/** Offsets of the tensors when they are written one after another. */
export function layOut(tensors: ReadonlyMap<string, Tensor>): TensorEntry[] {
  let end = 0;
  return [...tensors].map(([name, { shape, data }]) => {
    if (elements(shape) !== data.length)
      throw new RangeError(`${name}: shape [${shape}] does not hold ${data.length} numbers`);
    const begin = end;
    end += data.byteLength;
    return { name, dtype: "F32", shape, begin, end };
  });
}

/** The header as JSON, padded with spaces so that what follows it is aligned to 8 bytes. */
function encodeHeader(
  entries: readonly TensorEntry[],
  metadata: Readonly<Record<string, string>>,
): Uint8Array {
  const table = entries.map(({ name, dtype, shape, begin, end }) => [
    name,
    { dtype, shape, data_offsets: [begin, end] },
  ]);
  const json = JSON.stringify({ __metadata__: metadata, ...Object.fromEntries(table) });
  const bytes = new TextEncoder().encode(json);
  const padded = new Uint8Array(Math.ceil(bytes.length / 8) * 8).fill(0x20);
  padded.set(bytes);
  return padded;
}

/** Header and tensors of a file. @throws CheckpointError truncated, corrupt or foreign; `file` names it in messages. */
export function readSafetensors(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
): { header: SafetensorsHeader; tensors: Map<string, Tensor> } {
  const header = readHeader(bytes, file, bytes.length);
  const tensors = new Map<string, Tensor>();
  for (const entry of header.entries) {
    const at = bytes.byteOffset + header.dataStart + entry.begin;
    tensors.set(entry.name, { shape: entry.shape, data: readData(bytes.buffer, at, entry) });
  }
  return { header, tensors };
}

/**
 * The header alone, from the first bytes of a file of `fileBytes` bytes.
 * @throws CheckpointError when the header, or the size it promises, is wrong.
 */
export function readHeader(head: Uint8Array, file: string, fileBytes: number): SafetensorsHeader {
  const length = headerLength(head, file, fileBytes);
  const json = parseHeader(head.subarray(8, 8 + length), file);
  const { __metadata__: metadata = {}, ...table } = json;
  const entries = Object.entries(table).map(([name, value]) => readEntry(name, value, file));
  entries.sort((a, b) => a.begin - b.begin || a.end - b.end);
  checkCoverage(entries, fileBytes - 8 - length, file);
  return { metadata: readMetadata(metadata, file), entries, dataStart: 8 + length };
}

/** How many bytes of a file `readHeader` needs, from its first 8. */
export function headBytes(first8: Uint8Array): number {
  if (first8.length < 8) return first8.length;
  const length = new DataView(first8.buffer, first8.byteOffset).getBigUint64(0, true);
  return length > MAX_HEADER_BYTES ? 9 : 8 + Number(length);
}

function headerLength(head: Uint8Array, file: string, fileBytes: number): number {
  if (fileBytes < 8) throw truncated(file, `it has ${fileBytes} bytes, not even a whole header`);
  const length = headBytes(head) - 8;
  // Every safetensors header starts with "{", which distinguishes a truncated file from another kind of file.
  const looksRight = length >= 2 && (head.length < 9 || head[8] === OPENING_BRACE);
  if (!looksRight || Number.isNaN(length)) throw foreign(file);
  if (8 + length > fileBytes)
    throw truncated(file, `its header needs ${8 + length} bytes and the file has ${fileBytes}`);
  return length;
}

function parseHeader(bytes: Uint8Array, file: string): Record<string, unknown> {
  try {
    const json: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (isRecord(json)) return json;
  } catch (cause) {
    throw new CheckpointError("corrupt", `${file} is damaged: its header is not JSON.`, RE_DOWNLOAD, {
      cause,
    });
  }
  throw foreign(file);
}

function readMetadata(value: unknown, file: string): Record<string, string> {
  const fine = isRecord(value) && Object.values(value).every((text) => typeof text === "string");
  if (!fine) throw corrupt(file, "its metadata is not a map of texts");
  return value as Record<string, string>;
}

function readEntry(name: string, value: unknown, file: string): TensorEntry {
  if (!isRecord(value)) throw corrupt(file, `the entry of ${short(name)} is not an object`);
  const { dtype, shape, data_offsets: offsets } = value;
  if (!isDtype(dtype))
    throw new CheckpointError(
      "foreign",
      `${file} stores ${short(name)} as ${short(JSON.stringify(dtype))}; readable are F32, F16 and BF16.`,
      NOT_OURS,
    );
  if (!isCounts(shape)) throw corrupt(file, `the shape of ${short(name)} is ${short(JSON.stringify(shape))}`);
  if (!isCounts(offsets) || offsets.length !== 2)
    throw corrupt(file, `the offsets of ${short(name)} are ${short(JSON.stringify(offsets))}`);
  const [begin, end] = offsets as [number, number];
  const bytes = elements(shape) * BYTES_PER_ELEMENT[dtype];
  if (end - begin !== bytes)
    throw corrupt(
      file,
      `${short(name)} [${short(String(shape))}] needs ${bytes} bytes and its offsets give ${end - begin}`,
    );
  return { name, dtype, shape, begin, end };
}

/** The format allows neither holes nor overlaps nor bytes behind the last tensor. */
function checkCoverage(entries: readonly TensorEntry[], dataBytes: number, file: string): void {
  let covered = 0;
  for (const { name, begin, end } of entries) {
    if (begin < covered) throw corrupt(file, `${short(name)} overlaps the tensor before it`);
    if (begin > covered)
      throw corrupt(file, `${begin - covered} bytes before ${short(name)} belong to no tensor`);
    covered = end;
  }
  if (covered > dataBytes)
    throw truncated(file, `its tensors need ${covered} bytes and ${dataBytes} are there`);
  if (covered < dataBytes)
    throw corrupt(file, `${dataBytes - covered} bytes behind the last tensor belong to nothing`);
}

function readData(buffer: ArrayBuffer, at: number, { dtype, begin, end }: TensorEntry): Float32Array {
  const count = (end - begin) / BYTES_PER_ELEMENT[dtype];
  // A view copies nothing, but needs an aligned start; files written elsewhere may lack it.
  if (dtype === "F32" && at % 4 === 0) return new Float32Array(buffer, at, count);
  const view = new DataView(buffer, at);
  const widen = dtype === "F16" ? halfToFloat : bfloatToFloat;
  const data = new Float32Array(count);
  for (let i = 0; i < count; i++)
    data[i] = dtype === "F32" ? view.getFloat32(4 * i, true) : widen(view.getUint16(2 * i, true));
  return data;
}

/** IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits. */
function halfToFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction ? Number.NaN : sign * Number.POSITIVE_INFINITY;
  return sign * (1024 + fraction) * 2 ** (exponent - 25);
}

const word = new DataView(new ArrayBuffer(4));
/** bfloat16 is the upper half of a binary32. */
function bfloatToFloat(bits: number): number {
  word.setUint32(0, bits << 16);
  return word.getFloat32(0);
}

const elements = (shape: readonly number[]): number => shape.reduce((product, n) => product * n, 1);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isDtype = (value: unknown): value is Dtype =>
  typeof value === "string" && Object.hasOwn(BYTES_PER_ELEMENT, value);
const isCounts = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((n) => Number.isSafeInteger(n) && n >= 0);

function truncated(file: string, what: string): CheckpointError {
  return new CheckpointError("truncated", `${file} is cut off: ${what}.`, RE_DOWNLOAD);
}
function corrupt(file: string, what: string): CheckpointError {
  return new CheckpointError("corrupt", `${file} is damaged: ${what}.`, RE_DOWNLOAD);
}
function foreign(file: string): CheckpointError {
  return new CheckpointError("foreign", `${file} is not a safetensors file.`, NOT_OURS);
}
