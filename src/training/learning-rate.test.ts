import { expect, test } from "vitest";
import { RunConfig, type RunConfigInput } from "../config/run-config.ts";
import { ppoRateShare, sftRate } from "./learning-rate.ts";

const UPDATES = [1, 2, 3, 4, 5, 6, 7];

/** Shares of the rates at updates 1 to 7 of 6; the last one is beyond the end, where a run may be continued. */
const shares = (actor: RunConfigInput["actor"]) => {
  const config = RunConfig.parse({ actor, trainer: { total_updates: 6 } });
  return UPDATES.map((update) => ppoRateShare(config, update));
};

const expectRates = (got: readonly number[], want: readonly number[]) =>
  got.forEach((rate, i) => {
    expect(rate, `update ${i + 1}`).toBeCloseTo(want[i] as number, 9);
  });

test("PPO's rates rise for as many updates as are set, and then stay", () => {
  expectRates(shares({ lr_schedule: "constant", lr_warmup_updates: 4 }), [0.25, 0.5, 0.75, 1, 1, 1, 1]);
  expectRates(shares({ lr_schedule: "constant" }), [1, 1, 1, 1, 1, 1, 1]);
});

test.each([
  ["linear", [0.5, 1, 0.8, 0.6, 0.4, 0.2, 0.2]],
  // 0.2 + 0.8 · ½(1 + cos(π·k/4)) for k = 1 to 4.
  ["cosine", [0.5, 1, 0.8828427125, 0.6, 0.3171572875, 0.2, 0.2]],
] as const)("after the warm-up a %s schedule falls to its final share by the last update", (shape, want) => {
  expectRates(shares({ lr_schedule: shape, lr_warmup_updates: 2, min_lr_ratio: 0.2 }), want);
});

test("a constant schedule has no final share", () => {
  expectRates(shares({ lr_schedule: "constant", min_lr_ratio: 0.2 }), [1, 1, 1, 1, 1, 1, 1]);
});

test("a warm-up that is as long as the run ends at the whole rate", () => {
  expectRates(shares({ lr_schedule: "linear", lr_warmup_updates: 6 }), [
    1 / 6,
    2 / 6,
    3 / 6,
    4 / 6,
    5 / 6,
    1,
    0,
  ]);
});

test("SFT's rate rises and falls along a cosine to its final share, over its own updates or those that it falls over", () => {
  const sft = { lr: 0.01, lr_warmup_steps: 2, min_lr_ratio: 0.2, total_updates: 6 };
  const rates = (more: RunConfigInput["sft"]) => {
    const config = RunConfig.parse({ sft: { ...sft, ...more } });
    return UPDATES.map((update) => sftRate(config, update));
  };
  expectRates(rates({}), [0.005, 0.01, 0.008828427125, 0.006, 0.003171572875, 0.002, 0.002]);
  // Ended early, it goes on as if it had not been.
  expect(rates({ total_updates: 4, lr_decay_updates: 6 })).toEqual(rates({}));
});
