// A policy that is shown two pictures a turn: it reads both, plays and trains on the same, and a resumed run ends with the same weights.
import { afterAll, expect, it } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { rollout } from "../agent/rollout.ts";
import { frozenlakeTemplate } from "../agent/templates/frozenlake.ts";
import { ownTemplates } from "../agent/templates/own.ts";
import { RunConfig } from "../config/run-config.ts";
import type { Frame, Trajectory } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { twoViews } from "../envs/testing/two-views.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import { buildRun } from "../run/build-run.ts";
import { packBatch, sequencesOf } from "./batch.ts";
import type { TrainingFact } from "./events.ts";
import { samplingOf, trainingTemperature } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { train } from "./trainer.ts";

await loadEnv("svg");
const exits = [
  envs.add(twoViews),
  ownTemplates.add({ ...frozenlakeTemplate, id: twoViews.id, name: "Two views", own: true }),
];
afterAll(() => {
  for (const exit of exits) exit();
});

const tiny = (env: object): RunConfig =>
  RunConfig.parse({
    env,
    rollout: { train_batch_size: 2, max_turns: 2, response_length: 60 },
    model: {
      hidden_size: 16,
      num_attention_heads: 2,
      num_key_value_heads: 2,
      intermediate_size: 32,
      num_hidden_layers: 1,
      vision_layers: 1,
      vision_hidden_size: 16,
      pixel_shuffle: 2,
    },
    sft: { total_updates: 2, one_turn_updates: 1, train_batch_size: 2, lr_warmup_steps: 1 },
    actor: { ppo_mini_batch_size: 2 },
    trainer: { total_updates: 2, test_freq: 0, val_size: 2, micro_batch_tokens: 256 },
  });

const TWO_VIEWS = tiny({ name: twoViews.id, config: { max_actions_per_step: 5 } });
const SVG = tiny({ name: "svg", config: { resolution: 32, max_shapes: 1, show_target: true } });

const built = async (config: RunConfig, checkpoint?: Checkpoint): Promise<Run> =>
  buildRun("several-pictures", config, await requestNodeGpu(), checkpoint);

/** Trains to the end, or until the metrics of update `last`. */
async function factsOf(run: Run, last = Number.POSITIVE_INFINITY): Promise<TrainingFact[]> {
  const facts: TrainingFact[] = [];
  for await (const fact of train(run, new AbortController().signal, "all")) {
    facts.push(fact);
    if (fact.type === "metrics" && fact.update === last) break;
  }
  return facts;
}

const metricsIn = (facts: readonly TrainingFact[]) =>
  facts.flatMap((fact) => (fact.type === "metrics" ? [fact.values] : []));
const episodesIn = (facts: readonly TrainingFact[]) =>
  facts.flatMap((fact) => (fact.type === "trajectory" ? [fact.trajectory] : []));
const weights = (run: Run) => run.engine.readFlat(run.engine.buffers.params);

const oneEpisode = (seed: number) =>
  trainingEpisodes({ seeds: [seed], runSeed: 1, update: 1, count: 1, perLevel: 1 });

it("trains on both pictures of every turn, and a resumed run ends with the same weights", async () => {
  const run = await built(TWO_VIEWS);
  const before = await factsOf(run, 3);
  const saved = await run.save();
  const after = await factsOf(run);
  const all = [...before, ...after];
  for (const { turns, tokens } of episodesIn(all)) {
    for (const { observation } of turns) expect(observation.images).toHaveLength(2);
    const shown = tokens.imagePatch.filter((patch) => patch >= 0).length;
    expect(shown).toBe(2 * turns.length * run.task.imageTokens);
  }
  const metrics = metricsIn(all);
  expect(metrics.map((values) => ("sft/loss" in values ? "sft" : "ppo"))).toEqual([
    "sft",
    "sft",
    "ppo",
    "ppo",
  ]);
  for (const values of metrics)
    for (const [key, value] of Object.entries(values)) expect(Number.isFinite(value), key).toBe(true);
  // Decoding reads the pictures as training does: a picture in a wrong place shows here as 0.01 and more.
  for (const values of metrics.slice(2))
    expect(values["training/rollout_probs_diff_mean"]).toBeLessThan(1e-5);

  const resumed = await built(saved.meta.config as RunConfig, saved);
  const again = await factsOf(resumed);
  expect(await weights(resumed)).toEqual(await weights(run));
  expect(episodesIn(again).length).toBeGreaterThan(0);
  expect(episodesIn(again)).toEqual(episodesIn(after));
  for (const each of [run, resumed]) each.dispose();
});

const inverted = (frame: Frame): Frame => ({
  ...frame,
  data: frame.data.map((value, i) => (i % 4 === 3 ? value : 255 - value)),
});

/** The episode with picture `place` of turn `turn` in other colours. */
const changed = (episode: Trajectory, turn: number, place: number): Trajectory => ({
  ...episode,
  turns: episode.turns.map((played, t) => ({
    ...played,
    observation: {
      ...played.observation,
      images: played.observation.images.map((image, i) =>
        t === turn && i === place ? inverted(image) : image,
      ),
    },
  })),
});

it("scores the reply to a drawing by both the drawing and the icon beside it", async () => {
  const run = await built(SVG);
  const [episode] = await demonstrationBatch({
    task: run.demoTask,
    episodes: oneEpisode(7),
    skill: { randomFraction: 1, expertFraction: 0 },
    oneTurn: false,
    seed: 1,
  });
  expect(episode!.turns.map(({ observation }) => observation.images.length)).toEqual([1, 2]);
  const scores = async (of: Trajectory): Promise<number[][]> => {
    const packed = packBatch([of]);
    await run.engine.score(sequencesOf(packed), trainingTemperature(SVG));
    const all = await run.engine.readFlat(run.engine.buffers.batch.oldLogprobs);
    const { responseMask, turnIndex } = of.tokens;
    return [0, 1].map((turn) => [...all].filter((_, t) => responseMask[t] && turnIndex[t] === turn));
  };
  const plain = await scores(episode!);
  expect(await scores(episode!)).toEqual(plain);
  for (const place of [0, 1]) {
    const [first, second] = await scores(changed(episode!, 1, place));
    expect(first).toEqual(plain[0]);
    const differences = second!.map((score, t) => Math.abs(score - plain[1]![t]!));
    expect(Math.max(...differences), `picture ${place + 1}`).toBeGreaterThan(1e-4);
  }
  // Two different pictures, so their order is something to see as well.
  const [drawing, icon] = episode!.turns[1]!.observation.images;
  expect(drawing).not.toEqual(icon);
  run.dispose();
});

it("decides by the second picture while it plays", async () => {
  const run = await built(TWO_VIEWS);
  const sampling = samplingOf(TWO_VIEWS, 1);
  const play = async (seed: number) => {
    const [episode] = await rollout({
      task: run.task,
      policy: run.policy,
      episodes: oneEpisode(seed),
      sampling,
    });
    const { rolloutLogprobs, responseMask } = episode!.tokens;
    const [first, second] = episode!.turns[0]!.observation.images;
    return { first, second, logprob: rolloutLogprobs[responseMask.indexOf(1)] };
  };
  const [one, same, other] = [await play(1), await play(1), await play(2)];
  expect(same).toEqual(one);
  // The first pictures are equal, and so is every word.
  expect(other.first).toEqual(one.first);
  expect(other.second).not.toEqual(one.second);
  expect(other.logprob).not.toBe(one.logprob);
  run.dispose();
});
