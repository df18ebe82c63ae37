// A stop during the build of a real run, its first or one after a loss: the run ends at once, and its build gives up between two kernels and destroys its device.
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

/** A run whose devices call `destroyed` when they are destroyed, with its events. `onEvent` is called with each of them. */
function supervised(
  destroyed: () => void,
  onEvent: (event: TrainerEvent, supervisor: Supervisor<Run>) => void,
) {
  const events: TrainerEvent[] = [];
  const store = openStore(memoryFiles());
  const supervisor: Supervisor<Run> = new Supervisor<Run>("stopped", {
    store,
    clock: platformClock,
    requestGpu: () => watched(destroyed),
    build: ({ config: given, gpu, checkpoint, onPrepare }) =>
      buildRun("stopped", given, gpu, checkpoint, { onPrepare }),
    train,
    loadInitial: () => Promise.reject(new Error("no initial checkpoint is named")),
    emit(event) {
      events.push(event);
      onEvent(event, supervisor);
    },
  });
  return { supervisor, store, events };
}

/** The build has given up after its first kernel of several. */
function expectGivenUp(lastStep: TrainerEvent): void {
  const last = compiled(lastStep)!;
  expect(last.done).toBe(1);
  expect(last.of).toBeGreaterThan(1);
}

it("ends a run at once that is stopped between two kernels, and gives up its build", async () => {
  const destroyed = vi.fn();
  const { supervisor, store, events } = supervised(destroyed, (event, it) => {
    if ((compiled(event)?.done ?? 0) > 0) void it.stop();
  });
  await supervisor.start(config);
  await supervisor.done;
  expect(events.at(-1)).toEqual({ type: "run_finished", update: 0, reason: "stopped" });
  // The run has not waited for the device, which the build destroys.
  expect(destroyed).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledOnce(), { timeout: 60_000 });
  expectGivenUp(events.at(-2)!);
  expect(await store.runs()).toEqual([]);
});

it("does so too where the run is built again after a loss, and keeps its checkpoint", async () => {
  const destroyed = vi.fn();
  let isLost = false;
  const { supervisor, store, events } = supervised(destroyed, (event, it) => {
    if (event.type === "checkpoint") it.loseDevice();
    isLost ||= event.type === "device_lost";
    if (isLost && (compiled(event)?.done ?? 0) > 0) void it.stop();
  });
  await supervisor.start(config);
  await supervisor.done;
  expect(events.at(-1)).toEqual({ type: "run_finished", update: 1, reason: "stopped" });
  // The device that was lost, and the one of the build.
  await vi.waitFor(() => expect(destroyed).toHaveBeenCalledTimes(2), { timeout: 60_000 });
  expectGivenUp(events.at(-2)!);
  expect((await store.list("stopped")).map(({ update }) => update)).toEqual([1]);
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
