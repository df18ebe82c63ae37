// Actions with arguments in environments of one's own: `putt(east, 12)`.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
// @ts-expect-error It is JavaScript, as users write it.
import example from "../../docs/examples/golf.mjs";
import { demonstrationBatch } from "../agent/players.ts";
import { parseReply } from "../agent/reply.ts";
import { templates } from "../agent/templates/index.ts";
import { testTask } from "../agent/test-task.ts";
import { vocabularyFor } from "../agent/vocabulary.ts";
import { rng } from "../core/rng.ts";
import type { WorldTruth } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { ownActions } from "../envs/own/actions.ts";
import type { ExtensionApi, OwnWorld } from "./api.ts";
import { replaceExtensions, tried } from "./index.ts";

afterEach(() => void replaceExtensions([]));

const PUTT = {
  name: "putt",
  arguments: { way: ["east", "west"], strength: { from: -4, to: 8, step: 4 } },
} as const;

describe("actions", () => {
  const actions = ownActions(["wait", PUTT]);

  it("are written with a blank after each comma, one of each name as an example", () => {
    expect(actions.examples).toEqual(["wait", "putt(west, 4)"]);
    expect(actions.count).toBe(9);
    expect(actions.all()).toEqual([
      "wait",
      ...["east", "west"].flatMap((way) => [-4, 0, 4, 8].map((n) => `putt(${way}, ${n})`)),
    ]);
  });

  it.each([
    ["PUTT( East,8 )", "putt(east, 8)"],
    [" wait ", "wait"],
    ["Wait()", "wait"],
    ["putt(west, +04)", "putt(west, 4)"],
    ["putt(east, -0)", "putt(east, 0)"],
  ])("%s means %s", (text, action) => {
    expect(actions.read(text)).toBe(action);
    expect(actions.whyUnknown(text)).toBe("");
  });

  it.each([
    ["putt(north, 4)", 'The argument way of putt is "north"; it must be east or west.'],
    [
      "putt(east, 5)",
      'The argument strength of putt is "5"; it must be a whole number from -4 to 8 in steps of 4.',
    ],
    ["putt(east, 4.0)", 'The argument strength of putt is "4.0"; it must be'],
    ["putt(east, )", "The argument strength of putt is missing; it must be"],
    ["putt(east)", "putt takes 2 arguments, as in putt(west, 4), but 1 is given."],
    ["putt", "putt takes 2 arguments, as in putt(west, 4), but none are given."],
    ["wait(3)", "wait takes no arguments."],
    ["drive(east, 4)", 'There is no action called "drive". Use wait or putt(way, strength).'],
  ])("%s is none, and the reason is said", (text, why) => {
    expect(actions.read(text)).toBeNull();
    expect(actions.whyUnknown(text)).toContain(why);
    expect(() => actions.parse(text)).toThrow("is no action");
  });

  it.each(["putt(east, 4", "putt(east, (4))", "(4)", "putt(east, 4), wait"])("%j is none", (text) => {
    expect(actions.read(text)).toBeNull();
    expect(actions.whyUnknown(text)).toBe(
      "Close each bracket, and write a bar between actions: wait | putt(west, 4).",
    );
  });

  it("are read in time that grows with the text", () => {
    const blank = " ".repeat(20_000);
    expect(actions.read(`${blank}wait${blank}(${blank}`)).toBeNull();
    expect(actions.read(`${blank}wait${blank}(${blank})`)).toBe("wait");
  });

  it("list a dozen of many words", () => {
    const way = Array.from({ length: 900 }, (_, i) => `w${i}`);
    const many = ownActions([{ name: "go", arguments: { way } }]);
    expect(many.whyUnknown("go(up)")).toBe(
      'The argument way of go is "up"; it must be one of 900 words: w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, w10, w11, ….',
    );
  });

  it("have the values of their arguments by name", () => {
    expect(actions.parse("putt(west, -4)")).toEqual({ name: "putt", values: { way: "west", strength: -4 } });
    expect(actions.parse("wait")).toEqual({ name: "wait", values: {} });
  });

  it("are drawn by name, and then value by value", () => {
    const random = rng(1);
    const drawn = Array.from({ length: 400 }, () => actions.any(random));
    expect(new Set(drawn)).toEqual(new Set(actions.all()));
    // With one chance in nine, a name without arguments would hardly ever be seen beside one with many values.
    const waits = drawn.filter((action) => action === "wait").length;
    expect(waits).toBeGreaterThan(160);
    expect(waits).toBeLessThan(240);
  });

  it("without arguments are as they were, and their names are listed by whoever knows them", () => {
    const plain = ownActions(["Up", "Push 2"]);
    expect(plain).toMatchObject({
      haveArguments: false,
      examples: ["Up", "Push 2"],
      words: ["Up", "Push 2"],
      help: "",
    });
    expect(plain.whyUnknown("Left")).toBe("");
  });
});

