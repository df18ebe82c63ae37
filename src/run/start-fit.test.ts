// A file that does not fit a draft is refused with the draft's plan, before a start.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getPreset } from "../config/presets.ts";
import type { RunConfig } from "../config/run-config.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { planMemory } from "./memory-plan.ts";

const NAME = "frozenlake-nano-trained.safetensors";
const file = readFileSync(join(import.meta.dirname, "../../public/checkpoints", NAME));
const { meta } = await decodeCheckpoint(new Uint8Array(file), NAME);
const from = (preset: string, start: Partial<RunConfig["trainer"]> = {}) => {
  const { config } = getPreset(preset);
  const trainer = { ...config.trainer, init_checkpoint: "blob:x#lake.safetensors", ...start };
  return { ...config, trainer };
};

test("a checkpoint of another task is refused, with what to set", async () => {
  await expect(planMemory(from("sokoban-small"), undefined, meta)).rejects.toMatchObject({
    code: "wrong_architecture",
    message: expect.stringContaining("was trained for FrozenLake (frozenlake) and cannot play Sokoban"),
    hint: expect.stringContaining('env.name to "frozenlake"'),
  });
});

test("a checkpoint of the same task fits, also as a policy without a critic of its own", async () => {
  const lake = from("frozenlake-nano");
  const separate = { ...lake, model: { ...lake.model, critic: "separate" as const } };
  for (const config of [lake, separate])
    expect((await planMemory(config, undefined, meta)).parameters).toBeGreaterThan(0);
});

test("where layers may be fewer, a deeper model fits and a shallower one does not", async () => {
  const lake = from("frozenlake-nano", { init_layers: "fewer" });
  const planned = (num_hidden_layers: number, critic = lake.model.critic) =>
    planMemory({ ...lake, model: { ...lake.model, num_hidden_layers, critic } }, undefined, meta);
  for (const critic of ["head", "separate"] as const)
    expect((await planned(4, critic)).parameters).toBeGreaterThan(0);
  await expect(planned(1)).rejects.toMatchObject({ code: "wrong_architecture" });
});

test("where words may differ, only the start can say whether a checkpoint fits", async () => {
  const plan = await planMemory(from("sokoban-small", { init_vocabulary: "shared" }), undefined, meta);
  expect(plan.parameters).toBeGreaterThan(0);
});
