// Episodes that are played while the policy is trained: neither disturbs the other, runs repeat, and staleness stays bounded.
import { describe, expect, it, vi } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { RunConfig, type RunConfigInput } from "../config/run-config.ts";
import type { Trajectory } from "../core/types.ts";
import { requestNodeGpu } from "../gpu/node-device.ts";
import type { Checkpoint } from "../persistence/checkpoint.ts";
import type { Engine } from "../policy/wgsl/engine.ts";
import { buildRun } from "../run/build-run.ts";
import { planMemory } from "../run/memory-plan.ts";
import { runSize } from "../run/size.ts";
import { packBatch, sequencesOf } from "./batch.ts";
import { uploadBatch } from "./batch-upload.ts";
import type { TrainingFact } from "./events.ts";
import { lossFactsOptions, maskOptions, ppoSettings, samplingOf } from "./hyperparameters.ts";
import type { Run } from "./run.ts";
import { train } from "./trainer.ts";

const UPDATES = 5;

/** Updates of PPO with several micro-batches each. */
function configWith(
  limit: number,
  rollout: RunConfigInput["rollout"] = {},
  model: RunConfigInput["model"] = {},
): RunConfig {
  return RunConfig.parse({
    env: { name: "frozenlake", config: { max_actions_per_step: 5 } },
    rollout: {
      train_batch_size: 4,
      n_trajectory: 2,
      max_turns: 3,
      response_length: 40,
      max_head_offpolicyness: limit,
      ...rollout,
    },
    model: {
      hidden_size: 16,
      num_attention_heads: 2,
      num_key_value_heads: 2,
      intermediate_size: 32,
      ...model,
    },
    sft: { total_updates: 0, train_batch_size: 2 },
    actor: { ppo_mini_batch_size: 2, lr: 0.01, use_decoupled_loss: true },
    trainer: { total_updates: UPDATES, test_freq: 0, val_size: 2, save_freq: 2, micro_batch_tokens: 256 },
  });
}

const build = async (config: RunConfig, checkpoint?: Checkpoint): Promise<Run> =>
  buildRun("overlap", config, await requestNodeGpu(), checkpoint);

async function collect(run: Run, until = UPDATES): Promise<TrainingFact[]> {
  const stop = new AbortController();
  const facts: TrainingFact[] = [];
  for await (const fact of train(run, stop.signal, "all")) {
    facts.push(fact);
    if (fact.type === "metrics" && fact.update === until && until < UPDATES) stop.abort();
  }
  return facts;
}

