import { expect, it, vi } from "vitest";
import { Retry } from "./retry.ts";
import type { TryAgain } from "./try-again.tsx";

/** A policy whose tries end by hand. */
function byHand() {
  const asked: Parameters<TryAgain>[0][] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const onTryAgain: TryAgain = (request) => {
    asked.push(request);
    return new Promise((resolve, reject) => ends.push({ resolve, reject }));
  };
  return { asked, ends, onTryAgain };
}

it("keeps what came of each try, and reports every change", async () => {
  const { asked, ends, onTryAgain } = byHand();
  const retry = new Retry();
  const listener = vi.fn();
  const leave = retry.subscribe(listener);
  const done = retry.start(2, onTryAgain);
  expect(retry.get()).toEqual({ turn: 2, tries: 10, outcomes: [], isDone: false, problem: "" });
  expect(asked[0]).toMatchObject({ turn: 2, tries: 10 });
  asked[0]!.onTry(true);
  asked[0]!.onTry(false);
  expect(retry.get()).toMatchObject({ outcomes: [true, false], isDone: false });
  ends[0]!.resolve();
  await done;
  expect(retry.get()).toMatchObject({ outcomes: [true, false], isDone: true });
  expect(listener).toHaveBeenCalledTimes(4);
  leave();
  retry.cancel();
  expect(listener).toHaveBeenCalledTimes(4);
});
it("says why the policy could not try", async () => {
  const { ends, onTryAgain } = byHand();
  const retry = new Retry();
  const done = retry.start(0, onTryAgain);
  ends[0]!.reject(new Error("no model"));
  await done;
  expect(retry.get()).toMatchObject({
    isDone: true,
    problem: "Something unexpected happened in the studio.",
  });
});
it("ignores what an attempt that was cancelled still reports", async () => {
  const { asked, ends, onTryAgain } = byHand();
  const retry = new Retry();
  const first = retry.start(0, onTryAgain);
  retry.cancel();
  expect([asked[0]!.signal.aborted, retry.get()]).toEqual([true, null]);
  void retry.start(1, onTryAgain);
  asked[0]!.onTry(true);
  ends[0]!.reject(new Error("cancelled"));
  await first;
  expect(retry.get()).toMatchObject({ turn: 1, outcomes: [], isDone: false, problem: "" });
});
it("aborts what runs when it starts again", () => {
  const { asked, onTryAgain } = byHand();
  const retry = new Retry();
  void retry.start(0, onTryAgain);
  void retry.start(3, onTryAgain);
  expect(asked.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(retry.get()).toMatchObject({ turn: 3 });
});
