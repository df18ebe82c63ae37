import { expect, test } from "vitest";
import { SPACE, strip, stripEnd } from "./white-space.ts";

// `[c for c in map(chr, range(0x110000)) if c.isspace()]` in Python 3.11.
const PYTHON = [
  ...[9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760],
  ...[8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200, 8201, 8202, 8232, 8233, 8239, 8287, 12288],
];

test("the class has Python's white space and nothing else", () => {
  const one = new RegExp(`^${SPACE}$`);
  const found = Array.from({ length: 0x10000 }, (_, code) => code).filter((code) =>
    one.test(String.fromCharCode(code)),
  );
  expect(found).toEqual(PYTHON);
});

test("is removed around a text, and a byte order mark stays", () => {
  expect(strip("\u001f \u0085Up it\n")).toBe("Up it");
  expect(strip("\uFEFFUp")).toBe("\uFEFFUp");
  expect(stripEnd(" Up \u001c")).toBe(" Up");
  expect(strip(" \u0085 ")).toBe("");
});