describe("the example", () => {
  beforeEach(() => void replaceExtensions([{ name: "golf", factory: example, checked: true }]));

  const begun = (seed: number, config: object = {}) => {
    const spec = envs.get("golf");
    const env = spec.create(spec.config.parse(config));
    env.reset(seed);
    return env;
  };

  it("keeps the contract", () => {
    const [{ lines }] = tried({ name: "golf", factory: example }).reports;
    expect(lines.map(({ outcome }) => outcome)).not.toContain("failed");
  });

  it("says what its arguments are", () => {
    const { playHelp, actions, separator } = envs.get("golf");
    expect(actions).toEqual(["putt(south, 20)"]);
    expect(separator).toBe("|");
    expect(playHelp!.actions).toContain("putt(way, strength): way is north, northeast, ");
    expect(playHelp!.actions).toContain("strength is a whole number from 4 to 32 in steps of 4.");
  });

  it("moves the ball as the values say", () => {
    let moved = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const env = begun(seed);
      const at = () => (env.groundTruth() as WorldTruth).things.find(({ name }) => name === "player")!.at;
      const [x, y] = at() as [number, number];
      const { effective, note } = env.step("putt(southeast, 4)");
      expect(at()).toEqual(effective ? [x + 4, y + 4] : [x, y]);
      if (effective) moved++;
      else expect(note).toMatch(/^it rolled/);
    }
    expect(moved).toBeGreaterThan(10);
  });

  it("refuses an action that is written otherwise, and one that does not exist", () => {
    const refused = (action: string, hint: string) =>
      expect(() => begun(1).step(action)).toThrow(
        expect.objectContaining({ message: `"${action}" is not an action.`, hint }),
      );
    refused("putt(south,4)", "Write it as putt(south, 4).");
    refused(
      "putt(south, 5)",
      'The argument strength of putt is "5"; it must be a whole number from 4 to 32 in steps of 4.',
    );
  });

  it("writes an action with one token for its name and one for each argument", () => {
    const spec = envs.get("golf");
    const vocabulary = vocabularyFor(spec, spec.config.parse({}), 5);
    const tokens = (text: string) => [...vocabulary.encode(text)].map((id) => vocabulary.surface(id));
    expect(tokens("putt(northeast, 12) | putt(west, 4)")).toEqual([
      ...["putt(", "northeast, ", "12)"],
      " | ",
      ...["putt(", "west, ", "4)"],
    ]);
  });

  it("has words for a title that is an action, too", () => {
    const titled = ({ environment }: ExtensionApi) =>
      example({
        environment: ({ actions, ...own }: OwnWorld) =>
          environment({ ...own, actions: ["wait", ...actions], title: "wait", words: {} }),
      });
    replaceExtensions([{ name: "golf", factory: titled, checked: true }]);
    const { vocabulary } = testTask("golf");
    const surfaces = [...vocabulary.encode("wait | wait")].map((id) => vocabulary.surface(id));
    expect(surfaces).toEqual(["wait ", "| ", "wait"]);
  });

  it("reads several actions of an answer", () => {
    const { actions, readAction, whyUnknown, separator } = envs.get("golf");
    const rules = {
      format: "no_think",
      actions,
      readAction: readAction!,
      whyUnknown: whyUnknown!,
      separator: separator!,
      maxActions: 3,
    } as const;
    const read = (answer: string) => parseReply(`<answer>${answer}</answer>`, rules);
    expect(read("putt(east, 8) | Putt(south,4)")).toMatchObject({
      formatOk: true,
      actions: ["putt(east, 8)", "putt(south, 4)"],
    });
    expect(read("putt(east, 9)")).toMatchObject({
      reason: expect.stringContaining("it must be a whole number from 4 to 32"),
    });
  });

  it("has words for all that its demonstrations say, whose actions are read", async () => {
    const task = testTask("golf", {}, { max_actions_per_step: 3 });
    const episodes = Array.from({ length: 12 }, (_, i) => ({
      id: `${i}`,
      seed: i,
      groupId: `${i}`,
      rngKey: i,
    }));
    const skill = { randomFraction: 0.2, expertFraction: 1 };
    const played = await demonstrationBatch({ task, episodes, skill, oneTurn: false, seed: 1 });
    for (const { reply, parsed } of played.flatMap(({ turns }) => turns)) {
      const surfaces = [...task.vocabulary.encode(reply)].map((id) => task.vocabulary.surface(id));
      expect(surfaces.join("")).toBe(reply);
      expect(parsed).toMatchObject({ formatOk: true, reason: "" });
    }
    // A random putt may be lost in the pond, and three turns are enough for every plan.
    expect(played.filter(({ success }) => success).length).toBeGreaterThan(9);
  });

  it("plays at random any of its actions", () => {
    const { anyAction, heuristic } = templates.get("golf");
    const truth = begun(1).groundTruth();
    const random = rng(5);
    const drawn = new Set(Array.from({ length: 300 }, () => anyAction!(truth, random)));
    expect(drawn.size).toBeGreaterThan(50);
    expect(envs.get("golf").readAction!(heuristic(truth, random))).not.toBeNull();
  });
});

