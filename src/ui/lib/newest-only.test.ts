import { expect, it } from "vitest";
import { newestOnly } from "./newest-only.ts";

it("works on one question at a time, and skips those that a newer one has replaced", async () => {
  const begun: number[] = [];
  let finish = () => {};
  const ask = newestOnly((question: number) => {
    begun.push(question);
    return new Promise<void>((resolve) => {
      finish = resolve;
    });
  });
  for (const question of [1, 2, 3]) ask(question);
  expect(begun).toEqual([1]);
  finish();
  await Promise.resolve();
  expect(begun).toEqual([1, 3]);
  finish();
  await Promise.resolve();
  ask(4);
  expect(begun).toEqual([1, 3, 4]);
});
