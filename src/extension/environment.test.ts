import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error It is JavaScript, as users write it.
import example from "../../docs/examples/environment.mjs";
import { decisionTokens } from "../agent/decision-tokens.ts";
import { writeReply } from "../agent/demonstrate.ts";
import { demonstrationBatch } from "../agent/players.ts";
import { openingIds } from "../agent/prompt.ts";
import { templates } from "../agent/templates/index.ts";
import { testTask } from "../agent/test-task.ts";
import { createVocabulary, vocabularyFor } from "../agent/vocabulary.ts";
import { inspectRunConfig } from "../config/check.ts";
import { boardOf } from "../core/scene.ts";
import { envs } from "../envs/index.ts";
import { judgeTurns } from "../judge/judge.ts";
import { ruleJudge } from "../judge/rule.ts";
import { readPlaces } from "../judge/statement.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { checkEnvironment } from "./check-environment.ts";
import { environmentsIn, registered, replaceExtensions, tried } from "./index.ts";

const install = (factory: unknown) => replaceExtensions([{ name: "mine", factory }]);
afterEach(() => void replaceExtensions([]));

/** A walk to the right, with parts replaced. */
const walk = (parts: object = {}) => ({
  id: "walk",
  rows: 2,
  cols: 5,
  actions: ["Left", "Right"],
  things: {
    goal: { color: "#0a7a3c", shape: "square", symbol: "G" },
    player: { color: "#c62f3b", shape: "disc", symbol: "P" },
  },
  claims: ["goal"],
  start: (random: { int(n: number): number }) => ({ col: 0, goal: 1 + random.int(4) }),
  step(state: { col: number; goal: number }, action: string) {
    const col = Math.max(0, Math.min(4, state.col + (action === "Right" ? 1 : -1)));
    return { state: { ...state, col }, success: col === state.goal };
  },
  where: ({ col, goal }: { col: number; goal: number }) => ({ player: [0, col], goal: [[0, goal]] }),
  ...parts,
});
const adding =
  (parts?: object) =>
  ({ environment }: ExtensionApi) =>
    environment(walk(parts) as unknown as OwnWorld);

it("keeps the list of actions that was checked", () => {
  const actions = ["Left", "Right"];
  install(adding({ actions }));
  actions.push("Jump");
  expect(envs.get("walk").actions).toEqual(["Left", "Right"]);
});

