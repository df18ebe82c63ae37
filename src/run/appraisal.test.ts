// What a run pays for models, with models that are small enough to be computed by hand: DreamSim's score is the cosine of the pixels.
import { beforeAll, describe, expect, it } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import type { Task } from "../agent/task.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { loadEnvs } from "../envs/index.ts";
import { pictureOf } from "../envs/svg/svg.ts";
import { type EmbeddingSession, openSimilarity } from "../onnx/image-similarity.ts";
import { pixelModel } from "../onnx/test-pixel-model.ts";
import { openSession } from "../onnx/testing.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { openJudging } from "./judging.ts";
import { RunTasks } from "./run-tasks.ts";
import { openPaidModels, SimilarityModels } from "./similarity-models.ts";
import { buildTask } from "./task.ts";

beforeAll(() => loadEnvs(["svg", "frozenlake"]));

const SIDE = 8;
const VECTOR = pixelModel([1, 3, SIDE, SIDE], { output: "vector" });
const rect = (x: number, width: number, fill: string) =>
  `<svg viewBox="0 0 64 64"><rect x="${x}" y="16" width="${width}" height="32" fill="${fill}"/></svg>`;
const [WORSE, BETTER] = [rect(0, 64, "black"), rect(16, 8, "gold")];

/** Models of these bytes, and how many pictures they have computed. */
function given(bytes: Readonly<Record<string, Uint8Array>>) {
  const count = { pictures: 0, open: 0 };
  const counted = async (onnx: Uint8Array): Promise<EmbeddingSession> => {
    const session = await openSession(onnx);
    count.open++;
    const { inputNames, outputNames, inputMetadata } = session;
    const run = ((...args: Parameters<EmbeddingSession["run"]>) => {
      count.pictures++;
      return session.run(...args);
    }) as EmbeddingSession["run"];
    const release = async () => {
      count.open--;
      await session.release();
    };
    return { inputNames, outputNames, inputMetadata, run, release };
  };
  const models = new SimilarityModels({
    kinds: Object.keys(bytes),
    open: (kind) => openSimilarity({ kind, name: `${kind}.onnx`, bytes: bytes[kind]! }, counted),
    howToGive: (kind) => `Bring ${kind}`,
  });
  return { models, count };
}

const configured = (options: object, more: object = {}): RunConfig =>
  checkedRunConfig({
    env: { name: "svg", config: { success_similarity: 1, ...options } },
    rollout: { prompt_format: "no_think", max_turns: 4 },
    ...more,
  });

async function tasksOf(config: RunConfig, models?: SimilarityModels): Promise<RunTasks> {
  await openPaidModels(config, models);
  const judging = await openJudging(config, undefined);
  return new RunTasks(config, {
    ...{ task: buildTask(config), judging, models },
    ended: new AbortController().signal,
  });
}

/** Two episodes of one level, with these drawings; an empty one is no drawing. */
function play(task: Task, drawings: readonly string[], signal?: AbortSignal): Promise<Trajectory[]> {
  const episodes = trainingEpisodes({ seeds: [3], runSeed: 1, update: 1, count: 2, perLevel: 2 });
  const policy = scriptedPolicy((_, { turn }) =>
    task.vocabulary.encode(`<answer>${drawings[turn]}</answer><eos>`),
  );
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 300, seed: 3 };
  return rollout({ task, policy, episodes, sampling, ...(signal && { signal }) });
}

/** The cosine of two drawings' pixels. */
function cosine(one: string, other: string): number {
  const [a, b] = [one, other].map((code) =>
    [...pictureOf(code, SIDE).data].filter((_, i) => i % 4 !== 3).map((byte) => byte / 255),
  ) as [number[], number[]];
  const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, v, i) => sum + v * y[i]!, 0);
  return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
}

const REPLIES = [WORSE, "", BETTER, BETTER];
const rewardsOf = ({ turns }: Trajectory) => turns.map(({ taskReward }) => taskReward);
const scoresOf = ({ turns }: Trajectory, kind: string) =>
  turns.map(({ after }) => Number(after.facts![kind]));
