// Decoding and training are different kernels: one reads a cache token by token, the other runs packed over everything.
// PPO's ratio is only right if both say the same log-probability of the same token.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { sequenceSpans } from "../core/token-sequences.ts";
import type { Trajectory, TrajectoryTokens } from "../core/types.ts";
import type { Tensor } from "../gpu/memory.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import { noise } from "../gpu/testing.ts";
import { buildRun } from "../run/build-run.ts";
import { packBatch, sequencesOf, tokenCount } from "./batch.ts";
import { samplingOf, trainingTemperature } from "./hyperparameters.ts";
import type { Run } from "./run.ts";

/**
 * Both are f32 with sums in another order, and logits of up to 10 have steps of 1e-6. SwiftShader showed at most 4.1e-6 with
 * the tied head, whose logits are the largest, and 9.6e-7 elsewhere; a position that is wrong by one showed 0.1.
 */
const TOLERANCE = 2e-5;

type Model = Partial<RunConfig["model"]>;

/** Every branch of the graph occurs in one of these. */
const VARIANTS: Record<string, Model> = {
  "head critic, untied": {},
  "tied head, grouped queries": { tie_word_embeddings: true, num_key_value_heads: 1 },
  "separate critic": { critic: "separate" },
  "vision tower with pixel shuffle": {
    vision_layers: 1,
    vision_hidden_size: 16,
    pixel_shuffle: 2,
    num_hidden_layers: 1,
  },
};

const EPISODES = 7;
/** Fewer than the episodes, so that a slot's cache is used again. */
const PARALLEL = 4;

/** Replies longer than a chunk of decoding, and micro-steps that hold some of the episodes. */
const configOf = (model: Model, rollout = {}, trainer = {}): RunConfig =>
  RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 5 } },
    rollout: { train_batch_size: PARALLEL, response_length: 20, max_turns: 2, ...rollout },
    model: {
      hidden_size: 16,
      num_attention_heads: 2,
      num_key_value_heads: 2,
      intermediate_size: 32,
      ...model,
    },
    // The batch holds all episodes. More of them at once would need a kernel that compiles for longer.
    sft: { total_updates: 0, train_batch_size: EPISODES },
    actor: { use_kl_loss: false },
    trainer: { total_updates: 1, val_size: 1, micro_batch_tokens: 256, ...trainer },
  });

const play = (run: Run, config: RunConfig, parallel = PARALLEL): Promise<Trajectory[]> =>
  rollout({
    task: run.task,
    policy: run.policy,
    episodes: trainingEpisodes({
      seeds: consecutive(1, 10000),
      runSeed: config.seed,
      update: 1,
      count: EPISODES,
      perLevel: 1,
    }),
    parallel,
    sampling: samplingOf(config, 1),
  });

/** The loss trains on the policy's own tokens, with one end and one reward a turn. */
function expectMasks({ tokens, turns }: Trajectory, turnsEach = 2): void {
  const { responseMask, turnEndMask, rewards, rolloutLogprobs: logprobs, imagePatch, turnIndex } = tokens;
  expect(turns.length).toBe(turnsEach);
  responseMask.forEach((m, t) => {
    if ((imagePatch[t] as number) >= 0) expect(m).toBe(0);
    if (m) expect(logprobs[t]).toBeLessThanOrEqual(0);
    else expect(logprobs[t]).toBe(0);
    if (turnEndMask[t]) expect(m).toBe(1);
    if (rewards[t] !== 0) expect(turnEndMask[t]).toBe(1);
  });
  for (const { index } of turns) {
    const ends = turnEndMask.reduce((n, e, t) => n + (e && turnIndex[t] === index ? 1 : 0), 0);
    expect(ends).toBe(1);
  }
}

/** The last layer of a fresh value head is 0; here its values differ from token to token. */
async function learnValues({ engine }: Run): Promise<void> {
  const { params, layout } = engine.buffers;
  const { offset, length } = layout.byName.get("value.out.weight")!;
  engine.write(params, noise(length, 7), offset);
  engine.write(params, noise(4, 8), layout.byName.get("value.out.bias")!.offset);
}

/** What the policy said of its tokens, and where training computes the same. Only a head in one dispatch says values. */
function factsOf({
  engine,
}: Run): { name: string; tensor: Tensor; said: (tokens: TrajectoryTokens) => Float32Array }[] {
  const { oldLogprobs, entropy, values } = engine.buffers.batch;
  const facts = [
    {
      name: "log-probability",
      tensor: oldLogprobs,
      said: (tokens: TrajectoryTokens) => tokens.rolloutLogprobs,
    },
    { name: "entropy", tensor: entropy, said: (tokens: TrajectoryTokens) => tokens.rolloutEntropies! },
  ];
  if (engine.architecture.critic !== "head") return facts;
  return [...facts, { name: "value", tensor: values, said: (tokens) => tokens.rolloutValues! }];
}

