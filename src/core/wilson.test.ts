import { expect, test } from "vitest";
import { wilsonInterval } from "./wilson.ts";

test("the Wilson interval matches published values", () => {
  // Newcombe (1998), table I: 81 of 263, 15 of 148, 0 of 20, 1 of 29.
  const table: [number, number, number, number][] = [
    [81, 263, 0.2553, 0.3662],
    [15, 148, 0.0624, 0.1605],
    [0, 20, 0, 0.1611],
    [1, 29, 0.0061, 0.1718],
    [15, 20, 0.5313, 0.8881],
  ];
  for (const [successes, trials, low, high] of table) {
    const interval = wilsonInterval(successes, trials);
    expect(interval[0]).toBeCloseTo(low, 4);
    expect(interval[1]).toBeCloseTo(high, 4);
  }
  expect(wilsonInterval(0, 30)[0]).toBe(0);
  expect(wilsonInterval(30, 30)[1]).toBeCloseTo(1, 9);
  expect(wilsonInterval(0, 0)).toEqual([0, 1]);
});
