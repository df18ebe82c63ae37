// docs/examples/extension.mjs exactly as it stands there: read as a module, registered, named by a configuration.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig, inspectRunConfig } from "../config/check.ts";
import { describeRunConfig, describeWeights } from "../config/describe.ts";
import { problemText } from "../config/rules/problem.ts";
import { formatRunConfig, parseRunConfig } from "../config/yaml.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { estimators } from "../rl/advantage/index.ts";
import { randomBatch } from "../rl/advantage/testing.ts";
import { filters } from "../rl/filter/index.ts";
import { episodeMetrics } from "../rl/metrics.ts";
import { rewardTerms } from "../rl/reward/index.ts";
import { assertExtensions, extensionRecords, installExtensions } from "./extensions.ts";

const source = readFileSync("docs/examples/extension.mjs", "utf8");
const example = { name: "extension.mjs", source };

afterEach(() => void installExtensions([]));

describe("the example of docs/extending.md", () => {
  it("registers one of each kind", async () => {
    const [registered] = await installExtensions([example]);
    expect(registered?.provides).toEqual([
      "estimator reward_to_go",
      "rewardTerm shorter",
      "filter unsettled",
      "metric words_per_reply",
    ]);
  });

  it("has an estimator that is masked GAE at λ = 1", async () => {
    await installExtensions([example]);
    const batch = randomBatch(7, 12, { inner: true, bootstrap: true });
    const params = { gamma: 0.97, lambda: 1, turnGamma: 1 };
    const [got, want] = ["reward_to_go", "masked_gae"].map((id) =>
      estimators.get(id).estimate(batch, params),
    );
    for (const part of ["advantages", "returns"] as const)
      for (const [i, x] of want![part].entries()) expect(got![part][i]).toBeCloseTo(x, 10);
  });

  it("has a term between 0 and 1, a filter for unsettled levels, and a metric", async () => {
    await installExtensions([example]);
    const said = (length: number) => rewardTerms.get("shorter").score({ reply: "x".repeat(length) } as Turn);
    expect([50, 200, 400].map(said)).toEqual([1, 0.5, 0]);

    const episode = (groupId: string, success: boolean) => ({
      groupId,
      score: 0,
      trajectory: { success } as Trajectory,
    });
    const { keep, metrics } = filters
      .get("unsettled")
      .apply([episode("a", true), episode("b", true), episode("a", false), episode("b", true)], {
        topk: 1,
        topP: 1,
      });
    expect(keep).toEqual([true, false, true, false]);
    expect(metrics).toEqual({ unsettled_levels: 1 });

    const turns = ["one two", "three"].map((reply) => ({ ...emptyTurn, reply })) as unknown as Turn[];
    const trajectory = { envId: "x", groupId: "a", turns, tokens: noTokens } as unknown as Trajectory;
    for (const split of ["train", "val"] as const)
      expect(episodeMetrics([trajectory], { split, maxReplyTokens: 9 })).toHaveProperty(
        [`custom_metrics/${split}/words_per_reply`],
        1.5,
      );
  });
});

const emptyTurn = {
  parsed: { formatOk: true, observation: "", reasoning: "", prediction: "", answer: "" },
  verdicts: {},
  rewards: {},
  reward: 0,
};
const noTokens = { turnIndex: [], responseMask: [] };

describe("a configuration", () => {
  const wanted = {
    algorithm: { adv_estimator: "reward_to_go", filter: "unsettled" },
    rollout: { n_trajectory: 4 },
    reward: { weights: { shorter: 0.1 } },
  };

  it("may name what is registered, and travels as YAML", async () => {
    await installExtensions([example]);
    const { config, problems } = inspectRunConfig(wanted);
    expect(problems).toEqual([]);
    for (const all of [false, true])
      expect(parseRunConfig(formatRunConfig(config!, { all }))).toEqual(config);
    const field = describeRunConfig().find(({ path }) => path === "algorithm.adv_estimator");
    expect(field?.options).toContain("reward_to_go");
    expect(describeWeights().map(({ path, title }) => [path, title])).toEqual([
      ["reward.weights.shorter", "Short replies"],
    ]);
    // A draft that has no weight where the run has one.
    expect(applyChanges(config!, { "reward.weights.shorter": undefined }).reward.weights).toEqual({});
  });

  it("reports what exists when it names something else", async () => {
    await installExtensions([example]);
    const problemsOf = (input: unknown) =>
      inspectRunConfig(input).problems.map((problem) => {
        const { message, hint } = problemText(problem);
        return `${problem.path}: ${message} ${hint}`;
      });
    expect(problemsOf({ algorithm: { adv_estimator: "reward_too_go" } })).toEqual([
      expect.stringMatching(/^algorithm\.adv_estimator: .*"bi_level_gae".*Did you mean "reward_to_go"\?$/),
    ]);
    expect(problemsOf({ reward: { weights: { short: 1 } } })).toEqual([
      'reward.weights.short: reward.weights.short is 1; no extension has added a reward term "short". Did you mean "shorter"?',
    ]);
    expect(problemsOf({ reward: { weights: { format: 1 } } })).toEqual([
      expect.stringContaining("It is env.config.format_reward."),
    ]);
    expect(problemsOf({ reward: { weights: { shorter: 1000 } } })).toEqual([
      expect.stringContaining(
        "reward.weights.shorter is 1000; it must be at most 100. Use a number from -100 to 100.",
      ),
    ]);
    expect(problemsOf({ reward: { weights: 3 } })).toEqual([
      expect.stringContaining("it must be values by name"),
    ]);
    expect(problemsOf({ ...wanted, rollout: { n_trajectory: 1 } })).toEqual([
      expect.stringContaining('"unsettled" compares the episodes of one level'),
    ]);
    await installExtensions([]);
    expect(problemsOf(wanted).map((line) => line.split(":")[0])).toEqual([
      "algorithm.adv_estimator",
      "algorithm.filter",
      "reward.weights.shorter",
    ]);
  });
});

