import { describe, expect, test } from "vitest";
import { VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { earnsFormat } from "../core/readings.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import type { Env } from "../envs/env.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { writeReply } from "./demonstrate.ts";
import { trainingEpisodes, validationEpisodes } from "./episodes.ts";
import { demonstrationBatch, demonstrator, oraclePlayer } from "./players.ts";
import { firstText } from "./prompt.ts";
import { replyText, rollout } from "./rollout.ts";
import type { Task } from "./task.ts";
import { testTask } from "./test-task.ts";

const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 56, seed: 3 };
const half = { randomFraction: 0.5, expertFraction: 0.5 };
const episodes = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 1,
  update: 2,
  count: 12,
  perLevel: 2,
});

/** Plays one level with fixed replies. */
async function play(replies: string[], level: object, overrides: Partial<Task> = {}) {
  const task = testTask("frozenlake", { format: "no_think", ...overrides }, level);
  const policy = scriptedPolicy((_env: Env, { turn }) => task.vocabulary.encode(`${replies[turn]}<eos>`));
  const [trajectory] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling });
  return trajectory;
}
const answer = (actions: string) => `<answer>${actions}</answer>`;
const lake = { desc: ["SFF", "FHF", "FFG"] };

test("an episode ends at success, and what stands behind it in the answer is not executed", async () => {
  const { turns, success, terminated, truncated } = await play(
    [answer("Right, Right"), answer("Down,Down,Up")],
    lake,
  );
  expect({ success, terminated, truncated }).toEqual({ success: true, terminated: true, truncated: false });
  expect(turns.map(({ executed }) => executed.map(({ name }) => name))).toEqual([
    ["Right", "Right"],
    ["Down", "Down"],
  ]);
  expect(turns.map(({ taskReward }) => taskReward)).toEqual([0, 1]);
});

test("a hole ends the episode without success", async () => {
  const { success, terminated } = await play([answer("Down,Right,Up")], lake);
  expect({ success, terminated }).toEqual({ success: false, terminated: true });
});

test("an unknown action ends the turn; what ran before is kept", async () => {
  const { turns, truncated } = await play([answer("Down,Foo,Down"), ...Array(4).fill("nonsense")], lake);
  expect(truncated).toBe(true);
  expect(turns).toHaveLength(5);
  expect(turns[0].executed).toEqual([
    { name: "Down", valid: true, effective: true, note: "" },
    { name: "Foo", valid: false, effective: false, note: 'unknown action "Foo"' },
  ]);
  expect(turns[0]).toMatchObject({
    actionIsValid: false,
    actionIsEffective: true,
    after: { player: [1, 0] },
  });
  expect(turns[1]).toMatchObject({
    executed: [],
    actionIsValid: false,
    actionIsEffective: false,
    reply: "nonsense",
  });
});

test.each([
  ["lite", "<think>a</think><action>turn_left|turn_right</action>", ["turn_left", "turn_right"]],
  ["lite", "<think>a</think><answer>turn_left,turn_right</answer>", ["turn_left", "turn_right"]],
  ["studio", "<think>a</think><action>turn_left|turn_right</action>", []],
] as const)("under the reading %s Navigation's %s is %j", async (reading, reply, names) => {
  await loadEnv("navigation");
  const task = { ...testTask("navigation", { format: "free_think", reading }), maxTurns: 1 };
  const policy = scriptedPolicy(() => task.vocabulary.encode(`${reply}<eos>`));
  const roomy = { ...sampling, maxTokens: 200 };
  const [{ turns }] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling: roomy });
  const { parsed, executed } = turns[0]!;
  expect(executed.map(({ name }) => name)).toEqual(names);
  expect(parsed.formatOk).toBe(names.length > 0);
});

const DRAWING = '<svg viewBox="0 0 64 64"><circle cx="32" cy="32" r="20" fill="red"/></svg>';
const OTHER = DRAWING.replace("red", "blue");
const REFUSED = '<svg viewBox="0 0 64 64"><script/></svg>';

