// `import`: converts configurations of VAGEN into one of the studio and reports every key.
import { basename } from "node:path";
import { getPreset, presets } from "../config/presets.ts";
import { missingTask, ofKind } from "../config/vagen/findings.ts";
import { importVagen, type VagenImport } from "../config/vagen/import.ts";
import { GENERATIONS, type Generation } from "../config/vagen/key-mapping.ts";
import { isVagenConfig, type VagenFile } from "../config/vagen/parse/file.ts";
import { reportText } from "../config/vagen/report.ts";
import { ConfigError } from "../core/errors.ts";
import { envs } from "../envs/index.ts";
import { shellWords, UsageError, type Values } from "./args.ts";
import type { Command } from "./command.ts";
import { readText, writeInto } from "./disk.ts";
import { toYaml } from "./source.ts";

export const importCommand: Command = {
  summary: "Turn configuration files of VAGEN or AReaL into one of the studio.",
  details: [
    "The files are trainer YAML, dataset YAML (Lite: train and val), shell scripts, flags files or lists of overrides, of",
    "either generation, in any order, or an experiment of AReaL's. The report covers every key; docs/vagen-configs.md has",
    "the whole list.",
    "",
    "  npm run import -- trainer.yaml dataset.yaml --set algorithm.gamma=0.99 --out run.yaml",
  ].join("\n"),
  files: "<file…>",
  options: {
    set: {
      value: "<key>=<value>",
      help: "An override under VAGEN's name. Can be repeated.",
      multiple: true,
    },
    out: { value: "<run.yaml>", help: "The configuration to write; without it only the report is printed." },
    preset: { value: "<id>", help: `Supplies what the files do not set: ${presets.ids.join(", ")}.` },
    from: { value: "<generation>", help: `${GENERATIONS.join(", ")}, if the keys alone do not decide it.` },
    json: { help: "Print generation, findings and configuration as JSON." },
  },
  async run(values, io) {
    const imported = await importFiles(values);
    const out = values.text("out");
    const missing = missingTask(imported.findings);
    if (out !== undefined && !missing) await writeInto(out, toYaml(imported.config));
    const next = missing ? "" : nextStep(out);
    if (values.has("json")) io.out(JSON.stringify(imported));
    else io.out([reportText(imported), unknownKeys(imported), next].filter(Boolean).join("\n\n"));
    if (!missing) return 0;
    throw new ConfigError(
      "invalid_config",
      `${missing.remark} Nothing is written.`,
      `To use the other settings for another task, write ${envs.ids.join(" or ")} there.`,
    );
  },
};

async function importFiles(values: Values): Promise<VagenImport> {
  const overrides = values.list("set");
  if (values.files.length === 0 && overrides.length === 0)
    throw new UsageError(
      "import needs a file of VAGEN's, or --set.",
      "For example: import trainer.yaml dataset.yaml",
    );
  const preset = values.text("preset");
  const generation = generationOf(values.text("from"));
  const files = await Promise.all(values.files.map(readVagenFile));
  const imported = importVagen(files, {
    overrides,
    ...(generation && { generation }),
    ...(preset !== undefined && { base: getPreset(preset).config }),
  });
  assertOfVagen(files);
  return imported;
}

/** Rejects a configuration of the studio: all of its keys would be unknown. */
function assertOfVagen(files: readonly VagenFile[]): void {
  const [ours] = files.filter(({ text }) => !isVagenConfig(text));
  if (!ours) return;
  throw new ConfigError(
    "invalid_config",
    `${ours.name} contains no key of VAGEN or AReaL.`,
    "A configuration of the studio needs no import: npm run train -- --config <file>",
  );
}

function generationOf(text: string | undefined): Generation | undefined {
  const found = GENERATIONS.find((generation) => generation === text);
  if (text === undefined || found) return found;
  throw new UsageError(
    `--from is "${text}"; expected ${GENERATIONS.join(", ")}.`,
    "Leave it out to let the keys decide.",
  );
}

const readVagenFile = async (path: string): Promise<VagenFile> => ({
  name: basename(path),
  text: await readText(path, "Check the path."),
});

/** Repeated at the end, because the beginning of a long report scrolls out of view. */
function unknownKeys({ findings }: VagenImport): string {
  const names = ofKind(findings, "unknown").map(({ key, remark }) => `${key} (${remark})`);
  return names.length > 0 ? `Unknown, and ignored: ${names.join(", ")}` : "";
}

function nextStep(out: string | undefined): string {
  return out === undefined
    ? "Nothing is written yet: add --out run.yaml."
    : `${out} is written; to train it: npm run train -- --config ${shellWords(out)} --out run/`;
}
