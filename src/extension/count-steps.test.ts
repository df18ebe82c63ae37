import { expect, it, vi } from "vitest";
import { MOST_STEPS, restoreSteps, StepLimitError, withinSteps } from "../core/step-limit.ts";
import { countingSteps } from "./count-steps.ts";

/** The default export of a module that counts its steps. */
async function load<T>(source: string): Promise<T> {
  const counting = encodeURIComponent(countingSteps(source));
  restoreSteps();
  return (await import(/* @vite-ignore */ `data:text/javascript;charset=utf-8,${counting}`)).default;
}

it.each([
  ["for (;;);"],
  ["for (;;) {}"],
  ["while (true) n++;"],
  ["do n++; while (true)"],
  ["outer: while (true) { for (const x of [1, 2]) continue outer; }"],
  ["const forEver = { [Symbol.iterator]: () => ({ next: () => ({}) }) }; for (const x of forEver);"],
  ["for (;;) try { for (;;); } catch { }"],
  ["const fib = (n) => n < 2 ? n : fib(n - 1) + fib(n - 2); fib(100);"],
  ["function twice(n) { if (n > 0) { twice(n - 1); twice(n - 1); } } twice(100);"],
  ["const o = { get x() { for (;;); } }; o.x;"],
  ["class A { static { for (;;); } }"],
  ["let depth = 0; class A { a = depth < 60 ? (depth++, new A(), new A(), depth--) : 0 } new A();"],
])("%s ends", async (code) => {
  const call = await load<() => void>(`export default () => { let n = 0; ${code} };`);
  expect(() => withinSteps(call)).toThrow(StepLimitError);
});

it("says how many steps there are", async () => {
  const call = await load<() => void>("export default () => { for (;;); };");
  expect(() => withinSteps(call)).toThrow(
    "it did not end within 50 million steps (rounds of its loops and calls of its functions)",
  );
});

it("ends steps that take too long each", async () => {
  const call = await load<() => void>("export default () => { for (;;); };");
  let now = 0;
  const clock = vi.spyOn(Date, "now").mockImplementation(() => (now += 10_000));
  try {
    expect(() => withinSteps(call)).toThrow("it did not end within 30 seconds");
  } finally {
    clock.mockRestore();
  }
});

it("lets what is still to come of an async function end with its next step, without a word", async () => {
  const source = "export default async (counts) => { for (;;) { counts.push(1); await 0; } };";
  const call = await load<(counts: number[]) => Promise<void>>(source);
  const counts: number[] = [];
  const result = withinSteps(() => call(counts));
  await expect(result).rejects.toThrow(StepLimitError);
  expect(counts).toHaveLength(1);
});

it("reads a text that begins with #! or has names of its own for everything", async () => {
  const source =
    "#!/usr/bin/env node\nconst Symbol = 1, globalThis = 2; export default () => Symbol + globalThis;";
  expect(withinSteps(await load<() => number>(source))).toBe(3);
});

it("changes nothing else", async () => {
  const call = await load<() => unknown>(`"use strict";
    const $steps = 1, later = (x) => (y) => ({ x, y, sum: (() => x + y)() });
    function* upTo(n) { let i = 0; while (i < n) yield i++; }
    class Counter { #n = 0; more = () => ++this.#n; get n() { return this.#n; } }
    export default () => {
      const counter = new Counter(), found = [];
      for (const i of upTo(3)) for (let j = 0; j < i; j++) found.push([i, j]);
      do counter.more(); while (counter.n < 5)
      outer: for (const key in { a: 1, b: 2 }) { if (key === "a") continue outer; found.push(key); }
      if (found.length) for (const x of [1]) counter.more(); else found.push("never");
      return [$steps, later(1)(2), found, counter.n];
    };`);
  expect(withinSteps(call)).toEqual([1, { x: 1, y: 2, sum: 3 }, [[1, 0], [2, 0], [2, 1], "b"], 6]);
});

it("gives every call all its steps", async () => {
  const half = await load<() => void>(
    `export default () => { for (let i = 0; i < ${MOST_STEPS * 0.6}; i++); };`,
  );
  withinSteps(half);
  withinSteps(half);
});

it("keeps the lines of a text", () => {
  const source = "export default () => {\n  while (true)\n    f();\n};\n";
  expect(
    countingSteps(source)
      .split("\n")
      .map((line) => line.trim()[0]),
  ).toEqual(["e", "w", "{", "}", undefined]);
});

it.each([
  'import "./other.mjs";',
  'import * as fs from "./other.mjs";',
  'export { a } from "./other.mjs";',
  'export * from "./other.mjs";',
  'const other = await import("./other.mjs");',
])("refuses %s with its line", (code) => {
  expect(() => countingSteps(`const a = 1;\n${code}\nexport { a as b };`)).toThrow(
    /^import of "\.\/other\.mjs" in line 2$/,
  );
});

it("names the place of what cannot be read", () => {
  expect(() => countingSteps("export default () => {\n  for (;;\n};")).toThrow(
    /^Unexpected token in line 3, column 1$/,
  );
});
