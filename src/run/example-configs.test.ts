// docs/examples/world.yaml and golf.yaml exactly as they stand there: with its plugin each is a run that can start.
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
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

/** A configuration of the documentation, and the plugin that it needs. */
const example = (name: string) => ({
  text: readFileSync(`docs/examples/${name}.yaml`, "utf8"),
  plugin: { name: `${name}.mjs`, source: readFileSync(`docs/examples/${name}.mjs`, "utf8") },
});

afterEach(() => void installExtensions([]));

describe.each([
  ["world", "puck", { maxTurns: 8, format: "grounding", imageTokens: 64 }],
  ["golf", "golf", { maxTurns: 6, format: "grounding" }],
])("%s.yaml", (name, env, task) => {
  const { text, plugin } = example(name);

  it("needs its plugin", () => {
    expect(() => parseRunConfig(text)).toThrow(`env.name is "${env}"`);
  });

  it("has levels to play, and fits every device", async () => {
    await installExtensions([plugin]);
    const config = parseRunConfig(text);
    const size = playableSize(config);
    expect(size.task).toMatchObject(task);
    expect(tooLarge(config, size, DEFAULT_LIMIT)).toBeNull();
  });

  it("sets nothing that has no effect", async () => {
    await installExtensions([plugin]);
    const config = parseRunConfig(text);
    const given = idlePaths().filter((path) => getPath(parse(text), path) !== undefined);
    expect(given.length).toBeGreaterThan(0);
    expect(given.filter((path) => whyIdle(path, config) !== "")).toEqual([]);
  });
});

it("world.yaml trains the policy that it starts from: SFT, then PPO", async () => {
  const { text, plugin } = example("world");
  await installExtensions([plugin]);
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
