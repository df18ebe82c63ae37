import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { passes } from "./ppo-cost.ts";

test("a critic of its own scores once and is trained in every epoch; an exact KL is the policy's cost", () => {
  const of = (actor: object, keepsRef = false) =>
    passes(checkedRunConfig({ actor: { ppo_epochs: 2, ...actor } }), keepsRef);
  expect(of({ use_kl_loss: false })).toEqual({ policy: 2 + 2 * 3, critic: 1 + 2 * 3 });
  expect(of({ use_kl_loss: true, kl_loss_type: "full" })).toEqual({ policy: 2 + 2 * 4, critic: 1 + 2 * 3 });
  expect(of({ use_kl_loss: true, kl_loss_type: "full" }, true)).toMatchObject({ policy: 3 + 2 * 3 });
});