test.each([
  // Lite's SVG takes the first drawing of the answer, or else the first one of the whole reply.
  ["lite", `Here it is: ${DRAWING}`, [DRAWING], false],
  ["lite", `<think>${DRAWING}</think><answer>as above</answer>`, [DRAWING], true],
  ["lite", `<think>${DRAWING}</think><answer>${OTHER}</answer>`, [OTHER], true],
  ["lite", `<think>${DRAWING}</think><answer>${REFUSED}</answer>`, [], false],
  ["lite", "nothing", [], false],
  ["studio", `Here it is: ${DRAWING}`, [], false],
  ["studio", `<think>${DRAWING}</think><answer>as above</answer>`, [], false],
  ["legacy", `<think>${DRAWING}</think><answer>as above</answer>`, [], false],
] as const)("under the reading %s SVG draws of %s %j", async (reading, reply, drawings, isPaid) => {
  await loadEnv("svg");
  const task = { ...testTask("svg", { format: "free_think", reading }), maxTurns: 1 };
  const policy = scriptedPolicy(() => task.vocabulary.encode(`${reply}<eos>`));
  const roomy = { ...sampling, maxTokens: 2000 };
  const [{ turns }] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling: roomy });
  const { executed, after } = turns[0]!;
  expect(executed.filter(({ valid }) => valid).map(({ name }) => name)).toEqual(drawings);
  expect(after.facts?.drawing).toBe(drawings[0]);
  expect(earnsFormat(turns[0]!)).toBe(isPaid);
});

const place = "place(0,0,20)";
const thought = (actions: string) => `<think>a</think><answer>${actions}</answer>`;

test.each([
  // Lite's Navigation: one valid action makes a turn valid.
  ["navigation", thought("turn_left,foo"), { isValid: true, isEffective: true, isPaid: true }],
  ["navigation", thought("foo,turn_left"), { isValid: false, isEffective: false, isPaid: false }],
  // Lite's PrimitiveSkill pays only if all skills are valid; one valid skill is effective, though the hand holds nothing.
  ["primitive-skill", thought(place), { isValid: true, isEffective: true, isPaid: true }],
  ["primitive-skill", thought(`${place}|foo(1)`), { isValid: false, isEffective: true, isPaid: false }],
  ["primitive-skill", thought(`foo(1)|${place}`), { isValid: false, isEffective: false, isPaid: false }],
] as const)("under Lite's reading %s grades %s as %j", async (env, reply, wanted) => {
  await loadEnv(env);
  const task = { ...testTask(env, { format: "free_think", reading: "lite" }), maxTurns: 1 };
  const policy = scriptedPolicy(() => task.vocabulary.encode(`${reply}<eos>`));
  const roomy = { ...sampling, maxTokens: 200 };
  const [{ turns }] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling: roomy });
  const { actionIsValid: isValid, actionIsEffective: isEffective, formatEarned: isPaid } = turns[0]!;
  expect({ isValid, isEffective, isPaid }).toEqual(wanted);
});

test("later observations list the executed actions", async () => {
  const { turns } = await play(
    [answer("Down, Up"), "nonsense", answer("Up"), answer("Down"), answer("Up")],
    lake,
  );
  expect(turns.map(({ observation }) => observation.text)).toEqual([
    "turn 1<image>",
    "turn 2 after Down, Up<image>",
    "turn 3 after nothing<image>",
    "turn 4 after Up<image>",
    "turn 5 after Down<image>",
  ]);
  expect(turns[0].observation.images[0]).toMatchObject({ width: 24, height: 24 });
  // Away and back, and into the edge: executed, but not effective.
  expect(turns.map(({ actionIsEffective }) => actionIsEffective)).toEqual([false, false, false, true, true]);
  expect(turns[2].executed[0]).toMatchObject({ valid: true, effective: false });
});

test("a text board takes the place of the picture", async () => {
  const trajectory = await play([answer("Down,Right")], { ...lake, render_mode: "text" });
  expect(trajectory.turns[0].observation).toEqual({ text: "turn 1\nP__\n_O_\n__G", images: [] });
  expect(trajectory.tokens.imagePatch.every((patch) => patch === -1)).toBe(true);
});

test("a reply that is cut still ends its turn", async () => {
  const task = testTask("frozenlake");
  const policy = demonstrator(task, half);
  const cut = await rollout({
    task,
    policy,
    episodes: episodes.slice(0, 1),
    sampling: { ...sampling, maxTokens: 7 },
  });
  const { tokens, turns } = cut[0];
  expect(turns).toHaveLength(5);
  expect(turns[0].parsed.formatOk).toBe(false);
  expect(tokens.responseMask.filter(Boolean)).toHaveLength(35);
  expect(tokens.turnEndMask.filter(Boolean)).toHaveLength(5);
});