describe("the documented example", () => {
  // The first test checks its contract.
  beforeEach(() => void replaceExtensions([{ name: "mine", factory: example, checked: true }]));

  it("keeps the contract, and is an environment like others until it is removed", () => {
    expect(registered()).toEqual([{ name: "mine", provides: ["environment key_door"] }]);
    const lines = checkEnvironment(envs.get("key_door"));
    expect(lines.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(lines).toHaveLength(6);
    install(adding());
    expect([envs.ids.includes("key_door"), templates.ids.includes("key_door")]).toEqual([false, false]);
    expect([envs.ids.includes("walk"), templates.ids.includes("walk")]).toEqual([true, true]);
  });

  it("has words for all that its demonstrations say, which are right", async () => {
    const task = testTask("key_door");
    const { spec, format, vocabulary } = task;
    const episodes = Array.from({ length: 8 }, (_, i) => ({
      id: `${i}`,
      seed: i,
      groupId: `${i}`,
      rngKey: i,
    }));
    const skill = { randomFraction: 0.3, expertFraction: 1 };
    const played = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
    const turns = played.flatMap((episode) => episode.turns);
    for (const { reply } of turns)
      for (const token of vocabulary.encode(reply)) expect(vocabulary.surface(token)).not.toMatch(/^<0x/);
    expect(turns.every(({ parsed }) => parsed.formatOk)).toBe(true);
    const names = { observation: ["player", ...spec.claims], prediction: ["player", ...spec.claims] };
    const verdicts = await judgeTurns(ruleJudge, turns, names);
    expect(format).toBe("grounding_worldmodeling");
    expect(verdicts.flatMap((of) => Object.values(of).map(({ score }) => score))).toEqual(
      new Array(2 * turns.length).fill(1),
    );
    expect(played.some(({ success }) => success)).toBe(true);
  });

  it("changes no other vocabulary", () => {
    const lake = envs.get("frozenlake");
    const hashes = () =>
      (["natural", "structured", "symbolic"] as const).map(
        (stateFormat) => vocabularyFor(lake, lake.config.parse({}), 5, { stateFormat }).hash,
      );
    const beside = [createVocabulary().hash, ...hashes()];
    replaceExtensions([]);
    expect([createVocabulary().hash, ...hashes()]).toEqual(beside);
  });

  it("is drawn, printed and explained", () => {
    const env = envs.get("key_door").create(envs.get("key_door").config.parse({}));
    env.reset(3);
    expect(env.text().split("\n")).toHaveLength(5);
    expect(env.render(64)).toMatchObject({ width: 320, height: 320 });
    expect(boardOf(env.groundTruth()).entities.wall).toHaveLength(5);
    const before = env.text();
    // A move over the edge.
    const { player } = boardOf(env.groundTruth());
    for (let i = 0; i <= player![0]; i++) env.step("Up");
    expect(env.step("Up")).toMatchObject({ effective: false, note: expect.stringContaining("blocked") });
    expect(before).not.toBe("");
  });
});

describe("the contract of an environment", () => {
  let starts = 0;
  const counting = adding({
    start(random: { int(n: number): number }) {
      starts++;
      return { col: 0, goal: 1 + random.int(4) };
    },
  });
  beforeEach(() => {
    starts = 0;
  });

  it("is checked once, and not again when the next extension is refused", () => {
    install(counting);
    const once = starts;
    expect(once).toBeGreaterThan(0);
    expect(() => install(3)).toThrow("exports no function");
    expect(() => install(adding({ id: "sokoban" }))).toThrow("has the environment");
    expect(starts).toBe(once);
    expect(envs.ids).toContain("walk");
  });

  it("is not checked where the text was checked before", () => {
    replaceExtensions([{ name: "mine", factory: counting, checked: true }]);
    expect(starts).toBe(0);
    expect(envs.ids).toContain("walk");
  });
});

describe("an environment is refused with the part that is wrong", () => {
  it.each<[string, object, RegExp]>([
    [
      "its size",
      { rows: 40 },
      /rows of the environment "walk" is 40; it must be a whole number from 2 to 12/,
    ],
    [
      "its actions",
      { actions: ["Right", "right"] },
      /actions of the environment "walk" have "Right" and "right"; names must differ in more than their case/,
    ],
    [
      "no player",
      { things: { goal: { color: "#000000", shape: "disc", symbol: "G" } } },
      /things of the environment "walk" have "goal"; there must also be "player"/,
    ],
    [
      "a shape",
      { things: { player: { color: "#000000", shape: "star", symbol: "P" } } },
      /things\.player\.shape of the environment "walk" is "star"; it must be one of "square", "disc"/,
    ],
    [
      "a color",
      { things: { ...walk().things, lantern: { color: "gold", shape: "ring", symbol: "l" } } },
      /things\.lantern\.color of the environment "walk" is "gold"; it must be a color such as "#c62f3b"/,
    ],
    [
      "a symbol",
      { things: { ...walk().things, lantern: { color: "#c9a227", shape: "ring", symbol: "lamp" } } },
      /things\.lantern\.symbol of the environment "walk" is "lamp"; it must be one visible ASCII character but _ and `/,
    ],
    [
      "a symbol that another thing has",
      { things: { ...walk().things, lantern: { color: "#c9a227", shape: "ring", symbol: "G" } } },
      /things of the environment "walk" give "goal" and "lantern" one symbol/,
    ],
    [
      "a thing with the name of what every object has",
      { things: { ...walk().things, constructor: { color: "#0000ff", shape: "ring", symbol: "c" } } },
      /things of the environment "walk" have a thing named "constructor"; a name must be one word .* or a part of every object/,
    ],
    ...["key hole", "door-step", "not", "row", "Player"].map((name): [string, object, RegExp] => [
      `a thing called ${name}`,
      { things: { ...walk().things, [name]: { color: "#0000ff", shape: "ring", symbol: "c" } } },
      new RegExp(
        `things of the environment "walk" have .*"${name}"; (a name must be one word|names must differ)`,
      ),
    ]),
    [
      "an action that ends with a blank",
      { actions: ["Left ", "Right"] },
      /actions of .* blanks only between them/,
    ],
    ["a claim", { claims: ["gaol"] }, /claims of the environment "walk" are \[gaol\]; they must name/],
    ["no claim", { claims: [] }, /claims of the environment "walk" are \[\]/],
    ["no start", { start: undefined }, /start of the environment "walk" is missing/],
    ["a plan", { plan: 3 }, /plan of the environment "walk" is 3; it must be a function/],
    ["an id that is taken", { id: "sokoban" }, /The studio has the environment "sokoban" already/],
  ])("%s", (_, parts, message) => {
    expect(() => install(adding(parts))).toThrow(message);
    expect(envs.ids).not.toContain("walk");
  });
});

describe("what breaks the contract is found by the check that it breaks", () => {
  let calls = 0;
  const broken = (parts: object) =>
    checkEnvironment(environmentsIn({ name: "mine", factory: adding(parts) })[0]!).flatMap(
      ({ check, outcome, found }) => (outcome === "failed" ? [`${check}: ${found}`] : []),
    );

  it.each<[string, object, RegExp]>([
    ["an exception", { start: () => JSON.parse("{") }, /Levels begin.*start failed: SyntaxError/],
    ["levels that nothing solves", { step: (state: object) => ({ state }) }, /draws no level with a plan/],
    [
      "a thing outside",
      { where: () => ({ player: [0, 9], goal: [0, 1] }) },
      /player is at \[0, 9\], outside the board of 2 × 5/,
    ],
    [
      "a thing without a look",
      { where: () => ({ player: [0, 0], goal: [0, 1], cat: [1, 1] }) },
      /where names "cat"/,
    ],
    [
      "a claim that has gone",
      { where: () => ({ player: [0, 0] }) },
      /goal has 0 cells; it must always have one/,
    ],
    [
      "a reward that is none",
      { step: (state: object) => ({ state, reward: Number.NaN, success: true }) },
      /step returned NaN as reward/,
    ],
    ["no result", { step: () => undefined }, /step returned nothing; it must be an object/],
    ["a state that is no data", { start: () => undefined }, /start returned nothing as the state/],
    [
      "a state without end",
      { start: () => ({ col: 0, goal: 2, past: "x".repeat(20_000) }) },
      /start returned a state of more than 10000 characters as JSON \(up to the state\.past\); it must have at most 10000/,
    ],
    [
      "a state of many small parts",
      { start: () => ({ col: 0, goal: 2, past: new Array(1_000_000).fill(0) }) },
      /state of more than 10000 characters as JSON \(up to the state\.past\[\d{4}\]\); .* keep in it only what later steps need/,
    ],
    [
      "a state that JSON makes longer",
      { start: () => ({ col: 0, goal: 2, past: "\n".repeat(9_000) }) },
      /start returned a state of 180\d{2} characters as JSON; it must have at most 10000/,
    ],
    [
      "cells without end",
      { where: () => ({ player: [0, 0], goal: new Array(4_000_000_000) }) },
      /where returned a list of 4000000000 entries; it must have at most 1000/,
    ],
    [
      "a plan without end",
      { plan: () => new Array(1001).fill("Right") },
      /plan returned a list of 1001 entries; it must have at most 1000/,
    ],
    [
      "chance",
      { step: (state: object) => ({ state: { ...state, n: calls++ }, success: calls % 3 === 0 }) },
      /The same seed and actions.*went two ways/,
    ],
    [
      "one level only",
      { start: () => ({ col: 0, goal: 2 }) },
      /Seeds give different levels: All levels are the same/,
    ],
    ["a wrong plan", { plan: () => ["Left"] }, /A plan solves every level.*\(Left\) does not solve it/],
    [
      "a plan that holds only at the start",
      {
        plan: ({ col, goal }: { col: number; goal: number }) =>
          col === 0 ? Array(goal).fill("Right") : ["Left", "Left"],
      },
      /plan of level \d+ after Right/,
    ],
    [
      "a state outside of the state",
      {
        start: (random: { int(n: number): number }) => {
          calls = 0;
          return { col: 0, goal: 1 + random.int(4) };
        },
        step: ({ col, goal }: { col: number; goal: number }, action: string) => {
          const next = Math.max(0, Math.min(4, col + (action === "Right" ? 1 : -1)));
          return { state: { col: next, goal }, success: next === goal, done: ++calls > 6 };
        },
      },
      /went two ways.*keep everything in the state/,
    ],
    [
      "a promise",
      { step: () => Promise.resolve({ state: {} }) },
      /step is async; it must return its result at once, so leave out async and await\. It was called with the action \w+ in the state \{/,
    ],
    [
      "a part of a result that is none",
      { step: (state: object) => ({ state, sucess: true }) },
      /step returned sucess, which is no part of a result; the parts are state, reward, done, success, note and result\. It was called with the action \w+ in the state \{/,
    ],
    ["a whole number of JavaScript", { step: () => 5n }, /step returned 5n; it must be an object/],
    [
      "a reward of another kind",
      { step: (state: object) => ({ state, reward: 1n }) },
      /step returned 1n as reward/,
    ],
    [
      "a reward beyond single precision",
      { step: (state: object) => ({ state, reward: 1e300 }) },
      /1e\+300 as reward/,
    ],
    [
      "a part that throws",
      {
        step: () => ({
          get reward(): number {
            throw new Error("boom");
          },
        }),
      },
      /step failed: Error: boom/,
    ],
    [
      "a list with a gap",
      { where: () => ({ player: [0, 0], goal: Object.assign(new Array(3), { 0: [0, 1], 2: [1, 1] }) }) },
      /where returned .* for goal/,
    ],
    [
      "a number that JSON lacks",
      { start: () => ({ col: 0, goal: 2, best: Number.POSITIVE_INFINITY }) },
      /start returned Infinity as the state\.best; it must be a finite number/,
    ],
    ["a set in the state", { start: () => ({ seen: new Set() }) }, /start returned a Set as the state\.seen/],
    [
      "a list with functions of its own",
      { start: () => ({ seen: new (class Stack extends Array {})() }) },
      /start returned a Stack as the state\.seen/,
    ],
    [
      "a circle in the state",
      {
        start: () => {
          const state: { self?: object } = {};
          state.self = state;
          return state;
        },
      },
      /start returned a state that refers to itself/,
    ],
    [
      "a long note",
      { step: (state: object) => ({ state, note: "x".repeat(300) }) },
      /as note; it must be a text of at most/,
    ],
    [
      "a plan of nothing",
      { plan: () => ["Jump"] },
      /plan returned \["Jump"\]; it must be a list of actions, or null/,
    ],
  ])("%s", (_, parts, message) => {
    expect(broken(parts).join("\n")).toMatch(message);
    expect(() => install(adding(parts))).toThrow(/in the environment "walk", \d of \d checks failed/);
  });

  it("things with digits and underscores in their names are claimed and read", async () => {
    const look = { color: "#0000ff", shape: "ring", symbol: "c" };
    const named = {
      things: { ...walk().things, goal_2: look, goal2: { ...look, shape: "cross", symbol: "d" } },
      claims: ["goal", "goal_2", "goal2"],
      where: ({ col, goal }: { col: number; goal: number }) => ({
        ...{ player: [0, col], goal: [0, goal], goal_2: [1, 0], goal2: [1, 3] },
      }),
    };
    install(adding(named));
    const env = envs.get("walk").create(envs.get("walk").config.parse({}));
    env.reset(1);
    const truth = boardOf(env.groundTruth());
    const said = templates.get("walk").describe(truth);
    const places = readPlaces(said, ["player", "goal", "goal_2", "goal2"]);
    expect(Object.fromEntries(places)).toEqual({ player: [truth.player], ...truth.entities });
  });

  it("a drawn board is refused, because no judge knows its symbols", () => {
    install(adding());
    expect(
      inspectRunConfig({ env: { name: "walk" }, rollout: { state_format: "symbolic" } }).problems,
    ).toMatchObject([{ path: "rollout.state_format", value: "symbolic" }]);
  });

  it("a text board has as many tokens on every level in the style of each generation", () => {
    install(adding());
    for (const text_cells of ["studio", "legacy", "lite"] as const) {
      const spec = envs.get("walk");
      const config = spec.config.parse({ render_mode: "text", text_cells });
      const vocabulary = vocabularyFor(spec, config, 5);
      const lengths = [1, 2, 3, 4].map((seed) => {
        const env = spec.create(config);
        env.reset(seed);
        return vocabulary.encode(env.text()).length;
      });
      expect(new Set(lengths).size).toBe(1);
    }
  });

  it("a state that a function changes costs nothing, because it has a copy", () => {
    const changing = {
      step(state: { col: number; goal: number }, action: string) {
        state.col = Math.max(0, Math.min(4, state.col + (action === "Right" ? 1 : -1)));
        return { state, success: state.col === state.goal };
      },
    };
    expect(broken(changing)).toEqual([]);
  });
});

describe("words of one's own", () => {
  const words = { aim: "walk to the goal", at: "lies at", is: "can be seen", decision: "therefore go" };
  const linesOf = (parts: object) => tried({ name: "mine", factory: adding(parts) }).reports[0]!.lines;

  it("take the place of those that every board has, in prompts and replies", () => {
    install(adding({ words }));
    const { spec, envConfig, vocabulary } = testTask("walk");
    const template = templates.get("walk");
    const env = spec.create(envConfig);
    env.reset(1);
    const truth = env.groundTruth();
    const { player, entities } = boardOf(truth);
    const [row, col] = entities.goal![0]!;
    expect(template.name).toBe("walk: walk to the goal");
    const reply = writeReply("walk", truth, ["Right"], "grounding_worldmodeling");
    expect(reply).toContain(`player lies at row 0 col ${player![1]} ; goal lies at row ${row} col ${col}`);
    expect(reply).toContain(`goal can be seen same row ${col} right ; up edge, `);
    expect(reply).toContain(" ; therefore go Right");
    expect(reply).not.toMatch(/ at row 0 col 0 at | is |so move/);
    const said = [
      ...openingIds(vocabulary, { envId: "walk", format: "grounding_worldmodeling" }),
      ...vocabulary.encode(reply),
    ];
    for (const token of said) expect(vocabulary.surface(token)).not.toMatch(/^<0x/);
    expect(said).toHaveLength(ordinaryLength());
  });

  /** Tokens of the same prompt and reply without words of one's own. */
  function ordinaryLength(): number {
    install(adding());
    const { spec, envConfig, vocabulary } = testTask("walk");
    const env = spec.create(envConfig);
    env.reset(1);
    const reply = writeReply("walk", env.groundTruth(), ["Right"], "grounding_worldmodeling");
    const opening = openingIds(vocabulary, { envId: "walk", format: "grounding_worldmodeling" });
    return opening.length + vocabulary.encode(reply).length;
  }

  it("are parsed, judged and marked as decisions as others are", async () => {
    install(adding({ words }));
    const task = testTask("walk");
    const episodes = [{ id: "a", seed: 2, groupId: "a", rngKey: 2 }];
    const skill = { randomFraction: 0, expertFraction: 1 };
    const [played] = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
    const names = { observation: ["player", "goal"], prediction: ["player", "goal"] };
    const verdicts = await judgeTurns(ruleJudge, played!.turns, names);
    expect(verdicts.flatMap((of) => Object.values(of).map(({ score }) => score))).toEqual(
      new Array(2 * played!.turns.length).fill(1),
    );
    const marks = decisionTokens(played!, task.vocabulary);
    const marked = Array.from(played!.tokens.ids).filter((_, i) => marks[i]);
    expect(marked.map((id) => task.vocabulary.surface(id))).toContain(" ; therefore go ");
  });

  it("add a check to the contract, and change nothing where they are left out", () => {
    expect(linesOf({})).toHaveLength(6);
    const lines = linesOf({ words });
    expect(lines).toHaveLength(7);
    expect(lines[6]).toMatchObject({
      check: "What its words say is read as it is meant",
      outcome: "passed",
      found: expect.stringMatching(/^\d+ states read$/),
    });
    const vocabulary = (parts: object) => {
      install(adding(parts));
      return testTask("walk").vocabulary.hash;
    };
    expect(vocabulary({ words: {} })).toBe(vocabulary({}));
    expect(vocabulary({ words })).not.toBe(vocabulary({}));
  });

  it.each([
    [{ at: "is not at" }, /do not read the cell of player\. Choose another words\.at/],
    [{ at: "with the box at" }, /do not read the cell of player/],
    [{ is: "is left free" }, /do not read what lies beside the player: .* words\.is/],
  ])("%j is found by the contract, with what the rules cannot read", (own, message) => {
    const broken = linesOf({ words: own }).filter(({ outcome }) => outcome === "failed");
    expect(broken.map(({ found }) => found)).toEqual([expect.stringMatching(message)]);
    expect(() => install(adding({ words: own }))).toThrow(message);
  });

  it.each([
    [3, 'words of the environment "walk" is 3; it must be an object such as { aim:'],
    [{ aim: "" }, 'words.aim of the environment "walk" is ""; it must be one line of 1 to 120 characters'],
    [{ aim: "see <image>" }, "without angle brackets"],
    [{ aim: "two\nlines" }, "it must be one line"],
    [
      { at: "at 3" },
      'words.at of the environment "walk" is "at 3"; it must be 1 to 24 letters in words with one blank',
    ],
    [{ is: "" }, "words.is of the environment"],
    [{ decision: " so" }, "words.decision of the environment"],
    [{ near: "by" }, 'the environment "walk" has a part "words.near", which nothing reads'],
  ])("%j is refused with the part that is wrong", (own, message) => {
    expect(() => install(adding({ words: own }))).toThrow(message);
  });

  it("names the parts that words have", () => {
    const refused = () => install(adding({ words: { near: "by" } }));
    expect(refused).toThrow(expect.objectContaining({ hint: "Known are: aim, at, is, decision." }));
  });
});
