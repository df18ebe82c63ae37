// The checkpoints that ship with the studio: whole, small, and as good as their page says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { envIdsOf } from "../config/entries.ts";
import { presets } from "../config/presets.ts";
import { RunConfig } from "../config/run-config.ts";
import { envTitle } from "../envs/index.ts";
import { decodeCheckpoint } from "./checkpoint.ts";

const folder = join(import.meta.dirname, "../../public/checkpoints");
const files = readdirSync(folder).filter((name) => name.endsWith(".safetensors"));
const page = readFileSync(join(folder, "README.md"), "utf8");

it("exist for every preset that starts from one", () => {
  const names = presets.all.map(({ config }) => config.trainer.init_checkpoint).filter((name) => name !== "");
  expect(names.length).toBeGreaterThan(0);
  for (const name of names) expect(files).toContain(`${name}.safetensors`);
});

it.each(files)("%s is valid, under 2 MB, and has its results in the README", async (name) => {
  const bytes = new Uint8Array(readFileSync(join(folder, name)));
  expect(bytes.length).toBeLessThan(2e6);
  const { meta, tensors } = await decodeCheckpoint(bytes, name);
  expect([...tensors.keys()].every((key) => key.startsWith("param."))).toBe(true);
  const { command, commit, figures } = meta.provenance!;
  expect(commit).toMatch(/^[0-9a-f]{40}$/);
  const row = page.split("\n").find((line) => line.includes(name.replace(".safetensors", "`")))!;
  expect(page).toContain(command);
  expect(row).toContain(
    `${figures["val/success, temperature 1"]!.toFixed(3)} (${figures["val/success, greedy"]!.toFixed(3)})`,
  );
});

/** Figures of the policies that see pictures and play one environment, by its title, to one decimal: lowest and highest. */
async function rangesOf(figure: string): Promise<Map<string, number[]>> {
  const ranges = new Map<string, number[]>();
  for (const name of files) {
    const { meta } = await decodeCheckpoint(new Uint8Array(readFileSync(join(folder, name))), name);
    const config = RunConfig.parse(meta.config);
    const value = meta.provenance?.figures[figure];
    const isAlone = new Set(envIdsOf(config)).size === 1;
    if (value === undefined || config.env.config.render_mode === "text" || !isAlone) continue;
    const title = envTitle(config.env.name);
    const values = [...(ranges.get(title) ?? []), Math.round(value * 10) / 10];
    ranges.set(title, [Math.min(...values), Math.max(...values)]);
  }
  return ranges;
}

it.each([
  ["grounding_accuracy", 4],
  ["worldmodeling_accuracy", 3],
])("have the %s that docs/metrics.md gives for worlds, and on boards 0.9 or more", async (metric, worlds) => {
  const metrics = readFileSync(join(import.meta.dirname, "../../docs/metrics.md"), "utf8");
  const row = metrics.split("\n").find((line) => line.includes(`<br>\`${metric}\``))!;
  const given = [...row.matchAll(/(0\.\d)(?: to (0\.\d))? in ([A-Z]\w+(?: reconstruction)?)/g)];
  expect(given).toHaveLength(worlds);
  const measured = await rangesOf(`val/${metric}`);
  for (const [, low, high = low, title] of given)
    expect(measured.get(title!), title).toEqual([Number(low), Number(high)]);
  for (const board of ["FrozenLake", "Sokoban"]) expect(measured.get(board)![0]).toBeGreaterThanOrEqual(0.9);
});