const NO_MEASURES = { ms_ssim_weight: 0, edge_weight: 0, color_weight: 0 };

describe("a drawing is paid the weight times the score of a model", () => {
  it.each(["every_drawing", "improvement"])("%s", async (paid) => {
    const config = configured({ ...NO_MEASURES, dreamsim_weight: 5, paid });
    const { models } = given({ dreamsim: VECTOR });
    const { task } = await tasksOf(config, models);
    const [episode, twin] = await play(task, REPLIES);
    const icon = String(episode!.turns[0]!.after.facts!.icon);
    const [worse, better] = [cosine(icon, WORSE), cosine(icon, BETTER)];
    expect(better).toBeGreaterThan(worse + 0.01);
    // A turn without a drawing leaves the one before it in view, and earns nothing.
    const scores = [worse, worse, better, better];
    for (const [i, score] of scoresOf(episode!, "dreamsim").entries())
      expect(score).toBeCloseTo(scores[i]!, 5);
    const wanted =
      paid === "improvement"
        ? [5 * worse, 0, 5 * (better - worse), 0]
        : [5 * worse, 0, 5 * better, 5 * better];
    for (const [i, reward] of rewardsOf(episode!).entries()) expect(reward).toBeCloseTo(wanted[i]!, 4);
    expect(episode!.turns.map(({ rewards }) => rewards.task)).toEqual(rewardsOf(episode!));
    expect(rewardsOf(twin!)).toEqual(rewardsOf(episode!));
    expect(episode!.success).toBe(false);
  });

  it("besides the studio's own measures, each model for itself", async () => {
    const options = { dino_weight: 2, dreamsim_weight: 3 };
    const { models } = given({ dino: VECTOR, dreamsim: VECTOR });
    const both = (await tasksOf(configured(options), models)).task;
    const own = (await tasksOf(configured({}))).task;
    expect(both.appraisal!.measures).toEqual(["dino", "dreamsim"]);
    const [[paid], [unpaid]] = [await play(both, REPLIES), await play(own, REPLIES)];
    const gains = rewardsOf(paid!).map((reward, i) => reward - rewardsOf(unpaid!)[i]!);
    const [dino, dreamsim] = [scoresOf(paid!, "dino"), scoresOf(paid!, "dreamsim")];
    const added = 2 * Math.max(0, dino[2]! - dino[0]!) + 3 * (dreamsim[2]! - dreamsim[0]!);
    const wanted = [2 * dino[0]! + 3 * dreamsim[0]!, 0, added, 0];
    for (const [i, gain] of gains.entries()) expect(gain).toBeCloseTo(wanted[i]!, 9);
  });

  it("computes each picture once, and none for a copy of the icon", async () => {
    const { models, count } = given({ dreamsim: VECTOR });
    const { task } = await tasksOf(configured({ dreamsim_weight: 1 }), models);
    const [episode] = await play(task, REPLIES);
    // The one that tries the model, the icon of both episodes, and two drawings.
    expect(count.pictures).toBe(4);
    const [copied] = await play(task, [String(episode!.turns[0]!.after.facts!.icon)]);
    expect([copied!.success, scoresOf(copied!, "dreamsim")]).toEqual([true, [1]]);
    expect(count.pictures).toBe(4);
    await models.release();
    expect(count.open).toBe(0);
  });
});

