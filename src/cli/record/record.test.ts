// The command `record`, as far as it needs no device.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { checkedRunConfig } from "../../config/check.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { fakeTrajectory } from "../../ui/testing/fake-trajectory.ts";
import { main } from "../main.ts";
import { testIo } from "../testing/io.ts";
import { inputsCommit } from "./commit.ts";
import { readyPolicy } from "./policy.ts";
import { policies, recordings } from "./recordings.ts";
import { headlineOf, highlightsOf, storyOf } from "./story.ts";

await Promise.all(envs.ids.map(loadEnv));

describe("a wrong call", () => {
  test.each([
    [[], "record needs --checkpoint and --seed, or --all."],
    [["--checkpoint", "frozenlake-nano-trained"], "record needs --checkpoint and --seed"],
    [["--checkpoint", "x", "--seed", "one"], '--seed is "one"; expected a whole number'],
    [
      ["--checkpoint", "x", "--seed", "1", "--temperature", "9"],
      '--temperature is "9"; expected a number from 0 to 5',
    ],
    [["--find", "a,b,c"], "--find names 3 policies."],
    [
      ["--find", "frozenlake-nano-trained,sokoban-nano-trained"],
      "frozenlake-nano-trained plays frozenlake, and sokoban-nano-trained plays sokoban.",
    ],
    [["--find", "navigation-text-small-warmup,navigation-small-warmup"], "have different validation levels."],
    // The same seeds, with other options.
    [["--find", "sokoban-small-trained,sokoban-long-small-trained"], "have different validation levels."],
    [
      ["--checkpoint", "x", "--seed", "99999999999"],
      '--seed is "99999999999"; expected a whole number from 0 to 2147483647.',
    ],
    [["--checkpoint", "x", "--seed", "1", "--stories"], "--stories is given without --find."],
  ])("%j", async (args, message) => {
    const io = testIo();
    expect(await main(["record", ...args], io)).toBe(2);
    expect(io.written.err).toContain(message);
  });

  test("an unknown policy is named, with the nearest one", async () => {
    const io = testIo();
    expect(await main(["record", "--checkpoint", "frozenlake-nano-traned", "--seed", "1"], io)).toBe(1);
    expect(io.written.err).toContain(
      '--checkpoint is "frozenlake-nano-traned"; there is no such checkpoint.',
    );
    expect(io.written.err).toContain("frozenlake-nano-trained");
  });
});

describe("the policies of the case studies", () => {
  test.each(Object.entries(policies))("%s is there without a training", async (name, source) => {
    // Before it is asked for: a missing file would be trained.
    if (!("checkpoint" in source))
      expect(existsSync(`public/checkpoints/case-studies/${name}.safetensors`)).toBe(true);
    const io = testIo();
    const { origin } = await readyPolicy(name, source, io);
    expect(io.written).toEqual({ out: "", err: "" });
    expect(origin).toMatch("checkpoint" in source ? /^[\w-]+$/ : /^npm run train -- --preset /);
  });

  test("are all recorded", () => {
    const recorded = new Set<string>(recordings.map(({ policy }) => policy));
    expect([...recorded].sort()).toEqual(Object.keys(policies).sort());
  });
});

test("a file of other settings is not recorded", async () => {
  const { recipe, stage } = policies["frozenlake-nano-hacked"];
  const other = {
    recipe: { ...recipe, settings: { ...recipe.settings, "reward.scale_by_turns": true } },
    stage,
  };
  await expect(readyPolicy("frozenlake-nano-hacked", other, testIo())).rejects.toThrow(
    "was trained with reward.scale_by_turns false, not true",
  );
});

test("the commit is one of the sources that an episode follows from", () => {
  expect(inputsCommit()).toMatch(/^([0-9a-f]{12})?$/);
});

test.each(envs.ids)("an episode in words: %s", (envId) => {
  const trajectory = fakeTrajectory({ envId, seed: 4, skill: 0.4 });
  const config = checkedRunConfig({
    env: { name: envId },
    ...(envs.get(envId).claims.length === 0 && {
      rollout: { prompt_format: "boxed" },
      judge: { name: "off" },
    }),
  });
  const highlights = highlightsOf(trajectory, config);
  expect(headlineOf(highlights)).toMatch(trajectory.success ? /^succeeds in / : /^fails in /);
  const story = storyOf(trajectory, config);
  for (const { reply } of trajectory.turns) expect(story).toContain(reply);
  for (const turn of highlights.wrongBeliefs)
    expect(trajectory.turns[turn - 1]!.verdicts.observation!.score).toBeLessThan(1);
});

test("docs/results.md gives the settings of the runs with a short SFT", async () => {
  const docs = await readFile("docs/results.md", "utf8");
  const [, text] = /short=\(([^)]*)\)/.exec(docs)!;
  const given = Object.fromEntries(
    [...text!.matchAll(/--set (\S+)=(\S+)/g)].map(([, path, value]) => [path, value]),
  );
  const { "trainer.total_updates": _, ...settings } = policies["frozenlake-nano-short"].recipe.settings;
  expect(given).toEqual(
    Object.fromEntries(Object.entries(settings).map(([path, value]) => [path, String(value)])),
  );
});
