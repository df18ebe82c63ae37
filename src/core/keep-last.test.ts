import { expect, it, vi } from "vitest";
import { keepLast } from "./keep-last.ts";

it("computes a result once for as long as it is among the last", () => {
  const recall = keepLast<string>(2);
  const compute = vi.fn((key: string) => key.toUpperCase());
  const asked = ["a", "b", "a", "c", "b", "a"].map((key) => recall(key, () => compute(key)));
  expect(asked).toEqual(["A", "B", "A", "C", "B", "A"]);
  expect(compute.mock.calls.flat()).toEqual(["a", "b", "c", "a"]);
});

it("keeps undefined, and nothing of what throws", () => {
  const recall = keepLast<undefined>(2);
  const compute = vi.fn(() => undefined);
  expect(() =>
    recall("a", () => {
      throw new Error("no");
    }),
  ).toThrow("no");
  recall("a", compute);
  recall("a", compute);
  expect(compute).toHaveBeenCalledOnce();
});
