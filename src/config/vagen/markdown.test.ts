import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { getPreset } from "../presets.ts";
import { ofKind } from "./findings.ts";
import { importVagen } from "./import.ts";
import { vagenMarkdown } from "./markdown.ts";

const docs = join(import.meta.dirname, "../../../docs/vagen-configs.md");

// To renew the page after a change of the table: UPDATE_DOCS=1 npx vitest run --project unit vagen/markdown
test("docs/vagen-configs.md is what the table says", () => {
  const written = vagenMarkdown();
  if (process.env.UPDATE_DOCS) writeFileSync(docs, written);
  expect(readFileSync(docs, "utf8")).toBe(written);
});

test("its example files are read to the last key", () => {
  const files = [...vagenMarkdown().matchAll(/```yaml\n# (\S+)\n(.*?)```/gs)].map(([, name, text]) => ({
    name: name!,
    text: text!,
  }));
  expect(files.map(({ name }) => name)).toEqual(["trainer.yaml", "train.yaml", "val.yaml"]);
  const { config, findings } = importVagen(files, { base: getPreset("sokoban-nano").config });
  for (const kind of ["refused", "unknown", "unsupported"] as const)
    expect(ofKind(findings, kind)).toEqual([]);
  expect(config).toMatchObject({
    env: { name: "sokoban" },
    rollout: { n_trajectory: 4, max_turns: 5 },
    trainer: { total_updates: 60, val_size: 96 },
  });
  // Both datasets have such a key, and only their files tell them apart.
  expect(findings.filter(({ key }) => key.endsWith("envs[0].seed")).map(({ key }) => key)).toEqual([
    "train.yaml: envs[0].seed",
    "val.yaml: envs[0].seed",
  ]);
});
