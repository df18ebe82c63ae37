import { expect, test } from "vitest";
import { nearest, suggestion } from "./suggest.ts";

const known = ["actor.lr", "critic.lr", "actor.clip_ratio", "rollout.max_turns"];

test.each([
  ["actor.lrr", "actor.lr"],
  ["actor.clipratio", "actor.clip_ratio"],
  ["max_turns", "rollout.max_turns"],
  ["Actor.LR", "actor.lr"],
  ["zzzzzz", null],
])("%s is near %s", (typed, name) => {
  expect(nearest(typed, known)).toBe(name);
});

test("the end of several names gives them all", () => {
  expect(suggestion("lr", known)).toBe("Did you mean one of actor.lr, critic.lr?");
});

test("without a near name, everything there is", () => {
  expect(suggestion("zzz", ["a", "b"])).toBe("Known are: a, b.");
});

test("lists of dotted names what lies in the section that was typed, else the sections", () => {
  const settings = ["seed", "actor.lr", "actor.clip_ratio", "critic.vf_coef", "rollout.top_p"];
  expect(suggestion("rollout.foo", settings)).toBe("Known are: rollout.top_p.");
  expect(suggestion("foo.bar", settings)).toBe("Known are: seed, actor.…, critic.…, rollout.….");
  expect(suggestion("actor.clip_ration", settings)).toBe('Did you mean "actor.clip_ratio"?');
  expect(suggestion("acter.clip_ratio", settings)).toBe('Did you mean "actor.clip_ratio"?');
});
