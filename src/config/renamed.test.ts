import { describe, expect, test } from "vitest";
import { applyChanges } from "./changes.ts";
import { checkedRunConfig, inspectRunConfig } from "./check.ts";
import { parseOverride } from "./overrides.ts";
import { RunConfig } from "./run-config.ts";
import { importVagen } from "./vagen/import.ts";
import { formatRunConfig, parseRunConfig } from "./yaml.ts";

describe("trainer.concat_multi_turn, which trainer.harness has replaced", () => {
  test.each([
    [true, "concat"],
    [false, "no_concat"],
  ])("%s is read as %s", (old, harness) => {
    const input = { trainer: { concat_multi_turn: old } };
    expect(RunConfig.parse(input)).toEqual(RunConfig.parse({ trainer: { harness } }));
    expect(parseRunConfig(`trainer: { concat_multi_turn: ${old} }`).trainer.harness).toBe(harness);
    expect(checkedRunConfig({ trainer: { concat_multi_turn: old, harness } }).trainer.harness).toBe(harness);
    expect(applyChanges(checkedRunConfig({}), { "trainer.concat_multi_turn": old }).trainer.harness).toBe(
      harness,
    );
    const comment = {
      name: "trainer.yaml",
      text: `trainer: { test_freq: 5 }\n# studio: trainer.concat_multi_turn = ${old}\n`,
    };
    expect(importVagen([comment], { generation: "legacy" }).config.trainer.harness).toBe(harness);
  });

  test("can be set on the command line and is written under its new name", () => {
    const { path, value } = parseOverride("trainer.concat_multi_turn=false");
    const text = formatRunConfig(applyChanges(checkedRunConfig({}), { [path]: value }));
    expect(text).toContain("harness: no_concat");
    expect(text).not.toContain("concat_multi_turn:");
  });

  test("is refused where it contradicts the new setting, or never had that value", () => {
    const problems = (trainer: object) => inspectRunConfig({ trainer }).problems;
    for (const trainer of [{ concat_multi_turn: true, harness: "compact" }, { concat_multi_turn: "off" }])
      expect(problems(trainer)).toEqual([
        expect.objectContaining({
          path: "trainer.concat_multi_turn",
          hint: "Leave it out; true is concat, false is no_concat.",
        }),
      ]);
  });
});
