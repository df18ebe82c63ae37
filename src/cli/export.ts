// `export`: the weights of a checkpoint as a small file, to share or to ship with the studio; or,
// with --as, a configuration as VAGEN's files.
import { type CheckpointMeta, encodeCheckpoint, PARAM } from "../persistence/checkpoint.ts";
import type { Consent } from "../run/judge-consent.ts";
import { UsageError } from "./args.ts";
import type { Command } from "./command.ts";
import { writeInto } from "./disk.ts";
import { criticOf, evaluateCheckpoint } from "./eval.ts";
import { exportConfig, TARGETS } from "./export-config.ts";
import { samplingName } from "./format-progress.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { readCheckpoint, sourceOptions } from "./source.ts";

export const exportCommand: Command = {
  summary: "Write a checkpoint's weights to a file, or a configuration as VAGEN's files.",
  details: [
    "Weights are exported without the optimiser: the file can start new runs and be evaluated, but it cannot continue",
    "the run that it came from.",
    "",
    "A configuration is that of --preset, --config or --checkpoint, with --set on top; settings without a key of VAGEN",
    "are in comments that import reads back (docs/vagen-configs.md).",
    "",
    "  npm run export -- --checkpoint run --out policy.safetensors",
    "  npm run export -- --preset frozenlake-nano --as vagen-lite --out cluster/",
  ].join("\n"),
  options: {
    as: {
      value: "<format>",
      help: `A configuration instead of weights: ${Object.keys(TARGETS).join(" or ")}.`,
    },
    ...sourceOptions,
    checkpoint: {
      value: "<run|file>",
      help: "A run's folder (its newest checkpoint), a file, or a bundled name.",
    },
    out: { value: "<file>", help: "The .safetensors file to write; with --as the folder." },
    commit: { value: "<hash>", help: "The commit that made it, where the run had no git to ask." },
    ...judgeOptions,
    evaluate: { help: "Measure success on the validation levels and store the figures in the file." },
  },
  async run(values, io) {
    if (values.has("as")) return exportConfig(values, io);
    const [from, to] = [values.text("checkpoint"), values.text("out")];
    if (from === undefined || to === undefined)
      throw new UsageError(
        "export needs --checkpoint and --out.",
        "For example: --checkpoint run/checkpoints/update-000080.safetensors --out policy.safetensors",
      );
    const { meta: stored, tensors } = await readCheckpoint(from, "--checkpoint");
    const measured = values.has("evaluate") ? await withFigures(stored, from, consentOf(values, io)) : stored;
    const meta = withCommit(measured, values.text("commit"));
    const weights = new Map([...tensors].filter(([name]) => name.startsWith(PARAM)));
    const bytes = await encodeCheckpoint({ meta, tensors: weights });
    await writeInto(to, bytes);
    io.out(
      `${to}: ${weights.size} tensors, ${(bytes.length / 1024).toFixed(0)} KiB, update ${meta.update} of ${meta.runId}`,
    );
    const critic = values.has("evaluate") ? criticOf(meta) : "";
    if (critic) io.out(critic);
    return 0;
  },
};

function withCommit(meta: CheckpointMeta, commit: string | undefined): CheckpointMeta {
  const { provenance } = meta;
  return commit && provenance ? { ...meta, provenance: { ...provenance, commit } } : meta;
}

/** The same origin with figures that belong to exactly these weights. */
async function withFigures(meta: CheckpointMeta, file: string, consent: Consent): Promise<CheckpointMeta> {
  const figures: Record<string, number> = {};
  for (const temperature of [1, 0]) {
    const { successes, episodes, interval, metrics } = await evaluateCheckpoint(file, temperature, consent);
    const name = `val/success, ${samplingName(temperature)}`;
    Object.assign(figures, {
      [name]: successes / episodes,
      [`${name}, low`]: interval[0],
      [`${name}, high`]: interval[1],
      "val/episodes": episodes,
    });
    if (temperature === 1)
      for (const key of REASONING) if (metrics[key] !== undefined) figures[key] = metrics[key];
  }
  const { command, commit, seed } = meta.provenance ?? { command: "", commit: "", seed: 0 };
  return { ...meta, provenance: { command, commit, seed, figures } };
}

const REASONING = [
  "val/format_correct",
  "val/grounding_accuracy",
  "val/worldmodeling_accuracy",
  "val/surroundings_accuracy/all",
];
