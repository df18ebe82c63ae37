import { expect, it } from "vitest";
import { freeName } from "./extension-changes.ts";
import { missingOf, tooLarge } from "./extension-editor.tsx";
import { linesNamed } from "./extension-reports.tsx";
import { fileNameOf } from "./extensions.tsx";

it("proposes a name that no other extension has", () => {
  expect(freeName([])).toBe("extension 1");
  expect(freeName(["extension 1", "mine"])).toBe("extension 2");
  expect(freeName(["extension 2", "mine"])).toBe("extension 1");
  expect(freeName(["extension 1", "extension 2"])).toBe("extension 3");
});

it("says what is missing before an extension can be added", () => {
  const source = "export default () => {};";
  expect(missingOf({ name: " ", source })).toBe("Give it a name.");
  expect(missingOf({ name: "mine", source: "\n" })).toBe("Paste or write its code.");
  expect(missingOf({ name: "mine", source })).toBe("");
});

it("reads no file into the editor that is longer than an extension can be", () => {
  expect(tooLarge({ name: "mine.mjs", size: 300_000 })).toBe("");
  expect(tooLarge({ name: "mine.mjs", size: 5_242_880 })).toBe(
    "mine.mjs has 5 242 880 bytes; an extension has at most 100 000 characters. Choose a smaller file.",
  );
  expect(missingOf({ name: "mine", source: "x".repeat(100_001) })).toBe(
    "The code has 100 001 characters; an extension has at most 100 000. Shorten it.",
  );
});

it("names the file of an extension after it", () => {
  expect(fileNameOf("key and door")).toBe("key_and_door.mjs");
  expect(fileNameOf("mine.mjs")).toBe("mine.mjs");
});

it("finds the lines that a message and the failed checks name", () => {
  expect(linesNamed("Unexpected token in line 3, column 14", [])).toEqual([3]);
  const lines = [
    { check: "Levels begin", outcome: "passed", found: "20 levels, line 2" },
    {
      check: "Any actions may be played",
      outcome: "failed",
      found: "x is not defined (step, line 12; act, line 30)",
    },
    { check: "The oracle solves", outcome: "failed", found: "x is not defined (solve, line 12)" },
  ] as const;
  expect(linesNamed("mine: 2 of 3 checks failed.", [{ title: "Mine", lines }])).toEqual([12, 30]);
});
