import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { claimsOf } from "../agent/claims.ts";
import { writeReply } from "../agent/demonstrate.ts";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import type { Task } from "../agent/task.ts";
import { nodeJudgeHost, VERDICTS } from "../cli/judge-host.ts";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import type { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { boardOf } from "../core/scene.ts";
import type { GroundTruth, Trajectory, Verdict } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { sokoban } from "../envs/sokoban/index.ts";
import { type Claim, type Judge, judgeTurns, noScore } from "../judge/judge.ts";
import { readRecording, recordedJudge, recording } from "../judge/recording.ts";
import { judgeSurroundings } from "../judge/surroundings.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { rescore } from "../rl/reward/rescore.ts";
import { platformPorts } from "./judge-ports.ts";
import { type JudgeHost, type Judging, openJudging } from "./judging.ts";
import { buildTask, judgedBy, weightsOf } from "./task.ts";

const base = checkedRunConfig({ env: { name: "sokoban", config: { min_solution_steps: [1, 5] } } });
const configured = (changes: Record<string, unknown>): RunConfig => applyChanges(base, changes);
const never = new AbortController().signal;
const host = (changes: Partial<JudgeHost> = {}): JudgeHost => ({
  ports: platformPorts,
  readText: async () => "",
  key: nodeJudgeHost({ env: {} }).key,
  ...changes,
});

/** Plays an update's levels with a player that says one of four things, whatever it sees. */
function play(task: Task, update: number): Promise<Trajectory[]> {
  const episodes = trainingEpisodes({
    seeds: consecutive(1, 10000),
    runSeed: 3,
    update,
    count: 6,
    perLevel: 1,
  });
  const policy = scriptedPolicy((env, { random }) => {
    const { player = [0, 0] } = boardOf(env.groundTruth());
    const place = random.pick(["row 1 col 1", "row 2 col 2", `row ${player[0]} col ${player[1]}`]);
    const said = `player at ${place} ; box at row 3 col 2 ; target at row 1 col 3`;
    const reply = `<think><observation>${said}</observation><reasoning></reasoning><prediction>player at ${place}</prediction></think><answer>${random.pick(["Up", "Left", "Fly"])}</answer>`;
    return task.vocabulary.encode(`${reply}<eos>`);
  });
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 999, seed: 3 };
  return rollout({ task, policy, episodes, sampling });
}

const training = (config: RunConfig, judging: Judging) =>
  judgedBy(buildTask(config), judging.training, config, never);
const words = (trajectories: readonly Trajectory[]) =>
  trajectories.flatMap(({ turns }) =>
    turns.map(({ verdicts, rewards, reward }) => ({ verdicts, rewards, reward })),
  );

/** The same without who said it: malformed turns are refused in the name of whichever judge there is. */
const anonymous = (turns: ReturnType<typeof words>) =>
  turns.map(({ verdicts, ...rest }) => ({
    ...rest,
    verdicts: Object.values(verdicts).map(({ judge, ...verdict }) =>
      verdict.status === "format" ? verdict : { judge, ...verdict },
    ),
  }));

test("rewards computed again from saved turns and recorded verdicts are those that were paid, bit for bit", async () => {
  const config = configured({
    "reward.judge_scoring": "soft_f1",
    "reward.repetition_penalty": 0.1,
    "reward.repetition_penalty_weight": 0.3,
    "reward.action_cost": 0.01,
  });
  const lines: string[] = [];
  const judging = await openJudging(config, undefined);
  const judge = recording(judging.training, (line) => lines.push(line));
  const played = await play(judgedBy(buildTask(config), judge, config, never), 1);
  const saved: Trajectory[] = JSON.parse(JSON.stringify(played));
  const again = saved.flatMap((episode) => rescore(episode, weightsOf(config)));
  expect(again).toEqual(words(played));
  expect(again.some(({ rewards }) => rewards.repetition! < 0)).toBe(true);
  expect(again.some(({ rewards }) => rewards.state_estimation! > 0)).toBe(true);
});

test("VAGEN's exact scorer of 2026 judges a well-formed turn without a valid action, and no other scoring does", async () => {
  const refusedBy = async (scoring: string) => {
    const config = configured({ "reward.judge_scoring": scoring });
    const played = await play(training(config, await openJudging(config, undefined)), 1);
    const flying = played.flatMap(({ turns }) => turns.filter(({ parsed }) => parsed.answer === "Fly"));
    expect(flying.length).toBeGreaterThan(0);
    return flying.map(({ verdicts }) => verdicts.observation!.status === "format");
  };
  expect(new Set(await refusedBy("clauses"))).toEqual(new Set([false]));
  expect(new Set(await refusedBy("vagen"))).toEqual(new Set([true]));
});

