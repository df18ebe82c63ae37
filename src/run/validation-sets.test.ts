import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { planMemory } from "./build-run.ts";

const sets = (config: object) =>
  checkedRunConfig({ trainer: { val_sets: { other: { seeds: "20000-20003", config } } } });

test("a validation set may change options that leave pictures and words as they are", () => {
  expect(planMemory(sets({ p: 0.6 })).parameters).toBeGreaterThan(0);
});

test("a set with other pictures is refused before anything is allocated", () => {
  expect(() => planMemory(sets({ size: 7 }))).toThrow(/validation set other .*pictures or words/);
});

test("an option that the task does not have is refused by name", () => {
  expect(() => planMemory(sets({ boxes: 3 }))).toThrow(/validation set other .*cannot be played.*boxes is 3/);
});

test("seeds that cannot be read are refused with the set's name", () => {
  expect(() => checkedRunConfig({ trainer: { val_sets: { other: { seeds: "9-1" } } } })).toThrow(
    /seeds of other cannot be read: 9-1 ends before it begins/,
  );
});
