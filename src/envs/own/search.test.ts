import { expect, it } from "vitest";
import { MOST_CHARACTERS, shortestPlan } from "./search.ts";

/** A walk along a line whose states have some characters each. */
const walk = (characters: number, goal = Number.POSITIVE_INFINITY) => ({
  step(state: string, action: string) {
    const place = Number(state.slice(0, 6)) + Number(action);
    const next = String(place).padStart(6, "0").padEnd(characters, " ");
    return { state: next, reward: 0, done: place === goal, success: place === goal, note: "" };
  },
});

it("finds a shortest plan", () => {
  expect(shortestPlan(walk(10, 7), ["1", "3"], "000000")).toHaveLength(3);
});

it("keeps no more of the states than fits", () => {
  const characters = 10_000;
  const states = MOST_CHARACTERS / characters;
  expect(() => shortestPlan(walk(characters), ["1"], "000000")).toThrow(
    `A search for a plan keeps more than 50 million characters of states (${states} states).`,
  );
});

it("gives up quietly where small states are many", () => {
  expect(shortestPlan(walk(10), ["1"], "000000")).toBeNull();
});

it("blames chance, and no missing plan, where a step has several results", () => {
  let calls = 0;
  const moves = walk(10, 2);
  const step = (state: string, action: string) => moves.step(state, calls++ % 3 < 2 ? "0" : action);
  expect(() => shortestPlan({ step }, ["1", "-1"], "000001".padEnd(10))).toThrow(
    "The action 1 gave two different results in the same state.",
  );
});
