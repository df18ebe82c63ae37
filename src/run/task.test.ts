import { expect, test } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { checkedRunConfig } from "../config/check.ts";
import { consecutive } from "../config/seeds.ts";
import { loadEnv } from "../envs/index.ts";
import { buildTask } from "./task.ts";

await loadEnv("visual-math");

const config = checkedRunConfig({
  env: { name: "visual-math", config: { difficulty: "hard", max_answer: 60, questions: ["perimeter"] } },
  rollout: { prompt_format: "boxed", max_turns: 4, response_length: 48 },
  judge: { name: "off" },
});

const episodes = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 1,
  update: 1,
  count: 60,
  perLevel: 1,
});

test("the teacher asks before it answers a question about a figure that is not to scale", async () => {
  const task = buildTask(config);
  const skill = { randomFraction: 0, expertFraction: 1 };
  const played = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
  for (const { turns, success } of played) {
    expect(success).toBe(true);
    expect(turns.map(({ tool }) => tool?.call ?? null)).toEqual([
      '{"name": "measure", "arguments": {"from": "A", "to": "B"}}',
      '{"name": "measure", "arguments": {"from": "B", "to": "C"}}',
      null,
    ]);
  }
});
