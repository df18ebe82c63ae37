// What `critic.vf_coef` changes where the value loss does not reach the policy's backbone: nothing but what a gradient clip does.
import { expect, it } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { buildRun } from "../run/build-run.ts";
import { train } from "./trainer.ts";

const config = (vf_coef: number, actor: { grad_clip: number }, critic: object) =>
  checkedRunConfig({
    rollout: { train_batch_size: 4, max_turns: 2, response_length: 60 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: 0 },
    // Four steps with the same advantages: values differ from the second update on.
    actor: { ppo_mini_batch_size: 2, ppo_epochs: 2, ...actor },
    critic: { vf_coef, ...critic },
    trainer: { total_updates: 1, test_freq: 0, val_size: 1 },
  });

/** The parameters of policy and critic after one PPO update. */
async function trained(of: ReturnType<typeof config>) {
  const run = await buildRun("test", of, await requestNodeGpu());
  for await (const fact of train(run, new AbortController().signal)) if (fact.type === "metrics") break;
  const flat = await run.engine.readFlat(run.engine.buffers.params);
  const ofGroup = (group: string) =>
    run.engine.buffers.layout.specs
      .filter((spec) => spec.group === group)
      .flatMap(({ offset, length }) => Array.from(flat.subarray(offset, offset + length)));
  const parameters = { policy: ofGroup("actor"), critic: ofGroup("critic") };
  run.dispose();
  return parameters;
}

/** How far the parameters end from each other with a value loss of twice the weight. */
async function difference(grad_clip: number, critic: object = {}) {
  const [one, two] = [
    await trained(config(0.5, { grad_clip }, critic)),
    await trained(config(1, { grad_clip }, critic)),
  ];
  const most = (a: readonly number[], b: readonly number[]) =>
    Math.max(...a.map((x, i) => Math.abs(x - b[i]!)));
  return { policy: most(one.policy, two.policy), critic: most(one.critic, two.critic) };
}

it("is nothing where no gradient is clipped", async () => {
  const { policy, critic } = await difference(1000);
  expect(policy).toBe(0);
  // Adam adds 1e-8 to the size that it divides by, which shows where gradients are near 0. A step is 1e-3.
  expect(critic).toBeLessThan(5e-4);
});

it("is a smaller share of a common clip for the policy, and none of a clip of its own", async () => {
  expect((await difference(0.01)).policy).toBeGreaterThan(1e-6);
  expect((await difference(0.01, { grad_clip: 0.01 })).policy).toBe(0);
});
