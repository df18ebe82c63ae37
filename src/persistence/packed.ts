// Plain data with typed arrays as one file: a line of JSON, then the arrays' bytes. In JSON alone, pictures and token
// arrays would become lists of numbers, many times larger and without their type.
import { CheckpointError } from "../core/errors.ts";
import { sha256 } from "./sha256.ts";

const FORMAT = "vagen-studio-packed";
const KINDS = {
  Uint8Array,
  Uint8ClampedArray,
  Int16Array,
  Int32Array,
  Float32Array,
} as const;
type Kind = keyof typeof KINDS;
type TypedArray = InstanceType<(typeof KINDS)[Kind]>;

/** Stands for an array in the JSON: kind, byte offset in the data, number of elements. */
interface Reference {
  $array: [kind: Kind, offset: number, length: number];
}

interface Head {
  format: string;
  /** Over the value's JSON and the data. */
  sha256: string;
  value: string;
}

/** Every array begins at a multiple of the largest element's size. */
const ALIGN = 8;
const align = (offset: number): number => Math.ceil(offset / ALIGN) * ALIGN;

/** The value as bytes. An array that occurs several times is written once. */
export async function pack(value: unknown): Promise<Uint8Array<ArrayBuffer>> {
  const arrays = new Map<TypedArray, Reference>();
  let end = 0;
  const refer = (array: TypedArray): Reference => {
    const kind = array.constructor.name as Kind;
    if (!Object.hasOwn(KINDS, kind)) throw new TypeError(`${kind} cannot be packed`);
    const reference: Reference = { $array: [kind, end, array.length] };
    arrays.set(array, reference);
    end = align(end + array.byteLength);
    return reference;
  };
  const json = JSON.stringify(value, (_, inner) =>
    ArrayBuffer.isView(inner) ? (arrays.get(inner as TypedArray) ?? refer(inner as TypedArray)) : inner,
  );
  const data = new Uint8Array(end);
  for (const [array, { $array }] of arrays)
    data.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), $array[1]);
  return join({ format: FORMAT, sha256: await seal(json, data), value: json }, data);
}

function join(head: Head, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(head));
  const start = align(8 + text.length);
  const file = new Uint8Array(start + data.length).fill(0x20, 8, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start), true);
  file.set(text, 8);
  file.set(data, start);
  return file;
}

/** The packed value. @throws CheckpointError("corrupt") when any byte has changed; `file` names the file in messages. */
export async function unpack(bytes: Uint8Array<ArrayBuffer>, file: string): Promise<unknown> {
  const { head, data } = split(bytes, file);
  if ((await seal(head.value, data)) !== head.sha256) throw damaged(file, "its checksum does not fit");
  const arrayAt = arraysOf(data);
  try {
    return JSON.parse(head.value, (_, inner) => (isReference(inner) ? arrayAt(inner) : inner));
  } catch {
    // A matching checksum proves nothing about files from elsewhere: arrays may be missing, the JSON invalid.
    throw damaged(file, "its content cannot be read");
  }
}

function split(bytes: Uint8Array<ArrayBuffer>, file: string): { head: Head; data: Uint8Array<ArrayBuffer> } {
  const start =
    bytes.length < 8 ? 0 : Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
  if (start < 8 || start > bytes.length) throw damaged(file, `it ends after ${bytes.length} bytes`);
  try {
    const head = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start))) as Head;
    // A copy, so that arrays begin where their elements are aligned.
    if (head.format === FORMAT) return { head, data: bytes.slice(start) };
  } catch {
    // Falls through to the same message: the head cannot be used.
  }
  throw damaged(file, "its head cannot be read");
}

const isReference = (value: unknown): value is Reference =>
  typeof value === "object" && value !== null && "$array" in value;

/** Looks up arrays by reference. All of them together may not have more bytes than `data`. */
function arraysOf(data: Uint8Array<ArrayBuffer>): (reference: Reference) => TypedArray {
  const known = new Map<string, TypedArray>();
  let room = data.length;
  return ({ $array: [kind, offset, length] }) => {
    const key = `${kind} ${offset} ${length}`;
    // A copy: keeping one episode must not keep the whole file in memory.
    const array = known.get(key) ?? new KINDS[kind](data.buffer, offset, length).slice();
    if (!known.has(key)) room -= array.byteLength;
    if (room < 0) throw new RangeError("the arrays overlap");
    known.set(key, array);
    return array;
  };
}

async function seal(json: string, data: Uint8Array<ArrayBuffer>): Promise<string> {
  const text = new TextEncoder().encode(json);
  const all = new Uint8Array(text.length + data.length);
  all.set(text);
  all.set(data, text.length);
  return sha256(all);
}

function damaged(file: string, why: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `${file} is damaged: ${why}.`,
    "Delete it; the run's next save writes it again.",
  );
}
