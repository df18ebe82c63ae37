import { appendFile, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { trainingEpisodes } from "../agent/episodes.ts";
import { rollout } from "../agent/rollout.ts";
import { checkedRunConfig } from "../config/check.ts";
import { entryConfig } from "../config/entries.ts";
import type { RunConfig } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { boardOf } from "../core/scene.ts";
import type { GroundTruth, Trajectory } from "../core/types.ts";
import { judgeCases } from "../judge/cases.ts";
import { noScore } from "../judge/judge.ts";
import type { Measured } from "../judge/measure.ts";
import { recordingLine } from "../judge/recording.ts";
import { scriptedPolicy } from "../policy/scripted/scripted.ts";
import { buildTask } from "../run/task.ts";
import { main } from "./main.ts";
import { RunFolder } from "./run-folder/run-folder.ts";
import { testIo } from "./testing/io.ts";

async function cli(...argv: string[]) {
  const io = testIo();
  const code = await main(["judge", ...argv], io);
  return { code, out: io.written.out, err: io.written.err };
}
const folder = () => mkdtemp(join(tmpdir(), "judge-"));
const set = (values: Record<string, unknown>) =>
  Object.entries(values).flatMap(([path, value]) => ["--set", `${path}=${value}`]);

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  server = undefined;
});

