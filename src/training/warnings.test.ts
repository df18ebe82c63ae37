import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import type { Trajectory, VerdictStatus } from "../core/types.ts";
import { noScore } from "../judge/judge.ts";
import {
  watchDemonstrations,
  watchJudge,
  watchLevels,
  watchReplies,
  watchStaleness,
  watchTurnLoss,
} from "./warnings.ts";

const judged = (...statuses: VerdictStatus[]) => [
  {
    turns: statuses.map((status) => ({
      verdicts: { observation: noScore(status, "llm", `Not judged: ${status}.`) },
    })),
  } as unknown as Trajectory,
];

test("warns once when a judge begins to fail, and again after it has recovered", () => {
  const watch = watchJudge();
  expect(watch(judged("match", "mismatch", "not_judged"), 1)).toEqual([]);
  expect(watch(judged("match", "not_judged", "format"), 2)).toMatchObject([
    {
      type: "warning",
      update: 2,
      code: "judge_failing",
      message: "The judge decided 1 of 2 claims; the others earn nothing. Not judged: not_judged.",
    },
  ]);
  expect(watch(judged("not_judged", "not_judged"), 3)).toEqual([]);
  // Nothing was asked, so nothing has changed.
  expect(watch(judged("format"), 4)).toEqual([]);
  expect(watch(judged("not_judged"), 5)).toEqual([]);
  expect(watch(judged("match"), 6)).toEqual([]);
  expect(watch(judged("not_judged"), 7)).toHaveLength(1);
});

test("a run without a judge is left alone", () => {
  expect(watchJudge()(judged("off", "format"), 1)).toEqual([]);
});

/** A run that begins with an update of SFT. */
const config = RunConfig.parse({
  rollout: { response_length: 24 },
  sft: { total_updates: 1, one_turn_updates: 0 },
});
const cut = (share: number) => ({ "response_length/clip_ratio": share });

test("warns once when a limit cuts most replies, and again after replies fitted", () => {
  const watch = watchReplies();
  expect(watch(cut(0.4), config, 1)).toEqual([]);
  expect(watch(cut(0.97), config, 2)).toMatchObject([
    {
      type: "warning",
      update: 2,
      code: "replies_cut",
      message:
        "97 % of the replies of PPO update 1 reached the limit of 24 tokens (rollout.response_length).",
    },
  ]);
  expect(watch(cut(1), config, 3)).toEqual([]);
  expect(watch({}, config, 4)).toEqual([]);
  expect(watch(cut(0.1), config, 5)).toEqual([]);
  expect(watch(cut(0.5), config, 6)).toHaveLength(1);
});

test("warns once when SFT leaves out demonstrations that are too long", () => {
  const watch = watchDemonstrations();
  expect(watch({ "sft/too_long": 0, "response_length/max": 24 }, config, 1)).toEqual([]);
  expect(watch({ "sft/too_long": 1 / 16, "response_length/max": 30 }, config, 2)).toMatchObject([
    {
      code: "demonstrations_too_long",
      message:
        "SFT left out 7 % of the demonstrations of update 2: a reply has 30 tokens, more than the limit of 24 (rollout.response_length). Later ones are left out too.",
      hint: "Use at least 30 if the policy should learn from them.",
    },
  ]);
  expect(watch({ "sft/too_long": 1 / 8, "response_length/max": 31 }, config, 3)).toEqual([]);
});

test("warns once when stale episodes are trained on without a correction", () => {
  const stale = (age: number) => ({ "version_stats/sample_staleness_proximal_avg": age });
  const watch = watchStaleness();
  expect(watch(stale(0), config, 1)).toEqual([]);
  expect(watch({}, config, 2)).toEqual([]);
  expect(watch(stale(0.5), config, 3)).toMatchObject([
    {
      code: "stale_uncorrected",
      update: 3,
      message: expect.stringMatching(/^The episodes of PPO update 2 were played with an older policy/),
      hint: "Turn on actor.use_decoupled_loss.",
    },
  ]);
  expect(watch(stale(1), config, 4)).toEqual([]);
  const withoutSft = RunConfig.parse({ sft: { total_updates: 0 } });
  expect(watchStaleness()(stale(1), withoutSft, 3)[0]!.message).toMatch(/^The episodes of update 3 were/);
  const corrected = RunConfig.parse({ actor: { use_decoupled_loss: true } });
  expect(watchStaleness()(stale(1), corrected, 1)).toEqual([]);
});

const turnLoss = (loss_mode: string, actor: object = {}) =>
  RunConfig.parse({ actor: { loss_mode, ...actor } });
const turnsOf = (turns: number, spread = 0) => ({
  "actor/turns_per_row": turns,
  "actor/turn_log_ratio_std": spread,
});

test("warns once that entropy and KL weigh less beside a loss of turns", () => {
  const watch = watchTurnLoss();
  expect(watch(turnsOf(1), turnLoss("turn_gspo"), 1)).toEqual([]);
  expect(watch(turnsOf(3), turnLoss("turn_gspo", { use_kl_loss: false }), 2)).toEqual([]);
  expect(watch(turnsOf(3), turnLoss("vanilla"), 2)).toEqual([]);
  expect(watch(turnsOf(3), turnLoss("turn_gspo"), 3)).toMatchObject([
    {
      code: "turn_loss_terms",
      update: 3,
      message:
        "The policy loss sums over the 3.0 turns of a sequence; the entropy bonus and the KL are means, so they weigh that much less beside it.",
      hint: "Multiply actor.entropy_coeff and actor.kl_loss_coef by about 3.0.",
    },
  ]);
  expect(watch(turnsOf(4), turnLoss("turn_gspo"), 4)).toEqual([]);
});

test("warns when the ratios of turns spread beyond the clip, and again after they did not", () => {
  const watch = watchTurnLoss();
  const config = turnLoss("turn_ppo", { use_kl_loss: false });
  expect(watch(turnsOf(3, 0.18), config, 1)).toEqual([]);
  expect(watch(turnsOf(3, 0.19), config, 2)).toMatchObject([{ code: "turn_ratios_wide", update: 2 }]);
  expect(watch(turnsOf(3, 0.3), config, 3)).toEqual([]);
  expect(watch(turnsOf(3, 0.1), config, 4)).toEqual([]);
  expect(watch(turnsOf(3, 0.3), config, 5)).toHaveLength(1);
});

test("warns when validations begin to play levels of training, and once for each choice of seeds", () => {
  const watch = watchLevels();
  const of = (trainer: object) => RunConfig.parse({ trainer });
  expect(watch(of({}), 0)).toEqual([]);
  const shared = of({ train_seeds: "1-20", val_seeds: "20-23" });
  expect(watch(shared, 3)).toMatchObject([
    {
      code: "levels_shared",
      update: 3,
      message: expect.stringMatching(
        /^Training also plays 1 of the 4 levels of the validation, for example level 20\./,
      ),
    },
  ]);
  expect(watch(shared, 4)).toEqual([]);
  expect(watch(of({ train_seeds: "1-20", val_seeds: "21-23" }), 5)).toEqual([]);
  expect(watch(of({ train_seeds: "1-20", val_seeds: "1-3" }), 6)).toHaveLength(1);
});
