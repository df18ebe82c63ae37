// Rewards for the format that only some environments have, in games that are played: VAGEN-Lite's bonus for the form of a whole episode of
// Navigation, and VAGEN's penalty for a drawing of SVG that is refused.
import { describe, expect, test } from "vitest";
import { validationEpisodes } from "../agent/episodes.ts";
import { play } from "../agent/play.ts";
import { checkedRunConfig } from "../config/check.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { rescore } from "../rl/reward/rescore.ts";
import { buildTask, settling, weightsOf } from "./task.ts";

for (const id of ["navigation", "svg"]) await loadEnv(id);

const configured = (options: object, reward: object = {}) =>
  checkedRunConfig({
    env: { name: "navigation", config: { eval_set: "base", max_actions_per_step: 20, ...options } },
    rollout: { prompt_format: "free_think", reply_reading: "lite", max_turns: 4, response_length: 200 },
    judge: { name: "off" },
    reward: { use_state_reward: false, scale_by_turns: false, ...reward },
  });

const reply = (actions: readonly string[]) => `<think>a</think><action>${actions.join("|")}</action>`;

/** The actions that solve the level. */
function solution(config: ReturnType<typeof configured>): readonly string[] {
  const spec = envs.get("navigation");
  const env = spec.create(spec.config.parse(config.env.config));
  env.reset(3);
  return env.oracle()!;
}

/** One level; `earlier` are replies before the one that solves it. */
async function played(config: ReturnType<typeof configured>, earlier: readonly string[], end?: string) {
  const task = buildTask(config);
  const replies = [...earlier, end ?? reply(solution(config))];
  const [trajectory] = await play({
    task,
    policy: scriptedPolicy((_, { turn }) => task.vocabulary.encode(`${replies[turn] ?? "x"}<eos>`)),
    episodes: validationEpisodes([3]),
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 2000, seed: 0 },
  });
  return trajectory!;
}

const bonus = { episode_format_reward: 0.5 };
const rewardsOf = ({ turns }: Awaited<ReturnType<typeof played>>) => turns.map(({ reward }) => reward);

describe("VAGEN-Lite's rewards of Navigation", () => {
  test("have no bonus by default", async () => {
    const trajectory = await played(configured({}), []);
    expect(trajectory.success).toBe(true);
    expect(rewardsOf(trajectory)).toEqual([expect.closeTo(1.01, 12)]);
    expect(trajectory.turns[0]!.rewards).not.toHaveProperty("episode_format");
  });

  test("add the bonus to the success of an episode in which every reply was well formed", async () => {
    const trajectory = await played(configured(bonus), [reply(["look_down", "look_up"])]);
    expect(rewardsOf(trajectory)).toEqual([0.01, expect.closeTo(1.51, 12)]);
    // On the tokens as well.
    expect(trajectory.tokens.rewards.reduce((sum, own) => sum + own, 0)).toBeCloseTo(1.52, 6);
  });

  test("add none after a malformed reply, which also executes nothing", async () => {
    const trajectory = await played(configured(bonus), ["<action>look_down"]);
    expect(trajectory.turns[0]!.executed).toEqual([]);
    expect(rewardsOf(trajectory)).toEqual([0, expect.closeTo(1.01, 12)]);
  });

  test("add it where an action was unknown: the form was right", async () => {
    const trajectory = await played(configured(bonus), [reply(["jump"])]);
    expect(rewardsOf(trajectory)).toEqual([0, expect.closeTo(1.51, 12)]);
  });

  test("add none without success", async () => {
    const wasted = reply(Array.from({ length: 6 }, () => "turn_left"));
    const trajectory = await played(configured({ ...bonus, max_steps: 6 }), [], wasted);
    expect([trajectory.terminated, trajectory.success]).toEqual([true, false]);
    expect(rewardsOf(trajectory)).toEqual([0.01]);
  });

  test("pay the bonus in full, whatever the turns of an episode", async () => {
    const trajectory = await played(configured(bonus, { scale_by_turns: true }), []);
    expect(trajectory.turns[0]!.rewards).toEqual({ task: 1, format: 0.01 / 4, episode_format: 0.5 });
  });
});