describe("an environment is refused with the part that is wrong", () => {
  const strength = (range: unknown) => [{ name: "putt", arguments: { strength: range } }];
  const declaring =
    (actions: unknown, parts: object = {}) =>
    ({ environment }: ExtensionApi) =>
      example({
        environment: (own: object) => environment({ ...own, actions, ...parts } as unknown as OwnWorld),
      });

  it.each<[string, unknown, string]>([
    ["no list", 3, 'actions of the environment "golf" are 3; they must be a list'],
    ["one action", ["wait"], "there must be at least two actions to choose from"],
    ["one action with one value", strength(["a"]), "there must be at least two actions to choose from"],
    ["a step beyond the end", strength({ from: 1, to: 2, step: 2 }), 'has 2 as "step"; it must be at most 1'],
    [
      "a step that misses the end",
      strength({ from: 4, to: 32, step: 9 }),
      'do not reach 32; its last value would be 31, so set "to" to 31, or change "step"',
    ],
    ["a gap", [undefined, "wait"], "have nothing at index 0"],
    [
      "an argument that every object has",
      [{ name: "putt", arguments: { constructor: ["a"] } }],
      "and not “constructor”",
    ],
    ["a part that nothing reads", [{ name: "putt", args: {} }], 'nothing reads its part "args"'],
    ["a name", [{ name: "putt(", arguments: { n: ["a", "b"] } }], "its name must be"],
    ["no arguments", [{ name: "putt", arguments: {} }, "wait"], "it must have 1 to 4 arguments"],
    [
      "the name of an argument",
      [{ name: "putt", arguments: { "a b": ["a"] } }],
      'an argument cannot be called "a b"',
    ],
    [
      "neither words nor numbers",
      strength("1-9"),
      'its argument "strength" must be a list of words, or numbers',
    ],
    ["a part of numbers", strength({ from: 1, to: 9, by: 2 }), 'its argument "strength" has a part "by"'],
    [
      "no end",
      strength({ from: 1 }),
      'its argument "strength" has nothing as "to"; it must be a whole number',
    ],
    ["a fraction", strength({ from: 0.5, to: 9 }), 'has 0.5 as "from"; it must be a whole number from -9999'],
    [
      "numbers that fall",
      strength({ from: 9, to: 1 }),
      'goes from 9 to 1, but "from" must be less than "to"',
    ],
    ["a step backwards", strength({ from: 1, to: 9, step: -2 }), 'has -2 as "step"; it must be at least 1'],
    ["numbers in a list", strength([1, 2]), "Write numbers as { from: 1, to: 3 }"],
    ["a word", strength(["a", "b c"]), 'has "b c" at index 1'],
    ["words alike", strength(["a", "A"]), 'has "a" and "A"; words must differ'],
    [
      "too many values",
      strength({ from: 0, to: 1000 }),
      "have arguments with 1001 values in all; there may be at most 1000",
    ],
  ])("%s", (_, actions, message) => {
    expect(() => replaceExtensions([{ name: "golf", factory: declaring(actions) }])).toThrow(message);
    expect(envs.ids).not.toContain("golf");
  });

  it("actions that are too many to search, unless it has a plan", () => {
    const many = [
      {
        name: "putt",
        arguments: { way: ["north"], strength: { from: 1, to: 40 }, spin: { from: 1, to: 40 } },
      },
    ];
    expect(() => replaceExtensions([{ name: "golf", factory: declaring(many) }])).toThrow(
      "has 1600 actions, all values of arguments counted; without a plan it may have at most 1000",
    );
    const plan = () => ["putt(north, 99, 1)"];
    expect(() => replaceExtensions([{ name: "golf", factory: declaring(many, { plan }) }])).toThrow(
      'plan returned ["putt(north, 99, 1)"]; it must be a list of actions, or null. The argument strength of putt is "99"; it must be a whole number from 1 to 40',
    );
  });
});
