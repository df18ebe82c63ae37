// Instructions of a user's own environment: what the agent is asked to do, which its words, its memory and its controls have to know.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error It is JavaScript, as users write it.
import example from "../../docs/examples/instructions.mjs";
import { demonstrationBatch } from "../agent/players.ts";
import { testTask } from "../agent/test-task.ts";
import { inspectRunConfig } from "../config/check.ts";
import type { SceneTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { wordsOf } from "../envs/worlds.ts";
import { controls } from "../eval/controls.ts";
import { readAnswer } from "../worker/own-env-protocol.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { checkEnvironment } from "./check-environment.ts";
import { standIn } from "./described.ts";
import { environmentsIn, replaceExtensions, tried } from "./index.ts";

const MEANINGS = { "go left": 0, "walk to the right": 4 };
interface State {
  col: number;
  told: keyof typeof MEANINGS;
}

/** A walk to the end that the instruction names, with parts replaced. */
const ends = (parts: object = {}) => ({
  id: "ends",
  rows: 2,
  cols: 5,
  actions: ["Left", "Right"],
  things: {
    hut: { color: "#0a7a3c", shape: "square", symbol: "H" },
    player: { color: "#c62f3b", shape: "disc", symbol: "P" },
  },
  claims: ["hut"],
  instructions: Object.keys(MEANINGS),
  instruction: ({ told }: State) => told,
  start: (random: { pick(of: string[]): string }) => ({ col: 2, told: random.pick(Object.keys(MEANINGS)) }),
  step(state: State, action: string) {
    const col = Math.max(0, Math.min(4, state.col + (action === "Right" ? 1 : -1)));
    return { state: { ...state, col }, success: col === MEANINGS[state.told] };
  },
  where: ({ col }: State) => ({ player: [0, col], hut: [1, 2] }),
  ...parts,
});
const adding =
  (parts?: object) =>
  ({ environment }: ExtensionApi) =>
    environment(ends(parts) as unknown as OwnWorld);
const plane = {
  rows: undefined,
  cols: undefined,
  size: [40, 16],
  things: {
    hut: { color: "#0a7a3c", shape: "square" },
    player: { color: "#c62f3b", shape: "disc" },
  },
  where: ({ col }: State) => ({ player: [4 + 8 * col, 4], hut: [20, 12] }),
};
const install = (factory: unknown) => replaceExtensions([{ name: "mine", factory }]);
const failedOf = (parts: object): string[] =>
  tried({ name: "mine", factory: adding(parts) }).reports[0]!.lines.flatMap(({ check, outcome, found }) =>
    outcome === "failed" ? [`${check}: ${found}`] : [],
  );
afterEach(() => void replaceExtensions([]));

describe("the documented example", () => {
  beforeEach(() => void install(example));

  it("keeps the contract, which asks for different instructions", () => {
    const lines = checkEnvironment(envs.get("right_thing"));
    expect(lines.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
    expect(lines.map(({ check }) => check)).toContain(
      "Instructions are in the list, stay the same within a level and differ between levels",
    );
  });

  it("tells the agent in every turn what to do", async () => {
    const task = testTask("right_thing");
    const { spec, envConfig } = task;
    const episodes = [{ id: "0", seed: 4, groupId: "0", rngKey: 0 }];
    const skill = { randomFraction: 0, expertFraction: 1 };
    const [played] = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
    const env = spec.create(envConfig);
    env.reset(4);
    const said = ` ${env.question!()}`;
    expect(played!.success).toBe(true);
    expect(played!.turns.length).toBeGreaterThan(1);
    for (const { observation } of played!.turns) expect(observation.text).toContain(said);
  });

  it("has a control in which the agent reads the instruction of another level", () => {
    const task = testTask("right_thing");
    const control = controls.get("shuffled_instruction").apply(task)!;
    const [own, other] = [task, control].map(({ spec, envConfig }) => spec.create(envConfig));
    own!.reset(3);
    other!.reset(3);
    expect(other!.question!()).not.toBe(own!.question!());
    expect(other!.groundTruth()).toEqual(own!.groundTruth());
  });
});

it("every word of an instruction is one token", () => {
  const instructions = ["go to the right end", "turn left after the first step", "don't stop at A-1"];
  install(adding({ instructions, instruction: ({ told }: State) => instructions[MEANINGS[told] / 4] }));
  const { vocabulary } = testTask("ends");
  for (const sentence of instructions)
    expect(vocabulary.encode(` ${sentence}`)).toHaveLength(sentence.split(" ").length);
});

describe.each([
  ["a board", {}],
  ["a plane", plane],
])("instructions on %s", (_, parts) => {
  it("stay with a state, and need no code where a recording goes on", () => {
    install(adding(parts));
    const spec = envs.get("ends");
    const env = spec.create(spec.config.parse({}));
    env.reset(5);
    env.step("Left");
    const truth = env.groundTruth();
    expect(truth.facts?.instruction).toBe(env.question!());
    const { members } = tried({ name: "mine", factory: adding(parts) });
    const [named] = environmentsIn(standIn("mine", members));
    const recorded = named!.recorded!.from(truth, named!.config.parse({}));
    expect(recorded.question!()).toBe(env.question!());
    // A recording from before the environment had instructions.
    const { state, done } = truth.facts!;
    const older = spec.recorded!.from(
      { ...truth, facts: { state, done } } as SceneTruth,
      spec.config.parse({}),
    );
    expect(older.question!()).toBe(env.question!());
    expect(older.step("Left").note).toBe(env.step("Left").note);
  });

  it("are all known before a run begins, for its plan of memory", () => {
    install(adding(parts));
    const asked = wordsOf("ends") ?? envs.get("ends");
    expect(asked.questions!(envs.get("ends").config.parse({}))).toEqual(Object.keys(MEANINGS));
  });

  it("are absent where an environment gives none", () => {
    install(adding({ ...parts, instruction: undefined, instructions: undefined }));
    const spec = envs.get("ends");
    const env = spec.create(spec.config.parse({}));
    env.reset(5);
    expect([env.question, env.groundTruth().facts]).toEqual([
      undefined,
      expect.not.objectContaining({ instruction: expect.anything() }),
    ]);
    expect(controls.get("shuffled_instruction").apply(testTask("ends"))).toBeNull();
  });
});

describe("a broken instruction is a failed check", () => {
  it.each([
    [
      "that is not in the list",
      { instruction: () => "go up" },
      /^Instructions are in the list.*instruction returned "go up"; it must return a sentence of the list/,
    ],
    ["that is no text", { instruction: () => null }, /instruction returned null; it must return a sentence/],
    [
      "that fails",
      {
        instruction: () => {
          throw new Error("boom");
        },
      },
      /instruction failed: Error: boom/,
    ],
    ["that comes later", { instruction: () => Promise.resolve("go left") }, /instruction is async/],
    [
      "that is the same everywhere",
      { instruction: () => "go left" },
      /All levels give the instruction "go left"/,
    ],
    [
      "that changes within a level",
      { instruction: ({ col }: State) => Object.keys(MEANINGS)[col % 2] },
      /the instruction changed from ".*" to ".*" within a level; choose it in start and keep it in the state/,
    ],
  ])("%s", (_, parts, message) => {
    expect(failedOf(parts).join("\n")).toMatch(message);
    expect(() => install(adding(parts))).toThrow(/in the environment "ends"/);
  });
});

describe("an environment is refused", () => {
  it.each([
    ["with a list and no function", { instruction: undefined }, /has instructions and lacks instruction\b/],
    ["with a function and no list", { instructions: undefined }, /has instruction and lacks instructions/],
    [
      "with one instruction",
      { instructions: ["go left"] },
      /instructions of the environment "ends" is \["go left"\]; it must be a list of 2 to 100 sentences/,
    ],
    [
      "with two that are equal",
      { instructions: ["go left", "go left"] },
      /instructions of the environment "ends" has "go left" twice/,
    ],
    [
      "with markup",
      { instructions: ["go left", "<b>go</b>"] },
      /has "<b>go<\/b>" at index 1; "<" is not allowed: write words of letters, digits/,
    ],
    [
      "with a double blank",
      { instructions: ["go  left", "go"] },
      /has "go {2}left" at index 0; write words of .* one blank between them/,
    ],
    ["with a number", { instructions: ["go left", 3] }, /has 3 at index 1; it must be a text/],
    [
      "with a long one",
      { instructions: ["go left", "go ".repeat(60).trim()] },
      /it has 179 characters and must have at most 120/,
    ],
    [
      "with too many words",
      { instructions: Array.from({ length: 100 }, (_, i) => `a${i} b${i} c${i}`) },
      /has 300 different words; it must have at most 200/,
    ],
    [
      "with a text as instruction",
      { instruction: "go left" },
      /instruction of the environment "ends" is "go left"; it must be a function/,
    ],
  ])("%s", (_, parts, message) => expect(() => install(adding(parts))).toThrow(message));
});

it("AReaL's workflow, which asks questions about pictures, refuses a game with instructions", () => {
  install(adding());
  const { problems } = inspectRunConfig({
    version: 1,
    env: { name: "ends" },
    rollout: { workflow: "areal" },
  });
  expect(problems.map(({ path }) => path)).toContain("rollout.workflow");
});

it("the page reads an instruction that a worker sends, and refuses what is none", () => {
  install(adding());
  const spec = envs.get("ends");
  const env = spec.create(spec.config.parse({}));
  env.reset(5);
  const truth = env.groundTruth();
  const sending = (instruction: unknown) => ({
    kind: "begun",
    truth: { ...truth, facts: { ...truth.facts, instruction } },
  });
  expect((readAnswer(spec, sending("go left")) as { truth: SceneTruth }).truth.facts?.instruction).toBe(
    "go left",
  );
  for (const given of ["<b>go</b>", 3, "a".repeat(200)])
    expect(() => readAnswer(spec, sending(given))).toThrow();
});
