// How often an update waits for the device. On a graphics card a wait costs what hundreds of dispatches do.
import { expect, it, vi } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { train } from "./trainer.ts";

const TURNS = 5;

it("waits at most eight times in an update of five turns, four steps and a KL to the ref policy", async () => {
  const config = RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
    rollout: { train_batch_size: 4, max_turns: TURNS, response_length: 40 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 0, train_batch_size: 2 },
    actor: { ppo_mini_batch_size: 2, ppo_epochs: 2 },
    trainer: { total_updates: 3, test_freq: 0, val_size: 2, save_freq: 3, micro_batch_tokens: 512 },
  });
  const run = await buildRun("waits", config, await requestNodeGpu());
  const waits = [vi.spyOn(run.engine.gpu, "settle"), vi.spyOn(run.engine.gpu, "read")];
  const made = () => waits.reduce((sum, { mock }) => sum + mock.calls.length, 0);
  const each: { waits: number; turns: number; steps: number }[] = [];
  const step = vi.spyOn(run.engine, "step");
  let [waited, stepped] = [made(), 0];
  for await (const fact of train(run, new AbortController().signal, "all")) {
    if (fact.type !== "metrics") continue;
    const turns = fact.values["num_turns/mean"] ?? 0;
    each.push({ waits: made() - waited, turns, steps: step.mock.calls.length - stepped });
    [waited, stepped] = [made(), step.mock.calls.length];
  }
  run.dispose();
  // The first update follows a validation, the last one precedes a checkpoint.
  expect(each[1]).toEqual({ waits: expect.any(Number), turns: TURNS, steps: 4 });
  expect(each[1]!.waits).toBeLessThanOrEqual(8);
});
