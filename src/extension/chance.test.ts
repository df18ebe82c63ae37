// Chance in environments of one's own: random numbers that `step` draws.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error It is JavaScript, as users write it.
import example from "../../docs/examples/gusts.mjs";
import { demonstrationBatch } from "../agent/players.ts";
import { testTask } from "../agent/test-task.ts";
import type { Env } from "../envs/env.ts";
import { envs } from "../envs/index.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { replaceExtensions, tried } from "./index.ts";

afterEach(() => void replaceExtensions([]));

const spec = () => envs.get("gusts");
const begun = (seed: number): Env => {
  const env = spec().create(spec().config.parse({}));
  env.reset(seed);
  return env;
};
/** The states after each action. */
const played = (env: Env, actions: readonly string[]) =>
  actions.map((action) => [env.step(action), env.groundTruth()]);

/** The example with other parts. */
const changed =
  (parts: object) =>
  ({ environment }: ExtensionApi) =>
    example({
      environment: (own: object) => environment({ ...own, ...parts } as unknown as OwnWorld),
    });
const failures = (parts: object) =>
  tried({ name: "mine", factory: changed(parts) })
    .reports[0]!.lines.filter(({ outcome }) => outcome === "failed")
    .map(({ check, found }) => `${check}: ${found}`);

describe("the example", () => {
  beforeEach(() => void replaceExtensions([{ name: "gusts", factory: example, checked: true }]));

  it("keeps the contract, with a plan that need not always succeed", () => {
    const [{ lines }] = tried({ name: "gusts", factory: example }).reports;
    expect(lines.map(({ outcome }) => outcome)).not.toContain("failed");
    expect(lines.find(({ check }) => check.startsWith("A plan"))).toEqual({
      check: "A plan that is made again after every action solves at least half of the levels",
      outcome: "passed",
      found: expect.stringMatching(/^1\d of 20 levels solved within 200 actions$/),
    });
  });

  it("says that chance decides, too", () => expect(spec().hasChance?.({})).toBe(true));

  it("plays the same episode again from the same seed, and carries one move in three", () => {
    let [moves, gusts] = [0, 0];
    for (let seed = 1; seed <= 200; seed++) {
      const actions = ["Left", "Left", "Left", "Left"];
      const env = begun(seed);
      const until = actions.findIndex((action) => {
        const { note, terminated } = env.step(action);
        moves++;
        gusts += Number(note.startsWith("a gust"));
        return terminated;
      });
      const some = actions.slice(0, until < 0 ? actions.length : until + 1);
      expect(played(begun(seed), some)).toEqual(played(begun(seed), some));
    }
    // A move into the water is not carried on.
    expect(gusts / moves).toBeGreaterThan(0.2);
    expect(gusts / moves).toBeLessThan(0.36);
  });

  it("draws another number for each action", () => {
    const pairs = new Set<string>();
    for (let seed = 1; seed <= 100; seed++) {
      const env = begun(seed);
      const [first, second] = ["Left", "Up"].map((action) =>
        env.oracle()?.length ? env.step(action).note : "end",
      );
      pairs.add(JSON.stringify([first, second].map((note) => note?.startsWith("a gust"))));
    }
    expect(pairs.size).toBe(4);
  });

  it("goes on from a recorded state as it did", () => {
    for (let seed = 1; seed <= 30; seed++) {
      const env = begun(seed);
      if (env.step("Up").terminated) continue;
      const on = spec().recorded!.from(env.groundTruth(), spec().config.parse({}));
      expect(played(on, ["Right"])).toEqual(played(env, ["Right"]));
    }
  });

  it("has effect if the state changes, and not because a number was drawn", () => {
    const env = begun(1);
    const plan = env.oracle()!;
    const blocked = Array.from({ length: 60 }, (_, i) => {
      const other = begun(i + 1);
      const before = JSON.stringify(other.text());
      const { effective } = other.step("Left");
      return [effective, JSON.stringify(other.text()) !== before];
    });
    expect(plan.length).toBeGreaterThan(0);
    expect(blocked.some(([effective]) => !effective)).toBe(true);
    for (const [effective, isSeen] of blocked) expect(effective).toBe(isSeen);
  });

  it("is demonstrated turn by turn", async () => {
    const episodes = Array.from({ length: 24 }, (_, i) => ({
      id: `${i}`,
      seed: i,
      groupId: `${i}`,
      rngKey: i,
    }));
    const batch = await demonstrationBatch({
      task: testTask("gusts", {}, { max_actions_per_step: 1 }),
      episodes,
      skill: { randomFraction: 0, expertFraction: 1 },
      oneTurn: false,
      seed: 1,
    });
    const solved = batch.filter(({ success }) => success).length;
    expect(solved).toBeGreaterThan(8);
    for (const { parsed } of batch.flatMap(({ turns }) => turns)) expect(parsed.formatOk).toBe(true);
  });
});

describe("an environment with chance", () => {
  it("needs a plan", () => {
    const add = () => replaceExtensions([{ name: "mine", factory: changed({ plan: undefined }) }]);
    expect(add).toThrow('the environment "gusts" has chance and lacks plan.');
  });

  it("must be solved by its plan at least half of the time", () => {
    expect(failures({ plan: () => ["Left"] })).toEqual([
      expect.stringMatching(
        /^A plan .*: \d of 20 levels solved within 200 actions\. Let plan return what to do next/,
      ),
    ]);
  });

  it("must still have one episode for each seed and actions", () => {
    const step = (state: object) => ({ state: { ...state, water: [[0, Math.floor(Math.random() * 5)]] } });
    expect(failures({ step })[0]).toContain("Level 1 went two ways");
  });

  it("is told from one without, whose step has no random numbers", () => {
    expect(failures({ chance: false })[0]).toMatch(
      /step failed.*: Error: add chance: true to the environment, so that step may use random/,
    );
  });

  it.each([["yes"], [1], [null]])("says so with true, not with %j", (chance) => {
    expect(() => tried({ name: "mine", factory: changed({ chance }) })).toThrow(
      /chance of the environment "gusts" is .*; it must be true or false/,
    );
  });
});
