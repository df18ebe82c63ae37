// `sft.decision_weight` and `sft.fact_weight`, from the configuration to the weights that the loss reads, in a run with two environments.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { train } from "./trainer.ts";

const config = (weights: Partial<RunConfig["sft"]>) =>
  checkedRunConfig({
    envs: { sokoban: { config: { min_solution_steps: [1, 5] } } },
    rollout: { train_batch_size: 4, max_turns: 2, response_length: 120 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 1, one_turn_updates: 0, train_batch_size: 8, ...weights },
    actor: { ppo_mini_batch_size: 4 },
    trainer: { total_updates: 1, test_freq: 0, val_size: 1 },
  });

/** The weights of the first SFT update, as the GPU has them. */
async function weightsOf(weights: Partial<RunConfig["sft"]>): Promise<number[]> {
  const run = await buildRun("test", config(weights), await requestNodeGpu());
  const facts = train(run, new AbortController().signal);
  for await (const fact of facts) if (fact.type === "metrics") break;
  const read = await run.engine.readFlat(run.engine.buffers.batch.weights);
  run.dispose();
  return Array.from(read).filter((value) => value !== 0);
}

it.each(["decision_weight", "fact_weight"])("weighs tokens by %s, and nothing else", async (name) => {
  const kinds = [...new Set(await weightsOf({ [name]: 5 }))].sort((a, b) => a - b) as [number, number];
  expect(kinds).toHaveLength(2);
  expect(kinds[1] / kinds[0]).toBeCloseTo(5, 4);
  expect(kinds[0]).toBeLessThan(1);
});

it("leaves all weights alike by default", async () => {
  expect(new Set(await weightsOf({}))).toEqual(new Set([1]));
});
