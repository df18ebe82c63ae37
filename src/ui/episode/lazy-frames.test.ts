import { expect, it, vi } from "vitest";
import { LazyFrames } from "./lazy-frames.ts";

const SIZE = { width: 5, height: 5 };
const drawing = (shade: number) => vi.fn(() => ({ ...SIZE, data: new Uint8ClampedArray(100).fill(shade) }));

it("draws a picture when its pixels are first asked for, and keeps them", () => {
  const [frames, draw] = [new LazyFrames(1000), drawing(7)];
  const frame = frames.frame(SIZE, draw);
  expect([frame.width, frame.height, frames.isUndrawn(frame)]).toEqual([5, 5, true]);
  expect(draw).not.toHaveBeenCalled();
  expect([frame.data[0], frame.data[99]]).toEqual([7, 7]);
  expect(frames.isUndrawn(frame)).toBe(false);
  expect(draw).toHaveBeenCalledTimes(1);
});

it("drops the pixels that were used longest ago, and draws them again", () => {
  const frames = new LazyFrames(250);
  const draws = [1, 2, 3].map(drawing);
  const [a, b, c] = draws.map((draw) => frames.frame(SIZE, draw)) as [
    ReturnType<typeof frames.frame>,
    ReturnType<typeof frames.frame>,
    ReturnType<typeof frames.frame>,
  ];
  for (const frame of [a, b, a, c]) expect(frame.data).toHaveLength(100);
  expect([a, b, c].map((frame) => frames.isUndrawn(frame))).toEqual([false, true, false]);
  expect(b.data[0]).toBe(2);
  expect(draws.map((draw) => draw.mock.calls.length)).toEqual([1, 2, 1]);
});

it("keeps one picture, however large it is", () => {
  const [frames, draw] = [new LazyFrames(50), drawing(1)];
  const frame = frames.frame(SIZE, draw);
  expect([frame.data[0], frame.data[1]]).toEqual([1, 1]);
  expect(draw).toHaveBeenCalledTimes(1);
});

it("takes a picture that it did not make as drawn", () => {
  expect(new LazyFrames(1).isUndrawn(drawing(1)())).toBe(false);
});
