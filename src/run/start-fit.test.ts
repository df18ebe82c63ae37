// A file that does not fit a draft is refused with the draft's plan, before a start.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getPreset } from "../config/presets.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { planMemory } from "./memory-plan.ts";

const NAME = "frozenlake-nano-trained.safetensors";
const file = readFileSync(join(import.meta.dirname, "../../public/checkpoints", NAME));
const { meta } = await decodeCheckpoint(new Uint8Array(file), NAME);
const from = (preset: string, init_vocabulary: "same" | "shared" = "same") => {
  const { config } = getPreset(preset);
  const trainer = { ...config.trainer, init_checkpoint: "blob:x#lake.safetensors", init_vocabulary };
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

test("where words may differ, only the start can say whether a checkpoint fits", async () => {
  const plan = await planMemory(from("sokoban-small", "shared"), undefined, meta);
  expect(plan.parameters).toBeGreaterThan(0);
});
