import { describe, it } from "vitest";
import { expectClose } from "../testing.ts";
import { lossFactsRef } from "./loss-facts.ref.ts";
import type { RATIO } from "./loss-facts.ts";
import { sequenceLogRatioRef } from "./sequence-log-ratio.ref.ts";

describe("loss_facts", () => {
  it("corrects tokens of another policy by the worked ratio", () => {
    const input = {
      old_logprobs: [Math.log(0.6), Math.log(0.6)],
      advantages: [2, 2],
      ref_logprobs: [0, 0],
      weights: [1, 1],
      rollout_logprobs: [Math.log(0.3), Math.log(0.1)],
    };
    const correct = (behaviour: "mask" | "clamp") => {
      const facts = lossFactsRef(input, { advantage_scale: 1, cap: 5, behaviour, refPolicy: false });
      return [facts[1] as number, facts[5] as number];
    };
    // Ratios 2 and 6: the second is beyond the cap of 5.
    expectClose(correct("mask"), [4, 0]);
    expectClose(correct("clamp"), [4, 10]);
  });
});

describe("sequence_log_ratio", () => {
  const clip = { clip_low: 0.2, clip_high: 0.28 };

  // Two turns of two tokens; the token between them is not the policy's.
  const worked = {
    new_logprobs: [0.1, 0.2, 9, 0.3, 0.4],
    facts: [0, 1, 0, 0, 0, 3, 0, 0, 0, 9, 0, 0, 0, -1, 0, 0, 0, -1, 0, 0],
    mask: [1, 1, 0, 1, 1],
    turn_end_mask: [0, 1, 0, 0, 1],
    starts: [0, 5],
  };
  const of = (ratio: keyof typeof RATIO) => Array.from(sequenceLogRatioRef(worked, ratio, clip));

  it("takes the worked values for sequences and turns", () => {
    expectClose(of("sequence"), Array(5).fill([0.25, 0.5]).flat());
    expectClose(of("turn"), [0.15, 2, 0.15, 2, 0.35, -1, 0.35, -1, 0.35, -1]);
    expectClose(of("turn_product"), [0.3, 2, 0.3, 2, 0.7, -1, 0.7, -1, 0.7, -1]);
    // With one turn the sum of 0.1 … 0.4 is a ratio of 2.71828, their mean one of 1.28403.
    const whole = { ...worked, turn_end_mask: [0, 0, 0, 0, 1] };
    const ratio = (kind: keyof typeof RATIO) => Math.exp(sequenceLogRatioRef(whole, kind, clip)[0] as number);
    expectClose([ratio("turn_product"), ratio("turn")], [Math.E, 1.28403], { rtol: 1e-5 });
  });

  it("clips a token only where its advantage pushes it further", () => {
    // 0.1 and 0.2 of positive advantages stay below 0.28; 0.3 and 0.4 of negative ones may rise freely.
    expectClose(of("clipped_sequence").slice(0, 1), [0.25]);
    const turned = { ...worked, new_logprobs: [0.5, -0.9, 9, -0.5, 0.4] };
    // 0.28 for 0.5, −0.9 as it is, −0.2 for −0.5, 0.4 as it is: −0.42 / 4.
    expectClose([sequenceLogRatioRef(turned, "clipped_sequence", clip)[0] as number], [-0.105]);
  });
});
