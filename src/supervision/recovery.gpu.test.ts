// A lost device, for real: Dawn's device is destroyed while a run is prepared or trains, and the run recovers.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, expect, it, vi } from "vitest";
import { applyChanges } from "../config/changes.ts";
import { RunConfig } from "../config/run-config.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { requestOwnGpu } from "../gpu/test-sharing.ts";
import { nodeFiles } from "../persistence/node-files.ts";
import { openStore } from "../persistence/store.ts";
import { buildRun } from "../run/build-run.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Run } from "../training/run.ts";
import { train } from "../training/trainer.ts";
import { Supervisor } from "./supervisor.ts";

const folder = await mkdtemp(join(tmpdir(), "studio-recovery-"));
afterEach(() => vi.restoreAllMocks());
afterAll(() => rm(folder, { recursive: true, force: true }));

const config = RunConfig.parse({
  env: { name: "frozenlake", config: { max_actions_per_step: 5 } },
  rollout: { train_batch_size: 2, response_length: 36, max_turns: 2 },
  model: {
    hidden_size: 16,
    num_attention_heads: 2,
    num_key_value_heads: 2,
    // Every device compiles its own kernels: the fewer shapes, the fewer kernels.
    intermediate_size: 16,
    num_hidden_layers: 1,
  },
  sft: { total_updates: 2, one_turn_updates: 1, train_batch_size: 2, lr_warmup_steps: 1 },
  actor: { ppo_mini_batch_size: 1 },
  // The critic's optimiser has a clock of its own, which a checkpoint must keep.
  critic: { ppo_epochs: 2 },
  trainer: { total_updates: 3, test_freq: 0, val_size: 2, save_freq: 1, micro_batch_tokens: 256 },
});

/** Trains to the end; `onEvent` may destroy the device. */
async function superviseRun(
  runId: string,
  onEvent: (event: TrainerEvent, supervisor: Supervisor<Run>) => void,
  requestGpu = requestOwnGpu,
  of = config,
) {
  const events: TrainerEvent[] = [];
  const store = openStore(nodeFiles(folder));
  const supervisor: Supervisor<Run> = new Supervisor<Run>(runId, {
    requestGpu,
    build: ({ config: given, gpu, checkpoint, onPrepare }) =>
      buildRun(runId, given, gpu, checkpoint, { onPrepare }),
    train,
    store,
    loadInitial: () => Promise.reject(new Error("no initial checkpoint is named")),
    emit: (event) => {
      events.push(event);
      onEvent(event, supervisor);
    },
    clock: {
      now: () => Date.now(),
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.min(ms, 20))),
    },
  });
  await supervisor.start(of);
  await supervisor.done;
  const good = await store.loadLatestGood(runId);
  return { events, checkpoint: good?.checkpoint };
}

/**
 * Gives devices of their own, which are really destroyed, and after `count` of them the one that all tests share, whose kernels are
 * ready: its loss is reported to the run that opened it, and to no other.
 */
function losable(count: number): typeof requestOwnGpu {
  let given = 0;
  return () => (given++ < count ? requestOwnGpu() : requestNodeGpu());
}

const lostAt = ({ events }: { events: readonly TrainerEvent[] }) =>
  events.filter((event) => event.type === "device_lost");

it("survives losses while playing, optimising and validating, and ends with the very same parameters", async () => {
  const undisturbed = await superviseRun("undisturbed", () => undefined, requestNodeGpu);
  const moments = new Set(["rollout 3", "update 4", "validate 5"]);
  const disturbed = await superviseRun(
    "disturbed",
    (event, supervisor) => {
      if (event.type !== "phase" || !moments.delete(`${event.phase} ${event.update}`)) return;
      supervisor.loseDevice();
    },
    losable(3),
  );

  expect(moments).toEqual(new Set());
  const reports = lostAt(disturbed);
  expect(reports.slice(0, 2)).toMatchObject([2, 3].map((resumeFrom) => ({ recovering: true, resumeFrom })));
  expect(reports).toHaveLength(3);
  // Update 5 is saved before its validation only if that costs little.
  expect(reports[2]!.resumeFrom).toBeGreaterThanOrEqual(4);
  // Every update is reported once, in order.
  expect(disturbed.events.filter((e) => e.type === "metrics").map((e) => e.update)).toEqual([1, 2, 3, 4, 5]);
  expect(disturbed.events.at(-1)).toMatchObject({ type: "run_finished", reason: "completed" });
  for (const [name, { data }] of undisturbed.checkpoint!.tensors)
    expect(disturbed.checkpoint!.tensors.get(name)?.data, name).toEqual(data);
});