test.each(envs.ids)("text and tokens of %s record the same conversation", async (envId) => {
  await loadEnv(envId);
  const task = testTask(envId);
  for (const { turns, tokens } of await demonstrationBatch({
    task,
    // Physics takes its time.
    episodes: envId === "primitive-skill" ? episodes.slice(0, 8) : episodes,
    skill: half,
    oneTurn: false,
    seed: 1,
  })) {
    for (const turn of turns) {
      const isOwn = (t: number) => tokens.turnIndex[t] === turn.index && tokens.responseMask[t] === 1;
      expect(
        replyText(
          task.vocabulary,
          tokens.ids.filter((_, t) => isOwn(t)),
        ),
      ).toBe(turn.reply);
    }
    const patches = tokens.imagePatch.filter((patch) => patch >= 0);
    expect(Array.from(patches)).toEqual(Array.from({ length: turns.length * task.imageTokens }, (_, i) => i));
    expect(tokens.ids[0]).toBe(task.vocabulary.bos);
  }
});

test("the result depends neither on how many run in parallel nor on their order", async () => {
  const task = testTask("frozenlake");
  const run = (chosen: typeof episodes, parallel: number) =>
    rollout({ task, policy: demonstrator(task, half), episodes: chosen, sampling, parallel });
  const together = await run(episodes, 12);
  expect(await run(episodes, 5)).toEqual(together);
  const reversed = await run([...episodes].reverse(), 12);
  expect(reversed.reverse()).toEqual(together);
  expect(together.map(({ id }) => id)).toEqual(episodes.map(({ id }) => id));
});

test("verdicts and rewards come from the task and land on the turn's last token", async () => {
  const verdict = { status: "match", score: 1, judge: "test", reason: "", fields: [] } as const;
  const task = testTask("frozenlake", {
    judge: async (turns) => turns.map(() => ({ observation: verdict })),
    scoreTurn: (turn: Turn) => ({ rewards: { judged: 0.25 }, reward: turn.verdicts.observation.score / 4 }),
  });
  const seen: string[] = [];
  const [{ turns, tokens }] = await rollout({
    task,
    policy: oraclePlayer(task),
    episodes: episodes.slice(0, 1),
    sampling,
    onTurn: (turn, episode) => seen.push(`${episode.id} ${turn.index} ${turn.reward}`),
    onTrajectory: ({ id }) => seen.push(id),
  });
  expect(turns[0]).toMatchObject({ rewards: { judged: 0.25 }, reward: 0.25 });
  expect(tokens.rewards.at(-1)).toBe(0.25);
  expect(seen).toEqual([`${episodes[0].id} 0 0.25`, episodes[0].id]);
});

test.each([
  ["navigation", "turn_left", []],
  ["frozenlake", "Right", ["Right"]],
])("of a malformed reply %s executes what its rules say", async (envId, action, done) => {
  await loadEnv(envId);
  const task = testTask(envId, { maxTurns: 1 });
  const policy = scriptedPolicy((env) => {
    const reply = writeReply(envId, env.groundTruth(), [action], task.format);
    return task.vocabulary.encode(`${action}${reply}<eos>`);
  });
  const [{ turns }] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling });
  expect(turns[0]!.parsed.formatOk).toBe(false);
  expect(turns[0]!.executed.map(({ name }) => name)).toEqual(done);
});

test("an aborted rollout throws", async () => {
  const task = testTask("frozenlake");
  const signal = AbortSignal.abort();
  await expect(rollout({ task, policy: oraclePlayer(task), episodes, sampling, signal })).rejects.toThrow(
    /abort/i,
  );
});

test("one-turn demonstrations have one turn", async () => {
  const batch = await demonstrationBatch({
    task: testTask("sokoban"),
    episodes,
    skill: half,
    oneTurn: true,
    seed: 1,
  });
  expect(batch.every(({ turns }) => turns.length === 1)).toBe(true);
  const full = await demonstrationBatch({
    task: testTask("sokoban"),
    episodes,
    skill: half,
    oneTurn: false,
    seed: 1,
  });
  expect(batch.every(({ turns }, i) => turns[0].observation.text === full[i].turns[0].observation.text)).toBe(
    true,
  );
});

