import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { BETWEEN_MS, flush, receive, runStore } from "./run-store.ts";
import { emptyView } from "./run-view.ts";

const progress = (done: number) =>
  ({ type: "phase", stage: "ppo", update: 1, phase: "rollout", done, of: 99 }) as const;
const shown = () => runStore.getState().phase?.done;

beforeEach(() => {
  vi.useFakeTimers();
  runStore.setState(emptyView(), true);
});
afterEach(() => {
  vi.useRealTimers();
  runStore.setState(emptyView(), true);
});

it("shows the first event at once, and those that follow together", () => {
  let changes = 0;
  const stop = runStore.subscribe(() => {
    changes += 1;
  });
  // Tests before this one may have used the store at a later time of the real clock.
  vi.advanceTimersByTime(BETWEEN_MS);
  receive(progress(0));
  flush();
  changes = 0;
  vi.advanceTimersByTime(BETWEEN_MS);
  receive(progress(1));
  vi.advanceTimersByTime(1);
  expect(shown()).toBe(1);
  for (const done of [2, 3, 4]) receive(progress(done));
  vi.advanceTimersByTime(BETWEEN_MS - 2);
  expect(shown()).toBe(1);
  vi.advanceTimersByTime(2);
  expect([shown(), changes]).toEqual([4, 2]);
  stop();
});

it("applies what waits before the view is read", () => {
  receive(progress(1));
  receive(progress(2));
  flush();
  expect(shown()).toBe(2);
});
