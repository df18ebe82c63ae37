import { expect, test } from "vitest";
import { padded } from "./padded.ts";

test("a smaller picture lies in the upper left corner of a grey one", () => {
  const data = new Uint8ClampedArray([1, 2, 3, 255, 4, 5, 6, 255]);
  const frame = padded({ width: 1, height: 2, data }, 2, 3);
  const grey = [128, 128, 128, 255];
  expect(frame).toMatchObject({ width: 2, height: 3 });
  expect([...frame.data]).toEqual([1, 2, 3, 255, ...grey, 4, 5, 6, 255, ...grey, ...grey, ...grey]);
});

test("a picture of the right size is left alone", () => {
  const picture = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
  expect(padded(picture, 1, 1)).toBe(picture);
});
