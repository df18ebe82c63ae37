import { expect, test } from "vitest";
import { countersOf } from "./stored-state.ts";

test.each([
  [
    { tokens: 3, klCoef: 0.25 },
    { tokens: 3, klCoef: 0.25 },
  ],
  // Checkpoints from before say 0 where control has not moved yet; one of a run gone wrong says less.
  [{ tokens: 3, klCoef: 0 }, { tokens: 3 }],
  [{ tokens: 3, klCoef: -0.1 }, { tokens: 3 }],
  [{ tokens: 3, somethingElse: 1 }, { tokens: 3 }],
])("of the counters %j a run takes over %j", (stored, want) => {
  expect(countersOf(stored as unknown as Record<string, number>)).toEqual({ ...countersOf(), ...want });
});
