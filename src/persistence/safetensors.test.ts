import { describe, expect, test } from "vitest";
import { headBytes, readHeader, readSafetensors, type Tensor, writeSafetensors } from "./safetensors.ts";

const tensors = new Map<string, Tensor>([
  ["a", { shape: [2, 3], data: Float32Array.of(1, -2, 3.5, 0, 1e-30, -1e30) }],
  ["empty", { shape: [0, 4], data: new Float32Array() }],
  ["scalar", { shape: [], data: Float32Array.of(7) }],
]);

/** A file with an arbitrary header, right or wrong. */
function file(header: unknown, data: Uint8Array): Uint8Array<ArrayBuffer> {
  const json = new TextEncoder().encode(typeof header === "string" ? header : JSON.stringify(header));
  const bytes = new Uint8Array(8 + json.length + data.length);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(json.length), true);
  bytes.set(json, 8);
  bytes.set(data, 8 + json.length);
  return bytes;
}
const f32 = (shape: unknown, offsets: unknown) => ({ dtype: "F32", shape, data_offsets: offsets });
const read = (bytes: Uint8Array<ArrayBuffer>) => readSafetensors(bytes, "x.safetensors");

describe("safetensors", () => {
  test("what is written is read back, in order and with its metadata", () => {
    const { header, tensors: back } = read(writeSafetensors(tensors, { note: "ünï" }));
    expect(header.metadata).toEqual({ note: "ünï" });
    expect([...back]).toEqual([...tensors]);
  });

  test("the data section starts at a multiple of 8, whatever the header's length", () => {
    for (const note of ["", "1", "12", "123", "1234", "12345", "123456", "1234567"]) {
      const bytes = writeSafetensors(tensors, { note });
      expect(readHeader(bytes, "x", bytes.length).dataStart % 8).toBe(0);
    }
  });

  test("half precision is widened exactly", () => {
    const halves = new Uint8Array(Uint16Array.of(0x3c00, 0xc000, 0x0001, 0x7c00, 0x8000).buffer);
    const header = { h: { dtype: "F16", shape: [5], data_offsets: [0, 10] } };
    expect([...read(file(header, halves)).tensors.get("h")!.data]).toEqual([1, -2, 2 ** -24, Infinity, -0]);
  });

  test("bfloat16 is widened exactly", () => {
    const data = new Uint8Array(Uint16Array.of(0x3f80, 0xc040, 0x7f80).buffer);
    const header = { b: { dtype: "BF16", shape: [3], data_offsets: [0, 6] } };
    expect([...read(file(header, data)).tensors.get("b")!.data]).toEqual([1, -3, Infinity]);
  });

  test("an unaligned file is read all the same", () => {
    const data = new Uint8Array(Float32Array.of(1.5, -2.5).buffer);
    for (const pad of ["", " ", "  ", "   "]) {
      const bytes = file(`${JSON.stringify({ t: f32([2], [0, 8]) })}${pad}`, data);
      expect([...read(bytes).tensors.get("t")!.data]).toEqual([1.5, -2.5]);
    }
  });

  test("a tensor whose shape does not hold its data is a bug of the writer", () => {
    const wrong = new Map([["a", { shape: [3], data: new Float32Array(2) }]]);
    expect(() => writeSafetensors(wrong, {})).toThrow(RangeError);
  });

  const eight = new Uint8Array(8);
  test.each([
    ["overlap", { a: f32([1], [0, 4]), b: f32([1], [2, 6]) }, eight, "corrupt", "b overlaps"],
    [
      "hole",
      { a: f32([1], [0, 4]), b: f32([1], [8, 12]) },
      new Uint8Array(12),
      "corrupt",
      "4 bytes before b",
    ],
    ["offset behind the end", { a: f32([4], [0, 16]) }, eight, "truncated", "16 bytes and 8"],
    ["bytes left over", { a: f32([1], [0, 4]) }, eight, "corrupt", "4 bytes behind"],
    ["size and shape disagree", { a: f32([3], [0, 8]) }, eight, "corrupt", "needs 12 bytes"],
    ["reversed offsets", { a: f32([1], [8, 4]) }, eight, "corrupt", "offsets give -4"],
    ["three offsets", { a: f32([1], [0, 4, 8]) }, eight, "corrupt", "offsets of a"],
    ["negative size", { a: f32([-2], [0, 8]) }, eight, "corrupt", "shape of a"],
    ["fractional size", { a: f32([0.5], [0, 8]) }, eight, "corrupt", "shape of a"],
    ["unknown dtype", { a: { dtype: "I64", shape: [1], data_offsets: [0, 8] } }, eight, "foreign", '"I64"'],
    [
      "dtype of Object",
      { a: { dtype: "toString", shape: [1], data_offsets: [0, 8] } },
      eight,
      "foreign",
      "F32",
    ],
    ["entry that is no object", { a: 1 }, eight, "corrupt", "entry of a"],
    ["metadata that is no map", { __metadata__: { n: 1 } }, new Uint8Array(), "corrupt", "metadata"],
    ["header that is no JSON", "{nonsense", eight, "corrupt", "not JSON"],
    ["header that is an array", "[1,2]", eight, "foreign", "not a safetensors file"],
  ])("refuses %s", (_, header, data, code, words) => {
    expect(() => read(file(header, data))).toThrow(expect.objectContaining({ code }));
    expect(() => read(file(header, data))).toThrow(words);
  });

  test("a header that claims 2^40 bytes is refused before anything is allocated", () => {
    const bytes = new Uint8Array(16);
    new DataView(bytes.buffer).setBigUint64(0, 2n ** 40n, true);
    bytes[8] = 0x7b;
    expect(headBytes(bytes)).toBeLessThan(16);
    expect(() => readHeader(bytes, "x", 2 ** 41)).toThrow(expect.objectContaining({ code: "foreign" }));
  });

  test("a tensor that claims 2^40 numbers is refused before anything is allocated", () => {
    expect(() => read(file({ a: f32([2 ** 40], [0, 2 ** 42]) }, eight))).toThrow(
      expect.objectContaining({ code: "truncated" }),
    );
  });

  test("a message quotes no more than the beginning of a long name", () => {
    const bytes = file({ ["a".repeat(100_000)]: 1 }, eight);
    expect(() => read(bytes)).toThrow(/^.{0,300}$/);
  });

  test.each([
    ["a picture", Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13)],
    ["a text", new TextEncoder().encode("learning rate: 0.1\n")],
    ["zeros", new Uint8Array(64)],
  ])("%s is foreign", (_, bytes) => {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ code: "foreign" }));
  });
});
