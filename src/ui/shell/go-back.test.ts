import { expect, it } from "vitest";
import { alarms } from "../../rl/alarms/index.ts";
import { checkpointBefore } from "./go-back.tsx";

it("finds the newest checkpoint from before an alarm that advises to go back", () => {
  const { remedy: hint } = alarms.get("entropy_collapse");
  const before = (began: number, stored: readonly number[]) => checkpointBefore({ began, hint }, stored);
  expect(before(25, [37, 36, 30, 20])).toBe(20);
  expect(before(37, [37, 36, 30, 20])).toBe(36);
  expect(before(20, [37, 36, 30, 20])).toBe(undefined);
  expect(before(20, [])).toBe(undefined);
  const { remedy } = alarms.get("sft_loss");
  expect(checkpointBefore({ began: 25, hint: remedy }, [20])).toBe(undefined);
});
