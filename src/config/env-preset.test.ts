import { describe, expect, test } from "vitest";
import { envs } from "../envs/index.ts";
import { applyChanges } from "./changes.ts";
import { checkedRunConfig, inspectRunConfig } from "./check.ts";
import { describeRunConfig } from "./describe.ts";
import { hasPreset, presetRemedy } from "./env-preset.ts";
import { parseOverride } from "./overrides.ts";
import { presets } from "./presets.ts";
import { problemText } from "./rules/problem.ts";
import { formatRunConfig, parseRunConfig } from "./yaml.ts";

/** Problems with their texts as the command line has them. */
const problemsOf = (...given: Parameters<typeof inspectRunConfig>) =>
  inspectRunConfig(...given).problems.map((problem) => ({ ...problem, ...problemText(problem) }));

const LAKE = { max_actions_per_step: 3, format_reward: 0.5, success_reward: 10, text_cells: "legacy" };
const ROOM = { ...LAKE, penalty_for_step: -0.1, reward_box_on_target: 1, penalty_box_off_target: -1 };
const overridden = (preset: string, ...overrides: string[]) =>
  applyChanges(
    presets.get(preset).config,
    Object.fromEntries(overrides.map(parseOverride).map(({ path, value }) => [path, value])),
  );

describe("the reward constants of VAGEN's generations", () => {
  test("stand beneath what a file says", () => {
    const lake = parseRunConfig("env: { preset: legacy, config: { format_reward: 0.1, size: 5 } }");
    expect(lake.env.config).toMatchObject({ ...LAKE, format_reward: 0.1, size: 5 });
    expect(parseRunConfig("env: { name: sokoban, preset: legacy }").env.config).toMatchObject(ROOM);
  });

  test("are those of the tables in the docs, and lite's are what a task does by itself, but for the text", () => {
    expect(parseRunConfig("env: { preset: legacy }").env.config).toMatchObject(LAKE);
    for (const name of ["frozenlake", "sokoban"])
      expect(parseRunConfig(`env: { name: ${name}, preset: lite }`).env.config).toEqual(
        parseRunConfig(`env: { name: ${name}, config: { text_cells: lite } }`).env.config,
      );
  });

  test("set by name replace what was written before; what is set with them wins", () => {
    const legacy = overridden("frozenlake-nano", "env.preset=legacy");
    expect(legacy.env.config).toMatchObject({ ...LAKE, size: 4 });
    for (const overrides of [
      ["env.preset=legacy", "env.config.success_reward=3"],
      ["env.config.success_reward=3", "env.preset=legacy"],
    ])
      expect(overridden("sokoban-nano", ...overrides).env.config).toMatchObject({
        ...ROOM,
        success_reward: 3,
        min_solution_steps: [1, 5],
      });
    // Chosen already: what was written over them stays.
    const kept = applyChanges(applyChanges(legacy, { "env.config.success_reward": 3 }), {
      "env.preset": "legacy",
    });
    expect(kept.env.config).toMatchObject({ success_reward: 3, format_reward: 0.5 });
    expect(applyChanges(kept, { "env.preset": "none" }).env.config).toMatchObject({
      success_reward: 1,
      format_reward: 0.02,
      max_actions_per_step: 5,
    });
  });

  test("go along to another task", () => {
    const room = overridden("frozenlake-nano", "env.preset=legacy", "env.name=sokoban");
    expect(room.env).toMatchObject({ preset: "legacy", config: ROOM });
    expect(applyChanges(room, { "env.name": "frozenlake" }).env).toMatchObject({
      preset: "legacy",
      config: LAKE,
    });
  });

  test("are written as a name, with what differs from them, and read back the same", () => {
    const config = overridden(
      "frozenlake-nano",
      "env.preset=legacy",
      "env.config.format_reward=0.02",
      "env.config.size=5",
    );
    const text = formatRunConfig(config);
    expect(text).toContain(
      "env:\n  name: frozenlake\n  preset: legacy\n  config:\n    size: 5\n    format_reward: 0.02\n",
    );
    for (const options of [{}, { all: true }, { comments: true }])
      expect(parseRunConfig(formatRunConfig(config, options))).toEqual(config);
  });

  test("of another task are refused, with those that there are", () => {
    expect(problemsOf({ env: { preset: "measuring" } })).toMatchObject([
      { path: "env.preset", value: "measuring", hint: "Known are: none, lite, legacy." },
    ]);
    expect(problemsOf({ env: { preset: 3 } })).toMatchObject([
      { path: "env.preset", value: 3, hint: expect.stringContaining('"none"') },
    ]);
  });

  test("are refused by an unknown name, and where a task has none of that name", () => {
    expect(problemsOf({ env: { preset: "legcy" } })).toMatchObject([
      { path: "env.preset", value: "legcy", hint: 'Did you mean "legacy"?' },
    ]);
    expect(() => overridden("frozenlake-nano", "env.preset=old")).toThrow(/env\.preset is "old"/);
    const bare = { ...envs.get("frozenlake"), presets: {} };
    expect(hasPreset(bare, "none")).toBe(true);
    const specs = { all: [bare], ids: ["frozenlake"], get: () => bare };
    expect(problemsOf({ env: { preset: "legacy" } }, specs)).toMatchObject([
      {
        path: "env.preset",
        message: 'env.preset is "legacy"; "frozenlake" has no preset of that name.',
        hint: presetRemedy(bare, "legacy"),
      },
    ]);
  });
});

describe("every preset that an environment has", () => {
  const all = envs.all.flatMap(({ id, presets: named }) =>
    Object.keys(named).map((name) => [id, name] as const),
  );
  /** A task without claims has another format and nothing to judge. */
  const talk = (id: string) =>
    envs.get(id).claims.length > 0 ? {} : { rollout: { prompt_format: "boxed" }, judge: { name: "off" } };
  const written = (id: string, name: string) =>
    checkedRunConfig({ env: { name: id, preset: name }, ...talk(id) });

  test.each(all)("%s %s is documented and accepted, with its values", (id, name) => {
    expect(describeRunConfig().find(({ path }) => path === "env.preset")!.options).toContain(name);
    expect(written(id, name).env.config).toMatchObject(envs.get(id).presets[name]!);
  });

  test.each(all)("%s %s is read from YAML and the command line, and written as its name", (id, name) => {
    const config = written(id, name);
    const text = formatRunConfig(config);
    expect(text).toContain(`preset: ${name}\n`);
    expect(parseRunConfig(text)).toEqual(config);
    const before = checkedRunConfig({ env: { name: id }, ...talk(id) });
    const { path, value } = parseOverride(`env.preset=${name}`);
    expect(applyChanges(before, { [path]: value }).env).toEqual(config.env);
  });
});
