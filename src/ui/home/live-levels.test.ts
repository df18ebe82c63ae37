import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { bundledForLevels } from "../../config/bundled.ts";
import { presets } from "../../config/presets.ts";
import { formatMiB } from "../../core/format.ts";
import { loadEnvs } from "../../envs/index.ts";
import { decodeCheckpoint } from "../../persistence/checkpoint.ts";
import { exportOnnx } from "../../run/onnx.ts";
import { playablePresets, policySize, unseenSeed } from "./live-levels.ts";

const folder = join(import.meta.dirname, "../../../public/checkpoints");
const playable = playablePresets(presets.all);

it("can be played in every environment with a trained policy, once each", () => {
  const names = playable.map(({ config }) => config.env.name);
  expect(names).toEqual([
    "frozenlake",
    "sokoban",
    "visual-math",
    "navigation",
    "primitive-skill",
    "svg",
    "blackjack",
    "spatial-gym",
  ]);
});

it("says how large each policy is", async () => {
  await loadEnvs(playable.map(({ config }) => config.env.name));
  for (const { config } of playable) {
    const { id } = bundledForLevels(config.env)!;
    const bytes = new Uint8Array(readFileSync(join(folder, `${id}.safetensors`)));
    const onnx = exportOnnx(await decodeCheckpoint(bytes, id));
    expect(policySize(config.env), id).toBe(formatMiB(onnx.length));
  }
});

it("plays levels that the policy was not trained on", () => {
  for (const { config } of playable) {
    const bytes = readFileSync(join(folder, `${bundledForLevels(config.env)!.id}.safetensors`));
    const header = JSON.parse(bytes.toString("utf8", 8, 8 + Number(bytes.readBigUInt64LE(0))));
    const trained = JSON.parse(header.__metadata__.meta).config.trainer.train_seeds;
    const last = Number(/^1-(\d+)$/.exec(trained)![1]);
    const seeds = Array.from({ length: 40 }, () => unseenSeed(config));
    expect(Math.min(...seeds)).toBeGreaterThan(last);
    expect(Math.max(...seeds)).toBeLessThan(100_000);
  }
});
