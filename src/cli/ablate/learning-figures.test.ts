// docs/images/learning-*.svg are what docs/learning-curves.csv says. To renew them after a change of either: npm run docs
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { learningFigures } from "./learning-figures.ts";

const docs = join(import.meta.dirname, "../../../docs");
const csv = readFileSync(join(docs, "learning-curves.csv"), "utf8");
const figures = learningFigures(csv);

test.each(Object.entries(figures))("docs/images/%s shows the curves as they are", (file, svg) => {
  const path = join(docs, "images", file);
  if (process.env.UPDATE_DOCS) writeFileSync(path, svg);
  expect(readFileSync(path, "utf8") === svg, `${file} is out of date: npm run docs`).toBe(true);
});

test("every learning figure of the docs is drawn from the file", () => {
  const stored = readdirSync(join(docs, "images")).filter((file) => file.startsWith("learning-"));
  expect(stored.sort()).toEqual(Object.keys(figures).sort());
});

test("a curve has a point for every fifth update, and a policy without lines is named", () => {
  const points = (svg: string) => svg.match(/<polyline points="([^"]*)"/)![1]!.split(" ");
  expect(points(figures["learning-sokoban-long.svg"]!)).toHaveLength(12);
  const without = csv.replaceAll("sokoban-long-small", "other");
  expect(() => learningFigures(without)).toThrow("has no lines of sokoban-long-small");
});
