import { describe, expect, it } from "vitest";
import { checkedRunConfig, inspectRunConfig } from "./check.ts";
import { entryConfig, envIdsOf, furtherEntries, mostTurns } from "./entries.ts";
import { trainingSeeds, validationSeeds } from "./levels.ts";
import { problemText } from "./rules/problem.ts";
import type { RunConfigInput } from "./run-config.ts";
import { formatRunConfig, parseRunConfig } from "./yaml.ts";

const several = checkedRunConfig({
  rollout: { max_turns: 4 },
  trainer: {
    train_seeds: "1-50",
    val_sets: { more: { seeds: "7000" }, hard: { seeds: "8", env: "sokoban" } },
  },
  envs: {
    sokoban: { weight: 0.5, config: { min_solution_steps: [1, 5] }, max_turns: 6 },
    wide: { name: "frozenlake", preset: "legacy", config: { size: 6 }, train_seeds: "5-9", val_seeds: "3" },
  },
});

describe("further environments", () => {
  it("are runs of their own in all but what they share", () => {
    const [sokoban, wide] = furtherEntries(several);
    expect(sokoban).toMatchObject({ name: "sokoban", weight: 0.5 });
    expect(sokoban!.config).toMatchObject({
      env: { name: "sokoban", config: { min_solution_steps: [1, 5], dim_room: [6, 6] } },
      envs: {},
      rollout: { max_turns: 6 },
      trainer: { train_seeds: "1-50", val_sets: { hard: { seeds: "8", config: {} } } },
    });
    expect(wide!.config.env).toMatchObject({ name: "frozenlake", config: { size: 6, success_reward: 10 } });
    expect(trainingSeeds(wide!.config)).toEqual([5, 6, 7, 8, 9]);
    expect(validationSeeds(wide!.config)).toEqual([3]);
  });

  it("are found by name, and the first without one", () => {
    expect(entryConfig(several, "sokoban").env.name).toBe("sokoban");
    expect(entryConfig(several)).toBe(several);
    expect(envIdsOf(several)).toEqual(["frozenlake", "sokoban", "frozenlake"]);
    expect(mostTurns(several)).toBe(6);
  });
});

describe("a further environment is refused with its path", () => {
  it.each<[string, object, RegExp]>([
    ["no such environment", { sokobn: {} }, /envs\.sokobn\.name is "sokobn"; .*\nDid you mean "sokoban"/],
    [
      "no such option",
      { sokoban: { config: { dim: 6 } } },
      /envs\.sokoban\.config\.dim is 6; there is no option/,
    ],
    [
      "an impossible level",
      { sokoban: { config: { num_boxes: 99 } } },
      /envs\.sokoban\.config\.num_boxes is 99; a 6×6/,
    ],
    ["its seeds", { sokoban: { train_seeds: "9-1" } }, /envs\.sokoban\.train_seeds is "9-1"/],
    ["its weight", { sokoban: { weight: 0 } }, /envs\.sokoban\.weight is 0; it must be at least 0\.001/],
    ["its turns", { sokoban: { max_turns: 99 } }, /envs\.sokoban\.max_turns is 99; it must be at most 20/],
    ["a misspelt part", { sokoban: { wieght: 1 } }, /envs\.sokoban\.wieght is 1; .*\nDid you mean "weight"/],
    ["the first one's name", { frozenlake: {} }, /envs is "frozenlake"; the name frozenlake is taken/],
    ["a name with a blank", { "a b": { name: "sokoban" } }, /envs is "a b"; it is not a valid name/],
    ["a list", [{ name: "sokoban" }], /envs is .*; it must be values by name/],
  ])("%s", (_, envs, expected) => {
    const problems = inspectRunConfig({ envs }).problems.map(problemText);
    expect(problems.map(({ message, hint }) => `${message}\n${hint}`).join("\n")).toMatch(expected);
  });

  it.each<[object, string]>([
    [{ weight: 0 }, "Use a number from 0.001 to 1000, or leave it out."],
    [{ max_turns: 0 }, "Use a whole number from 1 to 20, or leave it out."],
    [{ train_seeds: true }, "Use a text, or leave it out."],
    [{ config: 5 }, "Use options by name, or leave it out."],
  ])("and the remedy for %j is about that setting alone", (entry, hint) => {
    const problems = inspectRunConfig({ envs: { sokoban: entry } }).problems.map(problemText);
    expect(problems.map((problem) => problem.hint)).toEqual([hint]);
  });

  it.each([{ sokoban: 5 }, { weight: 5 }])("%j has an entry as its example", (envs) => {
    const [problem] = inspectRunConfig({ envs }).problems.map(problemText);
    expect(problem!.hint).toBe('Write environments by name, e.g. "envs: { sokoban: { weight: 0.5 } }".');
  });

  it("and so is a name that a set of levels has, with a remedy that can be used", () => {
    const trainer = { val_sets: { more: { seeds: "7" } } };
    const [taken] = inspectRunConfig({ trainer, envs: { more: { name: "sokoban" } } }).problems.map(
      problemText,
    );
    expect(taken!.hint).toBe("Give it another name, e.g. more_2: { name: sokoban }.");
    const sets = { val_sets: { frozenlake: { seeds: "7" } } };
    const [own] = inspectRunConfig({ trainer: sets }).problems.map(problemText);
    expect(own!.message).toBe(
      `trainer.val_sets is "frozenlake"; metrics of the run's environment already have this name.`,
    );
    const odd = { val_sets: { "a b": { seeds: "7" } } };
    const [unfit] = inspectRunConfig({ trainer: odd }).problems.map(problemText);
    expect(unfit!.message).toBe('trainer.val_sets is "a b"; it is not a valid name for a set.');
  });

  it.each<[string, RunConfigInput]>([
    [
      "rollout.workflow",
      { env: { name: "visual-math" }, rollout: { workflow: "areal", prompt_format: "boxed" } },
    ],
    ["trainer.harness", { trainer: { harness: "compact" } }],
    ["actor.use_pivot", { actor: { use_pivot: true } }],
    ["critic.asymmetric", { critic: { asymmetric: true } }],
  ])("and so is %s, which knows one environment", (path, input) => {
    expect(() => checkedRunConfig({ ...input, envs: { sokoban: {} } })).toThrow(
      `${path} has a value that works with one environment only`,
    );
  });
});

it("offers to change a setting of all environments where one of them needs it and the first may have it", () => {
  const fixesOf = (input: RunConfigInput) => inspectRunConfig(input).problems.map(({ fix }) => fix);
  const cards = { blackjack: {} };
  expect(fixesOf({ envs: cards })).toEqual([
    { path: "rollout.prompt_format", value: "free_think" },
    { path: "judge.name", value: "off" },
  ]);
});

it("survives a file", () => {
  expect(parseRunConfig(formatRunConfig(several))).toEqual(several);
});
