import { expect, test } from "vitest";
import { clippedOutline } from "./scene.ts";

test("an outline is the part of a box that lies in the picture", () => {
  expect(clippedOutline(0.25, 0.5, 0.75, 0.625)).toEqual({ x: 0.25, y: 0.5, width: 0.5, height: 0.125 });
  expect(clippedOutline(-1, 0.5, 0.25, 4)).toEqual({ x: 0, y: 0.5, width: 0.25, height: 0.5 });
});

test("a box outside of the picture, without extent or without numbers has none", () => {
  const boxes: readonly (readonly [number, number, number, number])[] = [
    [1, 0, 2, 1],
    [0, -2, 1, 0],
    [0.5, 0, 0.5, 1],
    [0.5, 0.5, 0.25, 1],
    [Number.NaN, 0, 1, 1],
  ];
  for (const box of boxes) expect(clippedOutline(...box)).toBeNull();
});
