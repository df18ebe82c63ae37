import { expect, test } from "vitest";
import { ValueTable } from "./value-table.ts";

test("a particular state is drawn towards the mean of its kind", () => {
  const table = new ValueTable();
  expect(table.value(["all", "near"])).toBe(0);
  for (const target of [1, 1, 0, 0]) table.learn(["all", target ? "near" : "far"], target);
  // (2·1 + 2·0.5)/(2 + 2) and (0 + 2·0.5)/4; a new state has the mean of all.
  expect(table.value(["all", "near"])).toBe(0.75);
  expect(table.value(["all", "far"])).toBe(0.25);
  expect(table.value(["all", "new"])).toBe(0.5);
});

test("what was learned earlier counts less and is forgotten in the end", () => {
  const table = new ValueTable();
  table.learn(["all"], 0);
  table.fade(0.5);
  table.learn(["all"], 3);
  expect(table.value(["all"])).toBe(2);
  table.fade(1e-4);
  expect(table.toJSON().cells).toEqual([]);
});

test("a stored table continues with equal bits", () => {
  const table = new ValueTable();
  for (let i = 0; i < 50; i++) {
    table.learn(["all", `${i % 7}`], Math.sin(i));
    if (i % 10 === 9) table.fade(0.9);
  }
  const restored = new ValueTable(JSON.parse(JSON.stringify(table)));
  for (const one of [table, restored]) {
    one.fade(0.9);
    one.learn(["all", "3"], 0.1);
  }
  expect(restored.toJSON()).toEqual(table.toJSON());
});
