import { expect, test } from "vitest";
import { checkedRunConfig } from "./check.ts";
import { halvedRate } from "./halved-rate.ts";

test("the rate of the stage in which a run diverged is halved", () => {
  const config = checkedRunConfig({
    sft: { total_updates: 10, one_turn_updates: 0, lr: 4e-3 },
    actor: { lr: 4e-4 },
  });
  expect(halvedRate(config, 10)).toEqual({ path: "sft.lr", from: 4e-3, to: 2e-3 });
  expect(halvedRate(config, 11)).toEqual({ path: "actor.lr", from: 4e-4, to: 2e-4 });
  const warm = checkedRunConfig({ trainer: { init_checkpoint: "x" }, actor: { lr: 4e-4 } });
  expect(halvedRate(warm, 1).path).toBe("actor.lr");
});
