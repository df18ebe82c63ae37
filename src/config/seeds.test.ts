import { describe, expect, test } from "vitest";
import { inspectRunConfig } from "./check.ts";
import { countSeeds, readSeeds, seedsOf } from "./seeds.ts";

describe("a text of seeds", () => {
  test.each([
    ["7", [7]],
    ["3, 9, 11-13", [3, 9, 11, 12, 13]],
    ["2 of 5-5 up to 2x", [5, 5]],
    ["3 of 8-8 repeated", [8, 8, 8]],
    ["2 random from 7, 4", [...seedsOf("2 random from 7"), 4]],
  ])("%s", (text, seeds) => {
    expect(seedsOf(text)).toEqual(seeds);
    expect(countSeeds(text)).toEqual({ count: seeds.length });
  });

  test("a draw without repeats is a part of its range, the same each time", () => {
    const drawn = seedsOf("50 of 0-99");
    expect(new Set(drawn).size).toBe(50);
    expect(drawn.every((seed) => seed >= 0 && seed <= 99)).toBe(true);
    // Not from those that `seedsOf` keeps.
    expect(readSeeds("50 of 0-99")).toEqual({ seeds: drawn });
    expect(drawn).not.toEqual([...drawn].sort((a, b) => a - b));
  });

  test("a draw of everything is a permutation", () => {
    expect([...seedsOf("256 of 10001-10256")].sort((a, b) => a - b)).toEqual(seedsOf("10001-10256"));
  });

  test("a seed is used at most as often as allowed", () => {
    const counts = new Map<number, number>();
    for (const seed of seedsOf("50 of 0-15 up to 4x")) counts.set(seed, (counts.get(seed) ?? 0) + 1);
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(4);
    expect([...counts.values()].reduce((a, b) => a + b)).toBe(50);
  });

  test("random seeds follow from their base", () => {
    expect(seedsOf("4 random from 7")).toEqual(seedsOf("4 random from 7"));
    expect(seedsOf("4 random from 7")).not.toEqual(seedsOf("4 random from 8"));
    expect(seedsOf("4 random")).toEqual(seedsOf("4 random from 0"));
  });

  test.each([
    ["", "it names no seeds. Write seeds and ranges such as 1-10000"],
    ["a-b", "it names no seeds. Write"],
    ["1-4, a-b", '"a-b" names no seeds. Write'],
    ["9-3", "9-3 ends before it begins"],
    ["60 of 0-15 up to 2x", "60 seeds are more than the 32 that 0-15 can give"],
    ["3000000000", "above 2147483647"],
    ["1-100001", "more than 100000 seeds"],
    ["5 of 0-2000000000", "too long to draw from"],
  ])("%j is refused", (text, words) => {
    const problem = { problem: expect.stringContaining(words) };
    expect([readSeeds(text), countSeeds(text)]).toEqual([problem, problem]);
  });
});

describe("a number in place of seeds", () => {
  const checked = (input: object) => inspectRunConfig(input).config!;

  test("is one seed, as YAML reads it", () => {
    const { trainer, envs } = checked({
      envs: { boxes: { name: "sokoban", train_seeds: 5, val_seeds: 6 } },
      trainer: { train_seeds: 3, val_seeds: 7, val_sets: { more: { seeds: 9 } } },
    });
    expect(trainer).toMatchObject({ train_seeds: "3", val_seeds: "7", val_sets: { more: { seeds: "9" } } });
    expect(envs.boxes).toMatchObject({ train_seeds: "5", val_seeds: "6" });
  });

  test.each([-1, 1.5])("is refused as a seed if it is %d", (value) => {
    const [problem] = inspectRunConfig({ trainer: { val_seeds: value } }).problems;
    expect(problem).toMatchObject({ path: "trainer.val_seeds", value: String(value) });
    expect(problem!.expected).not.toContain("string");
  });
});
