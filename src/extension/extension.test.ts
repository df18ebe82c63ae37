import { afterEach, describe, expect, it, test } from "vitest";
import type { Trajectory, Turn } from "../core/types.ts";
import { estimators } from "../rl/advantage/index.ts";
import { twoTurns } from "../rl/advantage/testing.ts";
import { filters } from "../rl/filter/index.ts";
import { batchMetrics } from "../rl/metric/index.ts";
import { rewardTerms, rewardWeights, scoreTurn } from "../rl/reward/index.ts";
import type { ExtensionApi } from "./api.ts";
import { registered, replaceExtensions } from "./index.ts";

const register = (factory: unknown, name = "mine") => replaceExtensions([{ name, factory }]);
/** As plain JavaScript sees it: no type error says what is wrong. */
type Loose = Record<keyof ExtensionApi, (own: unknown) => void>;
const params = { gamma: 1, lambda: 1, turnGamma: 1 };
const zeros = (n: number) => new Array<number>(n).fill(0);
const failed = { success: false } as Trajectory;
const turn = { index: 0, reply: "four", taskReward: 1 } as Turn;

afterEach(() => void replaceExtensions([]));

describe("registering", () => {
  const all = ({ estimator, rewardTerm, filter, metric }: ExtensionApi) => {
    estimator({
      id: "nothing",
      estimate: ({ rewards: { length } }) => ({ advantages: zeros(length), returns: zeros(length) }),
    });
    rewardTerm({ id: "length", score: ({ reply }) => reply.length });
    filter({ id: "first", apply: (episodes) => ({ keep: episodes.map((_, i) => i === 0) }) });
    metric({ id: "count", measure: (trajectories) => trajectories.length });
  };

  it("puts one of each kind into its list, with defaults, and takes it out again", () => {
    expect(register(all)).toEqual([
      { name: "mine", provides: ["estimator nothing", "rewardTerm length", "filter first", "metric count"] },
    ]);
    expect(estimators.get("nothing")).toMatchObject({
      title: "nothing",
      valueTokens: "trained",
      whitenOver: "policy",
    });
    expect([...estimators.get("nothing").estimate(twoTurns, params).returns]).toEqual(zeros(11));
    expect(rewardTerms.get("length").score(turn)).toBe(4);
    const scored = [1, 2].map((score) => ({ groupId: "a", score, trajectory: failed }));
    expect(filters.get("first").apply(scored, { topk: 1, topP: 1 })).toEqual({
      keep: [true, false],
      scale: 1,
      metrics: {},
    });
    expect(batchMetrics.get("count").measure([], "train")).toBe(0);
    replaceExtensions([]);
    expect(registered()).toEqual([]);
    for (const [list, id] of [
      [estimators, "nothing"],
      [rewardTerms, "length"],
      [filters, "first"],
      [batchMetrics, "count"],
    ] as const)
      expect(list.ids).not.toContain(id);
  });

  it("weighs a term by reward.weights, and not at all without an entry", () => {
    register(all);
    const settings = {
      format_reward: 0,
      use_state_reward: false,
      grounding_reward_weight: 0,
      worldmodeling_reward_weight: 0,
      surroundings_reward_weight: 0,
      scale_by_turns: true,
      repetition_penalty_weight: 0,
      action_cost: 0,
      max_turns: 5,
    };
    expect(scoreTurn(turn, rewardWeights({ ...settings, weights: { length: 0.5 } }))).toEqual({
      rewards: { task: 1, length: 2 },
      reward: 3,
    });
    expect(scoreTurn(turn, rewardWeights({ ...settings, weights: {} })).rewards).toEqual({ task: 1 });
  });

  it("keeps what was there when the next one cannot be registered", () => {
    register(all);
    const clashing = {
      name: "other",
      factory: ({ rewardTerm }: ExtensionApi) => rewardTerm({ id: "task", score: () => 0 }),
    };
    expect(() => replaceExtensions([{ name: "mine", factory: all }, clashing])).toThrow(
      'other: The studio has the reward term "task" already.',
    );
    expect(registered().map(({ name }) => name)).toEqual(["mine"]);
    expect(rewardTerms.ids.filter((id) => id === "length")).toHaveLength(1);
  });

  it("names the extension that has the same id", () => {
    const term = ({ rewardTerm }: ExtensionApi) => rewardTerm({ id: "length", score: () => 0 });
    const both = [
      { name: "mine", factory: all },
      { name: "copy", factory: term },
    ];
    expect(() => replaceExtensions(both)).toThrow(
      expect.objectContaining({
        message: 'copy: the extension "mine" has the reward term "length" already.',
        hint: 'Choose another id, or add it under the name "mine", which replaces that one.',
      }),
    );
    const twice = (api: ExtensionApi) => {
      term(api);
      term(api);
    };
    expect(() => register(twice)).toThrow('it adds the reward term "length" twice.');
  });
});

