// Every way to reply that a run can choose: on both nano presets it either is a whole task, played and judged here, or is
// refused with a remedy.
import { describe, expect, test } from "vitest";
import { writeReply } from "../agent/demonstrate.ts";
import { maxActionsOf } from "../agent/env-options.ts";
import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch, oraclePlayer } from "../agent/players.ts";
import { rollout } from "../agent/rollout.ts";
import type { Task } from "../agent/task.ts";
import { applyChanges } from "../config/changes.ts";
import { inspectRunConfig } from "../config/check.ts";
import { presets } from "../config/presets.ts";
import { PROMPT_FORMATS, type RunConfig, STATE_FORMATS } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { formats } from "../core/formats.ts";
import { plainText } from "../core/message.ts";
import type { Trajectory } from "../core/types.ts";
import { buildTask } from "../run/task.ts";

const NANO = ["frozenlake-nano", "sokoban-nano"];
/** Formats that give a state. */
const STATING = PROMPT_FORMATS.filter(
  (format) => !["no_think", "free_think", "eval_mode", "boxed", "answer", "free_think_2026"].includes(format),
);
const matrix = NANO.flatMap((preset) =>
  PROMPT_FORMATS.flatMap((format) =>
    STATE_FORMATS.filter((states) => states === "natural" || STATING.includes(format)).map(
      (states) => [preset, format, states] as const,
    ),
  ),
);

const EPISODES = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 1,
  update: 1,
  count: 12,
  perLevel: 1,
});
const GREEDY = { temperature: 0, topP: 1, topK: 0, maxTokens: 1000, seed: 0 };

function configured(preset: string, format: string, states: string, more: object = {}): RunConfig {
  return applyChanges(presets.get(preset).config, {
    "rollout.prompt_format": format,
    "rollout.state_format": states,
    "trainer.init_checkpoint": "",
    // Room for two drawn boards; the rule is tested apart.
    "rollout.response_length": 120,
    // A list of relations gives no cells.
    ...(states === "relations" && { "reward.judge_scoring": "vagen" }),
    ...more,
  });
}

describe.each(matrix)("%s, %s, %s", (preset, format, states) => {
  const config = configured(preset, format, states);
  const facts = formats.get(format).parts.includes("reasoning") ? ["surroundings"] : [];
  const claims = ["observation", "prediction"].filter((claim) =>
    claim === "observation"
      ? /^(grounding|wm|free_wm|wm_2026|wm_think)/.test(format)
      : /(worldmodeling|wm|wm_2026|wm_think)$/.test(format),
  );

  const scorings =
    states === "relations" ? ["vagen", "exact_f1", "soft_f1"] : ["cells", "exact_f1", "soft_f1", "rubric"];
  test.each(scorings)("the oracle's replies are right, by %s", async (scoring) => {
    const task = buildTask({ ...config, reward: { ...config.reward, judge_scoring: scoring as "cells" } });
    const played = await rollout({
      task,
      policy: oraclePlayer(task),
      episodes: EPISODES.slice(0, 6),
      sampling: GREEDY,
    });
    for (const { turns, success } of played) {
      expect(success).toBe(true);
      for (const { parsed, verdicts, actionIsValid } of turns) {
        expect([parsed.formatOk, parsed.reason, actionIsValid]).toEqual([true, "", true]);
        expect(Object.entries(verdicts).map(([claim, { score }]) => [claim, score])).toEqual(
          [...claims, ...facts].map((claim) => [claim, 1]),
        );
      }
    }
  });

  test("demonstrations are made of words, and fit into the preset's replies or the rule says how long they are", async () => {
    const task = buildTask(config);
    const skill = { randomFraction: 0.25, expertFraction: 0.5 };
    const batch = await demonstrationBatch({ task, episodes: EPISODES, skill, oneTurn: false, seed: 1 });
    // Half bytes would mean that a phrase is missing: they occupy ids 5 to 20.
    for (const { tokens } of batch) expect(tokens.ids.filter((id) => id >= 5 && id < 21)).toHaveLength(0);
    const lengths = batch.flatMap(replyLengths);
    const enough =
      states === "symbolic" || states === "relations"
        ? lengthAskedFor(config)
        : presets.get(preset).config.rollout.response_length;
    expect(Math.max(...lengths, longestReply(task))).toBeLessThanOrEqual(enough);
    if (states === "symbolic") expect(longestReply(task)).toBeGreaterThan(enough - 8);
  });
});

/** Tokens of a reply with as many actions as a turn may have. */
function longestReply({ spec, envConfig, format, stateFormat, vocabulary }: Task): number {
  const env = spec.create(envConfig);
  env.reset(1);
  const actions = Array.from({ length: maxActionsOf(envConfig) }, () => spec.actions[0]!);
  const reply = writeReply(spec.id, env.groundTruth(), actions, format, stateFormat);
  return vocabulary.encode(`${reply}<eos>`).length;
}

/** Tokens of every reply. */
function replyLengths({ tokens, turns }: Trajectory): number[] {
  const lengths = turns.map(() => 0);
  for (const [t, isReply] of tokens.responseMask.entries()) lengths[tokens.turnIndex[t]!]! += isReply;
  return lengths;
}

/** What is said to be enough where replies may have four tokens. */
function lengthAskedFor(config: RunConfig): number {
  const { problems } = inspectRunConfig({ ...config, rollout: { ...config.rollout, response_length: 4 } });
  expect(problems).toMatchObject([{ path: "rollout.response_length", value: 4 }]);
  return Number(/Use at least (\d+)/.exec(plainText(problems[0]!.hint))![1]);
}

test.each(NANO)("on %s a format without a state has nothing to represent", (preset) => {
  for (const format of ["no_think", "free_think"])
    expect(() => configured(preset, format, "structured")).toThrow(
      `rollout.state_format is "structured"; "${format}" does not describe the state.`,
    );
});
