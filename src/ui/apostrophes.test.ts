// The page has one apostrophe, the straight one: its messages come from core, config and training as well, which the terminal prints.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

it("are straight in every file of the page", () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const curly = files
    .filter((file) => /\.tsx?$/.test(file) && file !== "apostrophes.test.ts")
    .filter((file) => readFileSync(join(import.meta.dirname, file), "utf8").includes("\u2019"));
  expect(curly).toEqual([]);
});
