// TensorBoard's event files: records of a length, a checksum, an Event message and its checksum. Protocol buffers are written
// by their own library; nothing smaller than TensorFlow itself writes the records.
// https://github.com/tensorflow/tensorboard/blob/master/tensorboard/compat/proto/event.proto
import { BinaryWriter } from "@bufbuild/protobuf/wire";
import type { LoggedRow } from "./rows.ts";

const VERSION = "brain.Event:2";

/** The bytes of an event file with one scalar for each number of each row. */
export function eventFile(rows: readonly LoggedRow[]): Buffer {
  const start = rows[0]?.seconds ?? 0;
  const version = new BinaryWriter().tag(1, 1).double(start).tag(3, 2).string(VERSION).finish();
  return Buffer.concat([version, ...rows.map(eventOf)].map(recordOf));
}

/** Event: wall_time = 1, step = 2, summary = 5. */
function eventOf({ step, seconds, values }: LoggedRow): Uint8Array {
  const summary = new BinaryWriter();
  for (const [tag, value] of Object.entries(values)) {
    // Summary: value = 1, of which tag = 1 and simple_value = 2.
    const entry = new BinaryWriter().tag(1, 2).string(tag).tag(2, 5).float(value).finish();
    summary.tag(1, 2).bytes(entry);
  }
  return new BinaryWriter()
    .tag(1, 1)
    .double(seconds)
    .tag(2, 0)
    .int64(step)
    .tag(5, 2)
    .bytes(summary.finish())
    .finish();
}

/** https://www.tensorflow.org/tutorials/load_data/tfrecord */
function recordOf(data: Uint8Array): Buffer {
  const out = Buffer.alloc(data.length + 16);
  out.writeBigUInt64LE(BigInt(data.length), 0);
  out.writeUInt32LE(masked(out.subarray(0, 8)), 8);
  out.set(data, 12);
  out.writeUInt32LE(masked(data), data.length + 12);
  return out;
}

/** CRC-32C, rotated and offset, as records store it. */
export function masked(data: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of data) crc = (crc >>> 8) ^ TABLE[(crc ^ byte) & 0xff]!;
  crc = ~crc >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

/** By byte, for the Castagnoli polynomial, reflected. */
const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  return crc;
});
