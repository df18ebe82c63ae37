// A policy as an ONNX model, on observations of two pictures.
import { expect, it } from "vitest";
import { rollout } from "../agent/rollout.ts";
import type { Trajectory } from "../core/types.ts";
import { bundledPolicy, logitsOf, ortPolicy } from "./testing.ts";

it("reads both pictures of a turn, each in its place", async () => {
  const { checkpoint, config } = await bundledPolicy("svg-small-trained");
  const env = { ...config.env, config: { ...config.env.config, show_target: true } };
  const { task, policy, session, architecture } = await ortPolicy(checkpoint, { ...config, env });
  const sampling = { temperature: 0, topP: 1, topK: 0, maxTokens: config.rollout.response_length, seed: 1 };
  const episodes = [{ id: "a", seed: 10_003, rngKey: 1, groupId: "a" }];
  const [episode] = (await rollout({ task, policy, episodes, sampling })) as [Trajectory];
  const shown = episode.turns.map(({ observation }) => observation.images.length);
  expect(shown.slice(0, 2)).toEqual([1, 2]);

  // What was computed turn by turn is what one pass over the whole conversation computes.
  const { ids, responseMask, rolloutLogprobs, turnIndex } = episode.tokens;
  const { logits } = await logitsOf(session, architecture, episode);
  const { vocab } = architecture;
  const logprob = (t: number) => {
    const row = logits.subarray((t - 1) * vocab, t * vocab);
    const most = row.reduce((a, b) => Math.max(a, b));
    return row[ids[t]!]! - most - Math.log(row.reduce((sum, x) => sum + Math.exp(x - most), 0));
  };
  for (const t of ids.keys()) if (responseMask[t]) expect(rolloutLogprobs[t]).toBeCloseTo(logprob(t), 3);

  const swapped: Trajectory = {
    ...episode,
    turns: episode.turns.map((turn) => ({
      ...turn,
      observation: { ...turn.observation, images: turn.observation.images.toReversed() },
    })),
  };
  const others = (await logitsOf(session, architecture, swapped)).logits;
  const second = turnIndex.indexOf(1) * vocab;
  expect(others.subarray(0, second)).toEqual(logits.subarray(0, second));
  expect(others).not.toEqual(logits);
});