test("a recording gives a run that was judged otherwise its verdicts, and any weights", async () => {
  const config = configured({ "reward.judge_scoring": "rubric" });
  const lines: string[] = [];
  const rubric = (await openJudging(config, undefined)).training;
  const online = await play(
    judgedBy(
      buildTask(config),
      recording(rubric, (line) => lines.push(line)),
      config,
      never,
    ),
    1,
  );
  const unjudged = configured({ "judge.name": "off" });
  const saved: Trajectory[] = JSON.parse(
    JSON.stringify(await play(training(unjudged, await openJudging(unjudged, undefined)), 1)),
  );
  const verdicts = readRecording(lines.join("\n"), "verdicts.jsonl");
  const find = (turn: (typeof saved)[0]["turns"][0], claim: string) => {
    // The rule that judges neighbours needs no recording.
    if (claim === "surroundings")
      return judgeSurroundings(turn.parsed.reasoning, turn.before as GroundTruth, sokoban.surroundings!);
    return verdicts.find({
      claim: claim as Claim,
      text: turn.parsed[claim as Claim],
      truth: (claim === "observation" ? turn.before : turn.after) as GroundTruth,
    });
  };
  const same = saved.flatMap((episode) => rescore(episode, weightsOf(config), find));
  expect(anonymous(same)).toEqual(anonymous(words(online)));
  // And as a judge: the same words again.
  const names = claimsOf(envs.get("sokoban"), config.rollout.prompt_format);
  const replayed = await judgeTurns(recordedJudge(verdicts), saved[0]!.turns, names);
  for (const [i, { verdicts }] of online[0]!.turns.entries())
    if (verdicts.observation!.status !== "format") expect(verdicts).toMatchObject(replayed[i]!);
  const doubled = saved.flatMap((episode) =>
    rescore(episode, { ...weightsOf(config), state_estimation: 2, task: 0 }, find),
  );
  expect(doubled.map(({ rewards }) => rewards.state_estimation)).toEqual(
    same.map((turn) => 2 * (turn.verdicts.observation as Verdict).score),
  );
});

test("a run that goes on punishes repetition as if it had never stopped", async () => {
  const config = configured({
    "reward.judge_scoring": "exact_f1",
    "reward.repetition_penalty": 0.1,
    "reward.top_strings_m": 8,
    "reward.top_strings_k": 2,
  });
  const straight = await openJudging(config, undefined);
  await play(training(config, straight), 1);
  const wanted = words(await play(training(config, straight), 2));

  const first = await openJudging(config, undefined);
  await play(training(config, first), 1);
  const checkpoint = JSON.parse(JSON.stringify(first.memory()));
  const second = await openJudging(config, undefined, checkpoint);
  // Validations and demonstrations in between count nothing.
  for (const judge of [second.evaluation, second.demonstration])
    await play(judgedBy(buildTask(config), judge, config, never), 9);
  expect(words(await play(training(config, second), 2))).toEqual(wanted);
  expect(second.memory()).toEqual(straight.memory());
  expect(wanted.some(({ verdicts }) => verdicts.observation!.paid === -0.1)).toBe(true);
  const fresh = await openJudging(config, undefined);
  expect(words(await play(training(config, fresh), 2))).not.toEqual(wanted);
});

test("without a penalty nothing is remembered, and verdicts are those of before", async () => {
  const judging = await openJudging(base, undefined);
  expect(judging.memory()).toBeUndefined();
  expect(judging.training).toBe(judging.evaluation);
  expect(judging.demonstration.id).toBe("rule");
  expect(judging.spent()).toEqual({});
  const [turn] = words(await play(training(base, judging), 1));
  expect(turn!.verdicts.observation!.judge).toBe("rule");
});

test("a run without a judge has no verdicts that count", async () => {
  const config = configured({ "judge.name": "off" });
  const turns = words(await play(training(config, await openJudging(config, undefined)), 1));
  for (const { verdicts } of turns) expect(["off", "format"]).toContain(verdicts.observation!.status);
});

test("a judge without a host, a key or a named endpoint is refused before anything is asked", async () => {
  const config = configured({ "judge.name": "llm", "reward.judge_scoring": "rubric" });
  await expect(openJudging(config, host())).rejects.toThrow("JUDGE_API_KEY is not set");
  await expect(openJudging(config, undefined)).rejects.toThrow("cannot be opened here");
  const at = (url: string) => openJudging(applyChanges(config, { "judge.base_url": url }), host());
  await expect(at("http://judge.example/v1")).rejects.toThrow("that endpoint has not been named");
  await at("http://localhost:1/v1");
});

