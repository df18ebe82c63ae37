import { expect, it } from "vitest";
import { beside } from "./beside.ts";

const window = { width: 1000, height: 900 };
const plot = { left: 300, right: 600, top: 100, bottom: 250 };

it("is placed where it hides the least of the plot", () => {
  // To the right it would hide 240 px, to the left 30.
  expect(beside({ plot, x: 340, window }, 240)).toEqual({ left: 90, top: 100 });
  expect(beside({ plot, x: 570, window }, 240)).toEqual({ left: 580, top: 100 });
});

it("stays in the window", () => {
  const atEdge = { ...plot, left: 700, right: 990 };
  expect(beside({ plot: atEdge, x: 950, window }, 240)).toEqual({ left: 700, top: 100 });
  const low = { ...plot, top: 700, bottom: 880 };
  expect(beside({ plot: low, x: 570, window }, 240)).toEqual({ left: 580, bottom: 20 });
  expect(beside({ plot: { ...plot, top: -80 }, x: 570, window }, 240)).toEqual({ left: 580, top: 4 });
});

it("goes above or below where there is no room beside, as on a phone", () => {
  const phone = { width: 390, height: 800 };
  const narrow = { left: 60, right: 370, top: 150, bottom: 310 };
  expect(beside({ plot: narrow, x: 200, window: phone }, 240)).toEqual({ left: 80, top: 320 });
  expect(beside({ plot: { ...narrow, top: 600, bottom: 760 }, x: 200, window: phone }, 240)).toEqual({
    left: 80,
    bottom: 210,
  });
  expect(beside({ plot: narrow, x: 60, window: phone }, 320)).toMatchObject({ left: 4 });
});
