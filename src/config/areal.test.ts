// Configurations of AReaL's workflow: rows 11 and 12 of its bug-to-invariant table, and what it does not go with.
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { inspectRunConfig } from "./check.ts";
import { presets } from "./presets.ts";

type Input = Record<string, Record<string, unknown>>;
const problems = (input: Input) => inspectRunConfig(input).problems;

describe("configurations of the areal workflow", () => {
  it("row 11: a misspelt key is refused with the one that was meant", () => {
    expect(problems({ rollout: { export_stile: "concat" } })[0]).toMatchObject({
      path: "rollout.export_stile",
      hint: expect.stringContaining("export_style"),
    });
    expect(problems({ actor: { behave_imp_weight_cap: 5 } })[0]!.hint).toContain("behav_imp_weight_cap");
  });

  it("row 11: every preset file of the project is a sound configuration", () => {
    const files = readdirSync("public/presets").filter((name) => name.endsWith(".yaml"));
    expect(files.length).toBe(presets.all.length);
    for (const { config } of presets.all) expect(problems(config as unknown as Input)).toEqual([]);
    for (const file of files) expect(readFileSync(`public/presets/${file}`, "utf8")).toContain("version: 1");
  });

  it("is refused for games, whose state an answer changes", () => {
    const reward = { scale_by_turns: false };
    const found = problems({ rollout: { workflow: "areal" }, reward });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ path: "rollout.workflow", value: "areal" });
    expect(found[0]!.message).toContain("frozenlake is a game");
    expect(found[0]!.hint).toContain('Use "vagen"');
  });

  it.each([
    ["reward.scale_by_turns", {}, true],
    ["trainer.concat_multi_turn", { trainer: { concat_multi_turn: false } }, false],
    ["rollout.feedback", { rollout: { workflow: "areal", feedback: "no<eos>" } }, "no<eos>"],
    ["rollout.feedback", { rollout: { workflow: "areal", feedback: " " } }, " "],
    [
      "rollout.use_gae_mask",
      { rollout: { workflow: "areal", export_style: "individual", use_gae_mask: false } },
      false,
    ],
  ])("says that %s does not go with it", (path, input: Input, value) => {
    const found = problems({ rollout: { workflow: "areal" }, ...input });
    expect(found.filter((problem) => problem.path === path)).toEqual([
      expect.objectContaining({ value, hint: expect.stringMatching(/\S/) }),
    ]);
  });

  it("keeps its export styles to itself, and its numbers in range", () => {
    expect(problems({ rollout: { export_style: "individual" } })[0]).toMatchObject({
      path: "rollout.export_style",
      hint: expect.stringContaining("trainer.concat_multi_turn"),
    });
    expect(problems({ rollout: { turn_discount: 0 } })[0]!.path).toBe("rollout.turn_discount");
    expect(problems({ rollout: { turn_discount: 1.1 } })[0]!.path).toBe("rollout.turn_discount");
  });
});
