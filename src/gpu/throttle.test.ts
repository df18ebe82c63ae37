import { expect, it } from "vitest";
import { createEventLoopThrottle } from "./throttle.ts";

const after = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Turns of the event loop in `ms` milliseconds. */
async function turns(ms: number): Promise<number> {
  const until = performance.now() + ms;
  let count = 0;
  while (performance.now() < until) {
    await new Promise((resolve) => setImmediate(resolve));
    count++;
  }
  return count;
}

it("slows the event loop down during waits, and only then", async () => {
  const begin = createEventLoopThrottle();
  const free = await turns(100);
  const [first, second] = [begin(), begin()];
  await after(5);
  const waiting = await turns(100);
  first();
  const stillWaiting = await turns(100);
  second();
  const freeAgain = await turns(100);
  // A sleep is half a millisecond; without one a turn takes a few microseconds.
  expect(waiting).toBeLessThan(250);
  expect(stillWaiting).toBeLessThan(250);
  expect(free).toBeGreaterThan(4 * waiting);
  expect(freeAgain).toBeGreaterThan(4 * stillWaiting);
});

it("leaves one loop behind, however often waits begin and end", async () => {
  const begin = createEventLoopThrottle();
  for (let i = 0; i < 1000; i++) begin()();
  const end = begin();
  await after(5);
  // A thousand loops would sleep a thousand times in each turn.
  expect(await turns(100)).toBeGreaterThan(20);
  end();
});
