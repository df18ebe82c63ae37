// Ends of a user's own environment that are neither success nor failure, such as a tie.
import { afterEach, describe, expect, it } from "vitest";
import { isBoard } from "../core/scene.ts";
import type { SceneTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { answerOwnEnv } from "../worker/own-env.ts";
import { readAnswer } from "../worker/own-env-protocol.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { standIn } from "./described.ts";
import { environmentsIn, replaceExtensions, tried } from "./index.ts";

afterEach(() => void replaceExtensions([]));

interface State {
  readonly at: number;
  readonly goal: number;
  readonly offers: number;
}

/** What the action "Offer" leads to. */
const TIE = { done: true, result: "Tie", note: "the rival agreed" };

/** A walk to the right with a rival, who agrees to a tie. @param offered what "Offer" returns besides the state */
const duel = (shape: object, place: (at: number) => number[], offered: object) => ({
  ...shape,
  id: "duel",
  actions: ["Right", "Offer", "Give up"],
  claims: ["goal"],
  start: (random: { int(n: number): number }) => ({ at: 0, goal: 1 + random.int(4), offers: 0 }),
  step(state: State, action: string) {
    if (action === "Offer") return { state: { ...state, offers: state.offers + 1 }, ...offered };
    if (action === "Give up") return { state, done: true };
    const at = Math.min(4, state.at + 1);
    return { state: { ...state, at }, success: at === state.goal };
  },
  where: ({ at, goal }: State) => ({ player: place(at), goal: place(goal) }),
});
const looks = {
  goal: { color: "#0a7a3c", shape: "square" },
  player: { color: "#c62f3b", shape: "disc" },
};
const symbols = { goal: { ...looks.goal, symbol: "G" }, player: { ...looks.player, symbol: "P" } };
const KINDS = {
  board: (offered: object) => duel({ rows: 2, cols: 5, things: symbols }, (at) => [0, at], offered),
  plane: (offered: object) => duel({ size: [48, 16], things: looks }, (at) => [4 + 10 * at, 8], offered),
} as const;
type Kind = keyof typeof KINDS;

const extensionOf = (kind: Kind, offered: object = TIE) => ({
  name: "mine",
  factory: ({ environment }: ExtensionApi) =>
    environment(KINDS[kind](offered) as unknown as OwnWorld<unknown>),
});

/** The game of a level after these actions, and the last result. */
function played(kind: Kind, ...actions: string[]) {
  const [spec] = environmentsIn(extensionOf(kind));
  const env = spec!.create(spec!.config.parse({}));
  env.reset(1);
  const [result] = actions.map((action) => env.step(action)).slice(-1);
  return { spec: spec!, result: result!, truth: env.groundTruth() };
}

const asRecorded = (truth: SceneTruth): SceneTruth => JSON.parse(JSON.stringify(truth));

describe.each(["board", "plane"] as const)("a result on a %s", (kind) => {
  it("names an end without success, and is recorded with the state", () => {
    const { spec, result, truth } = played(kind, "Offer");
    expect(isBoard(truth)).toBe(kind === "board");
    expect(result).toMatchObject({ terminated: true, success: false, note: "the rival agreed" });
    expect(truth.facts).toMatchObject({ done: true, result: "Tie" });
    expect(spec.resultIn!(truth)).toBe("Tie");
  });

  it("is absent where an end is a failure or a success, and before the end", () => {
    const { spec, truth: lost, result } = played(kind, "Give up");
    const goal = environmentsIn(extensionOf(kind))[0]!;
    const env = goal.create(goal.config.parse({}));
    env.reset(1);
    const states = [env.groundTruth(), lost];
    for (const action of env.oracle()!) env.step(action);
    states.push(env.groundTruth());
    for (const truth of states) {
      expect(truth.facts).not.toHaveProperty("result");
      expect(spec.resultIn!(truth)).toBeUndefined();
    }
    expect(result).toMatchObject({ terminated: true, success: false });
  });

  it("is read from a recorded state without the environment's code", () => {
    const truth = asRecorded(played(kind, "Offer").truth);
    const { members } = tried(extensionOf(kind));
    replaceExtensions([standIn("mine", JSON.parse(JSON.stringify(members)))]);
    expect(envs.get("duel").resultIn!(truth)).toBe("Tie");
    expect(() => envs.get("duel").create({}).reset(1)).toThrow("runs in workers only");
  });

  it("is kept by a game that goes on from a recorded state", () => {
    const { spec, truth } = played(kind, "Offer");
    expect(spec.recorded!.from(asRecorded(truth), spec.config.parse({})).groundTruth()).toEqual(truth);
  });

  it("comes from the worker that plays moves as it was sent, and not as another one writes it", () => {
    const { spec, truth: end } = played(kind, "Offer");
    const question = { extension: { name: "mine", source: "" }, envId: "duel", envConfig: {} };
    const begun = answerOwnEnv(spec, { ...question, kind: "begin", seed: 1, searchBudget: 1 });
    const { truth } = begun as { truth: SceneTruth };
    const turns = [{ before: truth, actions: ["Offer"] }];
    const answer = answerOwnEnv(spec, { ...question, kind: "play", turns });
    expect(readAnswer(spec, answer)).toMatchObject({ turns: [[{ truth: end }]] });
    const forged = { ...end, facts: { ...end.facts, result: "T".repeat(25) } };
    expect(() => readAnswer(spec, { kind: "begun", truth: forged })).toThrow();
  });
});

it("has a note of the studio's where the environment gives none", () => {
  const [spec] = environmentsIn(extensionOf("board", { done: true, result: "Tie" }));
  const env = spec!.create(spec!.config.parse({}));
  env.reset(1);
  expect(env.step("Offer").note).toBe("the episode ended");
  env.reset(1);
  expect(env.step("Give up").note).toBe("the episode was lost");
});

it.each([[""], ["T".repeat(25)], [3], [true]])("is not shown where a file has %j in its place", (result) => {
  const { spec, truth } = played("board", "Offer");
  expect(spec.resultIn!({ ...truth, facts: { ...truth.facts, result } })).toBeUndefined();
});

it("may have as many characters as there is room for", () => {
  const result = "T".repeat(24);
  const { reports } = tried(extensionOf("board", { done: true, result }));
  expect(reports[0]!.lines.filter(({ outcome }) => outcome !== "passed")).toEqual([]);
});

const FORM =
  'it must be one line of 1 to 24 characters without blanks around it, such as "Tie" and neither "Success" nor "Failed", or be left out';
describe("a result that cannot be used breaks the contract, with field, value and remedy", () => {
  it.each<[string, object, string]>([
    ["empty", { done: true, result: "" }, `step returned "" as result; ${FORM}`],
    ["blank", { done: true, result: " " }, `step returned " " as result; ${FORM}`],
    [
      "the studio's own word",
      { done: true, result: "Success" },
      `step returned "Success" as result; ${FORM}`,
    ],
    ["invisible", { done: true, result: "\u200B" }, `as result; ${FORM}`],
    ["turned", { done: true, result: "\u202ETie" }, `as result; ${FORM}`],
    ["of two lines", { done: true, result: "Tie\nagain" }, `as result; ${FORM}`],
    [
      "too long",
      { done: true, result: "T".repeat(25) },
      `step returned "${"T".repeat(25)}" as result; ${FORM}`,
    ],
    ["no text", { done: true, result: { word: "Tie" } }, `step returned {"word":"Tie"} as result; ${FORM}`],
    ["null", { done: true, result: null }, `step returned null as result; ${FORM}`],
    [
      "of a success",
      { success: true, result: "Tie" },
      'step returned "Tie" as result with success: true; leave result out, because it names an end without success',
    ],
    [
      "before the end",
      { result: "Tie" },
      'step returned "Tie" as result without done: true; add done, or leave result out',
    ],
  ])("%s", (_, offered, message) => {
    expect(() => replaceExtensions([extensionOf("board", offered)])).toThrow(message);
  });
});
