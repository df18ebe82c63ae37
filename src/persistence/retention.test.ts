// What is kept of a run at each moment of it.
import { expect, test } from "vitest";
import { MOST_CHECKPOINTS, outdated, SPARE_BYTES } from "./retention.ts";

interface Stored {
  update: number;
  bytes: number;
}

/** What is kept after each save of a run, newest first. */
function history(saveEvery: number, milestoneEvery: number, bytes = 1, updates = 200): Stored[][] {
  let kept: Stored[] = [];
  return Array.from({ length: updates / saveEvery }, (_, i) => {
    const all = [{ update: (i + 1) * saveEvery, bytes }, ...kept];
    const gone = outdated(all, milestoneEvery);
    kept = all.filter((entry) => !gone.includes(entry));
    return kept;
  });
}
const updates = (kept: readonly Stored[] = []) => kept.map(({ update }) => update);

const RUNS = [
  [1, 1],
  [1, 10],
  [1, 20],
  [1, 100000],
  [10, 10],
  [10, 20],
] as const;

test.each(RUNS)(
  "saved every %i updates with milestones every %i, a run keeps the newest and few others",
  (every, milestoneEvery) => {
    for (const [i, kept] of history(every, milestoneEvery).entries()) {
      const saved = Array.from({ length: i + 1 }, (_, k) => (i + 1 - k) * every);
      const milestones = saved.filter((update) => update % milestoneEvery === 0);
      expect(updates(kept)).toEqual(
        expect.arrayContaining([...saved.slice(0, 2), ...milestones.slice(0, 2)]),
      );
      expect(kept).toHaveLength(Math.min(MOST_CHECKPOINTS, saved.length));
    }
  },
);

test.each(RUNS)(
  "saved every %i updates with milestones every %i, a run can go back about as far as one wants",
  (every, milestoneEvery) => {
    for (const kept of history(every, milestoneEvery, 1, 5000)) {
      const back = updates(kept).map((update) => kept[0]!.update - update + every);
      // To the first checkpoint, and from one to the next by less than a factor of 12: eight of them span 5,000 updates.
      expect(updates(kept).at(-1)).toBe(every);
      for (const [i, distance] of back.slice(2).entries()) expect(distance / back[i + 1]!).toBeLessThan(12);
    }
  },
);

test("the distances grow", () => {
  expect(updates(history(1, 100000).at(-1))).toEqual([200, 199, 197, 193, 181, 163, 90, 1]);
  expect(updates(history(10, 10).at(-1))).toEqual([200, 190, 180, 170, 150, 130, 90, 10]);
  expect(updates(history(1, 20).at(-1))).toEqual([200, 199, 197, 193, 180, 160, 80, 1]);
});

test("large checkpoints take no more room than the newest and the milestones need", () => {
  const third = SPARE_BYTES / 3;
  expect(updates(history(1, 100000, third).at(-1))).toEqual([200, 199, 1]);
  expect(updates(history(1, 100000, third + 1).at(-1))).toEqual([200, 199]);
  expect(updates(history(1, 30, SPARE_BYTES).at(-1))).toEqual([200, 199, 180, 150]);
  for (const kept of history(1, 100000, SPARE_BYTES / 5))
    expect(kept.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThanOrEqual(SPARE_BYTES);
});
