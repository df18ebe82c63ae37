// `eval --similarity`: further measures of drawings, by models that the user supplies.

import { PolicyError } from "../core/errors.ts";
import { mean } from "../core/statistics.ts";
import type { Trajectory } from "../core/types.ts";
import { pictureOf } from "../envs/svg/svg.ts";
import type { Evaluation } from "../eval/evaluate.ts";
import { type ImageSimilarity, MAX_MODEL_BYTES, openSimilarity } from "../onnx/image-similarity.ts";
import { similarityKinds } from "../onnx/similarity-kinds.ts";
import { measuredValues } from "../rl/measured.ts";
import { type Options, UsageError } from "./args.ts";
import { readBytes } from "./disk.ts";

const EXAMPLE = "For example: --similarity dino=dinov2-small.onnx";

export const similarityOption: Options = {
  similarity: {
    value: "<kind>=<file.onnx>",
    help: `Also compare drawings with a model that you supply, in an extra column: ${similarityKinds.ids.join(" or ")} (docs/environments.md). Can be repeated.`,
    multiple: true,
  },
};

/** A measure of drawings by a model. */
interface Similarity {
  name: string;
  model: ImageSimilarity;
}

/**
 * Opens the models that were given.
 * @throws UsageError for a kind that does not exist, an environment without drawings, and a file that is no such model.
 */
export async function openSimilarities(given: readonly string[], envId: string): Promise<Similarity[]> {
  if (given.length > 0 && envId !== "svg")
    throw new UsageError(
      `--similarity compares drawings, and ${envId} has none.`,
      "Leave it out, or evaluate a policy of svg.",
    );
  const opened: Similarity[] = [];
  for (const text of given) opened.push(await open(text));
  return opened;
}

async function open(text: string): Promise<Similarity> {
  const [, name = "", path = ""] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  if (!similarityKinds.ids.includes(name))
    throw new UsageError(
      `--similarity is "${text}"; expected ${similarityKinds.ids.join(" or ")}, =, and a file.`,
      EXAMPLE,
    );
  const bytes = await readBytes(path, "Check the path of --similarity.", MAX_MODEL_BYTES);
  // The runtime is 13 MB, which only this option needs.
  const { InferenceSession } = await import("onnxruntime-web");
  const create = (model: Uint8Array) => InferenceSession.create(model, { logSeverityLevel: 3 });
  const model = await openSimilarity({ kind: name, name: path, bytes }, create).catch((error: unknown) => {
    if (!(error instanceof PolicyError)) throw error;
    throw new UsageError(`--similarity is "${text}", but ${error.message}`, error.hint ?? EXAMPLE);
  });
  return { name, model };
}

/** An evaluation with a further measure of each episode's last drawing; 0 where nothing was drawn. */
export async function withSimilarity(
  evaluation: Evaluation,
  { name, model }: Similarity,
): Promise<Evaluation> {
  const trajectories: Trajectory[] = [];
  for (const trajectory of evaluation.trajectories)
    trajectories.push(measuredAs(trajectory, name, await similarityIn(trajectory, model)));
  const average = mean(measuredValues(trajectories, name));
  return {
    ...evaluation,
    trajectories,
    metrics: { ...evaluation.metrics, [`val/measured/${name}`]: average },
  };
}

async function similarityIn({ turns }: Trajectory, model: ImageSimilarity): Promise<number> {
  const { icon, drawing } = turns.at(-1)?.after.facts ?? {};
  if (drawing === undefined) return 0;
  return model.compare(
    (side) => pictureOf(String(icon), side),
    (side) => pictureOf(String(drawing), side),
  );
}

function measuredAs(trajectory: Trajectory, name: string, value: number): Trajectory {
  const turns = trajectory.turns.map((turn, i) =>
    i === trajectory.turns.length - 1
      ? { ...turn, after: { ...turn.after, facts: { ...turn.after.facts, [name]: value } } }
      : turn,
  );
  return { ...trajectory, turns };
}