describe("what cannot be registered is refused with the part that is wrong", () => {
  test.each([
    ["no function", 3, "it exports no function as its default"],
    ["nothing added", () => undefined, "it adds nothing"],
    ["an async function", async () => undefined, "its function is async"],
    ["a function that fails", () => JSON.parse("{"), "its function failed: SyntaxError"],
    [
      "no id",
      ({ estimator }: Loose) => estimator({ estimate: () => 0 }),
      "id of an estimator is missing; it must be lower-case letters",
    ],
    [
      "an estimator's id",
      ({ estimator }: Loose) => estimator({ id: "My GAE", estimate: () => 0 }),
      'id of the estimator "My GAE" is "My GAE"; it must be lower-case letters',
    ],
    [
      "an estimator without its function",
      ({ estimator }: Loose) => estimator({ id: "mine" }),
      'estimate of the estimator "mine" is missing; it must be a function',
    ],
    [
      "whitening",
      ({ estimator }: Loose) => estimator({ id: "mine", estimate: () => 0, whitenOver: "all" }),
      'whitenOver of the estimator "mine" is "all"; it must be one of "policy"',
    ],
    [
      "a misspelt part",
      ({ rewardTerm }: Loose) => rewardTerm({ id: "mine", scor: () => 0 }),
      'the reward term "mine" has a part "scor", which nothing reads',
    ],
    [
      "a range",
      ({ metric }: Loose) => metric({ id: "mine", measure: () => 0, range: [1, 0] }),
      'range of the metric "mine" is [1,0]; it must be null or two numbers',
    ],
    [
      "a name that every object has",
      ({ rewardTerm }: Loose) => rewardTerm({ id: "constructor", score: () => 0 }),
      'id of the reward term "constructor"',
    ],
    [
      "a term that the studio logs",
      ({ rewardTerm }: Loose) => rewardTerm({ id: "best_so_far", score: () => 0 }),
      'The studio itself logs a reward term "best_so_far".',
    ],
    [
      "a metric that the studio logs",
      ({ metric }: Loose) => metric({ id: "reward_variance", measure: () => 0 }),
      'The studio itself logs a metric "reward_variance".',
    ],
    [
      "a filter that the studio logs",
      ({ filter }: Loose) => filter({ id: "topk", apply: () => ({ keep: [true] }) }),
      'The studio itself logs a batch filter "topk".',
    ],
    [
      "a title that fills the form",
      ({ metric }: Loose) => metric({ id: "long", title: "x".repeat(121), measure: () => 0 }),
      `title of the metric "long" is "${"x".repeat(59)}… (123 characters); it must be one line of 1 to 120 characters`,
    ],
    [
      "a title that is markup",
      ({ filter }: Loose) => filter({ id: "b", title: "a <b>", apply: () => ({ keep: [true] }) }),
      'title of the filter "b" is "a <b>"; it must be one line of 1 to 120 characters without angle brackets',
    ],
    [
      "a book as help",
      ({ estimator }: Loose) => estimator({ id: "b", help: "x".repeat(1001), estimate: () => ({}) }),
      /^mine: help of the estimator "b" is .*; it must be a text of at most 1000 characters/,
    ],
    [
      "an id that is quoted in part",
      ({ rewardTerm }: Loose) => rewardTerm({ id: "x".repeat(5000), score: () => 0 }),
      /^mine: id of the reward term "x{59}… \(5002 characters\) is "x/,
    ],
    ["no argument", ({ metric }: Loose) => metric(undefined), "metric() was called without an object"],
    ["no object", ({ filter }: Loose) => filter("mine"), 'filter(…) was given "mine"; it must be an object'],
  ])("%s", (_, factory, message) => {
    expect(() => register(factory)).toThrow(typeof message === "string" ? `mine: ${message}` : message);
    expect(registered()).toEqual([]);
  });
});

