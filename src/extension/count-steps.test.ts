import { expect, it } from "vitest";
import { MOST_STEPS, StepLimitError, withinSteps } from "../core/step-limit.ts";
import { countingSteps } from "./count-steps.ts";

/** The default export of a module that counts its steps. */
async function load<T>(source: string): Promise<T> {
  const counting = encodeURIComponent(countingSteps(source));
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
])("%s ends", async (code) => {
  const call = await load<() => void>(`export default () => { let n = 0; ${code} };`);
  expect(() => withinSteps(call)).toThrow(StepLimitError);
});

it("says how many steps there are", () => {
  expect(new StepLimitError().message).toBe(
    "it did not end within 50 million steps (rounds of its loops and calls of its functions)",
  );
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
  ).toEqual(["c", "w", "{", "}", undefined]);
});

it("names the place of what cannot be read", () => {
  expect(() => countingSteps("export default () => {\n  for (;;\n};")).toThrow(/\(3:0\)/);
});
