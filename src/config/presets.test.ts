import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { envIdsOf } from "./entries.ts";
import { getPreset, presets } from "./presets.ts";
import type { RunConfig } from "./run-config.ts";
import { importVagen } from "./vagen/import.ts";
import { parseRunConfig } from "./yaml.ts";

test("every file in public/presets is a preset, small ones first", () => {
  const files = readdirSync("public/presets")
    .filter((name) => name.endsWith(".yaml"))
    .map((file) => file.replace(".yaml", ""));
  expect([...presets.ids].sort()).toEqual(files.sort());
  expect(presets.ids).toEqual([
    "frozenlake-nano",
    "frozenlake-small",
    "frozenlake-base",
    "frozenlake-large",
    "frozenlake-critic-small",
    "sokoban-nano",
    "sokoban-small",
    "sokoban-base",
    "sokoban-long-small",
    "sokoban-recipe-nano",
    "visual-math-nano",
    "visual-math-areal-nano",
    "navigation-small",
    "navigation-base",
    "navigation-text-nano",
    "navigation-text-small",
    "primitive-skill-nano",
    "primitive-skill-small",
    "primitive-skill-base",
    "svg-nano",
    "svg-small",
    "svg-base",
    "blackjack-nano",
    "spatial-gym-small",
    "spatial-gym-base",
    "spatial-gym-map-small",
    "spatial-gym-rooms-text-nano",
    "spatial-gym-text-nano",
    "three-tasks-small",
  ]);
});

test.each(presets.all.map((preset) => [preset.id, preset] as const))("%s says what it is", (id, preset) => {
  const tasks = new Set(envIdsOf(preset.config));
  expect(id.startsWith(tasks.size > 1 ? "three-tasks" : preset.config.env.name)).toBe(true);
  for (const text of [preset.name, preset.description, preset.expectedTime]) expect(text).not.toBe("");
  const worldModelling = { prompt_format: "grounding_worldmodeling", max_turns: 5 };
  const talk: Readonly<Record<string, object>> = {
    svg: { prompt_format: "grounding", max_turns: 2 },
    blackjack: { prompt_format: "free_think", max_turns: 5 },
    "visual-math": { prompt_format: "boxed", max_turns: 3 },
    navigation: { ...worldModelling, max_turns: 6 },
    "primitive-skill": { ...worldModelling, max_turns: 4 },
    "primitive-skill-nano": { prompt_format: "grounding", max_turns: 3 },
    "spatial-gym-text-nano": { prompt_format: "grounding", max_turns: 5 },
    "spatial-gym-rooms-text-nano": { prompt_format: "grounding", max_turns: 10 },
  };
  expect(preset.config.rollout).toMatchObject(talk[id] ?? talk[preset.config.env.name] ?? worldModelling);
});

test.each(presets.all)("$id, parsed when the page is built, is what its text says", ({ config, yaml }) => {
  expect(config).toEqual(parseRunConfig(yaml));
});

test("Visual math nano says why its greedy success begins near 0", () => {
  const { config, description } = getPreset("visual-math-nano");
  expect(config.sft.random_fraction).toBe(3 / 5);
  expect(description).toMatch(/Three in five of the turns .+ are guesses.+greedy success begins near 0/);
  const measured = readFileSync("public/checkpoints/README.md", "utf8");
  const [, sampled, greedy] = /\| `visual-math-nano-warmup` \| \d+ \| ([\d.]+) \(([\d.]+)\)/.exec(measured)!;
  expect(Number(greedy)).toBeLessThan(0.05);
  expect(Number(sampled)).toBeGreaterThan(0.6);
});

test("no preset says that PPO begins at once, because a validation comes first", () => {
  for (const { id, description } of presets.all) expect(description, id).not.toMatch(/PPO begins at once/);
});

test.each([
  ["nano", 32, 2],
  ["small", 64, 2],
  ["base", 256, 4],
  ["large", 512, 8],
])("%s has one size in every task", (size, hidden_size, num_hidden_layers) => {
  const models = presets.all.filter(({ id }) => id.endsWith(size)).map(({ config }) => config.model);
  for (const model of models) expect(model).toMatchObject({ hidden_size, num_hidden_layers });
});

test("an unknown preset is refused with the nearest name", () => {
  expect(() => getPreset("frozenlake-nanno")).toThrow(
    expect.objectContaining({ code: "unknown_id", hint: 'Did you mean "frozenlake-nano"?' }),
  );
});

test("the Sokoban recipe is VAGEN's validated one, on the model of sokoban-nano", () => {
  const { config } = getPreset("sokoban-recipe-nano");
  expect(config.model).toEqual(getPreset("sokoban-nano").config.model);
  expect(config.seed).toBe(42);
  expect(config.algorithm).toMatchObject({
    adv_estimator: "bi_level_gae_variable_clock",
    gamma: 1,
    lam: 1,
    gamma_turn: 0.95,
    lambda_turn: 0.95,
    lambda_token: 1,
    bi_level_mix: 0.75,
  });
  expect(config.reward).toMatchObject({
    use_state_reward: true,
    judge_scoring: "clauses",
    score_base: 0.625,
    grounding_reward_weight: 0.006,
    worldmodeling_reward_weight: 0.006,
    scale_by_turns: false,
    claim_aggregation: "episode_mean",
  });
  expect(config.env.config).toMatchObject({ success_reward: 1, format_reward: 0.03 });
  const { config: imported } = importVagen([], { overrides: ["trainer.harness=concat"] });
  const meansOf = ({ actor, critic }: RunConfig) => [actor.loss_agg_mode, critic.loss_agg_mode];
  expect(meansOf(config)).toEqual(meansOf(imported));
});
