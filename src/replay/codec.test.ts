// Replays as files: what comes back is what was written, and a damaged file says where it is damaged.
import { describe, expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { Trajectory } from "../core/types.ts";
import { loadEnv } from "../envs/index.ts";
import { fakeTrajectory } from "../ui/testing/fake-trajectory.ts";
import { decodeReplay, encodeReplay } from "./codec.ts";
import type { ReplayError } from "./error.ts";
import { fromRuns, rounded, runs } from "./numbers.ts";
import type { Replay } from "./replay.ts";

await loadEnv("visual-math");

const replayOf = (trajectory: Trajectory): Replay => ({
  id: "one",
  trajectory,
  config: checkedRunConfig({
    env: { name: trajectory.envId },
    ...(trajectory.envId === "visual-math" && {
      rollout: { prompt_format: "boxed" },
      judge: { name: "off" },
    }),
  }),
  provenance: {
    policy: "frozenlake-nano-trained",
    command: "npm run record -- --seed 7",
    commit: "0123456789ab",
    update: 160,
    temperature: 1,
    success: { rate: 0.5, episodes: 256 },
  },
});

/** The file as the page gets it. */
const stored = (replay: Replay) => JSON.parse(JSON.stringify(encodeReplay(replay)));

describe("a replay's file", () => {
  test.each(["frozenlake", "sokoban", "visual-math"])("gives the episode back: %s", (envId) => {
    for (const seed of [1, 2, 3]) {
      const trajectory = fakeTrajectory({ envId, seed, skill: 0.6 });
      const { trajectory: back } = decodeReplay(stored(replayOf(trajectory)));
      expect(back.turns).toEqual(
        trajectory.turns.map((turn) => ({
          ...turn,
          observation: { ...turn.observation, images: [] },
          reward: rounded(turn.reward),
        })),
      );
      expect({ ...back, turns: [], tokens: null }).toEqual({ ...trajectory, turns: [], tokens: null });
      for (const [name, array] of Object.entries(trajectory.tokens)) {
        const got = back.tokens[name as keyof typeof back.tokens] as Float32Array;
        expect(got.constructor, name).toBe(array.constructor);
        const exact = !(array instanceof Float32Array);
        expect(Array.from(got), name).toEqual(
          exact ? Array.from(array) : Array.from(array, (x: number) => Math.fround(rounded(x))),
        );
      }
    }
  });

  test("keeps the size of a plane", () => {
    const trajectory = fakeTrajectory({ seed: 3 });
    const state = (x: number) =>
      ({
        frame: "plane",
        size: [48, 16],
        things: [{ name: "player", at: [x, 8] }],
        facts: { state: `{"x":${x}}`, done: false },
      }) as const;
    const turns = trajectory.turns.map((turn, i) => ({ ...turn, before: state(i), after: state(i + 1) }));
    const back = decodeReplay(stored(replayOf({ ...trajectory, turns }))).trajectory;
    expect(back.turns.map(({ before, after }) => [before, after])).toEqual(
      turns.map(({ before, after }) => [before, after]),
    );
  });

  test("keeps one sequence a turn", () => {
    const trajectory = fakeTrajectory({ seed: 3, history: 1 });
    const { tokens } = decodeReplay(stored(replayOf(trajectory))).trajectory;
    expect(tokens.sequences).toEqual(trajectory.tokens.sequences);
    expect(tokens.turnIndex).toEqual(trajectory.tokens.turnIndex);
  });

  test("leaves out what no update filled, and reads it as empty", () => {
    const trajectory = fakeTrajectory({ seed: 3 });
    const { trainRewards: _, lossMask: __, valueMask: ___, ...tokens } = trajectory.tokens;
    const bare = { ...trajectory, tokens: { ...tokens, refLogprobs: new Float32Array(0) } };
    const file = stored(replayOf(bare));
    expect(Object.keys(file.trajectory.tokens)).not.toContain("refLogprobs");
    const back = decodeReplay(file).trajectory.tokens;
    expect(back.refLogprobs).toHaveLength(0);
    expect(back).not.toHaveProperty("trainRewards");
    expect(back).not.toHaveProperty("lossMask");
  });

  test("is the same file again after it was read", () => {
    const file = stored(replayOf(fakeTrajectory({ seed: 5 })));
    expect(stored(decodeReplay(file))).toEqual(file);
  });
});

describe("numbers", () => {
  test("keep five digits and six decimals", () => {
    expect([123456.789, 0.123456, -1.000049, 0.0000004].map(rounded)).toEqual([123460, 0.12346, -1, 0]);
  });

  test("as runs and back", () => {
    expect(runs([0, 0, 1, 1, 1, 0])).toEqual([0, 2, 1, 3, 0, 1]);
    expect(fromRuns(runs([-1, -1, 0, 1, 2]))).toEqual([-1, -1, 0, 1, 2]);
    expect(runs([])).toEqual([]);
  });
});

describe("a file that does not fit", () => {
  const file = () => stored(replayOf(fakeTrajectory({ seed: 3 })));
  const errorOf = (json: unknown): ReplayError => {
    try {
      decodeReplay(json);
    } catch (error) {
      return error as ReplayError;
    }
    throw new Error("It was decoded.");
  };

  test.each([null, 7, "text", [], {}, { format: "other" }, { format: "vagen-studio-replay", version: 2 }])(
    "is foreign: %j",
    (json) => {
      const { name, code, hint } = errorOf(json);
      expect([name, code]).toEqual(["ReplayError", "foreign"]);
      expect(hint).toBeTruthy();
    },
  );

  test("names the version that it cannot read", () => {
    expect(errorOf({ format: "vagen-studio-replay", version: 2 }).message).toBe(
      "The replay's version is 2; this studio reads version 1.",
    );
  });

  // biome-ignore lint/suspicious/noExplicitAny: a file that is damaged on purpose.
  const damages: [string, (json: any) => void, RegExp][] = [
    ["a missing reply", (f) => delete f.trajectory.turns[0].reply, /trajectory\.turns\.0\.reply is missing/],
    ["a NaN", (f) => (f.trajectory.turns[0].reward = null), /trajectory\.turns\.0\.reward is null/],
    ["turns out of order", (f) => (f.trajectory.turns[0].index = 4), /turns\.0\.index is 4\. Expected 0/],
    [
      "a lost value",
      (f) => f.trajectory.tokens.values.values.pop(),
      /tokens\.values\.values is .* Expected \d+ numbers/,
    ],
    ["a long run", (f) => (f.trajectory.tokens.responseMask = [0, 1e12]), /responseMask is .*tokens in all/],
    [
      "a negative run",
      (f) => (f.trajectory.tokens.turnIndex = [0, -5]),
      /turnIndex is .*pairs of a value and a count/,
    ],
    [
      "a mask of twos",
      (f) => (f.trajectory.tokens.responseMask[0] = 2),
      /responseMask is 2\. Expected values from 0 to 1/,
    ],
    ["a negative id", (f) => (f.trajectory.tokens.ids[0] = -1), /tokens\.ids\.0 is -1/],
    ["no turns", (f) => (f.trajectory.turns = []), /trajectory\.turns is \[\]/],
    [
      "an unknown verdict",
      (f) => (f.trajectory.turns[0].verdicts.observation.status = "good"),
      /status is "good"/,
    ],
    ["no environment", (f) => delete f.config.env.name, /config\.env\.name is missing/],
    ["no limit of turns", (f) => (f.config.rollout.max_turns = 0), /config\.rollout\.max_turns is 0/],
    ["an impossible rate", (f) => (f.provenance.success.rate = 2), /provenance\.success\.rate is 2/],
    [
      "sequences with a gap",
      (f) => (f.trajectory.tokens.sequences = [{ from: 1, to: 2, firstTurn: 0, lastTurn: 0 }]),
      /tokens\.sequences is .*Expected spans that cover/,
    ],
  ];

  test.each(damages)("%s: the error has field, value and remedy", (_, damage, message) => {
    const json = file();
    damage(json);
    const error = errorOf(json);
    expect([error.name, error.code]).toEqual(["ReplayError", "corrupt"]);
    expect(error.message).toMatch(message);
    expect(error.message.length).toBeLessThan(400);
    expect(error.hint).toContain("npm run record");
  });
});
