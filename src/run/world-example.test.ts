// docs/examples/world.yaml exactly as it stands there: with its plugin it is a run that can start.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { getPath } from "../config/changes.ts";
import { idlePaths, whyIdle } from "../config/rules/idle.ts";
import { sftUpdates, totalUpdates } from "../config/run-length.ts";
import { parseRunConfig } from "../config/yaml.ts";
import { decodeCheckpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "./build-run.ts";
import { installExtensions } from "./extensions.ts";
import { playableSize } from "./size.ts";
import { DEFAULT_LIMIT, tooLarge } from "./size-problem.ts";

const text = readFileSync("docs/examples/world.yaml", "utf8");
const plugin = { name: "world.mjs", source: readFileSync("docs/examples/world.mjs", "utf8") };

afterEach(() => void installExtensions([]));

it("needs its plugin", () => {
  expect(() => parseRunConfig(text)).toThrow(/env\.name is "puck"/);
});

describe("with its plugin", () => {
  beforeEach(() => installExtensions([plugin]));

  it("has levels to play, and fits every device", () => {
    const config = parseRunConfig(text);
    const size = playableSize(config);
    expect(size.task).toMatchObject({ maxTurns: 8, format: "grounding", imageTokens: 64 });
    expect(tooLarge(config, size, DEFAULT_LIMIT)).toBeNull();
  });

  it("sets nothing that has no effect", () => {
    const config = parseRunConfig(text);
    const given = idlePaths().filter((path) => getPath(parse(text), path) !== undefined);
    expect(given).toContain("sft.after_checkpoint");
    expect(given.filter((path) => whyIdle(path, config) !== "")).toEqual([]);
  });

  it("trains the policy that it starts from: SFT, then PPO", async () => {
    const config = parseRunConfig(text);
    expect([sftUpdates(config), totalUpdates(config)]).toEqual([2739, 2819]);
    const file = `${config.trainer.init_checkpoint}.safetensors`;
    const stored = await decodeCheckpoint(new Uint8Array(readFileSync(`public/checkpoints/${file}`)), file);
    const start = (model: object = {}) =>
      buildRun("new", { ...config, model: { ...config.model, ...model } }, undefined, stored);
    // A checkpoint that does not fit is refused before a device is asked for.
    await expect(start({ hidden_size: 96 })).rejects.toMatchObject({ code: "wrong_architecture" });
    await expect(start()).rejects.toMatchObject({ name: "GpuError", code: "no_adapter" });
  });
});
