import { expect, it } from "vitest";
import { placeLabels } from "./place-labels.ts";

const area = { x: 0, y: 0, width: 10, height: 10 };
const label = (text: string, ...places: { x: number; y: number }[]) => ({ text, size: 1, places });

it("takes the best place that is free", () => {
  const both = { x: 5, y: 5 };
  const placed = placeLabels([label("plant", both), label("lamp", both, { x: 5, y: 7 })], area);
  expect(placed).toEqual([both, { x: 5, y: 7 }]);
});

it("takes the place that covers least where none is free", () => {
  const [, , third] = placeLabels(
    [
      label("armchair", { x: 5, y: 5 }),
      label("table", { x: 5, y: 6.2 }),
      label("bin", { x: 5, y: 5 }, { x: 5, y: 4.1 }),
    ],
    area,
  );
  expect(third).toEqual({ x: 5, y: 4.1 });
});

it("moves a text inwards from the left and the right edge", () => {
  const [left, right] = placeLabels([label("abcd", { x: 0, y: 2 }), label("abcd", { x: 10, y: 5 })], area);
  expect(left!.x).toBeCloseTo(1.24, 12);
  expect(right!.x).toBeCloseTo(8.76, 12);
  expect(placeLabels([label("a".repeat(40), { x: 0, y: 2 })], area)[0]!.x).toBe(5);
});

it("avoids places above and below the drawing", () => {
  const [below, above] = placeLabels(
    [label("sofa", { x: 3, y: 10.5 }, { x: 3, y: 8 }), label("bed", { x: 8, y: 0.2 }, { x: 8, y: 3 })],
    area,
  );
  expect([below!.y, above!.y]).toEqual([8, 3]);
});
