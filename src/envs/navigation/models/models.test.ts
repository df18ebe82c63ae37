import { describe, expect, it } from "vitest";
import type { Face, Vec3 } from "../../../core/raster/solid.ts";
import { factsOf, KIND_NAMES, KINDS } from "../kinds.ts";
import { PHRASES } from "../phrases.ts";
import { COLORS, facesOf, type Part } from "./part.ts";

const partsOf = (kind: (typeof KIND_NAMES)[number]): Part[] => {
  const { model, colors } = factsOf(kind);
  return model.parts(COLORS[colors[0]]);
};

/** Bounds of points as [least, largest] of each axis. */
function bounds(faces: readonly Face[]): [number, number][] {
  const points = faces.flatMap((face) => face.points);
  return [0, 1, 2].map((axis) => {
    const values = points.map((point) => point[axis]);
    return [Math.min(...values), Math.max(...values)];
  });
}

/** Whether two ranges share more than an end. */
const share = (a: readonly number[], b: readonly number[]) => a[0] < b[1] && b[0] < a[1];

describe("models", () => {
  it("are of about 25 kinds, each with phrases of its own", () => {
    expect(KIND_NAMES.length).toBeGreaterThanOrEqual(25);
    expect(Object.keys(PHRASES).sort()).toEqual([...KIND_NAMES].sort());
    for (const list of ["names", "purposes", "looks"] as const) {
      const all = Object.values(PHRASES).flatMap((phrases) => phrases[list]);
      expect(new Set(all).size).toBe(all.length);
    }
  });

  it.each(KIND_NAMES)("%s fills the box of its size, on all sides", (kind) => {
    const { size } = factsOf(kind).model;
    const [x, y, z] = bounds(partsOf(kind).flatMap((part) => facesOf(part, 0, [0, 0, 0])));
    expect(x[0]).toBeGreaterThanOrEqual(-size[0] / 2 - 0.5);
    expect(x[1]).toBeLessThanOrEqual(size[0] / 2 + 0.5);
    expect(y[0]).toBe(0);
    expect(y[1]).toBeCloseTo(size[1], 6);
    expect(z[0]).toBeGreaterThanOrEqual(-size[2] / 2 - 0.5);
    expect(z[1]).toBeLessThanOrEqual(size[2] / 2 + 0.5);
    expect(x[1] - x[0]).toBeGreaterThan(size[0] * 0.85);
    expect(z[1] - z[0]).toBeGreaterThan(size[2] * 0.85);
  });

  it.each(KIND_NAMES)("%s has no two faces of different colours in the same place", (kind) => {
    const boxes = partsOf(kind).filter(({ round }) => !round);
    for (const [i, one] of boxes.entries())
      for (const other of boxes.slice(i + 1))
        for (let axis = 0; axis < 3; axis++)
          for (const end of ["from", "to"] as const) {
            if (one[end][axis] !== other[end][axis] || one.color.join() === other.color.join()) continue;
            const across = [0, 1, 2].filter((each) => each !== axis);
            // The lower side of what stands on the floor is never seen.
            const isFloor = axis === 1 && one[end][1] === 0;
            const isBack = axis === 2 && end === "from";
            const meet = across.every((each) =>
              share([one.from[each], one.to[each]], [other.from[each], other.to[each]]),
            );
            expect(meet && !isFloor && !isBack, `${JSON.stringify(one)} ${JSON.stringify(other)}`).toBe(
              false,
            );
          }
  });

  it("turn clockwise: what looks ahead looks to the right after a quarter turn", () => {
    const part: Part = { from: [-1, 0, 2], to: [1, 3, 6], color: [1, 2, 3] };
    const turned = (turn: number, at: Vec3 = [10, 20, 30]) => bounds(facesOf(part, turn, at));
    expect(turned(0)).toEqual([
      [9, 11],
      [20, 23],
      [32, 36],
    ]);
    expect(turned(1)).toEqual([
      [12, 16],
      [20, 23],
      [29, 31],
    ]);
    expect(turned(2)).toEqual([
      [9, 11],
      [20, 23],
      [24, 28],
    ]);
    expect(turned(3)).toEqual([
      [4, 8],
      [20, 23],
      [29, 31],
    ]);
  });

  it("come in several colours where instructions can name them", () => {
    for (const { colors } of Object.values(KINDS)) {
      expect(colors.length).toBeGreaterThanOrEqual(2);
      expect(new Set(colors).size).toBe(colors.length);
    }
  });
});
