// Which tokens rehearsal trains.
import { describe, expect, it } from "vitest";
import { factTokens } from "../agent/decision-tokens.ts";
import { trainingEpisodes } from "../agent/episodes.ts";
import { misreadTokens } from "../agent/misread-tokens.ts";
import { testTask } from "../agent/test-task.ts";
import { RunConfig } from "../config/run-config.ts";
import { countMarked } from "../core/statistics.ts";
import { demonstrate } from "./demonstrations.ts";
import { rehearsalDraw } from "./draw.ts";
import { rehearsalSettings } from "./hyperparameters.ts";
import { packFacts } from "./rehearsal.ts";

async function demonstrationsOf(env: string, sft: object, options = {}) {
  const config = RunConfig.parse({
    env: { name: env },
    rollout: { response_length: 100 },
    sft: { train_batch_size: 4, rehearsal_steps: 2, random_fraction: 0, ...sft },
    trainer: { train_seeds: "1-500" },
  });
  const demoTask = testTask(env, options);
  await demoTask.spec.load?.();
  const draw = rehearsalDraw({ config, isHeldOut: () => false, isHeldOutIn: new Map() }, 3, 1);
  const demonstrations = await demonstrate(
    { config, demoTask },
    { draw, oneTurn: false, seed: draw.runSeed },
  );
  return { config, demoTask, demonstrations };
}

describe("the learning rate of rehearsal", () => {
  const rateOf = (settings: object, update = 1) =>
    rehearsalSettings(
      RunConfig.parse({
        actor: { lr: 2e-4, lr_schedule: "linear", min_lr_ratio: 0 },
        trainer: { total_updates: 10, critic_warmup: 2 },
        ...settings,
      }),
      update,
    ).actorLr;
  const ofPpo = (update: number) => rateOf({}, update);

  it("is PPO's, or follows its schedule", () => {
    expect(ofPpo(5)).toBeGreaterThan(0);
    expect(ofPpo(8)).toBeLessThan(ofPpo(5));
    for (const update of [5, 8])
      expect(rateOf({ sft: { rehearsal_lr: 1e-3 } }, update)).toBeCloseTo(5 * ofPpo(update), 9);
  });

  it("is 0 while the critic goes first", () => {
    expect([ofPpo(2), rateOf({ sft: { rehearsal_lr: 1e-3 } }, 2)]).toEqual([0, 0]);
  });
});

describe("rehearsal", () => {
  it("trains what is stated, and nothing else", async () => {
    const { config, demoTask, demonstrations } = await demonstrationsOf("frozenlake", {});
    const packed = packFacts(demonstrations, config, demoTask);
    expect(packed).toHaveLength(4);
    for (const { trajectory, lossMask } of packed)
      expect(lossMask).toEqual(factTokens(trajectory, demoTask.vocabulary));
  });

  it("trains no turn that misreads the picture", async () => {
    const { config, demoTask, demonstrations } = await demonstrationsOf("navigation", {
      misread_fraction: 0.5,
    });
    const packed = packFacts(demonstrations, config, demoTask);
    const misread = packed.map(({ trajectory }) => misreadTokens(trajectory));
    expect(misread.some((marks) => countMarked(marks) > 0)).toBe(true);
    for (const [k, { lossMask }] of packed.entries())
      expect(lossMask.some((trained, t) => trained && misread[k]![t])).toBe(false);
  });

  it("refuses demonstrations that state nothing", async () => {
    const { config, demoTask, demonstrations } = await demonstrationsOf(
      "frozenlake",
      {},
      { format: "no_think" },
    );
    expect(() => packFacts(demonstrations, config, demoTask)).toThrow(
      /sft\.rehearsal_steps is 2, but .* state no facts/,
    );
  });

  it("draws other levels in every step and every update, and the same again", () => {
    const config = RunConfig.parse({ sft: { train_batch_size: 4 } });
    const pool = { config, isHeldOut: () => false, isHeldOutIn: new Map() };
    const drawn = (update: number, step: number) =>
      trainingEpisodes(rehearsalDraw(pool, update, step)).map(({ seed }) => seed);
    expect(drawn(1, 0)).toHaveLength(4);
    expect(drawn(1, 0)).not.toEqual(drawn(1, 1));
    expect(drawn(1, 0)).not.toEqual(drawn(2, 0));
    expect(drawn(2, 1)).toEqual(drawn(2, 1));
  });
});
