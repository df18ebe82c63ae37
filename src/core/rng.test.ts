import { describe, expect, it } from "vitest";
import { ConfigError } from "./errors.ts";
import { type Rng, restoreRng, rng } from "./rng.ts";

const draws = (stream: Rng, n: number) => Array.from({ length: n }, () => stream.u32());

describe("rng", () => {
  it("is xoshiro128**: the first outputs of state 1, 2, 3, 4", () => {
    // By hand from the definition: rotl(2·5, 7)·9, then the state steps to [7, 0, 1026, 12288], …
    const stream = restoreRng({ key: [1, 2, 3, 4], state: [1, 2, 3, 4] });
    expect(draws(stream, 3)).toEqual([11520, 0, 5927040]);
  });

  it("gives the same stream for the same seed and another for any other seed, beyond 2^32 too", () => {
    expect(draws(rng(7), 8)).toEqual(draws(rng(7), 8));
    const seeds = [0, 1, 2, 2 ** 32, 2 ** 32 + 1, 2 ** 53 - 1];
    expect(new Set(seeds.map((seed) => draws(rng(seed), 2).join())).size).toBe(seeds.length);
  });

  it("keeps these numbers for ever: recorded runs depend on them", () => {
    expect(draws(rng(0), 3)).toMatchInlineSnapshot(`
      [
        4025331129,
        681723193,
        3201297969,
      ]
    `);
    expect(draws(rng(2 ** 40 + 5).fork("map"), 3)).toMatchInlineSnapshot(`
      [
        499191011,
        2968211649,
        4215375473,
      ]
    `);
  });

  it("forks by name alone, whatever has been drawn before", () => {
    const fresh = rng(3);
    const used = rng(3);
    draws(used, 100);
    expect(draws(used.fork("slip"), 4)).toEqual(draws(fresh.fork("slip"), 4));
    const names = ["slip", "map", "slip ", "", "s", "lip"];
    expect(new Set(names.map((name) => draws(fresh.fork(name), 2).join())).size).toBe(names.length);
    expect(draws(fresh.fork("a").fork("bc"), 2)).not.toEqual(draws(fresh.fork("ab").fork("c"), 2));
  });

  it("continues exactly from a saved state that went through JSON", () => {
    const stream = rng(11).fork("x");
    draws(stream, 5);
    const restored = restoreRng(JSON.parse(JSON.stringify(stream.save())));
    expect(draws(restored, 5)).toEqual(draws(stream, 5));
    expect(draws(restored.fork("y"), 2)).toEqual(draws(stream.fork("y"), 2));
  });

  it("draws floats in [0, 1) with the moments of a uniform distribution", () => {
    const stream = rng(5);
    const values = Array.from({ length: 100_000 }, () => stream.float());
    const mean = values.reduce((sum, x) => sum + x) / values.length;
    const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
    expect(values.every((x) => x >= 0 && x < 1)).toBe(true);
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.004); // 4 standard errors of 0.00091
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(0.001);
  });

  it("draws integers uniformly: chi-squared over 7 bins, also across neighbouring seeds", () => {
    const chiSquared = (next: (i: number) => number) => {
      const counts = new Array(7).fill(0);
      for (let i = 0; i < 70_000; i++) counts[next(i)]++;
      return counts.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0);
    };
    const stream = rng(1);
    expect(chiSquared(() => stream.int(7))).toBeLessThan(22.5); // 99.9 % point of 6 degrees of freedom
    expect(chiSquared((i) => rng(i).int(7))).toBeLessThan(22.5);
    expect(chiSquared((i) => rng(i).fork("slip").int(7))).toBeLessThan(22.5);
  });

  it("covers the whole 32-bit range and refuses a range it cannot draw", () => {
    const stream = rng(9);
    expect(Array.from({ length: 50 }, () => stream.int(2 ** 32)).some((x) => x > 2 ** 31)).toBe(true);
    expect(stream.int(1)).toBe(0);
    for (const n of [0, -1, 1.5, 2 ** 33, Number.NaN]) expect(() => stream.int(n)).toThrow(RangeError);
    expect(() => stream.pick([])).toThrow(RangeError);
  });

  it("shuffles a copy, with every order equally likely", () => {
    const stream = rng(2);
    const items = ["a", "b", "c"];
    const orders = new Map<string, number>();
    for (let i = 0; i < 6000; i++) {
      const order = stream.shuffle(items).join("");
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(items).toEqual(["a", "b", "c"]);
    expect(orders.size).toBe(6);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(120);
  });

  it("refuses a seed that is not a non-negative safe integer", () => {
    for (const seed of [-1, 0.5, Number.NaN, 2 ** 53]) expect(() => rng(seed)).toThrow(ConfigError);
  });
});