it("survives losses while the next batch is played during an update, and ends with the very same parameters", async () => {
  const overlapping = applyChanges(config, { "rollout.max_head_offpolicyness": 1 });
  const undisturbed = await superviseRun("calm", () => undefined, requestNodeGpu, overlapping);
  const moments = new Set(["update 3", "rollout 4"]);
  const disturbed = await superviseRun(
    "shaken",
    (event, supervisor) => {
      if (event.type !== "phase" || !moments.delete(`${event.phase} ${event.update}`)) return;
      supervisor.loseDevice();
    },
    // Both generators have work on the first device when it is destroyed.
    losable(1),
    overlapping,
  );
  expect(moments).toEqual(new Set());
  expect(lostAt(disturbed)).toMatchObject([2, 3].map((resumeFrom) => ({ recovering: true, resumeFrom })));
  expect(disturbed.events.filter((e) => e.type === "metrics").map((e) => e.update)).toEqual([1, 2, 3, 4, 5]);
  const numbers = ({ events }: typeof disturbed) =>
    events.flatMap((e) =>
      e.type === "metrics" ? [e.values["version_stats/sample_staleness_theta_avg"]] : [],
    );
  expect(numbers(disturbed)).toEqual(numbers(undisturbed));
  expect(numbers(undisturbed).slice(2)).toEqual([1, 2, 2]);
  for (const [name, { data }] of undisturbed.checkpoint!.tensors)
    expect(disturbed.checkpoint!.tensors.get(name)?.data, name).toEqual(data);
});

it.each([
  ["values and log-probabilities from decoding", { "actor.recompute_logprob": false }],
  [
    "a separate critic with its own minibatches",
    { "model.critic": "separate", "critic.ppo_mini_batch_size": 1 },
  ],
])("survives a loss with %s, and ends with the very same parameters", async (name, changes) => {
  const [id, of] = [name.replaceAll(" ", "-"), applyChanges(config, changes)];
  const undisturbed = await superviseRun(`${id}-calm`, () => undefined, requestNodeGpu, of);
  let isLost = false;
  const disturbed = await superviseRun(
    `${id}-shaken`,
    (event, supervisor) => {
      if (isLost || event.type !== "phase" || event.phase !== "update" || event.update !== 4) return;
      isLost = true;
      supervisor.loseDevice();
    },
    // Devices are really destroyed above; here the loss is only reported.
    requestNodeGpu,
    of,
  );
  expect(lostAt(disturbed)).toMatchObject([{ recovering: true, resumeFrom: 3 }]);
  expect(undisturbed.checkpoint!.meta.update).toBe(5);
  const newest = undisturbed.events.findLast((event) => event.type === "metrics")!;
  // Without it the update had no forward pass before its steps.
  expect("training/rollout_probs_diff_mean" in newest.values).toBe(of.actor.recompute_logprob);
  for (const [tensor, { data }] of undisturbed.checkpoint!.tensors)
    expect(disturbed.checkpoint!.tensors.get(tensor)?.data, tensor).toEqual(data);
});

/** Keeps the devices of their own that are opened from now on. */
async function watchDevices(): Promise<GPUDevice[]> {
  await requestOwnGpu();
  const devices: GPUDevice[] = [];
  const open = GPUAdapter.prototype.requestDevice;
  vi.spyOn(GPUAdapter.prototype, "requestDevice").mockImplementation(async function (
    this: GPUAdapter,
    ...args
  ) {
    const device = await open.apply(this, args);
    devices.push(device);
    return device;
  });
  return devices;
}

// Memory is allocated with the second report and filled with the third; each later one is of a kernel that is ready.
it.each([2, 4])("retries a start whose device is lost at its report %i", async (report) => {
  const devices = await watchDevices();
  let reports = 0;
  let openings = 0;
  const requestGpu = losable(1);
  const { events } = await superviseRun(
    `prepared-${report}`,
    (event, supervisor) => {
      if (event.type === "prepare" && ++reports === report) devices[0]!.destroy();
      if (event.type === "run_started") void supervisor.stop();
    },
    () => {
      openings++;
      return requestGpu();
    },
  );
  expect(lostAt({ events })).toMatchObject([{ update: 0, recovering: true }]);
  expect(events.at(-1)).toMatchObject({ type: "run_finished", reason: "stopped" });
  expect([openings, devices.length]).toEqual([2, 1]);
});
