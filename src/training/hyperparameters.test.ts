import { expect, test } from "vitest";
import { RunConfig } from "../config/run-config.ts";
import { overlongPenalty } from "../rl/reward/shaping.ts";
import { ppoSettings, shapingOptions } from "./hyperparameters.ts";

// Replies of at most 40 tokens in 3 turns: a sequence of one reply ends at 40, an episode at 120. The last 10 tokens cost up to 2.
test.each([
  ["individual", [30, 35, 40], [0, -1, -2]],
  ["concat", [40, 110, 115, 120], [0, 0, -1, -2]],
] as const)("length costs where a sample of %s comes to its end", (export_style, lengths, penalties) => {
  const config = RunConfig.parse({
    rollout: { workflow: "areal", export_style, response_length: 40, max_turns: 3 },
    algorithm: { overlong_tokens: 10, overlong_penalty_factor: 2 },
  });
  const options = shapingOptions(config);
  // Without a penalty the least is −0.
  expect(lengths.map((tokens) => overlongPenalty(tokens, options) + 0)).toEqual(penalties);
});

test("the critic goes first for as many updates as are set", () => {
  const config = RunConfig.parse({ trainer: { critic_warmup: 2 } });
  const rates = [1, 2, 3].map((update) => ppoSettings(config, update));
  expect(rates.map(({ actorLr }) => actorLr)).toEqual([0, 0, config.actor.lr]);
  expect(rates.map(({ criticLr }) => criticLr)).toEqual([1, 2, 3].map(() => config.critic.lr));
});
