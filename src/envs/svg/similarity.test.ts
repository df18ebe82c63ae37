import { beforeAll, describe, expect, test } from "vitest";
import { rng } from "../../core/rng.ts";
import type { Frame } from "../../core/types.ts";
import { drawingText, type Shape } from "./drawing.ts";
import { drawIcon } from "./icons.ts";
import { svg } from "./index.ts";
import { rasterise } from "./raster.ts";
import { readDrawing, type SafeDrawing } from "./sanitise.ts";
import { COMPARED_SIDE, compare, featuresOf, type Measures } from "./similarity.ts";

beforeAll(() => svg.load!());

const picture = (...shapes: Shape[]): Frame =>
  rasterise(readDrawing(drawingText(shapes)) as SafeDrawing, COMPARED_SIDE);
const measured = (a: Frame, b: Frame): Measures => compare(featuresOf(a), featuresOf(b));
const rect = (x: number, width: number, fill: Shape["fill"] = "black"): Shape => ({
  kind: "rect",
  ...{ x, y: 16, width, height: 32, fill },
});
const sum = ({ ms_ssim, edges, color }: Measures) => ms_ssim + edges + color;

describe("the measures", () => {
  test("are 1 for equal pictures, blank ones too", () => {
    expect(measured(picture(), picture())).toEqual({ ms_ssim: 1, edges: 1, color: 1 });
    for (let seed = 0; seed < 10; seed++) {
      const icon = picture(...drawIcon(rng(seed), 3, 4));
      const { ms_ssim, edges, color } = measured(icon, icon);
      expect(ms_ssim).toBeCloseTo(1);
      expect([edges, color]).toEqual([1, 1]);
    }
  });

  test("are 0 or nearly so for a blank one beside an icon", () => {
    for (let seed = 0; seed < 10; seed++) {
      const { ms_ssim, edges, color } = measured(picture(...drawIcon(rng(seed), 3, 4)), picture());
      expect([edges, color]).toEqual([0, 0]);
      expect(ms_ssim).toBeLessThan(0.3);
    }
  });

  test("are the same from either side", () => {
    const [a, b] = [picture(rect(8, 16)), picture(rect(12, 24, "red"))];
    const [there, back] = [measured(a, b), measured(b, a)];
    for (const name of ["ms_ssim", "edges", "color"] as const) expect(there[name]).toBeCloseTo(back[name]);
  });

  test("fall the further a shape is from its place", () => {
    const icon = picture(rect(16, 24));
    const sums = [0, 2, 4, 8, 16].map((shift) => sum(measured(icon, picture(rect(16 + shift, 24)))));
    expect(sums).toEqual(sums.toSorted((a, b) => b - a));
    expect(new Set(sums).size).toBe(sums.length);
  });
});

describe("a worked example", () => {
  test("of colour: half of a black bar drawn is half right", () => {
    expect(measured(picture(rect(16, 32)), picture(rect(16, 16))).color).toBeCloseTo(0.5);
    // Two bars apart: every pixel of either is wrong, so there is nothing left.
    expect(measured(picture(rect(0, 16)), picture(rect(48, 16))).color).toBe(0);
    // Red where black should be: √1 of √3 for each pixel.
    expect(measured(picture(rect(16, 32)), picture(rect(16, 32, "red"))).color).toBeCloseTo(
      1 - 1 / Math.sqrt(3),
    );
  });

  test("of edges: those of two bars apart do not overlap, and paper of the other colour has the same ones", () => {
    expect(measured(picture(rect(0, 16)), picture(rect(48, 16))).edges).toBe(0);
    expect(measured(picture(rect(16, 32)), picture(rect(16, 32, "blue"))).edges).toBe(1);
  });

  test("of MS-SSIM: a flat picture has neither contrast nor structure of a chequered one", () => {
    const cells = Array.from(
      { length: 32 },
      (_, i): Shape => ({
        kind: "rect",
        ...{ x: 16 * (i % 4) + 8 * (Math.floor(i / 4) % 2), y: 8 * Math.floor(i / 4), width: 8, height: 8 },
        fill: "black",
      }),
    );
    const flat: Shape = { kind: "rect", x: 0, y: 0, width: 64, height: 64, fill: "black" };
    expect(measured(picture(...cells), picture(flat)).ms_ssim).toBeLessThan(0.1);
  });
});
