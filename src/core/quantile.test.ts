import { expect, test } from "vitest";
import { quantile } from "./quantile.ts";

test("quantiles are interpolated between ranks", () => {
  expect([quantile([4, 1, 3, 2], 0.5), quantile([5], 0.25), quantile([1, 2], 0.25)]).toEqual([2.5, 5, 1.25]);
  expect(quantile([], 0.5)).toBeNaN();
});