describe("what an extension returns in a run is checked", () => {
  const estimator = (estimate: unknown) => {
    register(({ estimator }: Loose) => estimator({ id: "mine", estimate }));
    return () => estimators.get("mine").estimate(twoTurns, params);
  };
  test.each([
    [
      "an exception",
      () => {
        throw new TypeError("x is not iterable");
      },
      'The estimator "mine" failed: TypeError: x is not iterable.',
    ],
    [
      "nothing",
      () => undefined,
      'The estimator "mine" returned nothing as advantages; it must be an array of 11 numbers.',
    ],
    [
      "too few",
      () => ({ advantages: [1], returns: [] }),
      'The estimator "mine" returned 1 advantages for 11 tokens',
    ],
    [
      "NaN",
      () => ({ advantages: zeros(11), returns: [0, Number.NaN, ...zeros(9)] }),
      'The estimator "mine" returned NaN as returns[1]; it must be a finite number.',
    ],
    [
      "a number too large for single precision",
      () => ({ advantages: [1e300, ...zeros(10)], returns: zeros(11) }),
      "advantages[0]; it must be a finite number",
    ],
    ["a hole", () => ({ advantages: new Array(11), returns: zeros(11) }), "advantages[0]"],
  ])("an estimator: %s", (_, estimate, message) => {
    expect(estimator(estimate)).toThrow(message);
  });

  it("an estimator may read arrays by their former names", () => {
    const estimate = estimator((tokens: Record<string, number[]>) => {
      expect(tokens.lossMask).toBe(tokens.gaeMask);
      expect(Object.keys(tokens)).toContain("behaviourLogprobs");
      expect(tokens.behaviourLogprobs).toBe(tokens.rolloutLogprobs);
      return { advantages: tokens.lossMask, returns: tokens.lossMask };
    });
    expect([...estimate().returns]).toEqual(twoTurns.gaeMask);
  });

  it("an estimator's own value mask becomes zeros and ones", () => {
    const mask = [0, 0, 2, 1, 0, 0, 0, 0, 0, 1, 0];
    const estimate = estimator(() => ({ advantages: zeros(11), returns: zeros(11), valueMask: mask }));
    expect([...(estimate().valueMask ?? [])]).toEqual([0, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0]);
  });

  it("async functions, for which an update does not wait, when they are added", () => {
    const add = () => register(({ rewardTerm }: Loose) => rewardTerm({ id: "late", score: async () => 1 }));
    expect(add).toThrow(
      'score of the reward term "late" is an async function; it must be a function without async.',
    );
  });

  it("functions that return a promise", () => {
    const late = () => Promise.reject(new Error("too late"));
    register(({ estimator, rewardTerm, filter, metric }: Loose) => {
      estimator({ id: "late", title: "Late", estimate: late });
      rewardTerm({ id: "late", score: late });
      filter({ id: "late", apply: late });
      metric({ id: "late", measure: late });
    });
    const isAsync = (what: string) =>
      `The ${what} "late" is async; it must return its result at once, so leave out async and await.`;
    expect(() => estimators.get("late").estimate(twoTurns, params)).toThrow(isAsync("estimator"));
    expect(() => rewardTerms.get("late").score(turn)).toThrow(isAsync("reward term"));
    expect(() => filters.get("late").apply([], { topk: 1, topP: 1 })).toThrow(isAsync("filter"));
    expect(() => batchMetrics.get("late").measure([], "train")).toThrow(isAsync("metric"));
  });

  it("a term, a filter and a metric", () => {
    register(({ rewardTerm, filter, metric }: Loose) => {
      rewardTerm({ id: "mine", score: () => Number.NaN });
      filter({ id: "none", apply: (list: unknown[]) => ({ keep: list.map(() => false) }) });
      filter({ id: "short", apply: () => ({ keep: [true] }) });
      filter({ id: "silent", apply: () => undefined });
      metric({ id: "word", measure: () => "three" });
      metric({ id: "gap", measure: () => Number.NaN });
    });
    expect(() => rewardTerms.get("mine").score(turn)).toThrow(
      'The reward term "mine" returned NaN for turn 1',
    );
    const scored = [1, 2].map((score) => ({ groupId: "a", score, trajectory: failed }));
    const apply = (id: string) => () => filters.get(id).apply(scored, { topk: 1, topP: 1 });
    expect(apply("none")).toThrow('The filter "none" kept none of 2 episodes');
    expect(apply("short")).toThrow(
      'The filter "short" returned [true] as keep; it must be 2 times true or false.',
    );
    expect(apply("silent")).toThrow('The filter "silent" returned nothing as keep');
    expect(() => batchMetrics.get("word").measure([], "train")).toThrow('The metric "word" is "three"');
    expect(batchMetrics.get("gap").measure([], "train")).toBeNaN();
  });
});
