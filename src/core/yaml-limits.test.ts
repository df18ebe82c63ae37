import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { yamlProblem } from "./yaml-limits.ts";

const FULL = 2 ** 18;
/** What a text repeats up to the size limit. */
const hostile = (piece: string) => piece.repeat(Math.floor(FULL / piece.length));

test.each([
  ["? ", "line 1, column 1: a key is not a plain word"],
  ["[", "more than 32 brackets are open"],
  ["{a: ", "more than 32 brackets are open"],
  ["[? ", "a key is not a plain word"],
  ["- ", "more than 32 levels begin on one line"],
  [": ", "more than 32 levels begin on one line"],
  ["k: 1\n", "more than 2000 keys and commas"],
  ["[a,b,]\n", "more than 2000 keys and commas"],
  ["{}: 1\n", "a key is not a plain word"],
  ["[a]: 1\n", "a key is not a plain word"],
  ["*a : 1\n", "a key is not a plain word"],
  ["- *a\n", "more than 20 references"],
  ["---\n", "more than 1 documents"],
  ["\n", "more than 15 000 words and signs"],
  ["# x\n", "more than 15 000 words and signs"],
  ["- x\n", "more than 15 000 words and signs"],
  ["&a ", "more than 15 000 words and signs"],
  ["! ", "more than 15 000 words and signs"],
  ["]", "more than 15 000 words and signs"],
])("%j again and again is refused", (piece, words) => {
  // A parser that tried would take longer than a test may.
  expect(yamlProblem(hostile(piece))).toMatchObject({ what: expect.stringContaining(words) });
});

test("too long a text is refused without a look at it", () => {
  expect(yamlProblem("a".repeat(FULL + 1))).toMatchObject({ what: expect.stringContaining("262145") });
});

test("a nest of 200 sections is refused", () => {
  const nest = Array.from({ length: 200 }, (_, i) => `${" ".repeat(i)}k:\n`).join("");
  expect(yamlProblem(nest)?.what).toBe("line 130, column 130: it is indented by more than 128 columns");
});

test.each([
  "",
  "version: 1\nenv: { name: frozenlake, config: { size: 4 } }\n",
  "a: [1, [2, 3]] # note\n- b\n",
  "base: &b {x: 1}\nrun:\n  <<: *b\n",
  `text: |\n${" ".repeat(200)}indented\n`,
  `key:\n${" ".repeat(200)}# a note far to the right\n  a: 1\n`,
])("%j is fine", (text) => {
  expect(yamlProblem(text)).toBeNull();
});

test("a configuration as it is kept beside a run is fine", () => {
  expect(yamlProblem(readFileSync("public/presets/frozenlake-nano.yaml", "utf8"))).toBeNull();
});
