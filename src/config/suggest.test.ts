import { expect, test } from "vitest";
import { settingPaths } from "./describe.ts";
import { nearest, suggestion } from "./suggest.ts";
import { namesWithSynonyms } from "./synonyms.ts";

const known = ["actor.lr", "critic.lr", "actor.clip_ratio", "rollout.max_turns"];

test.each([
  ["actor.lrr", "actor.lr"],
  ["actor.clipratio", "actor.clip_ratio"],
  ["max_turns", "rollout.max_turns"],
  ["Actor.LR", "actor.lr"],
  ["clip_ration", "actor.clip_ratio"],
  ["rollout.clip_ratio", "actor.clip_ratio"],
  ["acter.lr", "actor.lr"],
  ["zzzzzz", null],
])("%s is near %s", (typed, name) => {
  expect(nearest(typed, known)).toBe(name);
});

test("words may be cut short, all of them from the first on", () => {
  const names = ["navigation-small-warmup", "navigation-small-trained", "navigation-text-small-trained"];
  expect(suggestion("nav-small", names)).toBe(
    "Did you mean one of navigation-small-warmup, navigation-small-trained?",
  );
  expect(suggestion("Nav-small-t", names)).toBe('Did you mean "navigation-small-trained"?');
  for (const typed of ["na", "small-trained", "nav-small-trained-more"])
    expect(suggestion(typed, names)).toMatch(/^Known are: /);
  expect(suggestion("use", ["algorithm.use_filter"])).toMatch(/^Known are: /);
});

test("the end of several names gives them all", () => {
  expect(suggestion("lr", known)).toBe("Did you mean one of actor.lr, critic.lr?");
});

test("a name of another library gives ours, first of the section that was typed", () => {
  expect(suggestion("learning_rate", known)).toBe("Did you mean one of actor.lr, critic.lr?");
  expect(suggestion("actor.learning_rate", known)).toBe('Did you mean "actor.lr"?');
  expect(suggestion("actor.learningRate", known)).toBe('Did you mean "actor.lr"?');
  expect(suggestion("reward.clip_range", known)).toBe('Did you mean "actor.clip_ratio"?');
});

test("the end of a name counts in the section that was typed, then elsewhere", () => {
  const settings = ["rollout.train_batch_size", "sft.train_batch_size", "trainer.val_size"];
  expect(suggestion("sft.batch_size", settings)).toBe('Did you mean "sft.train_batch_size"?');
  expect(suggestion("trainer.batch_size", settings)).toBe(
    "Did you mean one of rollout.train_batch_size, sft.train_batch_size?",
  );
});

test("a synonym counts in the section that was typed, then a near name there, then a synonym elsewhere", () => {
  const settings = [
    "judge.max_tokens",
    "rollout.response_length",
    "critic.cliprange_value",
    "actor.clip_ratio",
  ];
  expect(suggestion("judge.max_new_tokens", settings)).toBe('Did you mean "judge.max_tokens"?');
  expect(suggestion("critic.clip_range", settings)).toBe('Did you mean "critic.cliprange_value"?');
  expect(suggestion("judge.clip_range", settings)).toBe(
    "Did you mean one of critic.cliprange_value, actor.clip_ratio?",
  );
});

test("a point may be typed where a name has an underscore", () => {
  const settings = [
    "actor.pivot_beta",
    "actor.kl_loss_coef",
    "trainer.critic_warmup",
    "critic.lr_warmup_steps",
  ];
  expect(suggestion("pivot.beta", settings)).toBe('Did you mean "actor.pivot_beta"?');
  expect(suggestion("critic.warmup", settings)).toBe('Did you mean "trainer.critic_warmup"?');
});

test("a short word is near nothing elsewhere, and a section has its settings", () => {
  const settings = ["env.name", "env.seed", "judge.api_key_env", "algorithm.target_kl", "actor.lr"];
  expect(suggestion("kl", settings)).toMatch(/^Known are: /);
  expect(suggestion("actor.kl", settings)).toBe("Known are: actor.lr.");
  expect(suggestion("env", settings)).toBe("Known are: env.name, env.seed.");
});

test("every setting with synonyms exists", () => {
  const last = new Set(settingPaths().map((path) => path.slice(path.lastIndexOf(".") + 1)));
  expect(namesWithSynonyms().filter((name) => !last.has(name))).toEqual([]);
});

test("a text that no name is as long as is not compared", () => {
  expect(suggestion("lr".repeat(1000), ["lr"])).toBe("Known are: lr.");
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
