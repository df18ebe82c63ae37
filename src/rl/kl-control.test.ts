import { expect, test } from "vitest";
import { adaptedCoefficient } from "./kl-control.ts";

const control = { target: 0.1, horizon: 100 };

test.each([
  // Errors of +10 %, and beyond the 20 % that are heeded to either side; 20 of 100 episodes.
  [0.11, 0.5 * (1 + 0.1 * 0.2)],
  [1, 0.5 * (1 + 0.2 * 0.2)],
  [0, 0.5 * (1 - 0.2 * 0.2)],
  [0.1, 0.5],
])("a KL of %f against a target of 0.1 makes 0.5 %f", (kl, want) => {
  expect(adaptedCoefficient(0.5, kl, 20, control)).toBeCloseTo(want, 12);
});

test("the coefficient stays positive at the shortest horizon", () => {
  let coefficient = 0.001;
  for (let update = 0; update < 300; update++)
    coefficient = adaptedCoefficient(coefficient, 0, 100, { target: 0.1, horizon: 100 });
  expect(coefficient).toBeGreaterThan(0);
});
