// Demonstrations that are made ahead are those that the update would have made itself.
import { expect, it, vi } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { applyChanges } from "../config/changes.ts";
import { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { Demonstrations } from "./demonstrations.ts";

function start() {
  const config = RunConfig.parse({
    sft: { total_updates: 3, one_turn_updates: 2, train_batch_size: 4 },
    trainer: { train_seeds: "1-500" },
  });
  const run = { config, demoTask: testTask("frozenlake"), isHeldOut: () => false, isHeldOutIn: new Map() };
  return { run, demonstrations: new Demonstrations(run) };
}

const idsOf = (batch: readonly Trajectory[]) => batch.map(({ tokens }) => [...tokens.ids]);
const fresh = async (run: ReturnType<typeof start>["run"], update: number) =>
  idsOf(await new Demonstrations(run).take(update));

it("are the same, of one turn or of all", async () => {
  const { run, demonstrations } = start();
  for (const update of [1, 2, 3]) {
    const taken = idsOf(await demonstrations.take(update));
    expect(taken).toEqual(await fresh(run, update));
    demonstrations.prepare(update + 1);
  }
});

it("are made once", async () => {
  const { run, demonstrations } = start();
  const reset = vi.spyOn(run.demoTask.spec, "create");
  demonstrations.prepare(2);
  await demonstrations.take(2);
  expect(reset).toHaveBeenCalledTimes(4);
  reset.mockRestore();
});

it("are made again when a setting has changed, or another update comes", async () => {
  const { run, demonstrations } = start();
  demonstrations.prepare(2);
  run.config = applyChanges(run.config, { "sft.one_turn_updates": 0 });
  expect(idsOf(await demonstrations.take(2))).toEqual(await fresh(run, 2));
  demonstrations.prepare(2);
  expect(idsOf(await demonstrations.take(3))).toEqual(await fresh(run, 3));
});

it("are not made for an update of PPO, and fail in the update that needs them", async () => {
  const { run, demonstrations } = start();
  const create = vi.spyOn(run.demoTask.spec, "create");
  demonstrations.prepare(4);
  expect(create).not.toHaveBeenCalled();
  create.mockImplementation(() => {
    throw new Error("no level");
  });
  demonstrations.prepare(3);
  await new Promise((resolve) => setTimeout(resolve, 0));
  await expect(demonstrations.take(3)).rejects.toThrow("no level");
  create.mockRestore();
});
