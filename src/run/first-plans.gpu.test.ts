// A run begins as soon as the kernels of its first phase are compiled; the others are compiled meanwhile.
import { expect, it } from "vitest";
import { validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { overlay } from "../gpu/test-sharing.ts";
import type { PrepareStep, TrainingFact } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { buildRun } from "./build-run.ts";

const config = (sftUpdates: number) =>
  RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
    rollout: { train_batch_size: 2, max_turns: 2, response_length: 40 },
    model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
    sft: { total_updates: sftUpdates, train_batch_size: 2 },
    actor: { ppo_mini_batch_size: 2, ppo_epochs: 1 },
    trainer: { total_updates: 1, test_freq: 0, val_size: 2, micro_batch_tokens: 512 },
  });

type Compile = GPUDevice["createComputePipelineAsync"];

/** A GPU that compiles the kernels of these labels with `instead`. */
async function gpuWith(labels: readonly string[], instead: (compile: () => ReturnType<Compile>) => unknown) {
  const gpu = await requestNodeGpu();
  const over = (device: GPUDevice) =>
    overlay(device, {
      createComputePipelineAsync(from: GPUComputePipelineDescriptor) {
        const compile = () => device.createComputePipelineAsync(from);
        return labels.includes(from.label ?? "") ? instead(compile) : compile();
      },
    });
  return overlay(gpu, {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await gpu.requestAdapter(options);
      const requestDevice = async (from?: GPUDeviceDescriptor) => over(await adapter!.requestDevice(from));
      return adapter && overlay(adapter, { requestDevice });
    },
  });
}

/** A GPU that does not begin to compile these kernels before `open` is called. */
async function gpuHolding(...labels: readonly string[]) {
  let open = () => {};
  let held = 0;
  const opened = new Promise<void>((done) => {
    open = done;
  });
  const gpu = await gpuWith(labels, (compile) => {
    held++;
    return opened.then(compile);
  });
  return { gpu, open, held: () => held };
}

async function metricsOf(facts: AsyncGenerator<TrainingFact>, updates: number): Promise<string[]> {
  const stages: string[] = [];
  while (stages.length < updates) {
    const { value, done } = await facts.next();
    if (done) break;
    if (value.type === "metrics") stages.push(value.stage);
  }
  return stages;
}

const training = (run: Run) => train(run, new AbortController().signal);

it.each([
  ["SFT without the kernels that play", 1, "decode_reply", ["warmup"]],
  ["playing without those that train", 0, "adamw", []],
] as const)("begins with %s", async (_, sftUpdates, label, before) => {
  const { gpu, open, held } = await gpuHolding(label);
  const steps: PrepareStep[] = [];
  const run = await buildRun("first", config(sftUpdates), gpu, undefined, {
    onPrepare: (all) => steps.push(all.find(({ step }) => step === "compile")!),
  });
  const { done, of } = steps.at(-1)!;
  // What is waited for is counted, and nothing else.
  expect(done).toBe(of);
  const facts = training(run);
  expect(await metricsOf(facts, before.length)).toEqual(before);
  expect(held()).toBeGreaterThan(0);
  open();
  expect(await metricsOf(facts, 1)).toEqual(["ppo"]);
  // Nothing is reported about the rest.
  expect(steps.at(-1)).toMatchObject({ done, of });
  run.dispose();
});

it("compiles no kernel that trains for a run that only plays", async () => {
  const { gpu, held } = await gpuHolding("adamw");
  const steps: PrepareStep[] = [];
  const run = await buildRun("first", config(1), gpu, undefined, {
    onPrepare: (all) => steps.push(all.find(({ step }) => step === "compile")!),
    playsOnly: true,
  });
  const { done, of } = steps.at(-1)!;
  expect(done).toBe(of);
  const [trajectory] = await play({
    task: run.task,
    policy: run.policy,
    episodes: validationEpisodes([1]),
    sampling: { temperature: 0, topP: 1, topK: 0, maxTokens: 4, seed: 1 },
  });
  expect(trajectory!.turns.length).toBeGreaterThan(0);
  expect(held()).toBe(0);
  run.dispose();
});

it("reports a kernel that does not compile where it is used", async () => {
  const gpu = await gpuWith(["adamw"], async () => {
    throw new Error("the driver gave up");
  });
  const run = await buildRun("first", config(0), gpu);
  await expect(metricsOf(training(run), 1)).rejects.toMatchObject({
    code: "shader_compile",
    message: expect.stringMatching(/adamw does not compile.*the driver gave up/),
  });
  run.dispose();
});

it("reports the loss of the device while kernels are compiled", async () => {
  const { gpu } = await gpuHolding("adamw");
  const run = await buildRun("first", config(0), gpu);
  const facts = training(run);
  for (;;) {
    const { value } = await facts.next();
    if (value.type === "phase" && value.phase === "update") break;
  }
  // The update is about to wait for the kernel that is held.
  const update = metricsOf(facts, 1);
  run.loseDevice();
  await expect(update).rejects.toMatchObject({ code: "device_lost" });
  run.dispose();
});
