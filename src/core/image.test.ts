import { describe, expect, it } from "vitest";
import {
  blit,
  circle,
  createFrame,
  ellipse,
  fill,
  fillRect,
  grain,
  hex,
  intersect,
  mix,
  noise,
  outline,
  polygon,
  resample,
  roundRect,
  type Shape,
  stroke,
} from "./image.ts";
import type { Frame } from "./types.ts";

const red = hex("#ff0000");
const blue = hex("#0000ff");
const pixel = (frame: Frame, x: number, y: number) => [
  ...frame.data.slice((y * frame.width + x) * 4, (y * frame.width + x) * 4 + 4),
];
/** Covered pixels, counting an edge pixel as its fraction. */
const area = (shape: Shape, side = 40, scale = 1) => {
  const frame = createFrame(side, side);
  fill(frame, shape, red, scale);
  let sum = 0;
  for (let i = 3; i < frame.data.length; i += 4) sum += frame.data[i] / 255;
  return sum;
};

describe("frames", () => {
  it("start transparent or in one colour", () => {
    expect(pixel(createFrame(2, 1), 1, 0)).toEqual([0, 0, 0, 0]);
    expect(pixel(createFrame(2, 3, red), 1, 2)).toEqual([255, 0, 0, 255]);
  });

  it("clip rectangles at their edges and blend by opacity", () => {
    const frame = createFrame(3, 3, red);
    fillRect(frame, 2, -5, 10, 6, blue);
    fillRect(frame, 0, 2, 1, 1, hex("#0000ff", 0.5));
    expect(pixel(frame, 2, 0)).toEqual([0, 0, 255, 255]);
    expect(pixel(frame, 1, 0)).toEqual([255, 0, 0, 255]);
    expect(pixel(frame, 2, 1)).toEqual([255, 0, 0, 255]);
    expect(pixel(frame, 0, 2)).toEqual([128, 0, 128, 255]);
  });

  it("keep the colour of a half transparent pixel that lands on nothing", () => {
    const frame = createFrame(1, 1);
    fillRect(frame, 0, 0, 1, 1, hex("#ff8000", 0.5));
    expect(pixel(frame, 0, 0)).toEqual([255, 128, 0, 128]);
  });

  it("blit with transparency and clip on all sides", () => {
    const stamp = createFrame(2, 2, blue);
    stamp.data[3] = 0;
    const frame = createFrame(3, 3, red);
    blit(frame, stamp, 0, 0);
    blit(frame, stamp, -1, 2);
    blit(frame, stamp, 2, -1);
    blit(frame, stamp, 9, 9);
    const blues = [...Array(9).keys()].filter((i) => frame.data[i * 4 + 2] === 255);
    expect(blues).toEqual([1, 2, 3, 4, 6]);
  });

  it("scale by whole factors without blurring", () => {
    const frame = createFrame(2, 1, red);
    fillRect(frame, 1, 0, 1, 1, blue);
    const big = resample(frame, 6, 3);
    expect(pixel(big, 2, 2)).toEqual([255, 0, 0, 255]);
    expect(pixel(big, 3, 0)).toEqual([0, 0, 255, 255]);
  });
});

describe("shapes", () => {
  it("cover their true area, thanks to smooth edges", () => {
    expect(area(circle(20, 20, 12))).toBeCloseTo(Math.PI * 144, -0.5);
    expect(area(ellipse(20, 20, 15, 8))).toBeCloseTo(Math.PI * 120, -0.5);
    expect(area(roundRect(5, 5, 20, 10, 0))).toBe(200);
    expect(Math.abs(area(roundRect(5, 5, 20, 10, 4)) - (200 - (4 - Math.PI) * 16))).toBeLessThan(2);
    expect(Math.abs(area(outline(circle(20, 20, 12), 2)) - Math.PI * 48)).toBeLessThan(2);
    expect(
      Math.abs(
        area(
          stroke(
            [
              [10, 20],
              [30, 20],
            ],
            6,
          ),
        ) -
          (120 + Math.PI * 9),
      ),
    ).toBeLessThan(2);
  });

  it("fill a polygon that is not convex, whichever way round it is given", () => {
    const arrow = [
      [5, 5],
      [35, 20],
      [5, 35],
      [15, 20],
    ] as const;
    expect(Math.abs(area(polygon(arrow)) - 300)).toBeLessThan(3);
    expect(area(polygon([...arrow].reverse()))).toBeCloseTo(area(polygon(arrow)), 5);
  });

  it("keep their proportions at every scale and may reach beyond the frame", () => {
    expect(area(circle(10, 10, 6), 80, 4) / 16).toBeCloseTo(Math.PI * 36, 0);
    expect(area(circle(0, 0, 10)) * 4).toBeCloseTo(Math.PI * 100, -1);
  });

  it("take a colour for each place", () => {
    const frame = createFrame(4, 1);
    fill(frame, roundRect(0, 0, 4, 1, 0), (x) => mix(red, blue, x / 4));
    expect(pixel(frame, 0, 0)[0]).toBeGreaterThan(pixel(frame, 3, 0)[0]);
  });
});

describe("noise", () => {
  it("is smooth, fills 0 to 1 and depends on the place and the salt alone", () => {
    const values = Array.from({ length: 400 }, (_, i) => noise(i * 0.37, i * 0.11, 3));
    expect(values.every((v) => v >= 0 && v <= 1)).toBe(true);
    expect(Math.max(...values) - Math.min(...values)).toBeGreaterThan(0.7);
    expect(Math.abs(noise(2.5, 1, 0) - noise(2.51, 1, 0))).toBeLessThan(0.05);
    expect(noise(2.5, 1, 0)).toBe(noise(2.5, 1, 0));
    expect(noise(2.5, 1, 0)).not.toBe(noise(2.5, 1, 1));
    expect(grain(-3, 4)).toBeGreaterThanOrEqual(0);
  });
});

describe("shapes with exact distances", () => {
  const kite = polygon([
    [3, 20],
    [18, 2],
    [37, 22],
    [20, 18],
  ]);
  const shapes: Record<string, Shape> = {
    circle: circle(19.3, 20.6, 14),
    "rounded rectangle": roundRect(-1, 4.4, 33, 50, 6),
    line: stroke(
      [
        [2, 3],
        [30, 12],
        [8, 36],
      ],
      5.2,
    ),
    polygon: kite,
    "outlined polygon": outline(kite, 3),
    "shared area": intersect(circle(20, 14, 13), kite),
  };
  const shade = (x: number, y: number) => mix(red, hex("#00ff80", 0.4), (x + y) / 80);

  it.each(Object.entries(shapes))("%s: the same pixels as when each is measured", (_, shape) => {
    expect(shape.exact).toBe(true);
    for (const scale of [1, 0.37, 2.5])
      for (const paint of [red, hex("#ff8000", 0.3), shade]) {
        const [fast, slow] = [createFrame(90, 90, blue), createFrame(90, 90, blue)];
        fill(fast, shape, paint, scale);
        fill(slow, { ...shape, exact: false }, paint, scale);
        expect(fast.data).toEqual(slow.data);
      }
  });
});
