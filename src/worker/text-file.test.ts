import { expect, it } from "vitest";
import { memoryFiles } from "../persistence/memory-files.ts";
import { textFile } from "./text-file.ts";

it("keeps one text in a file", async () => {
  const files = memoryFiles();
  const text = textFile(files, "tiles.json");
  expect(await text.read()).toBeNull();
  await text.write('{"version":1,"largest":"128 × 64"}');
  await text.write('{"at":"64 × 64"}');
  expect(await textFile(files, "tiles.json").read()).toBe('{"at":"64 × 64"}');
  expect(await files.list("")).toEqual(["tiles.json"]);
});
