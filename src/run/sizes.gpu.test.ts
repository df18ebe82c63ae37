// The largest size that is offered must run. It is far too slow here to learn, so it takes one step of each kind. The base size has the same
// kernels with smaller numbers, and smaller buffers.
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { train } from "../training/trainer.ts";
import { buildRun } from "./build-run.ts";

/** The preset's model and settings with as little work as makes an SFT update, a PPO update and a validation. */
const brief = (id: string) =>
  applyChanges(getPreset(id).config, {
    "rollout.train_batch_size": 2,
    "rollout.max_turns": 1,
    "rollout.prompt_format": "no_think",
    // As long as the shortest reply that SFT imitates.
    "rollout.response_length": 4,
    "sft.total_updates": 1,
    "sft.one_turn_updates": 1,
    "sft.train_batch_size": 1,
    // Of the test that ends SFT: by default 64, which would take most of the time.
    "sft.test_levels": 1,
    "actor.ppo_epochs": 1,
    "actor.ppo_mini_batch_size": 2,
    "trainer.total_updates": 1,
    "trainer.val_size": 1,
    // Greedy episodes only.
    "trainer.val_temperature": 0,
    "trainer.micro_batch_tokens": 512,
    "trainer.init_checkpoint": "",
  });

it("frozenlake-large takes SFT and a PPO update with finite metrics", async () => {
  const run = await buildRun("sizes", brief("frozenlake-large"), await requestNodeGpu());
  const updates: number[] = [];
  for await (const event of train(run, new AbortController().signal)) {
    if (event.type !== "metrics") continue;
    updates.push(event.update);
    for (const [name, value] of Object.entries(event.values))
      expect(Number.isFinite(value), `${name} at ${event.update}`).toBe(true);
    expect(event.values["training/skipped_steps"]).toBe(0);
  }
  expect(updates).toEqual([1, 2]);
  run.dispose();
}, 300_000);
