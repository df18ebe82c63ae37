import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { play } from "../agent/play.ts";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { parseRunConfig } from "../config/yaml.ts";
import { rng } from "../core/rng.ts";
import { sequenceSpans } from "../core/token-sequences.ts";
import type { Policy } from "../policy/policy.ts";
import { layoutWarnings } from "../training/layout-warnings.ts";
import { layoutOf } from "./layout.ts";
import { runSize } from "./size.ts";

const nano = getPreset("frozenlake-nano").config;
const configOf = (changes: Readonly<Record<string, unknown>>) => applyChanges(nano, changes);
const COMPACT = {
  "trainer.harness": "compact",
  "rollout.max_turns": 20,
  "rollout.response_length": 30,
  "env.config.max_actions_per_step": 1,
};

test.each([
  [{}, { kind: "concat" }],
  [
    { "trainer.harness": "no_concat", "rollout.window_size": 3 },
    { kind: "no_concat", historyTurns: 3 },
  ],
  [
    { ...COMPACT, "trainer.compact_budget": 100 },
    { kind: "compact", budget: 100, room: Number.POSITIVE_INFINITY, maxReply: 30, maxSummary: 25 },
  ],
  [
    { ...COMPACT, "trainer.compact_budget": 0, "rollout.max_episode_tokens": 400 },
    { kind: "compact", budget: Number.POSITIVE_INFINITY, room: 400, maxReply: 30, maxSummary: 30 },
  ],
  [
    { ...COMPACT, "trainer.compact_budget": 999, "trainer.compact_summary_budget": 7 },
    { kind: "compact", budget: 999, room: Number.POSITIVE_INFINITY, maxReply: 30, maxSummary: 7 },
  ],
])("%j is the layout %j", (changes, layout) => {
  expect(layoutOf(configOf(changes))).toEqual(layout);
});

test("the example run closes conversations of its twenty turns", () => {
  const path = new URL("../../docs/examples/sokoban-compact-nano.yaml", import.meta.url);
  const config = parseRunConfig(readFileSync(path, "utf8"));
  const { task } = runSize(config);
  expect(task).toMatchObject({ maxTurns: 20, layout: { kind: "compact", budget: 100, maxSummary: 20 } });
  expect(layoutWarnings(config, task)).toEqual([]);
});

/** Writes replies of any length up to the limit, and checks that the context of a slot never outgrows the cache. */
function rambling(maxContext: number, eos: number, word: number): Policy {
  const random = rng(5);
  let lengths: number[] = [];
  return {
    kind: "scripted",
    begin(count) {
      lengths = new Array<number>(count).fill(0);
    },
    async generate(requests, { maxTokens }) {
      return requests.map(({ slot, promptIds, fresh }) => {
        const end = (fresh ? 0 : lengths[slot]!) + promptIds.length;
        expect(end + maxTokens).toBeLessThanOrEqual(maxContext);
        const ids = new Int32Array(random.float() < 0.5 ? maxTokens : 1 + random.int(maxTokens)).fill(word);
        if (random.float() < 0.5) ids[ids.length - 1] = eos;
        lengths[slot] = end + ids.length;
        return { ids, logprobs: new Float32Array(ids.length) };
      });
    },
  };
}

describe("no episode with summaries is longer than foreseen", () => {
  test.each([
    [80, 0],
    [130, 0],
    [300, 0],
    [5000, 0],
    [0, 130],
    [0, 300],
    [150, 200],
  ])("budget %i, room %i", async (budget, room) => {
    const changes = { "trainer.compact_budget": budget, "rollout.max_episode_tokens": room };
    const { task, options, generatorOptions } = runSize(configOf({ ...COMPACT, ...changes }));
    const { eos } = task.vocabulary;
    const [word] = task.vocabulary.encode("nothing");
    const episodes = Array.from({ length: 40 }, (_, i) => ({ id: `${i}`, seed: i, groupId: "", rngKey: i }));
    const trajectories = await play({
      task,
      policy: rambling(generatorOptions.maxContext, eos, word!),
      episodes,
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 30, seed: 0 },
    });
    const usable = trajectories.filter(({ unusable }) => !unusable);
    if (budget !== 80) expect(usable.length).toBeGreaterThan(0);
    for (const trajectory of usable) {
      const spans = sequenceSpans(trajectory);
      expect(trajectory.tokens.ids.length).toBeLessThanOrEqual(options.batchTokens / options.batchEpisodes);
      expect(spans.length).toBeLessThanOrEqual(options.batchSequences! / options.batchEpisodes);
      for (const { from, to } of spans) expect(to - from).toBeLessThanOrEqual(generatorOptions.maxContext);
    }
  });
});
