import { beforeAll, describe, expect, test } from "vitest";
import type { Frame } from "../../core/types.ts";
import { growthOf } from "./growth.ts";
import { iconSets } from "./icon-set.ts";
import { svg } from "./index.ts";
import { subpathEnds } from "./path-lines.ts";
import { rasterise } from "./raster.ts";
import { readDrawing, type SafeDrawing } from "./sanitise.ts";

beforeAll(() => svg.load!());

const read = (inside: string): SafeDrawing => readDrawing(`<svg>${inside}</svg>`) as SafeDrawing;
const growing = (inside: string): string[] => growthOf(read(inside)).map(({ shapes }) => shapes.join(""));
const pictures = (inside: string): Frame[] => growthOf(read(inside)).map((drawing) => rasterise(drawing, 64));

/** A path that cannot be divided. */
const BAR = '<path d="M0 0h9v9z"/>';

describe("a path's code", () => {
  test.each([
    ["absolute subpaths", "M0 0L9 0L9 9ZM1 1L2 1", ["M0 0L9 0", "M0 0L9 0L9 9Z", "M0 0L9 0L9 9ZM1 1L2 1"]],
    ["relative subpaths", "m0 0h9zm1 1v2", ["m0 0h9z", "m0 0h9zm1 1v2"]],
    ["lines after a point without a letter", "M0 0 9 0-9 9", ["M0 0 9 0", "M0 0 9 0-9 9"]],
    [
      "curves of one letter",
      "M0 0C1 1 2 2 3 3 4 4 5 5 6 6",
      ["M0 0C1 1 2 2 3 3", "M0 0C1 1 2 2 3 3 4 4 5 5 6 6"],
    ],
    ["a subpath from where the one before began", "M0 0h9zl5 5", ["M0 0h9z", "M0 0h9zl5 5"]],
    ["arcs, whose flags may touch", "M0 0a1 1 0 01.5.5 1 1 0 01.5.5z", ["M0 0a1 1 0 01.5.5 1 1 0 01.5.5z"]],
    ["numbers with exponents", "M0 0L1e1 2e-1 3 4", ["M0 0L1e1 2e-1", "M0 0L1e1 2e-1 3 4"]],
    ["points alone", "M0 0M1 1", []],
    ["a point that is closed", "M0 0Z", ["M0 0Z"]],
    ["no beginning", "L1 1", []],
  ])("ends its parts where they end: %s", (_, code, parts) => {
    expect(
      subpathEnds(code)
        .flat()
        .map((end) => code.slice(0, end)),
    ).toEqual(parts);
  });

  test("has as many subpaths as begin in it", () => {
    expect(subpathEnds("M0 0h9v9zm1 1h1M5 5h1").map(({ length }) => length)).toEqual([2, 1, 1]);
  });
});

describe("a drawing grows", () => {
  test("shape by shape, also in groups", () => {
    const [circle, rect] = ['<circle r="9"/>', '<rect width="5" height="5"/>'];
    const grown = growing(`<g fill="red"><g>${circle}</g>${rect}</g>${circle}`);
    expect(grown.filter((code) => !code.includes("<path"))).toEqual([
      `<g fill="red"><g>${circle}</g></g>`,
      `<g fill="red"><g>${circle}</g>${rect}</g>`,
      `<g fill="red"><g>${circle}</g>${rect}</g>${circle}`,
    ]);
  });

  test.each([
    '<rect x="8" y="8" width="48" height="16" rx="4" fill="red"/>',
    '<circle cx="32" cy="32" r="20"/>',
    '<ellipse cx="32" cy="32" rx="24" ry="9" transform="translate(2 3)"/>',
    '<polygon points="8,8 56,8 32,56"/>',
    '<polyline points="8,8 56,8 32,56" fill="none" stroke="blue" stroke-width="3"/>',
    '<line x1="8" y1="8" x2="56" y2="40" stroke="black" stroke-width="3"/>',
  ])("along the outline of %s, keeping its paint", (shape) => {
    const grown = pictures(shape);
    expect(grown).toHaveLength(6);
    const inked = grown.map(({ data }) => data.filter((value, i) => i % 4 === 1 && value < 128).length);
    // The last part may end on its own chord, and only the whole has rounded corners.
    for (const [i, ink] of inked.slice(1).entries()) expect(ink).toBeGreaterThan(0.98 * inked[i]!);
    expect(inked[0]).toBeGreaterThan(0);
    expect(inked[0]).toBeLessThan(0.7 * inked[5]!);
    expect(grown[5]).toEqual(rasterise(read(shape), 64));
  });

  test("without the parts of a shape that draws nothing", () => {
    expect(growing('<circle r="0"/><rect width="9"/>')).toEqual([
      '<circle r="0"/>',
      '<circle r="0"/><rect width="9"/>',
    ]);
  });

  test("subpath by subpath, keeping the attributes of the path", () => {
    const path = (d: string) => `<path d="${d}" fill="red"/>`;
    expect(growing(path("M0 0H9V9ZM20 20H30V30Z"))).toEqual([
      path("M0 0H9V9Z"),
      path("M0 0H9V9ZM20 20H30V30Z"),
    ]);
  });

  test("a square with a hole: first the square, then the hole", () => {
    const ring = '<path fill-rule="evenodd" d="M8 8h48v48h-48zm16 16h16v16h-16z"/>';
    const middle = (frame: Frame) => frame.data[4 * (64 * 30 + 34)];
    const grown = pictures(ring);
    expect(grown).toHaveLength(4);
    expect([middle(grown[1]!), middle(grown[3]!)]).toEqual([0, 255]);
    expect(grown.at(-1)).toEqual(rasterise(read(ring), 64));
  });

  test("a relative subpath in the place that it has in the whole", () => {
    const grown = pictures('<path d="M4 4h8v8h-8zm40 40h8v8h-8zm-40 0h8v8h-8z"/>');
    const inked = (frame: Frame, x: number, y: number) => frame.data[4 * (64 * y + x)] === 0;
    const half = grown.at(-3)!;
    expect([inked(half, 8, 8), inked(half, 48, 48), inked(half, 8, 48)]).toEqual([true, true, false]);
  });

  test("in at most 24 pictures", () => {
    const grown = growing(BAR.repeat(400));
    expect(grown).toHaveLength(24);
    expect(grown[11]).toBe(BAR.repeat(200));
    expect(grown[23]).toBe(BAR.repeat(400));
  });

  test.each([
    ["nothing", "<g/>"],
    ["no path", "<path/>"],
    ["a path that nothing can be drawn of", '<path d="M5 5"/>'],
  ])("in one picture from %s", (_, inside) => expect(growthOf(read(inside))).toEqual([read(inside)]));

  test("an icon of the sets in several different pictures, the last one the icon itself", () => {
    const paths = Object.values(iconSets).flatMap(({ train, test: kept }) => [...train, ...kept]);
    const alone = paths.filter((path) => path.split("M").length === 2);
    for (const path of [...paths.filter((_, i) => i % 40 === 0), ...alone.filter((_, i) => i % 20 === 0)]) {
      const grown = pictures(`<path d="${path}"/>`);
      const seen = new Set(grown.map(({ data }) => data.join()));
      const corners = subpathEnds(path).flat().length;
      expect(seen.size, path).toBeGreaterThanOrEqual(Math.min(3, corners - 1));
      expect(grown.at(-1), path).toEqual(rasterise(read(`<path d="${path}"/>`), 64));
    }
  });
});