test("groups share a level, updates differ, training and validation levels are disjoint", () => {
  expect(episodes.map(({ groupId }) => groupId).filter((id) => id === "u2-g0")).toHaveLength(2);
  expect(episodes[0].seed).toBe(episodes[1].seed);
  expect(new Set(episodes.map(({ rngKey }) => rngKey)).size).toBe(12);
  const next = trainingEpisodes({
    seeds: consecutive(1, 10000),
    runSeed: 1,
    update: 3,
    count: 12,
    perLevel: 2,
  });
  expect(next.map(({ seed }) => seed)).not.toEqual(episodes.map(({ seed }) => seed));
  expect([...episodes, ...next].every(({ seed }) => seed >= 1 && seed <= 10000)).toBe(true);
  expect(validationEpisodes(consecutive(VALIDATION_FIRST_SEED, 256)).map(({ seed }) => seed)).toEqual(
    Array.from({ length: 256 }, (_, i) => 10001 + i),
  );
});

describe("a budget of tokens for an episode", () => {
  const wander = Array<string>(5).fill(answer("Up"));
  const lengths = ({ tokens }: Trajectory) => {
    const marks = [...tokens.responseMask];
    return { first: marks.indexOf(1), all: marks.length };
  };

  test("that is not reached changes nothing", async () => {
    const without = await play(wander, lake);
    const { first, all } = lengths(without);
    expect(await play(wander, lake, { maxEpisodeTokens: all - first })).toEqual(without);
  });

  test("cuts the last reply, and the episode is truncated there", async () => {
    const { first, all } = lengths(await play(wander, lake));
    const short = await play(wander, lake, { maxEpisodeTokens: all - first - 1 });
    expect(short.turns).toHaveLength(5);
    expect(lengths(short)).toEqual({ first, all: all - 1 });
    expect([short.truncated, short.tokens.turnEndMask.at(-1)]).toEqual([true, 1]);
    expect(short.turns.at(-1)!.reply).toBe(answer("Up"));
  });

  test("ends an episode before an observation that leaves no room for a reply", async () => {
    const { first } = lengths(await play(wander, lake));
    const one = await play(wander.slice(0, 1), lake, { maxTurns: 1 });
    const reply = lengths(one).all - first;
    const { turns, truncated } = await play(wander, lake, { maxEpisodeTokens: reply + 1 });
    expect([turns.length, truncated]).toEqual([1, true]);
  });
});

test("the end of an episode may settle the rewards of its turns, which are then trained on", async () => {
  const settle = (turns: readonly Turn[]) =>
    turns.map(({ index }) => ({ rewards: { task: index + 1 }, reward: index + 1 }));
  const task = testTask("frozenlake", { settle, maxTurns: 3 });
  const [played] = await rollout({
    task,
    policy: scriptedPolicy(() => task.vocabulary.encode("nothing<eos>")),
    episodes: [{ id: "a", seed: 1, groupId: "g", rngKey: 0 }],
    sampling: { temperature: 1, topP: 1, topK: 0, maxTokens: 8, seed: 0 },
  });
  expect(played!.turns.map(({ reward }) => reward)).toEqual([1, 2, 3]);
  const { rewards, turnEndMask } = played!.tokens;
  expect(Array.from(rewards).filter((_, t) => turnEndMask[t])).toEqual([1, 2, 3]);
});

test.each(["frozenlake", "navigation", "spatial-gym"])(
  "the first text of a level of %s is what the policy reads in its first turn",
  async (envId) => {
    await loadEnv(envId);
    const task = testTask(envId, { format: "no_think" }, { render_mode: "text" });
    const policy = scriptedPolicy(() => task.vocabulary.encode("<eos>"));
    const [episode] = await rollout({ task, policy, episodes: episodes.slice(0, 1), sampling });
    const game = task.spec.create(task.envConfig);
    game.reset(episode.seed);
    expect(firstText(game, task.envConfig)).toBe(episode.turns[0].observation.text);
    expect(firstText(game, { render_mode: "vision" })).toBe("");
  },
);
