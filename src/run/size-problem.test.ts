// The advice for every way of being too large is followed, and must then fit.
import { describe, expect, test } from "vitest";
import { applyChanges, getPath } from "../config/changes.ts";
import { getPreset, presets } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { plainText } from "../core/message.ts";
import { runSize } from "./size.ts";
import { DEFAULT_LIMIT, tooLarge } from "./size-problem.ts";

const MIB = 2 ** 20;

const base = getPreset("frozenlake-base").config;
const cases: [string, RunConfig, number, string][] = [
  [
    "tokens",
    applyChanges(base, { "trainer.micro_batch_tokens": 1048576 }),
    DEFAULT_LIMIT,
    "trainer.micro_batch_tokens",
  ],
  ["layers", applyChanges(base, { "model.num_hidden_layers": 64 }), DEFAULT_LIMIT, "model.num_hidden_layers"],
  [
    "width",
    applyChanges(base, {
      "model.hidden_size": 4096,
      "model.num_attention_heads": 64,
      "model.num_key_value_heads": 64,
    }),
    DEFAULT_LIMIT,
    "model.hidden_size",
  ],
  [
    "mlp",
    applyChanges(base, { "model.intermediate_size": 16384, "trainer.micro_batch_tokens": 65536 }),
    DEFAULT_LIMIT,
    "model.intermediate_size",
  ],
  [
    "episodes",
    applyChanges(base, { "rollout.train_batch_size": 1024, "trainer.micro_batch_tokens": 4096 }),
    32 * MIB,
    "rollout.train_batch_size",
  ],
  [
    "long episodes",
    applyChanges(base, {
      "rollout.max_turns": 20,
      "rollout.response_length": 2048,
      "trainer.micro_batch_tokens": 65536,
    }),
    DEFAULT_LIMIT,
    "rollout.response_length",
  ],
  [
    "everything",
    applyChanges(getPreset("frozenlake-large").config, {
      "rollout.train_batch_size": 1024,
      "trainer.micro_batch_tokens": 1048576,
    }),
    DEFAULT_LIMIT,
    "trainer.micro_batch_tokens",
  ],
];

describe("a run over the limit", () => {
  test.each(cases)("%s: names settings with their values, and values that fit", (_, config, limit, path) => {
    const advice = tooLarge(config, runSize(config), limit)!;
    expect(plainText(advice.message)).toContain(`${path} = ${getPath(config, path)}`);
    const hint = plainText(advice.hint);
    expect(advice.remedy, hint).not.toBeNull();
    for (const [setting, value] of Object.entries(advice.remedy!))
      expect(hint).toContain(`${setting} to ${value} or less`);
    const repaired = applyChanges(config, advice.remedy!);
    expect(tooLarge(repaired, runSize(repaired), limit), hint).toBeNull();
  });

  test("says whose limit it is", () => {
    const [, config] = cases[0]!;
    const said = (limit: number) => plainText(tooLarge(config, runSize(config), limit)!.message);
    expect(said(DEFAULT_LIMIT)).toContain("every WebGPU device allows 128.0 MiB");
    expect(said(64 * MIB)).toContain("this adapter allows 64.0 MiB");
  });
});

test("no preset needs more than every device allows", () => {
  for (const { config } of presets.all) expect(tooLarge(config, runSize(config), DEFAULT_LIMIT)).toBeNull();
});
