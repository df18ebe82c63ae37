import { expect, test } from "vitest";
import { PROMPT_FORMATS } from "../config/run-config.ts";
import { consecutive } from "../config/seeds.ts";
import { rng } from "../core/rng.ts";
import type { Verdict } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import { wordsOf } from "../envs/worlds.ts";
import { judgeTurns } from "../judge/judge.ts";
import { ruleJudge } from "../judge/rule.ts";
import { judgeWorlds } from "../judge/statements.ts";
import { claimsOf, worldClaimsOf } from "./claims.ts";
import { chooseActions, writeReply } from "./demonstrate.ts";
import { trainingEpisodes } from "./episodes.ts";
import { demonstrationBatch } from "./players.ts";
import { templates } from "./templates/index.ts";
import { testTask } from "./test-task.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Episodes in each format, where pictures of worlds and physics take their time, and elsewhere. */
const FEW: Readonly<Record<string, number>> = { "primitive-skill": 4, navigation: 4, "spatial-gym": 4 };
const MANY = 10;

const half = { randomFraction: 0.5, expertFraction: 0.5 };
const episodes = trainingEpisodes({
  seeds: consecutive(1, 10000),
  runSeed: 5,
  update: 1,
  count: 200,
  perLevel: 1,
});

function expectOrdinaryText(vocabulary: Vocabulary, ids: Int32Array): void {
  expect(vocabulary.encode(vocabulary.decode(ids))).toEqual(ids);
  // Half bytes would mean that a phrase is missing: they occupy ids 5 to 20.
  expect(ids.filter((id) => id >= 5 && id < 21)).toHaveLength(0);
}

test("a FrozenLake reply states facts, decision, prediction and answer in this order", () => {
  const truth = { rows: 4, cols: 4, player: [1, 0], entities: { goal: [[2, 1]], hole: [[0, 0]] } } as const;
  expect(writeReply("frozenlake", truth, ["Right", "Down"], "grounding_worldmodeling")).toBe(
    "<think><observation>player at row 1 col 0 ; goal at row 2 col 1</observation>" +
      "<reasoning>goal is 1 down 1 right ; up hole, down free, left edge, right free ; so move Right, Down</reasoning>" +
      "<prediction>player at row 2 col 1</prediction></think><answer>Right, Down</answer>",
  );
});

test("a Sokoban reply names walls, boxes that can be pushed, and boxes that are stuck", () => {
  const entities = {
    box: [
      [2, 3],
      [3, 2],
    ],
    target: [
      [2, 4],
      [1, 1],
    ],
    wall: [[4, 2]],
  } as const;
  const truth = { rows: 6, cols: 6, player: [2, 2], entities } as const;
  expect(writeReply("sokoban", truth, ["Right"], "grounding_worldmodeling")).toBe(
    "<think><observation>player at row 2 col 2 ; box at row 2 col 3 ; box at row 3 col 2" +
      " ; target at row 1 col 1 ; target at row 2 col 4</observation>" +
      "<reasoning>box is same row 1 right ; target from box is same row 1 right" +
      " ; up free, down stuck box, left free, right box ; so move Right</reasoning>" +
      "<prediction>player at row 2 col 3 ; box at row 2 col 4 ; box at row 3 col 2</prediction></think>" +
      "<answer>Right</answer>",
  );
});

test.each(envs.ids.flatMap((envId) => PROMPT_FORMATS.map((format) => [envId, format] as const)))(
  "demonstrations of %s in %s are well-formed and right about the world, and their tokens come back from their text",
  async (envId, format) => {
    const spec = envs.get(envId);
    await spec.load?.();
    const claims = claimsOf(spec, format);
    const rules = wordsOf(envId)?.claimRules?.(spec.config.parse({}));
    const statements = { claims: worldClaimsOf(format), isOn: true, price: (verdict: Verdict) => verdict };
    const task = testTask(envId, {
      format,
      judge: async (turns) =>
        rules ? judgeWorlds(turns, { rules, ...statements }) : judgeTurns(ruleJudge, turns, claims),
    });
    const claimed = [claims.observation, claims.prediction].filter((names) => names.length > 0);
    // Each format has levels of its own. With physics all have the same: so few turns are played that one surprise more would decide.
    const count = FEW[envId] ?? MANY;
    const first = envId === "primitive-skill" ? 0 : PROMPT_FORMATS.indexOf(format) * count;
    const few = episodes.slice(first, first + count);
    const batch = await demonstrationBatch({ task, episodes: few, skill: half, oneTurn: false, seed: 2 });
    for (const { tokens } of batch) expectOrdinaryText(task.vocabulary, tokens.ids);
    let surprises = 0;
    const turns = batch.flatMap((trajectory) => trajectory.turns);
    for (const turn of turns) {
      expect(turn.parsed).toMatchObject({ formatOk: true, reason: "", droppedActions: [] });
      expect(turn.tool?.ok).not.toBe(false);
      expect(turn.executed.map(({ name }) => name)).toEqual(turn.parsed.actions);
      const { observation, prediction } = turn.verdicts;
      expect(Object.keys(turn.verdicts)).toHaveLength(claimed.length);
      if (observation) expect(observation.status).toBe("match");
      surprises += Number((prediction ?? { status: "match" }).status !== "match");
    }
    // What a wall hides from the agent can turn out otherwise; on a board nothing is hidden.
    expect(surprises / turns.length).toBeLessThan(rules ? 0.1 : 1e-9);
  },
);

