// `export`: the weights of a checkpoint as a small file, to share or to ship with the studio; or,
// with --as, a configuration as VAGEN's files.
import type { Evaluation } from "../eval/evaluate.ts";
import { type CheckpointMeta, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { UsageError, type Values } from "./args.ts";
import {
  checkpointAndOut,
  checkpointConfig,
  checkpointOption,
  criticOf,
  readCheckpoint,
  weightsOnly,
} from "./checkpoint.ts";
import type { Command } from "./command.ts";
import { assertFile, writeInto } from "./disk.ts";
import { evaluateCheckpoint, type Opening } from "./eval-run.ts";
import { exportConfig, sourceConfig, TARGETS } from "./export-config.ts";
import type { Io } from "./io.ts";
import { consentOf, judgeOptions } from "./judge-options.ts";
import { successFigures, withCommit } from "./run-folder/provenance.ts";
import { paidSimilarity, similarityModels } from "./similarity.ts";
import { sourceOptions } from "./source.ts";

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
    ...checkpointOption,
    out: { value: "<file>", help: "The .safetensors file to write; with --as the folder." },
    commit: { value: "<hash>", help: "The commit that made it, where the run had no git to ask." },
    ...judgeOptions,
    ...paidSimilarity,
    evaluate: { help: "Measure success on the validation levels and store the figures in the file." },
  },
  plays: async (values) => (await checkpointConfig(values)) ?? sourceConfig(values),
  run(values, io) {
    assertUsed(values);
    return values.has("as") ? exportConfig(values, io) : exportWeights(values, io);
  },
};

/** @throws UsageError for models that nothing would use */
function assertUsed(values: Values): void {
  if (!values.has("similarity") || values.has("evaluate")) return;
  throw new UsageError(
    "--similarity is given without --evaluate, so nothing would use the model.",
    "Add --evaluate, or leave --similarity out.",
  );
}

async function exportWeights(values: Values, io: Io): Promise<number> {
  const example = "--checkpoint run/checkpoints/update-000080.safetensors --out policy.safetensors";
  const { from, to } = checkpointAndOut(values, "export", example);
  const commit = commitOf(values);
  assertFile(to);
  const { meta: stored, tensors } = await readCheckpoint(from, "--checkpoint");
  const isMeasured = values.has("evaluate");
  const measured = isMeasured ? await measuredMeta(stored, from, values, io) : stored;
  const meta = commit ? withCommit(measured, commit) : measured;
  const weights = weightsOnly({ meta, tensors });
  const bytes = await encodeCheckpoint(weights);
  await writeInto(to, bytes);
  const size = `${weights.tensors.size} tensors, ${(bytes.length / 1024).toFixed(0)} KiB`;
  io.out(`${to}: ${size}, update ${meta.update} of ${meta.runId}`);
  const critic = isMeasured ? criticOf(meta) : "";
  if (critic) io.out(critic);
  return 0;
}

/** The hash that `--commit` gives, abbreviated or whole. @throws UsageError for anything else. */
function commitOf(values: Values): string | undefined {
  const commit = values.text("commit");
  if (commit === undefined || /^[\da-f]{7,64}$/.test(commit)) return commit;
  throw new UsageError(
    `--commit is "${commit}"; expected a commit hash: 7 to 64 hexadecimal digits in lower case.`,
    "git rev-parse HEAD prints the hash of your checkout.",
  );
}

async function measuredMeta(
  meta: CheckpointMeta,
  file: string,
  values: Values,
  io: Io,
): Promise<CheckpointMeta> {
  const models = similarityModels(values.list("similarity"));
  const opening = { consent: consentOf(values, io), models };
  return withFigures(meta, file, opening).finally(() => models.release());
}

/** The same origin with figures that belong to exactly these weights. */
async function withFigures(meta: CheckpointMeta, file: string, opening: Opening): Promise<CheckpointMeta> {
  const sampled = await evaluateCheckpoint(file, 1, opening);
  const greedy = await evaluateCheckpoint(file, 0, opening);
  const figures = { ...successFigures(sampled), ...reasoningFigures(sampled), ...successFigures(greedy) };
  const { command, commit, seed } = meta.provenance ?? { command: "", commit: "", seed: 0 };
  return { ...meta, provenance: { command, commit, seed, figures } };
}

const reasoningFigures = ({ metrics }: Evaluation): Record<string, number> =>
  Object.fromEntries(
    REASONING.flatMap((name) => (metrics[name] === undefined ? [] : [[name, metrics[name]]])),
  );

const REASONING = [
  "val/format_correct",
  "val/grounding_accuracy",
  "val/worldmodeling_accuracy",
  "val/surroundings_accuracy/all",
];