test("a model's verdicts are paid, kept beside the run, repeated by a recorded judge, and their cost is reported once", async () => {
  const folder = mkdtempSync(join(tmpdir(), "judge-"));
  const config = configured({
    "judge.name": "llm",
    "judge.base_url": "http://localhost:1/v1",
    "judge.input_price": 10,
    "reward.judge_scoring": "rubric",
  });
  let requests = 0;
  const post: JudgeHost["ports"]["post"] = async ({ body }) => {
    requests++;
    const isYes = body.includes("row 2 col 2");
    const reply = {
      choices: [{ message: { content: `<answer>${isYes ? "YES" : "NO"}</answer>` } }],
      usage: { prompt_tokens: 100, completion_tokens: 1 },
    };
    return { status: 200, header: () => null, body: JSON.stringify(reply) };
  };
  const node = nodeJudgeHost({ folder, env: {} });
  const judging = await openJudging(config, { ...node, ports: { ...platformPorts, post } });
  const online = words(await play(training(config, judging), 1));
  const asked = requests;
  expect(online.some(({ rewards }) => rewards.state_estimation! > 0)).toBe(true);
  // Nobody pays for what a script says.
  await play(judgedBy(buildTask(config), judging.demonstration, config, never), 1);
  const spent = judging.spent();
  expect(spent["judge/requests"]).toBe(asked);
  expect(spent["judge/requests"]).toBeGreaterThan(0);
  expect(spent["judge/cost"]).toBeCloseTo((spent["judge/requests"]! * 1000) / 1e6, 9);
  expect(judging.spent()).toEqual({
    "judge/requests": 0,
    "judge/retries": 0,
    "judge/tokens": 0,
    "judge/cost": 0,
  });

  const recorded = configured({ "judge.name": "recorded", "judge.recording": join(folder, VERDICTS) });
  const again = await openJudging(recorded, nodeJudgeHost());
  expect(anonymous(words(await play(training(recorded, again), 1)))).toEqual(anonymous(online));
  expect(readFileSync(join(folder, VERDICTS), "utf8")).not.toContain("sk-");
});

test("a recording that is not there, or is none, is said by its name", async () => {
  const folder = mkdtempSync(join(tmpdir(), "judge-"));
  const at = (name: string) =>
    configured({ "judge.name": "recorded", "judge.recording": join(folder, name) });
  await expect(openJudging(at("gone.jsonl"), nodeJudgeHost())).rejects.toThrow(/gone\.jsonl cannot be read/);
  writeFileSync(join(folder, "other.jsonl"), "{}\n{}\n");
  await expect(openJudging(at("other.jsonl"), nodeJudgeHost())).rejects.toThrow(
    /Line 1 of .*other\.jsonl is no verdict/,
  );
});

test.each([
  [
    { "judge.name": "llm" },
    "reward.judge_scoring",
    /judge\.name is "llm", and a model gives no cells to compare/,
  ],
  [{ "judge.name": "recorded" }, "judge.recording", /needs a file of verdicts/],
  [{ "judge.base_url": "localhost:8000" }, "judge.base_url", /must be an http or https address/],
  [
    { "judge.base_url": "http://me:secret@host/v1" },
    "judge.base_url",
    /is "http:\/\/host\/v1"; it was given/,
  ],
  [
    { "judge.base_url": "http://host/v1?key=secret" },
    "judge.base_url",
    /is "http:\/\/host\/v1"; it was given/,
  ],
  [
    { "judge.api_key_env": "sk-secret" },
    "judge.api_key_env",
    /it must be the name of an environment variable/,
  ],
])("%j is refused", (changes, path, message) => {
  expect(() => configured(changes)).toThrow(message);
  expect(() => configured(changes)).toThrow(path);
  expect(() => configured(changes)).not.toThrow("secret");
});

test("a rule judges the neighbours whatever the judge is, and the reward pays what is right", async () => {
  const free = (changes: Record<string, unknown>) =>
    configured({ "reward.surroundings_reward_weight": 0.5, "reward.scale_by_turns": false, ...changes });
  const unreachable: Judge = {
    id: "llm",
    title: "",
    judge: async (questions) => {
      expect(questions.map(({ claim }) => claim)).not.toContain("surroundings");
      return questions.map(() => noScore("not_judged", "llm", "The endpoint does not answer."));
    },
  };
  const turnsOf = async (config: RunConfig, judge: Judge) => {
    const task = judgedBy(buildTask(config), judge, config, never);
    const policy = scriptedPolicy((env) => {
      const reply = writeReply("sokoban", env.groundTruth(), ["Up"], config.rollout.prompt_format);
      return task.vocabulary.encode(`${reply.replace("left wall", "left free")}<eos>`);
    });
    const seeds = consecutive(1, 10000);
    const episodes = trainingEpisodes({ seeds, runSeed: 3, update: 1, count: 6, perLevel: 1 });
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 999, seed: 3 };
    return (await rollout({ task, policy, episodes, sampling })).flatMap(({ turns }) => turns);
  };
  const turns = await turnsOf(free({}), unreachable);
  for (const { verdicts, rewards } of turns) {
    expect(verdicts.observation!.status).toBe("not_judged");
    expect(rewards.surroundings).toBe(0.5 * verdicts.surroundings!.score);
  }
  expect(new Set(turns.map(({ verdicts }) => verdicts.surroundings!.score))).toEqual(new Set([0.75, 1]));
  const wordless = await turnsOf(free({ "rollout.prompt_format": "no_think" }), unreachable);
  expect(wordless.every(({ verdicts }) => !("surroundings" in verdicts))).toBe(true);
});
