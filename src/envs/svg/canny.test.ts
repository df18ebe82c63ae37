import { createHash } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { edgesOf, type Grey, greyOf } from "./canny.ts";
import golden from "./golden/canny.json" with { type: "json" };
import { svg } from "./index.ts";
import { readDrawing, type SafeDrawing } from "./sanitise.ts";
import { sharedStructure, structureOf } from "./structure.ts";

beforeAll(() => svg.load!());

const SIDE = 8;
const grey = (shade: (row: number, col: number) => number): Grey => ({
  width: SIDE,
  height: SIDE,
  values: Uint8Array.from({ length: SIDE ** 2 }, (_, i) => shade(Math.floor(i / SIDE), i % SIDE)),
});
/** The edges as lines of `#` and `.`. */
const linesOf = (picture: Grey): string[] => {
  const edges = edgesOf(picture);
  const at = (row: number) => [...edges.subarray(row * SIDE, (row + 1) * SIDE)];
  return Array.from({ length: SIDE }, (_, row) =>
    at(row)
      .map((edge) => (edge ? "#" : "."))
      .join(""),
  );
};
/** A picture whose right half is brighter by this much. */
const step = (by: number, from = 4): Grey => grey((_, col) => (col < from ? 0 : by));
const NONE = Array(SIDE).fill("........");
const THIRD = Array(SIDE).fill("...#....");

describe("worked examples", () => {
  test("of grey: a channel counts by its brightness", () => {
    const data = new Uint8ClampedArray([255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255]);
    expect([...greyOf({ width: 4, height: 1, data }).values]).toEqual([76, 150, 29, 255]);
  });

  test("of a step: both pixels beside it have the same gradient, 4 × 255, and the first is the edge", () => {
    expect(linesOf(step(255))).toEqual(THIRD);
    const below = grey((row) => (row < 4 ? 0 : 255));
    expect(linesOf(below)).toEqual(NONE.with(3, "########"));
  });

  test("of a diagonal step: both pixels beside it are edges, as each is larger than those across", () => {
    const lines = linesOf(grey((row, col) => (col > row ? 255 : 0)));
    // The gradients of a row inside, from the third pixel before the step on: 0, 510, 1530, 1530, 510, 0.
    expect(lines.slice(2, 6)).toEqual(["..##....", "...##...", "....##..", ".....##."]);
  });

  test("of thresholds: an edge begins above 200 and goes on above 100", () => {
    expect(linesOf(step(50))).toEqual(NONE);
    expect(linesOf(step(51))).toEqual(THIRD);
    const fading = (by: number) => grey((row, col) => (col < 4 ? 0 : row < 4 ? 255 : by));
    expect(linesOf(fading(26)).slice(5)).toEqual(THIRD.slice(5));
    expect(linesOf(fading(25)).slice(5)).toEqual(NONE.slice(5));
  });

  test("of shared edges: those of both of those of either, and 0 where there are none", () => {
    const [whole, half] = [step(255), grey((row, col) => (row < 4 && col >= 4 ? 255 : 0))].map(edgesOf);
    expect(sharedStructure(whole!, whole!)).toBe(1);
    expect(sharedStructure(whole!, edgesOf(step(255, 2)))).toBe(0);
    // Of the half, three pixels go down and four turn to the right at its corner.
    expect(sharedStructure(whole!, half!)).toBe(3 / (8 + 4));
    expect(sharedStructure(edgesOf(step(0)), edgesOf(step(0)))).toBe(0);
  });
});

// Made with OpenCV 5.0.0 and Pillow 12.3.0 from the pictures of 256 × 256 pixels that `rasterise` draws of each code:
// edges = cv2.Canny(numpy.array(Image.fromarray(rgb).convert("L")), 100, 200) > 0; count = edges.sum();
// sha256 = hashlib.sha256(edges.astype(numpy.uint8).tobytes()).hexdigest(); shared = (a & b).sum() / (a | b).sum().
describe("the edges are those of OpenCV", () => {
  const edgesIn = (name: string) => {
    const { code } = golden.pictures.find((picture) => picture.name === name)!;
    return structureOf(readDrawing(code) as SafeDrawing);
  };

  test.each(golden.pictures)("$name", ({ name, count, sha256 }) => {
    const edges = edgesIn(name);
    expect(edges.reduce((sum, edge) => sum + edge, 0)).toBe(count);
    expect(createHash("sha256").update(edges).digest("hex")).toBe(sha256);
  });

  test.each(golden.shared as [string, string, number][])("shared: %s, %s", (one, other, share) => {
    expect(sharedStructure(edgesIn(one), edgesIn(other))).toBe(share);
  });
});
