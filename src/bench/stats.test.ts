import { describe, expect, it } from "vitest";
import { pairedRatio, spread } from "./stats.ts";

describe("spread", () => {
  it("gives median and quartiles whatever the order", () => {
    expect(spread([5, 1, 4, 2, 3])).toEqual({ median: 3, low: 2, high: 4, count: 5 });
  });

  it("interpolates between two ranks", () => {
    expect(spread([7])).toEqual({ median: 7, low: 7, high: 7, count: 1 });
    expect(spread([]).median).toBeNaN();
  });
});

describe("pairedRatio", () => {
  it("is not moved by a minute in which everything was slow", () => {
    expect(pairedRatio([30, 300, 31], [10, 100, 10])).toBe(3);
  });

  it("compares only rounds that both took part in", () => {
    expect(pairedRatio([30, 30, 1], [10, 10])).toBe(3);
  });
});