/** Metrics without times. */
const numbersOf = (facts: readonly TrainingFact[]) =>
  facts.flatMap((fact) =>
    fact.type === "metrics"
      ? [Object.entries(fact.values).filter(([name]) => !/^(timing_s|perf)\//.test(name))]
      : [],
  );

const playedBy = (facts: readonly TrainingFact[]): Trajectory[] =>
  facts.flatMap((fact) => (fact.type === "trajectory" && fact.source === "train" ? [fact.trajectory] : []));

/** Versions of the tokens that were sampled. */
const versionsOf = ({ tokens }: Trajectory) => [...tokens.versions!].filter((version) => version >= 0);

async function trained(config: RunConfig) {
  const run = await build(config);
  const facts = await collect(run);
  const checkpoint = structuredClone(await run.save());
  run.dispose();
  return { facts, checkpoint };
}

/** The run with this limit that the tests compare others with; only the first of them trains it. */
function trainedOnce(limit: number): ReturnType<typeof trained> {
  const known = runs.get(limit) ?? trained(configWith(limit));
  runs.set(limit, known);
  return known;
}
const runs = new Map<number, ReturnType<typeof trained>>();

function expectSame(got: Checkpoint, want: Checkpoint): void {
  expect(got.meta.update).toBe(want.meta.update);
  expect([...got.tensors.keys()]).toEqual([...want.tensors.keys()]);
  for (const [name, { data }] of want.tensors) expect(got.tensors.get(name)?.data, name).toEqual(data);
}

/** Calls `between` after every submission that `during` makes. */
async function interrupted<T>(
  engine: Engine,
  between: () => Promise<unknown>,
  during: () => Promise<T>,
): Promise<T> {
  const { submit, submitAndRead } = engine;
  let inside = false;
  const then = async <R>(submitted: Promise<R>): Promise<R> => {
    const result = await submitted;
    if (inside) return result;
    inside = true;
    await between();
    inside = false;
    return result;
  };
  engine.submit = (...pass) => then(submit.apply(engine, pass));
  engine.submitAndRead = (replays, wanted) => then(submitAndRead.call(engine, replays, wanted) as never);
  try {
    return await during();
  } finally {
    Object.assign(engine, { submit, submitAndRead });
  }
}

function episodesOf(run: Run, update: number): Promise<Trajectory[]> {
  const { config, task, rolloutPolicy } = run;
  const count = config.rollout.train_batch_size;
  const draw = { seeds: [1, 2, 3, 4, 5], runSeed: config.seed, update, count, perLevel: 1 };
  return play({
    task,
    policy: rolloutPolicy!,
    episodes: trainingEpisodes(draw),
    sampling: samplingOf(config, update),
  });
}

describe("playing and training on one device", () => {
  const step = async ({ engine, config }: Run, batch: readonly Trajectory[]) => {
    const packed = packBatch(batch, maskOptions(config));
    uploadBatch(engine, packed);
    await engine.score(sequencesOf(packed), 1);
    await engine.lossFacts(
      lossFactsOptions(config, 1),
      packed.reduce((sum, { trajectory }) => sum + trajectory.tokens.ids.length, 0),
    );
    await engine.step(sequencesOf(packed), ppoSettings(config), packed.length);
  };
  const begun = async (config: RunConfig) => {
    const run = await build(config);
    run.engine.refreshRolloutPolicy();
    return run;
  };

  it.each([
    ["in one dispatch after two micro-batches of prompts", { train_batch_size: 16 }, {}],
    // An inner width that is no multiple of 8.
    ["token by token", {}, { intermediate_size: 36 }],
  ])(
    "samples the same tokens %s, with training passes between any two submissions",
    async (_, rollout, model) => {
      const config = configWith(1, rollout, model);
      const calm = await begun(config);
      const batch = (await episodesOf(calm, 1)).slice(0, 4);
      const want = await episodesOf(calm, 2);
      calm.dispose();

      const busy = await begun(config);
      const between = vi.fn(() => step(busy, batch));
      const got = await interrupted(busy.engine, between, () => episodesOf(busy, 2));
      expect(got.map(({ tokens }) => tokens)).toEqual(want.map(({ tokens }) => tokens));
      // A turn has several submissions, or there is nothing to disturb.
      expect(between.mock.calls.length).toBeGreaterThan(Math.max(...want.map(({ turns }) => turns.length)));
      busy.dispose();
    },
  );

  it("trains the same weights with turns between any two submissions", async () => {
    const calm = await begun(configWith(1));
    const batch = await episodesOf(calm, 1);
    for (let i = 0; i < 3; i++) await step(calm, batch);
    const want = await calm.engine.readFlat(calm.engine.buffers.params);
    calm.dispose();

    const playing = await begun(configWith(1));
    for (let i = 0; i < 3; i++)
      await interrupted(
        playing.engine,
        () => episodesOf(playing, 2),
        () => step(playing, batch),
      );
    const got = await playing.engine.readFlat(playing.engine.buffers.params);
    playing.dispose();
    expect(got).toEqual(want);
  });
});

describe("a run with rollout.max_head_offpolicyness", () => {
  it("0 keeps no copy of the policy and plays with the policy that it trains", async () => {
    const run = await build(configWith(0));
    expect(run.rolloutPolicy).toBeNull();
    expect(run.engine.buffers.rolloutParams.length).toBe(0);
    const facts = await collect(run, 2);
    expect(run.counters.rolloutVersion).toBeUndefined();
    run.dispose();
    expect(
      playedBy(facts)
        .flatMap(versionsOf)
        .every((version) => version <= 1),
    ).toBe(true);
    for (const values of numbersOf(facts).map((pairs) => Object.fromEntries(pairs)))
      expect(values["version_stats/sample_staleness_theta_max"]).toBe(1);
  });

  it("1 plays every batch but the first with the policy of one update before", async () => {
    const { facts } = await trainedOnce(1);
    for (const trajectory of playedBy(facts)) {
      const update = Number(/^u(\d+)-/.exec(trajectory.id)![1]);
      expect(new Set(versionsOf(trajectory))).toEqual(new Set([Math.max(0, update - 2)]));
    }
    const staleness = numbersOf(facts).map(
      (pairs) => Object.fromEntries(pairs)["version_stats/sample_staleness_proximal_avg"],
    );
    expect(staleness).toEqual([0, 1, 1, 1, 1]);
  });

  it.each([1, 3])("%s gives the same numbers every time", async (limit) => {
    const [first, second] = [await trainedOnce(limit), await trained(configWith(limit))];
    expect(numbersOf(second.facts)).toEqual(numbersOf(first.facts));
    expect(playedBy(second.facts).map(({ tokens }) => tokens)).toEqual(
      playedBy(first.facts).map(({ tokens }) => tokens),
    );
    expectSame(second.checkpoint, first.checkpoint);
  });

  it("1 continues from a checkpoint bit for bit as if it had never stopped", async () => {
    const config = configWith(1);
    const want = await trainedOnce(1);
    const first = await build(config);
    await collect(first, 3);
    const checkpoint = structuredClone(await first.save());
    first.dispose();
    expect(checkpoint.meta.counters.rolloutVersion).toBe(2);
    const second = await build(config, checkpoint);
    await collect(second);
    const got = await second.save();
    second.dispose();
    expectSame(got, want.checkpoint);
  });

  it("3 continues from a checkpoint with no episode older than that", async () => {
    const config = configWith(3);
    const first = await build(config);
    await collect(first, 3);
    const checkpoint = structuredClone(await first.save());
    first.dispose();
    const second = await build(config, checkpoint);
    const facts = await collect(second);
    second.dispose();
    expect(facts.filter(({ type }) => type === "metrics")).toHaveLength(2);
    for (const trajectory of playedBy(facts)) {
      const update = Number(/^u(\d+)-/.exec(trajectory.id)![1]);
      for (const version of versionsOf(trajectory)) expect(update - 1 - version).toBeLessThanOrEqual(3);
    }
  });

  it("counts dropped groups only where there can be any", async () => {
    const has = async (limit: number) => {
      const [first] = numbersOf((await trainedOnce(limit)).facts);
      return "rollout/rejected" in Object.fromEntries(first!);
    };
    expect([await has(1), await has(3)]).toEqual([false, true]);
  });

  it("validates with the policy that has been trained", async () => {
    const { facts, checkpoint } = await trainedOnce(1);
    const reports = (of: readonly TrainingFact[]) =>
      of.flatMap((fact) =>
        fact.type === "validation"
          ? fact.reports.filter(({ update }) => update === UPDATES).map(({ metrics }) => metrics)
          : [],
      );
    const meta = { ...checkpoint.meta, counters: { ...checkpoint.meta.counters, validatedUpdate: 0 } };
    // Without a copy of the policy nothing else can be validated.
    const again = await build(configWith(0), { ...checkpoint, meta });
    expect(reports(await collect(again))).toEqual(reports(facts));
    expect(reports(facts)).toHaveLength(2);
    again.dispose();
  });

  it("stops while the next batch is played", async () => {
    const run = await build(configWith(1));
    const stop = new AbortController();
    for await (const fact of train(run, stop.signal))
      if (fact.type === "phase" && fact.phase === "update") break;
    await run.engine.gpu.settle();
    const submit = vi.spyOn(run.engine, "submit");
    // Playing would go on between two of these.
    for (let i = 0; i < 50; i++) await run.engine.gpu.settle();
    expect(submit).not.toHaveBeenCalled();
    run.dispose();
  });

  it("takes one more copy of the parameters, which the memory plan counts", async () => {
    const parts = async (limit: number) => (await planMemory(configWith(limit))).parts.parameters!;
    const { layout } = runSize(configWith(1)).buffers;
    expect((await parts(1)) - (await parts(0))).toBe(layout.flatLength * 4 - 16);
    expect(await parts(5)).toBe(await parts(1));
  });
});