describe("a run", () => {
  const remedy = (name: string) => `Give ${name}.`;

  it("needs the texts that it was made with", async () => {
    await installExtensions([example]);
    const records = extensionRecords(checkedRunConfig({}));
    expect(records).toMatchObject([
      { name: "extension.mjs", sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
    expect(() => assertExtensions(records, remedy)).not.toThrow();
    expect(() => assertExtensions(undefined, remedy)).not.toThrow();
    // Under another name it is the same text.
    await installExtensions([{ name: "copy.mjs", source }]);
    expect(() => assertExtensions(records, remedy)).not.toThrow();
    await installExtensions([{ ...example, source: `${source}// changed` }]);
    expect(() => assertExtensions(records, remedy)).toThrow(
      /is not the one that the run was made with: its SHA-256/,
    );
    await installExtensions([]);
    expect(() => assertExtensions(records, remedy)).toThrow(
      /made with the extension extension\.mjs \(estimator reward_to_go, .*, which is not registered/,
    );
  });

  it("ends with an error when a function goes on for ever, and not before", async () => {
    const score = "({ index, reply }) => { while (index === 3); return reply.length; }";
    const source = `export default ({ rewardTerm }) => rewardTerm({ id: "waiting", score: ${score} });`;
    await installExtensions([{ name: "waiting", source }]);
    const term = rewardTerms.get("waiting");
    expect(term.score({ index: 2, reply: "abc" } as Turn)).toBe(3);
    expect(() => term.score({ index: 3, reply: "abc" } as Turn)).toThrow(
      'The reward term "waiting" failed in line 1: it did not end within 50 million steps (rounds of its loops and calls of its functions).',
    );
    expect(term.score({ index: 4, reply: "abc" } as Turn)).toBe(3);
  });

  it("gives each text that is read steps of its own", async () => {
    const source = (id: string) =>
      `for (let i = 0; i < 3e7; i++); export default ({ rewardTerm }) => rewardTerm({ id: "${id}", score: () => 0 });`;
    const registered = await installExtensions([
      { name: "a", source: source("a") },
      { name: "b", source: source("b") },
    ]);
    expect(registered).toHaveLength(2);
  });

  it("reports a text that does not end while it is read", async () => {
    await expect(installExtensions([{ name: "endless", source: "for (;;);" }])).rejects.toThrow(
      /^endless cannot be read as a module: it failed in line 1: it did not end within 50 million steps/,
    );
  });

  it("reports a text that is not a module", async () => {
    await expect(installExtensions([{ name: "broken", source: "export default (" }])).rejects.toThrow(
      /^broken cannot be read as a module: SyntaxError/,
    );
    expect(extensionRecords(checkedRunConfig({}))).toEqual([]);
  });
});

it("checks the contract of an environment once, and not where the page has had it checked", async () => {
  const count = globalThis as { levelsBegun?: number };
  const text = readFileSync("docs/examples/environment.mjs", "utf8");
  const world = {
    name: "world",
    source: text.replace("start(random) {", "start(random) { globalThis.levelsBegun++;"),
  };
  count.levelsBegun = 0;
  await installExtensions([{ ...world, checked: true }]);
  expect(count.levelsBegun).toBe(0);
  await installExtensions([world]);
  expect(count.levelsBegun).toBeGreaterThan(0);
  delete count.levelsBegun;
});
