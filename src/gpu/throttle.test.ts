import { expect, it } from "vitest";
import { createEventLoopThrottle } from "./throttle.ts";

const TURNS = 50;

/** A throttle, and the number of its sleeps in the next `TURNS` turns of the event loop. */
function counted() {
  let sleeps = 0;
  const begin = createEventLoopThrottle(() => sleeps++);
  const sleepsOfTurns = async () => {
    // Short waits are not slowed down.
    await new Promise((resolve) => setTimeout(resolve, 5));
    const before = sleeps;
    for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    return sleeps - before;
  };
  return { begin, sleepsOfTurns };
}

it("sleeps once in each turn of the event loop during waits, and only then", async () => {
  const { begin, sleepsOfTurns } = counted();
  expect(await sleepsOfTurns()).toBe(0);
  const [first, second] = [begin(), begin()];
  expect(Math.abs((await sleepsOfTurns()) - TURNS)).toBeLessThanOrEqual(1);
  first();
  expect(Math.abs((await sleepsOfTurns()) - TURNS)).toBeLessThanOrEqual(1);
  second();
  expect(await sleepsOfTurns()).toBe(0);
});

it("leaves one loop behind, however often waits begin and end", async () => {
  const { begin, sleepsOfTurns } = counted();
  for (let i = 0; i < 1000; i++) begin()();
  const end = begin();
  expect(Math.abs((await sleepsOfTurns()) - TURNS)).toBeLessThanOrEqual(1);
  end();
  expect(await sleepsOfTurns()).toBe(0);
});
