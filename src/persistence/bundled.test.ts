// The checkpoints that ship with the studio: whole, small, and as good as their page says.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { presets } from "../config/presets.ts";
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
