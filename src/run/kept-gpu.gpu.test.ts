// A run on the device of the run before: its kernels are there, its buffers are not.
import { expect, it } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { GpuKeeper } from "../gpu/gpu-keeper.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { overlay } from "../gpu/test-sharing.ts";
import { train } from "../training/trainer.ts";
import { buildRun } from "./build-run.ts";

const config = RunConfig.parse({
  env: { name: "frozenlake", config: { max_actions_per_step: 1 } },
  rollout: { train_batch_size: 2, max_turns: 2, response_length: 40 },
  model: { hidden_size: 16, num_attention_heads: 2, num_key_value_heads: 2, intermediate_size: 32 },
  sft: { total_updates: 1, train_batch_size: 2 },
  actor: { ppo_mini_batch_size: 2, ppo_epochs: 1 },
  trainer: { total_updates: 1, test_freq: 0, val_size: 2, micro_batch_tokens: 512 },
});

/** A GPU that counts devices, requests to compile, and bytes in buffers that are not destroyed. */
async function countingGpu() {
  const gpu = await requestNodeGpu();
  const count = { devices: 0, kernels: 0, bytes: 0 };
  const buffer = (made: GPUBuffer) => {
    count.bytes += made.size;
    const destroy = made.destroy.bind(made);
    let isGone = false;
    made.destroy = () => {
      if (!isGone) count.bytes -= made.size;
      isGone = true;
      return destroy();
    };
    return made;
  };
  const over = (device: GPUDevice) => {
    count.devices++;
    return overlay(device, {
      createBuffer: (from: GPUBufferDescriptor) => buffer(device.createBuffer(from)),
      createComputePipelineAsync(from: GPUComputePipelineDescriptor) {
        count.kernels++;
        return device.createComputePipelineAsync(from);
      },
    });
  };
  const counting = overlay(gpu, {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await gpu.requestAdapter(options);
      const requestDevice = async (from?: GPUDeviceDescriptor) => over(await adapter!.requestDevice(from));
      return adapter && overlay(adapter, { requestDevice });
    },
  });
  return { gpu: counting, count };
}

/** Builds and trains a run; resolves to it with its metrics, apart from times. */
async function trained(gpu: GPU, gpus: GpuKeeper) {
  const run = await buildRun("kept", config, gpu, undefined, { gpus });
  const metrics: Record<string, number>[] = [];
  for await (const fact of train(run, new AbortController().signal))
    if (fact.type === "metrics")
      metrics.push(
        Object.fromEntries(Object.entries(fact.values).filter(([key]) => !/timing|perf|time/.test(key))),
      );
  return { run, metrics };
}

it("compiles nothing again, computes the same, and leaves no buffer behind", async () => {
  const { gpu, count } = await countingGpu();
  const gpus = new GpuKeeper();
  const first = await trained(gpu, gpus);
  first.run.dispose();
  await expect.poll(() => count.bytes).toBe(0);
  const { kernels } = count;
  expect(kernels).toBeGreaterThan(20);

  const second = await trained(gpu, gpus);
  expect(count).toMatchObject({ devices: 1, kernels });
  expect(second.metrics).toEqual(first.metrics);
  expect(second.metrics).toHaveLength(2);

  // A lost device is not used again.
  second.run.loseDevice();
  second.run.dispose();
  (await gpus.open(gpu)).destroy();
  expect(count.devices).toBe(2);
});
