// Worlds of one's own: environments on a plane with coordinates.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
// @ts-expect-error It is JavaScript, as users write it.
import example from "../../docs/examples/world.mjs";
import { decisionTokens } from "../agent/decision-tokens.ts";
import { writeReply } from "../agent/demonstrate.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { openingIds } from "../agent/prompt.ts";
import { templates } from "../agent/templates/index.ts";
import { testTask } from "../agent/test-task.ts";
import { createVocabulary, type Vocabulary, vocabularyFor } from "../agent/vocabulary.ts";
import { inspectRunConfig } from "../config/check.ts";
import type { Frame, SceneTruth, WorldTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { drawPlane } from "../envs/own/draw-plane.ts";
import type { OwnPlane } from "../envs/own/own.ts";
import { pictureLevel } from "../envs/preview.ts";
import { wordsOf } from "../envs/worlds.ts";
import { judgeStatements, judgeWorlds } from "../judge/statements.ts";
import { longestEpisode } from "../run/longest-episode.ts";
import { answerOwnEnv } from "../worker/own-env.ts";
import { readAnswer } from "../worker/own-env-protocol.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { checkEnvironment } from "./check-environment.ts";
import { standIn } from "./described.ts";
import { environmentsIn, registered, replaceExtensions, tried } from "./index.ts";

const install = (factory: unknown, checked?: true) =>
  replaceExtensions([{ name: "mine", factory, ...(checked && { checked }) }]);
afterEach(() => void replaceExtensions([]));

type State = { x: number; goal: number; flies: number };

/** A walk to the right on a plane of 48 × 16 units, with parts replaced. */
const walk = (parts: object = {}) => ({
  id: "walk",
  size: [48, 16],
  background: "#ffffff",
  scenery: [{ color: "#0000ff", shape: "square", at: [24, 16], size: [48, 4] }],
  actions: ["Left", "Right"],
  things: {
    goal: { color: "#00ff00", shape: "square", size: [6, 12], fixed: true },
    fly: { color: "#000000", shape: "disc", size: 2, most: 2 },
    player: { color: "#ff0000", shape: "disc", size: 4 },
  },
  claims: ["goal"],
  near: 1,
  start: (random: { int(n: number): number }) => ({
    x: 4,
    goal: 14 + 5 * random.int(5),
    flies: random.int(3),
  }),
  step(state: State, action: string) {
    const x = Math.max(4, state.x + (action === "Right" ? 5 : -5));
    return { state: { ...state, x }, success: x === state.goal };
  },
  where: ({ x, goal, flies }: State) => ({
    player: [x + 0.2, 8],
    goal: [goal, 7],
    fly: [
      [40, 2],
      [4.4, 1.6],
    ].slice(0, flies),
  }),
  plan: ({ x, goal }: State) => Array((goal - x) / 5).fill("Right"),
  ...parts,
});
const adding =
  (parts?: object) =>
  ({ environment }: ExtensionApi) =>
    environment(walk(parts) as unknown as OwnWorld);

/** A game on the level of a seed. */
function begun(id: string, seed: number, config: object = {}) {
  const spec = envs.get(id);
  const env = spec.create(spec.config.parse(config));
  env.reset(seed);
  return env;
}
const rules = (id: string) => wordsOf(id)!.claimRules!({});
const judged = (
  id: string,
  text: string,
  truth: SceneTruth,
  claim: "observation" | "prediction" = "observation",
) => judgeStatements(text, claim, truth as WorldTruth, rules(id));
const pixel = ({ width, data }: Frame, x: number, y: number) => [
  ...data.slice(4 * (y * width + x), 4 * (y * width + x) + 3),
];
function assertWords(vocabulary: Vocabulary, ids: Iterable<number>): void {
  for (const token of ids) expect(vocabulary.surface(token)).not.toMatch(/^<0x/);
}

describe("the documented example", () => {
  it("keeps the contract, and is an environment like others until it is removed", () => {
    const [report] = tried({ name: "mine", factory: example }).reports;
    expect(report!.lines.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(report!.lines).toHaveLength(7);
    install(example, true);
    expect(registered()).toEqual([{ name: "mine", provides: ["environment puck"] }]);
    expect(envs.get("puck")).toMatchObject({ isWorld: true, claims: ["next", "pad"] });
    expect(wordsOf("puck")).toBeDefined();
    replaceExtensions([]);
    expect([envs.ids.includes("puck"), templates.ids.includes("puck")]).toEqual([false, false]);
    expect(wordsOf("puck")).toBeUndefined();
  });

  describe("has words for all that its demonstrations say, which are right", () => {
    beforeEach(() => void install(example, true));

    it.each(["natural", "structured"] as const)("in the format %s", async (stateFormat) => {
      const task = testTask("puck", { stateFormat });
      const episodes = Array.from({ length: 8 }, (_, i) => ({
        id: `${i}`,
        seed: i,
        groupId: `${i}`,
        rngKey: i,
      }));
      const skill = { randomFraction: 0.3, expertFraction: 1 };
      const played = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
      const turns = played.flatMap((episode) => episode.turns);
      for (const { reply } of turns) assertWords(task.vocabulary, task.vocabulary.encode(reply));
      const claims = ["observation", "prediction"] as const;
      const verdicts = judgeWorlds(turns, {
        rules: rules("puck"),
        claims,
        isOn: true,
        price: (verdict) => verdict,
      });
      const scores = verdicts.flatMap((of) => Object.values(of).map(({ score }) => score));
      expect(scores).toEqual(new Array(2 * turns.length).fill(1));
      expect(played.some(({ success }) => success)).toBe(true);
    });

    it("where a coordinate is one token, and so is an offset", () => {
      const { vocabulary } = testTask("puck");
      const said = "player at 12 40 ; pad at 5 8 ; pad is 7 left 32 up ; next is 3 right 0 down";
      const surfaces = Array.from(vocabulary.encode(said), (id) => vocabulary.surface(id));
      expect(surfaces.slice(0, 6)).toEqual(["player at ", "12", " 40", " ; pad at ", "5", " 8"]);
      expect(surfaces.slice(6)).toEqual([
        " ; pad is ",
        "7 left",
        " 32 up",
        " ; next is ",
        "3 right",
        " 0 down",
      ]);
    });

    it("and marks what decides", async () => {
      const task = testTask("puck");
      const episodes = [{ id: "a", seed: 2, groupId: "a", rngKey: 2 }];
      const skill = { randomFraction: 0, expertFraction: 1 };
      const [played] = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
      const marks = decisionTokens(played!, task.vocabulary);
      const marked = Array.from(played!.tokens.ids).filter((_, i) => marks[i]);
      expect(marked.map((id) => task.vocabulary.surface(id))).toContain(" ; so push ");
    });
  });

  it("begins at rest or gliding, so that first turns alone show how to stop", () => {
    install(example, true);
    const speeds = Array.from({ length: 64 }, (_, seed) => {
      const { facts } = begun("puck", seed).groundTruth() as WorldTruth;
      return `${JSON.parse(`${facts?.state}`).speed}`;
    });
    expect(new Set(speeds)).toEqual(new Set(["0,0", "0,-8", "0,8", "-8,0", "8,0"]));
  });

  it("can be configured as a world", () => {
    install(example, true);
    const problems = (rollout: object, judge: object = {}) =>
      inspectRunConfig({ env: { name: "puck" }, rollout, judge }).problems.map(({ path }) => path);
    expect(problems({ state_format: "structured" })).toEqual([]);
    expect(problems({ state_format: "symbolic" })).toContain("rollout.state_format");
    expect(problems({}, { name: "llm" })).toContain("judge.name");
    expect(inspectRunConfig({ env: { name: "puck", config: { text_cells: "lite" } } }).problems).not.toEqual(
      [],
    );
  });
});

describe("a world of one's own", () => {
  it("says where things are, where they lie as seen from the player, and of the future only what moves", () => {
    install(adding());
    const reply = writeReply("walk", begun("walk", 1).groundTruth(), ["Right"], "grounding_worldmodeling");
    expect(reply).toMatch(
      /<observation>player at 4 8 ; goal at \d+ 7<\/observation><reasoning>goal is \d+ right 1 up.* ; so move Right<\/reasoning><prediction>player at 9 8<\/prediction>/,
    );
  });

  it("rounds places, and lists things in the order in which they are drawn and read", () => {
    install(adding());
    const seed = [1, 2, 3, 4, 5, 6, 7, 8].find((one) => begun("walk", one).text().split("\n").length === 4)!;
    const env = begun("walk", seed);
    expect(env.text()).toMatch(/^goal \d+ 7\nfly 4 2\nfly 40 2\nplayer 4 8$/);
    expect(env.groundTruth()).toMatchObject({ frame: "plane", size: [48, 16], facts: { done: false } });
    // Two flies: which of them is meant cannot be said.
    expect(templates.get("walk").facts(env.groundTruth())).toMatch(/^goal is \d+ right 1 up$/);
  });

  it.each([8, 24])("is drawn with %i pixels a patch, from its recorded truth and without its code", (px) => {
    install(adding());
    const { members } = tried({ name: "mine", factory: adding() });
    const env = begun("walk", 1);
    const truth = JSON.parse(JSON.stringify(env.groundTruth())) as WorldTruth;
    const drawn = env.render(px);
    replaceExtensions([standIn("mine", JSON.parse(JSON.stringify(members)))]);
    const spec = envs.get("walk");
    expect(spec.recorded!.draw(truth, px)).toEqual(drawn);
    expect(() => spec.create(spec.config.parse({})).reset(1)).toThrow("runs in workers only");
    expect(spec.patches(spec.config.parse({}))).toEqual({ rows: 2, cols: 6 });
    expect(drawn).toMatchObject({ width: 6 * px, height: 2 * px });
    const at = (x: number, y: number) => pixel(drawn, Math.floor((x * px) / 8), Math.floor((y * px) / 8));
    const [goal] = truth.things.filter(({ name }) => name === "goal");
    expect(at(4, 8)).toEqual([255, 0, 0]);
    expect(at(goal!.at[0]! + 2, 3)).toEqual([0, 255, 0]);
    expect(at(goal!.at[0]! - 4, 8)).toEqual([255, 255, 255]);
    expect(at(46, 15)).toEqual([0, 0, 255]);
  });

  it("is shown to people at a larger size", () => {
    install(adding());
    expect(pictureLevel(envs.get("walk"), {}, 1)).toMatchObject({
      frame: { width: 384, height: 128 },
      seen: [{ width: 48, height: 16 }],
    });
  });

  it("is played in a worker, whose answers are read as they were sent", () => {
    install(adding());
    const spec = envs.get("walk");
    const extension = { name: "mine", source: "" };
    const own = { extension, envId: "walk", envConfig: {} };
    const first = answerOwnEnv(spec, { ...own, kind: "begin", seed: 3, searchBudget: 1 });
    expect(readAnswer(spec, first)).toEqual(first);
    const { truth } = first as { truth: WorldTruth };
    const env = begun("walk", 3);
    expect(truth).toEqual(env.groundTruth());
    const played = answerOwnEnv(spec, {
      ...own,
      kind: "play",
      turns: [{ before: truth, actions: ["Right"] }],
    });
    const result = env.step("Right");
    expect(readAnswer(spec, played)).toEqual({
      kind: "played",
      turns: [[{ ...result, truth: env.groundTruth() }]],
    });
  });

  describe("is played in a worker, which is believed no more than", () => {
    const facts = { state: "{}", done: false };
    const plane = (things: object[], size = [48, 16]) => ({ frame: "plane", size, things, facts });
    const read = (truth: object) => readAnswer(envs.get("walk"), { kind: "begun", truth });
    const fly = { name: "fly", at: [1, 1] };
    beforeEach(() => void install(adding()));

    it("as many things as a plane can have", () => {
      expect(() => read(plane(new Array(240).fill(fly)))).not.toThrow();
      expect(() => read(plane(new Array(241).fill(fly)))).toThrow();
    });

    it("a plane of its size, and no board", () => {
      expect(() => read(plane([fly]))).not.toThrow();
      expect(() => read(plane([fly], [96, 96]))).toThrow('not about a state of the environment "walk"');
      const board = { rows: 2, cols: 6, player: [0, 0], entities: {}, facts };
      expect(() => read(board)).toThrow('not about a state of the environment "walk"');
    });

    it("things that it has: others are not drawn", () => {
      const { draw } = envs.get("walk").recorded!;
      const drawn = (things: object[]) => draw(plane(things) as unknown as WorldTruth, 8);
      expect(drawn([{ name: "constructor", at: [1, 1] }])).toEqual(drawn([]));
    });
  });

  it("draws the background and the scenery once for each size", () => {
    const scenery = vi.fn(() => walk().scenery);
    const own = Object.defineProperty(walk(), "scenery", { get: scenery });
    const draw = (px: number) => drawPlane(own as unknown as OwnPlane, [], px);
    const [first, again, larger] = [draw(8), draw(8), draw(16)];
    expect(scenery).toHaveBeenCalledTimes(2);
    expect(again).toEqual(first);
    first.data.fill(0);
    expect(draw(8)).toEqual(again);
    expect(larger).toMatchObject({ width: 96, height: 32 });
  });

  it("is drawn in its check only where something has changed", () => {
    const [spec] = environmentsIn({ name: "mine", factory: adding() });
    const draws: { mock: { calls: unknown[] } }[] = [];
    const counting = {
      ...spec!,
      create(...given: Parameters<NonNullable<typeof spec>["create"]>) {
        const env = spec!.create(...given);
        draws.push(vi.spyOn(env, "render"));
        return env;
      },
    };
    const changes = Number.parseInt(checkEnvironment(counting)[5]!.found, 10);
    expect(changes).toBeGreaterThan(20);
    // Each of the 20 levels as it begins, too.
    expect(draws.flatMap(({ mock }) => mock.calls)).toHaveLength(20 + changes);
  });

  it.each([
    ["once", false, 1],
    ["twice if something must not move", true, 2],
  ])("asks where things are %s in a step", (_, fixed, times) => {
    const { things, where } = walk();
    const counted = vi.fn(where);
    install(adding({ where: counted, things: { ...things, goal: { ...things.goal, fixed } } }));
    const env = begun("walk", 1);
    counted.mockClear();
    env.step("Right");
    expect(counted).toHaveBeenCalledTimes(times);
  });

  it("stays what it was when its extension changes what it handed over", () => {
    const own = walk();
    install(({ environment }: ExtensionApi) => environment(own as unknown as OwnWorld));
    const before = begun("walk", 1).render(8);
    own.size[0] = 96;
    own.things.goal.size[0] = 40;
    Object.assign(own.scenery[0]!, { at: [1, 1] });
    own.scenery[0]!.size[1] = 40;
    expect(begun("walk", 1).groundTruth()).toMatchObject({ size: [48, 16] });
    expect(begun("walk", 1).render(16)).toMatchObject({ width: 96 });
    install(({ environment }: ExtensionApi) => environment(walk() as unknown as OwnWorld));
    expect(begun("walk", 1).render(8)).toEqual(before);
  });

  it("may leave parts undefined", () => {
    install(adding({ rows: undefined, cols: undefined, plan: undefined, near: undefined }));
    expect(envs.ids).toContain("walk");
  });

  it("may be shown as text, of which the longest is foreseen", () => {
    install(adding());
    const task = testTask("walk", {}, { render_mode: "text" });
    const vocabulary = vocabularyFor(task.spec, task.envConfig, 5);
    const lengths = [1, 2, 3, 4, 5, 6, 7, 8].map((seed) => {
      const ids = vocabulary.encode(`\n${begun("walk", seed).text()}`);
      assertWords(vocabulary, ids);
      return ids.length;
    });
    const longest = vocabulary.encode(`\n${wordsOf("walk")!.longestText({})}`).length;
    expect(longest).toBe(4 * 4);
    expect(Math.max(...lengths)).toBe(longest);
    expect(longestEpisode(task, 60).sequence).toBeGreaterThan(5 * longest);
  });

  it("may have words of its own", () => {
    const words = { aim: "walk to the goal", at: "stands near", is: "can be seen", decision: "therefore go" };
    const report = tried({ name: "mine", factory: adding({ words }) }).reports[0]!;
    expect(report.lines.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    install(adding({ words }), true);
    const truth = begun("walk", 1).groundTruth();
    const reply = writeReply("walk", truth, ["Right"], "grounding_worldmodeling");
    expect(reply).toMatch(/player stands near 4 8 ; goal stands near .* can be seen .* ; therefore go Right/);
    const { vocabulary } = testTask("walk");
    assertWords(vocabulary, [
      ...openingIds(vocabulary, { envId: "walk", format: "grounding_worldmodeling" }),
      ...vocabulary.encode(reply),
    ]);
  });

  it("changes no other vocabulary", () => {
    const lake = envs.get("frozenlake");
    const hashes = () => [createVocabulary().hash, vocabularyFor(lake, lake.config.parse({}), 5).hash];
    const before = hashes();
    install(adding());
    expect(hashes()).toEqual(before);
  });
});

describe("claims about a world of one's own", () => {
  const truth = {
    frame: "plane",
    size: [48, 16],
    things: [
      { name: "goal", at: [24, 7] },
      { name: "player", at: [4, 8] },
    ],
  } as const satisfies WorldTruth;
  beforeEach(() => void install(adding()));

  it.each<[string, number, string]>([
    ["player at 4 8 ; goal at 24 7", 1, "match"],
    ["goal at 24 7 ; player at 4 8", 1, "match"],
    ["Player at 5 8; Goal at 24 6", 1, "match"],
    ['{"player": [4, 8], "goal": [24, 7]}', 1, "match"],
    ["The player is at (4, 8) and the goal is at x 24, y 7.", 1, "match"],
    ["player at 6 8 ; goal at 24 7", 0.5, "partial"],
    // One unit along each side is more than one unit away.
    ["player at 5 9 ; goal at 24 7", 0.5, "partial"],
    ["player at 4 8", 0.5, "partial"],
    ["player at 4 8 ; goal at 24 7 3", 0.5, "partial"],
    ["player at 4 8 ; goal at 24 7 ; dragon at 1 1", 2 / 3, "partial"],
    ["player at 4 8 ; goal is not at 24 7", 0.5, "partial"],
    ["goal is 20 right 1 up", 0, "unreadable"],
    ['{"player": {"x": 4, "y": 8}, "goal": {"x": 24, "y": 7}}', 1, "match"],
    ['{"player": {"y": 8, "x": 4}, "goal": {"x": 7, "y": 24}}', 0.5, "partial"],
    ["player at y 8 x 4 ; goal at y: 7, x: 24", 1, "match"],
    ["player at x 4 x 8 ; goal at y 24 y 7", 0, "mismatch"],
    ["player at 4/8 ; goal at 24 / 7", 1, "match"],
    ["player at 4 8 and 2 flies ; goal at 24 and 7, 1 fly", 1, "match"],
    ["player at 4 8 and 20 ; goal at 24 7, 9 9 maybe", 0, "mismatch"],
    ["player at 4 8 and 20 or 30 ; goal at 24 7", 0.5, "partial"],
    // Of a place with an alternative nobody knows which was meant.
    ["player at 4 8 or 1 1 ; goal at 24 7 or 9 9 or 20 20", 0, "mismatch"],
    ["player at (4, 8) or (1, 1) ; goal at 24 7 or so", 0.5, "partial"],
  ])("%s", (text, score, status) => {
    const verdict = judged("walk", text, truth);
    expect(verdict.status).toBe(status);
    expect(verdict.score).toBeCloseTo(score, 10);
  });

  it("are read in a moment whatever they are", () => {
    const blanks = " ".repeat(40_000);
    const long = ["x", "x:", '{"x"', "at", "(", "1", "1,", "1 and", "1 /", "1 1", "1 1,", "1 1 and 2"];
    for (const begin of long)
      expect(rules("walk").read(`goal ${begin}${blanks}q`, truth).length).toBeLessThan(2);
    for (const text of ["goal ".repeat(20_000), `goal ${"1 ".repeat(20_000)}`, `goal ${"1".repeat(40_000)}`])
      expect(rules("walk").read(text, truth).length).toBeLessThan(2);
  });

  it("may repeat what is fixed in a prediction, and need not", () => {
    for (const text of ["player at 4 8", "player at 4 8 ; goal at 24 7"])
      expect(judged("walk", text, truth, "prediction")).toMatchObject({ status: "match", score: 1 });
    expect(judged("walk", "player at 4 8 ; goal at 9 7", truth, "prediction").score).toBe(0.5);
  });

  it("are outlined where they were stated, as large as the thing is", () => {
    const [player, goal] = judged("walk", "player at 4 8 ; goal at 48 7", truth).fields;
    expect(player).toMatchObject({ ok: true, predicted: "4 8", outline: { x: 2 / 48, y: 6 / 16 } });
    expect(player!.outline!.width).toBeCloseTo(4 / 48, 10);
    expect(player!.outline!.height).toBeCloseTo(4 / 16, 10);
    // Half of it lies beyond the edge.
    expect(goal!.outline!.width).toBeCloseTo(3 / 48, 10);
  });
});

describe("an environment is refused with the part that is wrong", () => {
  const { things, scenery } = walk();
  it.each<[string, object, RegExp]>([
    [
      "both sizes",
      { rows: 5, cols: 5 },
      /the environment "walk" has size \[48,16\] and also rows or cols; it must be a board or a plane/,
    ],
    ["no size", { size: undefined }, /the environment "walk" has neither rows and cols nor size/],
    [
      "its size",
      { size: [48, 15] },
      /size of the environment "walk" is \[48,15\]; it must be \[width, height\], two multiples of 8 from 16 to 96/,
    ],
    ["a size too large", { size: [104, 48] }, /size of the environment "walk" is \[104,48\]/],
    [
      "a symbol",
      { things: { ...things, goal: { ...things.goal, symbol: "G" } } },
      /has a part "things\.goal\.symbol", which nothing reads/,
    ],
    [
      "a colour",
      { things: { ...things, goal: { ...things.goal, color: "red" } } },
      /things\.goal\.color of the environment "walk" is "red"; it must be a color such as/,
    ],
    [
      "the size of a thing",
      { things: { ...things, goal: { ...things.goal, size: [6, 0] } } },
      /things\.goal\.size of the environment "walk" is \[6,0\]; it must be a number of units from 2 to 96/,
    ],
    [
      "how many there are",
      { things: { ...things, goal: { ...things.goal, most: 30 } } },
      /things\.goal\.most of the environment "walk" is 30; it must be a whole number from 1 to 20/,
    ],
    [
      "a player that never moves",
      { things: { ...things, player: { ...things.player, fixed: true } } },
      /things\.player\.fixed of the environment "walk" is true; it must be false: the player moves/,
    ],
    ["no player", { things: { goal: things.goal } }, /have "goal"; there must also be "player"/],
    [
      "two that look alike",
      { things: { ...things, cat: things.goal } },
      /give "goal" and "cat" one color and one shape/,
    ],
    [
      "a thing called x",
      { things: { ...things, x: { color: "#0000ff", shape: "ring" } } },
      /have a thing named "x"; .* and not one of .*x, y, right/,
    ],
    [
      "a background",
      { background: "white" },
      /background of the environment "walk" is "white"; it must be a color such as/,
    ],
    [
      "a place of scenery",
      { scenery: [{ ...scenery[0], at: [24] }] },
      /scenery\.0\.at of the environment "walk" is \[24\]; it must be \[x, y\] of its middle/,
    ],
    [
      "a part of scenery",
      { scenery: [{ ...scenery[0], name: "sea" }] },
      /has a part "scenery\.0\.name", which nothing reads/,
    ],
    [
      "how near is right",
      { near: -1 },
      /near of the environment "walk" is -1; it must be a number of units from 0 to 32/,
    ],
    [
      "things of a class",
      { things: Object.assign(new (class Things {})(), things) },
      /things of the environment "walk" is .*; it must be a plain object, such as \{ player: /,
    ],
    [
      "too much to draw",
      { scenery: new Array(17).fill({ ...scenery[0], size: 96 }) },
      /the things and the scenery of the environment "walk" can cover 13152 square units; a plane of 768 may have 16 times as much, 12288/,
    ],
    [
      "too many large things",
      { things: { ...things, fly: { ...things.fly, size: [60, 15], most: 18 } } },
      /can cover 13240 square units; a plane of 768 may have/,
    ],
    ["a claim", { claims: ["gaol"] }, /claims of the environment "walk" are \[gaol\]; they must name/],
  ])("%s", (_, parts, message) => {
    expect(() => install(adding(parts))).toThrow(message);
    expect(envs.ids).not.toContain("walk");
  });

  it("names the parts that a thing has", () => {
    const refused = () => install(adding({ things: { ...things, goal: { ...things.goal, wide: 3 } } }));
    expect(refused).toThrow(expect.objectContaining({ hint: "Known are: color, shape, size, fixed, most." }));
  });

  it("refuses what only a plane has on a board", () => {
    const { size: _, scenery: __, near: ___, ...others } = walk({ rows: 2, cols: 5 });
    const look = (color: string, symbol: string) => ({ color, shape: "disc", symbol });
    const board = { ...others, things: { goal: look("#00ff00", "G"), player: look("#ff0000", "P") } };
    const add = ({ environment }: ExtensionApi) => environment(board as unknown as OwnWorld);
    expect(() => install(add)).toThrow('has a part "background", which nothing reads');
  });
});

describe("what breaks the contract is found by the check that it breaks", () => {
  const broken = (parts: object) =>
    tried({ name: "mine", factory: adding(parts) }).reports[0]!.lines.flatMap(({ check, outcome, found }) =>
      outcome === "failed" ? [`${check}: ${found}`] : [],
    );
  const where = (parts: object) => ({
    where: (state: State) => ({ player: [state.x, 8], goal: [state.goal, 7], ...parts }),
  });

  it.each<[string, object, RegExp]>([
    [
      "a thing outside",
      where({ player: [49, 3] }),
      /Levels begin, and their things lie on the plane: .*player is at \[49, 3\], outside the plane of 48 × 16 units/,
    ],
    [
      "a place that is none",
      where({ player: [Number.NaN, 3] }),
      /where returned \[NaN,3\] for player; it must be \[x, y\], two finite numbers/,
    ],
    ["a claim that has gone", where({ goal: [] }), /goal has 0 places; it must always have one/],
    [
      "more things than are announced",
      where({
        fly: [
          [1, 1],
          [2, 2],
          [3, 3],
        ],
      }),
      /where returned 3 places for fly; things\.fly\.most allows 2/,
    ],
    [
      "a fixed thing that moves",
      { where: ({ x }: State) => ({ player: [x, 8], goal: [40 - x, 7] }) },
      /goal went from \[\[36,7\]\] to \[\[\d+,7\]\], but things\.goal\.fixed says that it never moves/,
    ],
    [
      "what moves below another thing",
      {
        things: {
          ...walk().things,
          player: { color: "#ff0000", shape: "disc", size: 2 },
          cover: { color: "#123456", shape: "square", size: [96, 20] },
        },
        ...where({ cover: [24, 8] }),
      },
      /The picture shows what changes: In level \d+ something moved below another thing, where it cannot be seen\. List it later in things, change a size, or give it another color than what lies below/,
    ],
    [
      "words that nobody can read",
      { words: { at: "is not at" } },
      /What its words say is read as it is meant: Of "player is not at 4 8 ; .*" the rules read .* Choose another words\.at/,
    ],
  ])("%s", (_, parts, message) => {
    expect(broken(parts).join("\n")).toMatch(message);
    expect(() => install(adding(parts))).toThrow(/in the environment "walk", \d of \d checks failed/);
  });
});
