import { describe, expect, test } from "vitest";
import { Document, parse } from "yaml";
import { OMEGACONF } from "./omegaconf.ts";

const read = (text: string) => parse(`k: ${text}`, OMEGACONF).k;

// What PyYAML 6.0 makes of each with the two changes of OmegaConf's loader.
describe("a plain scalar", () => {
  test.each([
    ["no", false],
    ["off", false],
    ["NO", false],
    ["False", false],
    ["on", true],
    ["Yes", true],
    ["TRUE", true],
    ["oN", "oN"],
    ["y", "y"],
    ["n", "n"],
    ["~", null],
    ["Null", null],
    ["", null],
    ["nULL", "nULL"],
    ["010", 8],
    ["-010", -8],
    ["08", "08"],
    ["0o17", "0o17"],
    ["0x1F", 31],
    ["-0x1f", -31],
    ["0b11", 3],
    ["+1", 1],
    ["0", 0],
    ["00", 0],
    ["1_000", 1000],
    ["_1", "_1"],
    ["1:30", 90],
    ["190:20:30", 685230],
    ["-1:30", -90],
    ["1:60", "1:60"],
    ["0:30", "0:30"],
    ["1:30.5", 90.5],
    ["1e-5", 1e-5],
    ["1E5", 1e5],
    ["1.", 1],
    ["1.0e6", 1e6],
    [".5", 0.5],
    [".5e-3", 0.0005],
    [".5e3", ".5e3"],
    ["-.5", "-.5"],
    ["1e_5", "1e_5"],
    [".inf", Number.POSITIVE_INFINITY],
    ["-.INF", Number.NEGATIVE_INFINITY],
    [".nan", Number.NaN],
    ["inf", "inf"],
    ["2024-01-01", "2024-01-01"],
  ])("%j is %j", (text, value) => expect(read(text)).toEqual(value));

  test("is a text in quotes, and what its tag says", () => {
    expect(["'off'", '"1:30"', "!!str on"].map(read)).toEqual(["off", "1:30", "on"]);
    expect(read("!!bool 'yes'")).toBe(true);
  });

  test("is read so whichever version the file names", () => {
    expect(parse("%YAML 1.2\n---\nk: off", OMEGACONF)).toEqual({ k: false });
  });
});

test("merge keys merge", () => {
  expect(parse("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", OMEGACONF).d).toEqual({ b: 1, c: 3 });
});

test("texts that would be read as something else are written in quotes", () => {
  const values = [
    "off",
    "yes",
    "010",
    "1:30",
    "1e-5",
    "null",
    "",
    "y",
    "lake",
    true,
    false,
    8,
    1e-7,
    0.5,
    null,
  ];
  const text = new Document(values, OMEGACONF).toString();
  expect(parse(text, OMEGACONF)).toEqual(values);
  expect(text).toContain('"off"');
  expect(text).not.toContain("%YAML");
});
