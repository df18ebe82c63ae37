// A stop during the build of a real run: the run ends at once, and its build gives up between two kernels and destroys its device.
import { expect, it, vi } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { platformClock } from "../core/clock.ts";
import { requestOwnGpu } from "../gpu/test-sharing.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { openStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import type { PrepareStep, TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { Supervisor } from "./supervisor.ts";

const config = RunConfig.parse({
  env: { name: "frozenlake", config: { max_actions_per_step: 5 } },
  rollout: { train_batch_size: 2, response_length: 36, max_turns: 2 },
  model: {
    hidden_size: 16,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    intermediate_size: 16,
    num_hidden_layers: 1,
  },
  sft: { total_updates: 0 },
  trainer: { total_updates: 3, test_freq: 0, val_size: 2, save_freq: 1, micro_batch_tokens: 256 },
});

const compiled = (event: TrainerEvent): PrepareStep | undefined =>
  event.type === "prepare" ? event.steps.find(({ step }) => step === "compile") : undefined;

it("ends a run at once that is stopped between two kernels, and gives up its build", async () => {
  const events: TrainerEvent[] = [];
  const destroyed = vi.fn();
  const store = openStore(memoryFiles());
  const supervisor = new Supervisor<Run>("stopped", {
    store,
    clock: platformClock,
    requestGpu: () => watched(destroyed),
    build: ({ config: given, gpu, checkpoint, onPrepare }) =>
      buildRun("stopped", given, gpu, checkpoint, { onPrepare }),
    train,
    loadInitial: () => Promise.reject(new Error("no initial checkpoint is named")),
    emit(event) {
      events.push(event);
      if ((compiled(event)?.done ?? 0) > 0) void supervisor.stop();
    },
  });
  await supervisor.start(config);
  await supervisor.done;
  expect(events.at(-1)).toEqual({ type: "run_finished", update: 0, reason: "stopped" });
  // The run has not waited for the device, which the build destroys.
  expect(destroyed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledOnce(), { timeout: 60_000 });
  const last = compiled(events.at(-2)!)!;
  expect(last.done).toBe(1);
  expect(last.of).toBeGreaterThan(1);
  expect(await store.runs()).toEqual([]);
});

/** A device of the test's own, which calls `destroyed` when it is destroyed. */
async function watched(destroyed: () => void): Promise<GPU> {
  const gpu = await requestOwnGpu();
  return {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await gpu.requestAdapter(options);
      const request = adapter!.requestDevice.bind(adapter);
      adapter!.requestDevice = async (wanted) => {
        const device = await request(wanted);
        void device.lost.then(({ reason }) => reason === "destroyed" && destroyed());
        return device;
      };
      return adapter;
    },
  } as GPU;
}
