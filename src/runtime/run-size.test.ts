import { expect, test } from "vitest";
import { demonstrationBatch } from "../agent/players.ts";
import { applyChanges } from "../config/changes.ts";
import { getPreset } from "../config/presets.ts";
import { rowsOf } from "../core/token-rows.ts";
import { runSize } from "./run-size.ts";

const sizeWith = (changes: Readonly<Record<string, unknown>>) =>
  runSize(applyChanges(getPreset("frozenlake-nano").config, changes));

test("rows need no more context than their history, and the batch holds all of them", () => {
  const whole = sizeWith({});
  const alone = sizeWith({ "trainer.concat_multi_turn": false, "rollout.window_size": 0 });
  const all = sizeWith({ "trainer.concat_multi_turn": false });
  expect(all.generatorOptions.maxContext).toBe(whole.generatorOptions.maxContext);
  expect(alone.generatorOptions.maxContext).toBeLessThan(whole.generatorOptions.maxContext / 3);
  expect(alone.buffers.arena.bytesByCategory["KV cache"]).toBeLessThan(
    whole.buffers.arena.bytesByCategory["KV cache"]! / 3,
  );
  // Every row repeats the opening words.
  expect(alone.options.batchTokens).toBeGreaterThan(whole.options.batchTokens);
  expect(all.options.batchTokens).toBeGreaterThan(2 * whole.options.batchTokens);
  expect(alone.options.batchSequences).toBe(whole.options.batchEpisodes * 5);
});

test.each([undefined, 0, 1, 2])(
  "no episode with %s turns of history is longer than foreseen",
  async (window) => {
    const { task, options, generatorOptions } = sizeWith(
      window === undefined ? {} : { "trainer.concat_multi_turn": false, "rollout.window_size": window },
    );
    const episodes = Array.from({ length: 12 }, (_, i) => ({ id: `${i}`, seed: i, groupId: "", rngKey: i }));
    const skill = { randomFraction: 1, expertFraction: 0 };
    for (const trajectory of await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 0 })) {
      expect(trajectory.tokens.ids.length).toBeLessThanOrEqual(options.batchTokens / options.batchEpisodes);
      for (const { from, to } of rowsOf(trajectory))
        expect(to - from).toBeLessThanOrEqual(generatorOptions.maxContext);
    }
  },
);

test("the value after the last token of the longest row fits into one micro-step", () => {
  const { generatorOptions } = sizeWith({});
  const tight = { "trainer.micro_batch_tokens": generatorOptions.maxContext };
  expect(sizeWith(tight).options.microTokens).toBe(generatorOptions.maxContext);
  const cut = sizeWith({ ...tight, "algorithm.bootstrap_truncated": true });
  expect(cut.generatorOptions.maxContext).toBe(generatorOptions.maxContext);
  expect(cut.options.microTokens).toBe(generatorOptions.maxContext + 1);
});
