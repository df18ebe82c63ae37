// `--similarity`: models that the user supplies, which compare drawings. A run is paid by them where its configuration says so, and
// `eval` can show the others.

import type { Task } from "../agent/task.ts";
import { paidModels, weighedModels } from "../config/paid-models.ts";
import type { RunConfig } from "../config/run-config.ts";
import { PolicyError } from "../core/errors.ts";
import { mean } from "../core/statistics.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import type { EnvSpec } from "../envs/env.ts";
import type { Evaluation } from "../eval/evaluate.ts";
import { type ImageSimilarity, MAX_MODEL_BYTES, openSimilarity } from "../onnx/image-similarity.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";
import { measuredValues } from "../rl/measured.ts";
import { SimilarityModels } from "../run/similarity-models.ts";
import { type Options, UsageError } from "./args.ts";
import { readBytes } from "./disk.ts";

const EXAMPLE = "For example: --similarity dino=dinov2-small.onnx";

const option = (help: string): Options => ({
  similarity: {
    value: "<kind>=<file.onnx>",
    help: `${help}: ${similarityKinds.ids.join(" or ")} (docs/environments.md). Can be repeated.`,
    multiple: true,
  },
});

export const shownSimilarity = option(
  "Also compare drawings with a model that you supply, in an extra column, and in the rewards where the configuration weighs it",
);
export const paidSimilarity = option(
  "A model that you supply and that compares drawings, for a configuration that gives it a weight",
);

/** The models of `--similarity`, none of which is open yet. @throws UsageError for a kind that does not exist, or is given twice */
export function similarityModels(given: readonly string[]): SimilarityModels {
  const paths = new Map<string, string>();
  for (const text of given) {
    const [kind, path] = parsed(text);
    if (paths.has(kind))
      throw new UsageError(
        `--similarity gives ${kind} twice: ${paths.get(kind)} and ${path}.`,
        "Give one file of each kind.",
      );
    paths.set(kind, path);
  }
  return new SimilarityModels({
    kinds: [...paths.keys()],
    open: (kind) => open(kind, paths.get(kind)!),
    howToGive: (kind) => `Give its ONNX file with --similarity ${kind}=<file.onnx>`,
  });
}

function parsed(text: string): [kind: string, path: string] {
  const [, kind = "", path = ""] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (similarityKinds.ids.includes(kind)) return [kind, path];
  throw new UsageError(
    `--similarity is "${text}"; expected ${similarityKinds.ids.join(" or ")}, =, and a file.`,
    EXAMPLE,
  );
}

async function open(kind: string, path: string): Promise<ImageSimilarity> {
  const bytes = await readBytes(path, "Check the path of --similarity.", MAX_MODEL_BYTES);
  // The runtime is 13 MB, which only this option needs.
  const { InferenceSession } = await import("onnxruntime-web");
  const create = (model: Uint8Array) => InferenceSession.create(model, { logSeverityLevel: 3 });
  return openSimilarity({ kind, name: path, bytes }, create).catch((error: unknown) => {
    if (!(error instanceof PolicyError)) throw error;
    throw new UsageError(`--similarity is "${kind}=${path}", but ${error.message}`, error.hint ?? EXAMPLE);
  });
}

/** @throws UsageError if a model was given that the configuration does not pay: the run would be the same without it */
export function assertPaid({ host }: SimilarityModels, config: RunConfig): void {
  const [unpaid] = unpaidOf(host.kinds, config);
  if (unpaid === undefined) return;
  const option = weighedModels(config).find(({ kind }) => kind === unpaid)?.path;
  throw new UsageError(
    `--similarity gives a ${unpaid} model, but ${option ? `${option} is 0` : "nothing in this run is drawn"}, so the run would not use it.`,
    option
      ? `Give it a weight, e.g. --set ${option}=1, or leave --similarity out.`
      : "Leave --similarity out.",
  );
}

const unpaidOf = (kinds: readonly string[], config: RunConfig): string[] => {
  const paid = paidModels(config).map(({ kind }) => kind);
  return kinds.filter((kind) => !paid.includes(kind));
};

/**
 * Opens the models that were given for an evaluation in an environment, besides those that the configuration pays, which are open.
 * @throws UsageError for an environment without drawings, and for a file that is no such model
 */
export async function openShown(
  models: SimilarityModels,
  config: RunConfig,
  { id, drawings }: EnvSpec,
): Promise<void> {
  const shown = unpaidOf(models.host.kinds, config);
  if (shown.length > 0 && !drawings)
    throw new UsageError(
      `--similarity compares drawings, and ${id} has none.`,
      "Leave it out, or evaluate a policy of svg.",
    );
  for (const kind of shown) await models.open(kind);
}

/** An evaluation of a task with a measure of each episode's last drawing by each model that the task does not measure already; 0 where nothing was drawn. */
export async function withSimilarities(
  evaluation: Evaluation,
  { spec: { drawings }, appraisal }: Task,
  models: SimilarityModels,
): Promise<Evaluation> {
  const missing = models.host.kinds.filter((kind) => drawings && !appraisal?.measures.includes(kind));
  let measured = evaluation;
  for (const kind of missing)
    measured = await withMeasure(measured, kind, async ({ after }) => {
      const pair = drawings!.codes(after);
      return pair ? models.compare(kind, pair, drawings!) : 0;
    });
  return measured;
}

/** An evaluation with a further measure of each episode's last turn. */
async function withMeasure(
  evaluation: Evaluation,
  name: string,
  measure: (last: Turn) => Promise<number>,
): Promise<Evaluation> {
  const trajectories: Trajectory[] = [];
  for (const trajectory of evaluation.trajectories)
    trajectories.push(measuredAs(trajectory, name, await measure(trajectory.turns.at(-1)!)));
  const average = mean(measuredValues(trajectories, name));
  return {
    ...evaluation,
    trajectories,
    metrics: { ...evaluation.metrics, [`val/measured/${name}`]: average },
  };
}

function measuredAs(trajectory: Trajectory, name: string, value: number): Trajectory {
  const turns = trajectory.turns.map((turn, i) =>
    i === trajectory.turns.length - 1
      ? { ...turn, after: { ...turn.after, facts: { ...turn.after.facts, [name]: value } } }
      : turn,
  );
  return { ...trajectory, turns };
}
