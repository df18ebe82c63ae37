import { expect, it } from "vitest";
import { missingOf } from "./extension-editor.tsx";
import { fileNameOf, freeName } from "./extensions.tsx";

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

it("names the file of an extension after it", () => {
  expect(fileNameOf("key and door")).toBe("key_and_door.mjs");
  expect(fileNameOf("mine.mjs")).toBe("mine.mjs");
});