/** An endpoint that answers every request alike; `asked` counts them. */
async function endpoint(status: number, answer: string) {
  const seen = { asked: 0 };
  server = createServer((request, response) => {
    seen.asked++;
    const usage = { prompt_tokens: 100, completion_tokens: 10 };
    request.resume().on("end", () => {
      response.writeHead(status).end(JSON.stringify({ choices: [{ message: { content: answer } }], usage }));
    });
  });
  await new Promise<void>((ready) => server!.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const settings = set({
    "judge.base_url": url,
    "judge.requests_per_minute": 100000,
    "judge.max_retries": 0,
    "judge.input_price": 1,
    "judge.output_price": 2,
  });
  return { seen, settings };
}

describe("judge is called wrongly", () => {
  test.each([
    [[], 2, "either --measure or --rescore", "--rescore run/"],
    [["--measure", "--rescore", "run"], 2, "either --measure or --rescore", ""],
    [["--rescore", "run", "--judge", "rule"], 2, "--rescore and --judge were both given", "--set"],
    [
      ["--measure", "--verdicts", "v.jsonl"],
      2,
      "--measure and --verdicts were both given",
      "judge.recording=",
    ],
    [["--measure", "--judge", "rul"], 1, 'judge.name is "rul"', 'Did you mean "rule"?'],
    [["--measure", "--judge", "off"], 1, 'judge.name is "off"', '"rule", "llm" or "recorded"'],
    [["--measure", "--judge", "recorded"], 1, "judge.recording is empty", "verdicts.jsonl"],
    [["--measure", ...set({ "actor.lr": 0.001 })], 1, "actor.lr is 0.001", "values of judge"],
    [["--measure", ...set({ "judge.nam": "llm" })], 1, 'no setting "judge.nam"', '"judge.name"'],
    [["--rescore", "nowhere"], 1, "nowhere/config.yaml cannot be read: there is no such file.", "--out"],
    [["--rescore", "src"], 1, "src/config.yaml cannot be read", "folder of a run"],
  ])("%j", async (argv, exit, message, hint) => {
    const { code, out, err } = await cli(...argv);
    expect([code, out]).toEqual([exit, ""]);
    expect(err).toContain(message);
    expect(err).toContain(hint);
  });
});

describe("--measure", () => {
  test("prints the tables that docs/judges.md and docs/environments.md show", async () => {
    const { code, out } = await cli("--measure");
    const tablesOf = (text: string) =>
      [...text.matchAll(/^\| Cases[\s\S]*?^\| all.*$/gm)].map(([table]) => table);
    const page = (name: string) => readFile(join(import.meta.dirname, "../../docs", name), "utf8");
    expect(code).toBe(0);
    expect(tablesOf(out)).toHaveLength(3);
    expect(tablesOf(out)).toEqual([
      ...tablesOf(await page("judges.md")),
      ...tablesOf(await page("environments.md")),
    ]);
  });

  test("the rule for worlds misses words of one's own, and pays for no wrong claim", async () => {
    const { worlds } = JSON.parse((await cli("--measure", "--json")).out);
    expect(worlds.confusion).toEqual({
      truePositive: 95,
      falsePositive: 0,
      trueNegative: 171,
      falseNegative: 17,
      notJudged: 0,
    });
    const textsOf = (expected: string) =>
      (worlds.disagreements as Measured["disagreements"])
        .filter((outcome) => outcome.expected === expected)
        .map(({ text }) => text);
    expect(textsOf("no")).toEqual([]);
    const missed = textsOf("yes");
    expect(missed.filter((text) => /ahead \d|\(/.test(text))).toEqual([
      "sees sofa 4 ahead 1 left ; lamp 8 ahead 2 right ; target lamp 6 ahead 2 right",
      "target lamp: ahead 7, right 2 ; sees sofa: ahead 4, left 1",
      "In view: desk 4 ahead 0 right. Out of view: bed 0 ahead 5 left.",
      "desk 4 ahead 0 right ; not in view: bed 0 ahead 5 left",
    ]);
  });

  test("the rule for neighbours reads fixed words, and pays for wrong ones only where these are taken back in others", async () => {
    const { neighbours } = JSON.parse((await cli("--measure", "--json")).out);
    expect(neighbours).toMatchObject({
      claims: 38,
      confusion: { truePositive: 10, falsePositive: 3, trueNegative: 20, falseNegative: 5, notJudged: 0 },
    });
    const paid = (neighbours as Measured).disagreements.filter(({ expected }) => expected === "no");
    expect(paid.map(({ text }) => text)).toEqual([
      "up edge, down hole, left free, right goal was what I thought, but it is all wrong",
      "up wall, down stuck box, left box, right free of boxes, but there is a wall",
      "It is false that up wall, down stuck box, left box, right free.",
    ]);
  });

  test("takes the scoring that is asked for", async () => {
    const { out } = await cli("--measure", "--json", ...set({ "reward.judge_scoring": "soft_f1" }));
    const { scoring, meanScore } = JSON.parse(out);
    expect(scoring).toBe("soft_f1");
    expect([meanScore.right.toFixed(3), meanScore.wrong.toFixed(3)]).toEqual(["0.845", "0.486"]);
  });

  test("asks an endpoint once about every claim, tells what it cost, and keeps its verdicts", async () => {
    const { seen, settings } = await endpoint(200, "<answer>YES</answer>");
    const kept = join(await folder(), "new", "verdicts.jsonl");
    const { code, out } = await cli("--measure", "--judge", "llm", ...settings, "--out", kept, "--json");
    const right = judgeCases.filter(({ isRight }) => isRight).length;
    const confusion = {
      truePositive: right,
      falsePositive: judgeCases.length - right,
      trueNegative: 0,
      falseNegative: 0,
      notJudged: 0,
    };
    expect([code, seen.asked]).toEqual([0, judgeCases.length]);
    const measured = JSON.parse(out);
    expect(measured).toMatchObject({ judge: "llm", confusion, "judge/requests": judgeCases.length });
    // 100 tokens at $1 and 10 at $2 a million, for each claim.
    expect(measured["judge/cost"]).toBeCloseTo(120e-6 * judgeCases.length, 12);

    const recorded = ["--judge", "recorded", ...set({ "judge.recording": kept })];
    const again = JSON.parse((await cli("--measure", ...recorded, "--json")).out);
    expect(again.confusion).toEqual(confusion);
    expect(seen.asked).toBe(judgeCases.length);
  });

  test("counts what an endpoint does not judge, says why, and fails when that is all of it", async () => {
    const { settings } = await endpoint(401, "");
    const { code, out } = await cli("--measure", "--judge", "llm", ...settings);
    expect(code).toBe(1);
    expect(out).toContain(`| all | 0 | 0 | 0 | 0 | ${judgeCases.length} | – |`);
    expect(out).toMatch(/- 90 claims\. Not judged: .*401/);
  });
});

describe("--rescore", () => {
  const config = checkedRunConfig({ rollout: { max_turns: 3 }, reward: { action_cost: 0.01 } });

  /** A run's folder with a few episodes of a player who knows where it stands, and guesses the goal. */
  async function playedRun(
    of: RunConfig = config,
    entry?: string,
  ): Promise<{ path: string; played: Trajectory[] }> {
    const path = await folder();
    const run = new RunFolder(path);
    run.writeConfig(of);
    const task = buildTask(entryConfig(of, entry));
    const policy = scriptedPolicy((env, { random }) => {
      const [row, col] = boardOf(env.groundTruth()).player ?? [0, 0];
      const said = `player at row ${row} col ${col} ; goal at row 1 col 1`;
      const action = random.pick(["Up", "Left", "Down", "Right"]);
      return task.vocabulary.encode(
        `<think><observation>${said}</observation><reasoning></reasoning><prediction>player at row ${row} col ${col}</prediction></think><answer>${action}</answer><eos>`,
      );
    });
    const episodes = trainingEpisodes({
      seeds: consecutive(1, 10000),
      runSeed: 3,
      update: 1,
      count: 4,
      perLevel: 1,
    });
    const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 999, seed: 3 };
    const played = (await rollout({ task, policy, episodes, sampling })).map((trajectory) => ({
      ...trajectory,
      ...(entry && { entry }),
    }));
    for (const trajectory of played)
      run.record({ type: "trajectory", update: 1, source: "validation", trajectory });
    return { path, played };
  }

  test("gives with the run's own weights what was paid, to the last bit", async () => {
    const { path, played } = await playedRun();
    const out = join(path, "again.jsonl");
    expect(await cli("--rescore", path, "--out", out)).toMatchObject({ code: 0, err: "" });
    const lines = (await readFile(out, "utf8")).trim().split("\n");
    const again = lines.map((line) => JSON.parse(line));
    expect(again.map(({ id }) => id)).toEqual(played.map(({ id }) => id));
    for (const [i, { turns, was, reward }] of again.entries()) {
      const paid = played[i]!.turns.map(({ rewards, reward }) => ({ rewards, reward }));
      expect(turns).toEqual(paid.map((turn) => ({ was: turn, ...turn })));
      expect(reward).toBe(was);
    }
  });

  test("pays the episodes of a further environment by its own format reward", async () => {
    const other = { name: "frozenlake", config: { format_reward: 0.5 } };
    const { path } = await playedRun(checkedRunConfig({ ...config, envs: { other } }), "other");
    const { format } = JSON.parse((await cli("--rescore", path, "--json")).out).terms;
    expect(format.was).toBeGreaterThan(config.env.config.format_reward as number);
    expect(format.now).toBe(format.was);
  });

  test("pays claims by the mean of the episode where the run does, and on request", async () => {
    const mean = { "reward.claim_aggregation": "episode_mean" };
    const settled = await playedRun(
      checkedRunConfig({ ...config, reward: { claim_aggregation: "episode_mean" } }),
    );
    const out = join(settled.path, "again.jsonl");
    expect(await cli("--rescore", settled.path, "--out", out)).toMatchObject({ code: 0, err: "" });
    const again = (await readFile(out, "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    for (const { turns } of again)
      for (const { was, rewards, reward } of turns) expect({ rewards, reward }).toEqual(was);
    // The episodes that end early are those that the mean changes.
    expect(settled.played.some(({ turns }) => turns.length < config.rollout.max_turns)).toBe(true);

    const { path } = await playedRun(checkedRunConfig({ ...config, reward: {} }));
    const { terms } = JSON.parse((await cli("--rescore", path, ...set(mean), "--json")).out);
    const paid = JSON.parse((await cli("--rescore", settled.path, "--json")).out).terms;
    expect(terms.state_estimation.now).toBe(paid.state_estimation.was);
    expect(terms.state_estimation.now).toBeGreaterThan(terms.state_estimation.was);
  });

  test("leaves the demonstrations of SFT out", async () => {
    const { path, played } = await playedRun();
    const file = join(path, "trajectories.jsonl");
    const demonstration = JSON.stringify({
      update: 1,
      source: "train",
      trajectory: { id: "d", success: true, turns: [] },
    });
    await appendFile(file, `${demonstration}\n`);
    const { out } = await cli("--rescore", path, "--json");
    expect(JSON.parse(out).episodes).toBe(played.length);
    await writeFile(file, `${demonstration}\n`);
    expect((await cli("--rescore", path)).err).toContain("All saved episodes (1) are demonstrations");
  });

  test("refuses a weight that a switch of the run keeps from paying", async () => {
    const { path } = await playedRun(checkedRunConfig({ reward: { use_state_reward: false } }));
    const weight = set({ "reward.grounding_reward_weight": 1 });
    const { code, err } = await cli("--rescore", path, ...weight);
    expect([code, err]).toEqual([1, expect.stringContaining("--set reward.use_state_reward=true")]);
    const both = await cli("--rescore", path, ...weight, ...set({ "reward.use_state_reward": true }));
    expect(both.code).toBe(0);
  });

  test("refuses to pay for neighbours that no saved episode has verdicts on", async () => {
    const { path } = await playedRun();
    const weight = set({ "reward.surroundings_reward_weight": 1 });
    expect((await cli("--rescore", path, ...weight)).code).toBe(0);
    const file = join(path, "trajectories.jsonl");
    const older = (await readFile(file, "utf8")).replaceAll('"surroundings":', '"unknown":');
    await writeFile(file, older);
    const { code, err } = await cli("--rescore", path, ...weight);
    expect([code, err]).toEqual([1, expect.stringContaining("no verdicts on the cells beside the player")]);
  });

  test("shows the mean reward of an episode by term, as paid and with other weights", async () => {
    const { path } = await playedRun();
    const changes = set({ "reward.grounding_reward_weight": 0.75, "reward.action_cost": 0 });
    const { terms, reward, episodes } = JSON.parse((await cli("--rescore", path, ...changes, "--json")).out);
    expect(episodes).toBe(4);
    expect(terms.state_estimation.was).toBeGreaterThan(0);
    expect(terms.state_estimation.now).toBeCloseTo(3 * terms.state_estimation.was, 12);
    expect(terms.transition_modeling.now).toBe(terms.transition_modeling.was);
    expect(terms.action_cost.was).toBeLessThan(0);
    expect(terms.action_cost.now).toBe(0);
    const change = 2 * terms.state_estimation.was - terms.action_cost.was;
    expect(reward.now - reward.was).toBeCloseTo(change, 12);
    const { out } = await cli("--rescore", path, ...changes);
    expect(out).toMatch(new RegExp(`^reward +${reward.was.toFixed(4)} +${reward.now.toFixed(4)} `, "m"));
    expect(out).toMatch(
      /^4 saved episodes \(0 of training, 4 of validations\), \d+ turns: a sample of what/m,
    );
  });

  test("takes the verdicts of a recording in place of the saved ones, and says how many claims it lacks", async () => {
    const { path, played } = await playedRun();
    const claims = played
      .flatMap(({ turns }) => turns)
      .flatMap((turn) => [
        { claim: "observation" as const, text: turn.parsed.observation, truth: turn.before as GroundTruth },
        { claim: "prediction" as const, text: turn.parsed.prediction, truth: turn.after as GroundTruth },
      ]);
    const file = join(path, "verdicts.jsonl");
    const line = (i: number) =>
      recordingLine(claims[i]!, { ...noScore("partial", "llm", ""), score: (i % 2) / 4 });
    const all = claims.map((_, i) => `${line(i)}\n`).join("");
    await writeFile(file, all);
    const rescored = async (...more: string[]) => cli("--rescore", path, "--verdicts", file, ...more);
    const { terms, verdicts } = JSON.parse((await rescored("--json")).out);
    expect(verdicts).toEqual({ claims: claims.length, withoutVerdict: 0 });
    expect(terms.state_estimation.was).toBeGreaterThan(0);
    expect(terms.state_estimation.now).toBe(0);
    const { worldmodeling_reward_weight: weight } = config.reward;
    const perTurn = weight / 4 / config.rollout.max_turns;
    expect(terms.transition_modeling.now).toBeCloseTo((perTurn * claims.length) / 2 / played.length, 12);

    // Under a base, each scores as before and earns less.
    new RunFolder(path).writeConfig(
      checkedRunConfig({ ...config, reward: { ...config.reward, score_base: 0.1 } }),
    );
    const above = JSON.parse((await rescored("--json")).out);
    const share = (0.25 - 0.1) / (1 - 0.1) / 0.25;
    expect(above.terms.transition_modeling.now).toBeCloseTo(share * terms.transition_modeling.now, 12);
    new RunFolder(path).writeConfig(config);

    // A prediction alone, and a line that a full disk cut off.
    await writeFile(file, `${line(1)}\n${line(0).slice(0, 50)}`);
    const known = claims.filter(
      (claim) =>
        recordingLine(claim, noScore("off", "", "")) === recordingLine(claims[1]!, noScore("off", "", "")),
    );
    const few = await rescored();
    expect([few.code, few.err]).toEqual([0, expect.stringContaining("1 line that was cut off is left out")]);
    const missing = claims.length - known.length;
    expect(few.out).toContain(
      `\n${missing} of ${claims.length} claims have no verdict in ${file} and earn nothing now.`,
    );
  });

  test("refuses verdicts that cannot be read, and runs whose penalties depend on more than they keep", async () => {
    const { path } = await playedRun();
    const refused = async (folder: string, file: string, message: string) => {
      const { code, err } = await cli("--rescore", folder, "--verdicts", file);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    };
    await refused(path, "none.jsonl", "none.jsonl cannot be read: there is no such file.");
    await refused(path, join(path, "config.yaml"), "config.yaml is no verdict.");
    const { path: repeating } = await playedRun(checkedRunConfig({ reward: { repetition_penalty: 0.1 } }));
    await refused(
      repeating,
      "none.jsonl",
      "reward.repetition_penalty is 0.1; the saved episodes do not show",
    );
  });

  test("refuses settings that nothing depends on any more, and runs that it cannot do justice", async () => {
    const { path } = await playedRun();
    const refused = async (message: string, ...argv: string[]) => {
      const { code, err } = await cli("--rescore", path, ...argv);
      expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    };
    await refused('no setting "reward.groundin"', ...set({ "reward.groundin": 1 }));
    await refused('reward.judge_scoring is "rubric"', ...set({ "reward.judge_scoring": "rubric" }));
    await refused("no extension has added a reward term", ...set({ "reward.weights.mine": 1 }));
    await appendFile(join(path, "trajectories.jsonl"), "{}\n");
    await refused("Line 5 of ");
    await writeFile(join(path, "trajectories.jsonl"), "");
    await refused("no episodes in trajectories.jsonl");
    await writeFile(join(path, "trajectories.jsonl"), '{"type":"trajectory","upda');
    await refused("has no complete episode: its only line is cut off.");
  });

  test("leaves lines out that were cut off, wherever they stand, and says so", async () => {
    const { path } = await playedRun();
    const file = join(path, "trajectories.jsonl");
    const [first, ...others] = (await readFile(file, "utf8")).trim().split("\n") as [string, ...string[]];
    // Cut off and gone on behind it; the last one is still being written.
    await writeFile(file, [first.slice(0, 500), ...others, first.slice(0, 14)].join("\n"));
    const { code, out, err } = await cli("--rescore", path);
    expect([code, err]).toEqual([0, `warning: ${file}: 2 lines that were cut off are left out.\n`]);
    expect(out).toContain(`${others.length} saved episodes`);
  });

  test("refuses a run of AReaL's workflow, whose turns do not sum up", async () => {
    const path = await folder();
    new RunFolder(path).writeConfig(
      checkedRunConfig({
        env: { name: "visual-math", config: { tools: false } },
        judge: { name: "off" },
        rollout: { workflow: "areal", prompt_format: "boxed" },
        reward: { scale_by_turns: false },
      }),
    );
    const { code, err } = await cli("--rescore", path);
    expect([code, err]).toEqual([1, expect.stringContaining('rollout.workflow is "areal"')]);
  });

  test("lets a term of one's own look at what was saved", async () => {
    const { path, played } = await playedRun();
    const plugin = join(await folder(), "wide.mjs");
    await writeFile(
      plugin,
      `export default ({ rewardTerm }) => rewardTerm({ id: "wide", title: "Wide", score: ({ observation: { images: [{ width, height, data }] } }) => Number(data.length === 4 * width * height) });`,
    );
    const { code, out, err } = await cli(
      ...["--rescore", path, "--plugin", plugin, "--json"],
      ...set({ "reward.weights.wide": 2 }),
    );
    expect([code, err]).toEqual([0, ""]);
    const turns = played.flatMap((trajectory) => trajectory.turns).length;
    expect(JSON.parse(out).terms.wide).toEqual({ was: 0, now: (2 * turns) / played.length });
  });
});