test("saved episodes earn the bonus that they were paid, or another one", async () => {
  const saved = JSON.parse(JSON.stringify(await played(configured(bonus), [reply(["look_down"])])));
  const again = (options: object) => {
    const config = configured(options);
    return rescore(saved, weightsOf(config), undefined, settling(config).settle);
  };
  expect(again(bonus).map(({ reward }) => reward)).toEqual(rewardsOf(saved));
  expect(again({ episode_format_reward: 2 })[1]!.reward).toBeCloseTo(3.01, 12);
  expect(again({})[1]!.reward).toBeCloseTo(1.01, 12);
});

describe("a refused drawing", () => {
  const DRAWING = '<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';
  const REFUSED = '<svg viewBox="0 0 64 64"><script/></svg>';
  const answer = (text: string) => `<answer>${text}</answer>`;
  const REPLIES = [answer(REFUSED), answer(DRAWING), "no answer", answer(DRAWING)];
  const played = async (options: object, replies: readonly string[], reward: object = {}) => {
    const config = checkedRunConfig({
      env: { name: "svg", config: { format_reward: 0.5, success_similarity: 1, ...options } },
      rollout: { prompt_format: "no_think", max_turns: 4, response_length: 200 },
      judge: { name: "off" },
      reward: { use_state_reward: false, scale_by_turns: false, ...reward },
    });
    const task = buildTask(config);
    const [trajectory] = await play({
      task,
      policy: scriptedPolicy((_, { turn }) => task.vocabulary.encode(`${replies[turn]}<eos>`)),
      episodes: validationEpisodes([3]),
      sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 2000, seed: 0 },
    });
    return trajectory!;
  };
  const drawn = async (format_penalty: number, reward: object = {}) =>
    (await played({ format_penalty }, REPLIES, reward)).turns;

  test("costs nothing by default", async () => {
    const turns = await drawn(0);
    expect(turns.map(({ rewards }) => rewards.format)).toEqual([0, 0.5, 0, 0.5]);
    for (const { rewards } of turns) expect(rewards).not.toHaveProperty("format_penalty");
  });

  test("costs VAGEN's penalty, like a malformed reply, and the episode goes on", async () => {
    const [without, turns] = [await drawn(0), await drawn(-0.2)];
    expect(turns.map(({ rewards }) => rewards.format_penalty)).toEqual([-0.2, 0, -0.2, 0]);
    expect(turns.map(({ reward }, i) => reward - without[i]!.reward)).toEqual([
      expect.closeTo(-0.2, 12),
      0,
      expect.closeTo(-0.2, 12),
      0,
    ]);
  });

  test("costs as much where rewards are divided by the turns of an episode", async () => {
    const [first] = await drawn(-0.2, { scale_by_turns: true });
    expect(first!.rewards).toEqual({ task: 0, format: 0, format_penalty: -0.2 });
  });

  test.each([
    [answer(REFUSED), "<script> is not allowed"],
    [answer("a red circle"), "no <svg>"],
    ["no answer", null],
  ])("ends the episode without success where the option says so: %s", async (reply, why) => {
    const replies = [answer(DRAWING), reply, answer(DRAWING)];
    const options = { format_penalty: -0.2, refused_drawing: "end" };
    const { turns, ...episode } = await played(options, replies);
    expect(episode).toMatchObject({ success: false, terminated: true, truncated: false });
    expect(turns.map(({ rewards }) => rewards.format_penalty)).toEqual([0, -0.2]);
    expect(turns[1]!.executed[0]?.note ?? null).toEqual(why && expect.stringContaining(why));
    const going = await played({ format_penalty: -0.2 }, replies);
    expect(going).toMatchObject({ terminated: false, truncated: true, turns: { length: 4 } });
  });
});