describe("what a model is asked about", () => {
  it("nothing, where no weight is above 0: all is as without models", async () => {
    const config = configured({});
    const { models, count } = given({ dino: VECTOR });
    const { task } = await tasksOf(config, models);
    expect(task).not.toHaveProperty("appraisal");
    expect(await play(task, REPLIES)).toEqual(await play(buildTask(config), REPLIES));
    expect(count.open).toBe(0);
  });

  it("validation and evaluation, but no demonstrations", async () => {
    const { models } = given({ dino: VECTOR });
    const sets = { val_sets: { halved: { seeds: "900", config: { dino_weight: 0.5 } } } };
    const tasks = await tasksOf(configured({ dino_weight: 1 }, { trainer: sets }), models);
    expect(tasks.demoTask).not.toHaveProperty("appraisal");
    const [[whole], [halved]] = [
      await play(tasks.evalTask, REPLIES),
      await play(tasks.evalSets[0]!.task, REPLIES),
    ];
    const unpaid = rewardsOf((await play(tasks.demoTask, REPLIES))[0]!)[0]!;
    const [one, half] = [whole, halved].map((episode) => rewardsOf(episode!)[0]! - unpaid);
    expect(one).toBeGreaterThan(0.1);
    expect(half).toBeCloseTo(one! / 2, 9);
  });

  it("each environment of a run by its own weights", async () => {
    const { models } = given({ dino: VECTOR });
    const config = checkedRunConfig({
      env: { name: "frozenlake" },
      envs: { icons: { name: "svg", config: { dino_weight: 1 } }, svg: {} },
      rollout: { prompt_format: "no_think" },
    });
    const { task } = await tasksOf(config, models);
    const appraised = [task, ...task.others!.values()].map(({ appraisal }) => appraisal?.measures);
    expect(appraised).toEqual([undefined, ["dino"], undefined]);
  });

  it("no drawing after the run has ended", async () => {
    const { models, count } = given({ dino: VECTOR });
    const { task } = await tasksOf(configured({ dino_weight: 1 }), models);
    const reason = new Error("The run has ended.");
    const appraised = task.appraisal!.appraise(
      [{ turn: (await play(buildTask(configured({})), REPLIES))[0]!.turns[0]!, earlier: [] }],
      AbortSignal.abort(reason),
    );
    await expect(appraised).rejects.toBe(reason);
    expect(count.pictures).toBe(1);
  });
});

describe("a model that a run cannot use ends it with what to do", () => {
  it("is missing", async () => {
    const { models } = given({ dino: VECTOR });
    const config = configured({ dino_weight: 1, dreamsim_weight: 5 });
    await expect(openPaidModels(config, models)).rejects.toMatchObject({
      name: "ConfigError",
      message: "env.config.dreamsim_weight is 5, but no DreamSim model was given.",
      hint: "Bring dreamsim, or set env.config.dreamsim_weight to 0.",
    });
    // The weights of a run that has begun cannot be changed.
    await expect(openPaidModels(config, models, true)).rejects.toMatchObject({ hint: "Bring dreamsim." });
    await expect(openPaidModels(config, undefined)).rejects.toMatchObject({
      message: "env.config.dino_weight is 1, but no DINOv2 model was given.",
      hint: expect.stringContaining("set env.config.dino_weight to 0"),
    });
  });

  it("is no model, and is opened again by the next start", async () => {
    const bytes: Record<string, Uint8Array> = { dino: new TextEncoder().encode("no model") };
    const { models } = given(bytes);
    const config = configured({ dino_weight: 1 });
    await expect(openPaidModels(config, models)).rejects.toThrow("dino.onnx cannot be used");
    bytes.dino = VECTOR;
    await openPaidModels(config, models);
  });

  it("gives a number that is not finite, which is no divergence of the run", async () => {
    const { models } = given({ dreamsim: pixelModel([1, 3, SIDE, SIDE], { output: "vector", log: true }) });
    const { task } = await tasksOf(configured({ dreamsim_weight: 1 }), models);
    await expect(play(task, REPLIES)).rejects.toMatchObject({
      code: "wrong_architecture",
      message:
        "The DreamSim model could not compare a drawing with its icon: The model's output has values that are not finite.",
      hint: "Export the image encoder again, with weights of 32-bit floats. A run that was training can be resumed from its last checkpoint.",
    });
  });
});

it("opens no model any more once the models are released", async () => {
  const { models, count } = given({ dino: VECTOR, dreamsim: VECTOR });
  await models.open("dino");
  const late = models.release().then(() => models.open("dreamsim"));
  await expect(late).rejects.toThrow("released");
  expect(count.open).toBe(0);
});
