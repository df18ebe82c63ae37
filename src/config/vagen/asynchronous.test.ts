// Asynchronous trainers: veRL's and VAGEN's keys become the studio's limits, and are written again.
import { describe, expect, test } from "vitest";
import { RunConfig } from "../run-config.ts";
import { exportVagen } from "./export.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";

const limits = (...overrides: string[]) => {
  const { config, findings } = importVagen([], { overrides });
  expect([...ofKind(findings, "unknown"), ...ofKind(findings, "refused")]).toEqual([]);
  const { max_head_offpolicyness: staleness, max_inflight_steps: steps } = config.rollout;
  return { staleness, steps };
};

const ASYNC = ["trainer.use_v1=True", "trainer.v1.trainer_mode=colocate_async"];

describe("the asynchronous trainer", () => {
  test.each([
    ["without a threshold has veRL's", ASYNC, { staleness: 8, steps: 2 }],
    [
      "with a threshold",
      [...ASYNC, "trainer.v1.sampler.max_off_policy_threshold=3"],
      { staleness: 3, steps: 2 },
    ],
    [
      "with a threshold above the studio's",
      [...ASYNC, "trainer.v1.sampler.max_off_policy_threshold=99"],
      { staleness: 16, steps: 2 },
    ],
    ["with a limit of steps", [...ASYNC, "trainer.v1.max_inflight_steps=4"], { staleness: 8, steps: 4 }],
    [
      "that is synchronous",
      ["trainer.use_v1=True", "trainer.v1.trainer_mode=sync"],
      { staleness: 0, steps: 2 },
    ],
    ["that is off", ["trainer.use_v1=False"], { staleness: 0, steps: 2 }],
  ])("%s", (_, overrides, want) => expect(limits(...overrides)).toEqual(want));

  test("is written with both limits, and read again as the same", () => {
    const config = RunConfig.parse({ rollout: { max_head_offpolicyness: 3, max_inflight_steps: 4 } });
    const { rollout } = importVagen(exportVagen(config, "lite")).config;
    expect(rollout).toMatchObject({ max_head_offpolicyness: 3, max_inflight_steps: 4 });
  });

  test("is not written for a run that plays and trains in turn", () => {
    const texts = exportVagen(RunConfig.parse({}), "lite").map(({ text }) => text);
    expect(texts.join("\n")).not.toContain("use_v1");
  });
});
