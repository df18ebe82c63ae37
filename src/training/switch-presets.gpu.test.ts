// Runs of different presets after one another on one device, whose compiled kernels they share: what the first run left behind must
// not change the next.
import { expect, it } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { train } from "./trainer.ts";

/** One update of SFT and one of PPO of a preset whose model is as small as its kernels allow. */
const shrunk = (preset: string, model: { size: number; layers: number; width: number }) =>
  applyChanges(getPreset(preset).config, {
    "trainer.init_checkpoint": "",
    "model.hidden_size": model.size,
    "model.num_hidden_layers": model.layers,
    "model.intermediate_size": model.width,
    "model.num_attention_heads": 2,
    "model.num_key_value_heads": 2,
    "rollout.train_batch_size": 2,
    "rollout.max_turns": 2,
    "rollout.response_length": 64,
    "actor.ppo_mini_batch_size": 2,
    "actor.ppo_epochs": 1,
    "sft.total_updates": 1,
    "sft.one_turn_updates": 1,
    "sft.train_batch_size": 2,
    "sft.test_levels": 2,
    "trainer.total_updates": 1,
    "trainer.val_size": 2,
    "trainer.test_freq": 0,
    "trainer.micro_batch_tokens": 256,
  });

const lake = shrunk("frozenlake-nano", { size: 16, layers: 1, width: 32 });
const warehouse = shrunk("sokoban-nano", { size: 32, layers: 2, width: 48 });

/** Every metric but those that measure time, and the parameters at the end. */
async function numbersOf(config: typeof lake) {
  const run = await buildRun("switch", config, await requestNodeGpu());
  const metrics: Record<string, number>[] = [];
  for await (const event of train(run, new AbortController().signal))
    if (event.type === "metrics")
      metrics.push(
        Object.fromEntries(Object.entries(event.values).filter(([name]) => !/^(perf|timing)/.test(name))),
      );
  const params = await run.engine.readFlat(run.engine.buffers.params);
  run.dispose();
  return { metrics, params };
}

it("a preset gives the same numbers after another one has run", async () => {
  const first = await numbersOf(lake);
  const between = await numbersOf(warehouse);
  const second = await numbersOf(lake);
  expect(first.metrics.length).toBe(2);
  expect(between.params.length).not.toBe(first.params.length);
  expect(second).toEqual(first);
});
