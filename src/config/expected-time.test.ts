import { expect, test } from "vitest";
import { applyChanges } from "./changes.ts";
import { expectedTime, withoutStaleDescription } from "./expected-time.ts";
import { getPreset } from "./presets.ts";

const { config: preset, expectedTime: ofPreset } = getPreset("frozenlake-nano");
const timeWith = (changes: Readonly<Record<string, unknown>>) =>
  expectedTime(applyChanges(preset, changes), preset);

test("a configuration takes as long as its preset where nothing that takes time differs", () => {
  expect(expectedTime(preset, preset)).toBe(ofPreset);
  expect(timeWith({ "actor.lr": 1e-4, seed: 7 })).toBe(ofPreset);
});

test("the preset's time is not that of another start, task or length", () => {
  expect(timeWith({ "trainer.init_checkpoint": "" })).toBe(
    "From random weights: 5200 SFT updates and 60 PPO updates. The run estimates its time after the first updates.",
  );
  expect(timeWith({ "env.name": "sokoban", "trainer.init_checkpoint": "sokoban-nano-warmup" })).toMatch(
    /^60 PPO updates\. /,
  );
  const rehearsing = applyChanges(preset, { "sft.rehearsal_steps": 2 });
  expect(expectedTime(applyChanges(rehearsing, { "sft.rehearsal_lr": 1e-4 }), rehearsing)).toBe(ofPreset);
  expect(timeWith({ "sft.train_batch_size": 64 })).toBe(ofPreset);
  expect(expectedTime(applyChanges(rehearsing, { "sft.train_batch_size": 64 }), rehearsing)).not.toBe(
    ofPreset,
  );
  for (const other of [
    { "sft.rehearsal_steps": 2 },
    { "rollout.max_turns": 4 },
    { "actor.ppo_epochs": 4 },
    { "trainer.val_size": 1000 },
  ])
    expect(timeWith(other), JSON.stringify(other)).toMatch(/^60 PPO updates\. /);
  expect(timeWith({ "trainer.total_updates": 600 })).toMatch(/^600 PPO updates\. /);
  expect(expectedTime(preset, { ...preset, expected_time: "" })).toMatch(/^60 PPO updates\. /);
});

test("a configuration keeps what its preset says of itself as long as that is true", () => {
  const kept = (changes: Readonly<Record<string, unknown>>) => {
    const { description, expected_time } = withoutStaleDescription(applyChanges(preset, changes), preset);
    return [description === preset.description, expected_time === ofPreset, `${description}${expected_time}`];
  };
  expect(kept({ "actor.lr": 1e-4 })).toEqual([true, true, `${preset.description}${ofPreset}`]);
  expect(kept({ "trainer.total_updates": 600 })).toEqual([true, false, preset.description]);
  expect(kept({ "env.name": "sokoban", "trainer.init_checkpoint": "" })).toEqual([false, false, ""]);
});