/** Scores what was sampled as training does, and compares the policy's own tokens; no other token may be scored. */
async function comparedWithTraining(run: Run, trajectories: readonly Trajectory[], config: RunConfig) {
  const packed = packBatch(trajectories);
  expect(tokenCount(packed)).toBeGreaterThan(run.engine.options.microTokens);
  const facts = factsOf(run);
  // Another number than any that is computed where nothing is written.
  for (const { tensor } of facts) run.engine.write(tensor, new Float32Array(tensor.length).fill(1e6));
  await run.engine.score(sequencesOf(packed), trainingTemperature(config));

  let worst = { difference: 0, message: "" };
  let compared = 0;
  for (const { name, tensor, said } of facts) {
    const scored = await run.engine.readFlat(tensor);
    for (const { trajectory, start } of packed) {
      const { responseMask, turnIndex } = trajectory.tokens;
      const earlier = said(trajectory.tokens);
      responseMask.forEach((m, t) => {
        const [then, now] = [earlier[t] as number, scored[start + t] as number];
        if (!m) {
          expect(now).toBe(1e6);
          expect(then).toBe(0);
          return;
        }
        compared++;
        const difference = Math.abs(now - then);
        const message = `${name} of ${trajectory.id}, turn ${turnIndex[t]}, token ${t}: sampled ${then}, scored ${now}`;
        if (!(difference <= worst.difference)) worst = { difference, message };
      });
    }
  }
  compared /= facts.length;
  return { compared, worst };
}

describe.each(Object.entries(VARIANTS))("decoding and training: %s", (_, model) => {
  const config = configOf(model);
  let run: Run;
  beforeAll(async () => {
    run = await buildRun("test", config, await requestNodeGpu());
    await learnValues(run);
  });
  afterAll(() => run.dispose());

  // Greedy sampling reports, and trains on, log-probabilities at temperature 1.
  it.each([1, 0.7, 0])("agree about every sampled token at temperature %d", async (temperature) => {
    const sampled = { ...config, rollout: { ...config.rollout, temperature } };
    const trajectories = await play(run, sampled);
    for (const trajectory of trajectories) expectMasks(trajectory);
    const { compared, worst } = await comparedWithTraining(run, trajectories, sampled);
    expect(compared).toBeGreaterThan(2 * EPISODES);
    expect(worst.difference, worst.message).toBeLessThan(TOLERANCE);
  });
});

describe.each([0, 1, 20])("decoding and training: a row per turn with %d turns of history", (window) => {
  const rollout = { max_turns: 3, window_size: window };
  const config = configOf({}, rollout, { harness: "no_concat" });
  let run: Run;
  let trajectories: Trajectory[];
  beforeAll(async () => {
    run = await buildRun("test", config, await requestNodeGpu());
    await learnValues(run);
    trajectories = await play(run, config);
  });
  afterAll(() => run.dispose());

  it("agree about every sampled token, and train on each once", async () => {
    for (const trajectory of trajectories) {
      expectMasks(trajectory, 3);
      const { imagePatch } = trajectory.tokens;
      const pictures = imagePatch.filter((patch) => patch >= 0).length;
      const shown = sequenceSpans(trajectory).reduce(
        (n, { firstTurn, lastTurn }) => n + lastTurn - firstTurn + 1,
        0,
      );
      expect(pictures).toBe(shown * run.task.imageTokens);
    }
    const { compared, worst } = await comparedWithTraining(run, trajectories, config);
    expect(compared).toBe(
      trajectories.reduce((sum, { turns, tokens }) => {
        const written = tokens.responseMask.reduce((n, m) => n + m, 0);
        expect(written).toBeLessThanOrEqual(turns.length * config.rollout.response_length);
        return sum + written;
      }, 0),
    );
    expect(worst.difference, worst.message).toBeLessThan(TOLERANCE);
  });

  // Positions of a fresh context repeat from turn to turn; draws keyed by them alone would repeat as well.
  it("draw again in every turn", () => {
    for (const { tokens } of trajectories) {
      const [second, third] = [1, 2].map((turn) =>
        Array.from(tokens.ids).filter((_, t) => tokens.responseMask[t] && tokens.turnIndex[t] === turn),
      ) as [number[], number[]];
      const equal = second.filter((id, t) => id === third[t]).length;
      expect(equal).toBeLessThan(second.length / 2);
    }
  });

  it("draw the same in any slot", async () => {
    const again = await play(run, config, 3);
    expect(again).toEqual(trajectories);
  });
});