test.each([
  ["frozenlake", { size: 8 }],
  ["sokoban", { num_boxes: 2, dim_room: [7, 7], min_solution_steps: null }],
])("the template of %s foresees what the game does", (envId, config) => {
  const template = templates.get(envId);
  const random = rng(9);
  for (let seed = 1; seed <= 30; seed++) {
    const task = testTask(envId, {}, config);
    const env = task.spec.create(task.envConfig);
    env.reset(seed);
    for (let step = 0; step < 30 && !template.ended(env.groundTruth()); step++) {
      const action = random.pick(template.actions);
      const foreseen = template.advance(env.groundTruth(), action);
      const { terminated } = env.step(action);
      expect(template.predict(env.groundTruth())).toBe(template.predict(foreseen));
      expect(template.ended(foreseen)).toBe(terminated);
    }
  }
});

test.each([
  ["frozenlake", 30, 31.5],
  ["sokoban", 39, 40.5],
])("a %s reply stays short", async (envId, low, high) => {
  const batch = await demonstrationBatch({
    task: testTask(envId),
    episodes,
    skill: half,
    oneTurn: false,
    seed: 3,
  });
  const turns = batch.reduce((sum, trajectory) => sum + trajectory.turns.length, 0);
  const tokens = batch.reduce(
    (sum, trajectory) => sum + trajectory.tokens.responseMask.filter(Boolean).length,
    0,
  );
  expect(tokens / turns).toBeGreaterThan(low);
  expect(tokens / turns).toBeLessThan(high);
});

/** Levels for each teacher: physics and pictures take their time, and where chance decides, only many tell. */
const LEVELS: Readonly<Record<string, number>> = {
  ...{ frozenlake: 60, sokoban: 60, "visual-math": 60, blackjack: 200 },
  ...{ "primitive-skill": 8, navigation: 24, "spatial-gym": 24, svg: 30 },
};

test.each(envs.ids)("a better teacher of %s succeeds more often", async (envId) => {
  await loadEnv(envId);
  const played = episodes.slice(0, LEVELS[envId]);
  const success = async (randomFraction: number, expertFraction: number) => {
    const skill = { randomFraction, expertFraction };
    const batch = await demonstrationBatch({
      task: testTask(envId),
      episodes: played,
      skill,
      oneTurn: false,
      seed: 4,
    });
    return batch.filter((trajectory) => trajectory.success).length / batch.length;
  };
  const [careless, mediocre, expert] = [await success(1, 0), await success(0.5, 0.5), await success(0, 1)];
  expect(careless).toBeLessThan(mediocre);
  expect(mediocre).toBeLessThan(expert);
  // Every level can be solved in time with several actions per turn, unless chance decides, too.
  if (!envs.get(envId).hasChance?.(testTask(envId).envConfig)) expect(expert).toBe(1);
});

test("the same random stream gives the same reply, and the game is left as it was", () => {
  const { spec, envConfig } = testTask("frozenlake");
  const env = spec.create(envConfig);
  env.reset(4);
  const before = env.groundTruth();
  const options = { ...half, envId: "frozenlake", format: "grounding", maxActions: 3, turnsLeft: 5 } as const;
  const reply = () =>
    writeReply(spec.id, env.groundTruth(), chooseActions(env, rng(1), options), options.format);
  expect(reply()).toBe(reply());
  expect(env.groundTruth()).toEqual(before);
});
