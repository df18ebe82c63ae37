import { beforeAll, describe, expect, test } from "vitest";
import { PROMPT_FORMATS, type PromptFormat } from "../config/run-config.ts";
import { formats } from "../core/formats.ts";
import { rng } from "../core/rng.ts";
import { spatialGym } from "../envs/spatial-gym/index.ts";
import { parseReply, type ReplyRules } from "./reply.ts";
import { TAGS, writeFormat } from "./skeleton.ts";

const actions = ["Left", "Down", "Right", "Up"];
const read = (
  reply: string,
  format: PromptFormat = "grounding_worldmodeling",
  more: Partial<ReplyRules> = {},
) => parseReply(reply, { format, actions, maxActions: 2, ...more });

const texts = { observation: "o", reasoning: "r", prediction: "p", answer: "Up" };
const good = writeFormat(formats.get("grounding_worldmodeling"), texts);

test("the skeletons are those of VAGEN and AReaL", () => {
  const written = PROMPT_FORMATS.map((id) => writeFormat(formats.get(id), texts));
  expect(written).toEqual([
    "<answer>Up</answer>",
    "<think>r</think><answer>Up</answer>",
    "<think><observation>o</observation><reasoning>r</reasoning></think><answer>Up</answer>",
    "<think><reasoning>r</reasoning><prediction>p</prediction></think><answer>Up</answer>",
    "<think><observation>o</observation><reasoning>r</reasoning><prediction>p</prediction></think><answer>Up</answer>",
    "<observation>o</observation><think>r</think><answer>Up</answer><prediction>p</prediction>",
    "<observation>o</observation>r<answer>Up</answer><prediction>p</prediction>",
    "<answer>Up</answer>",
    "<think>r</think>\\boxed{Up}",
    "<answer>Up</answer>",
    "<think>r</think><answer>Up</answer>",
    "<perception>o</perception><reasoning>r</reasoning><prediction>p</prediction><answer>Up</answer>",
    "<perception>o</perception><reasoning>r</reasoning><prediction>p</prediction><answer>Up</answer>",
  ]);
});

describe("the formats of August 2026", () => {
  const body = writeFormat(formats.get("wm_2026"), texts);

  test.each<[PromptFormat, string]>([
    ["answer", " <answer>Up</answer>\n"],
    ["wm_2026", body],
    ["wm_think", body],
    ["wm_think", `<think>a</think> b </think>\n${body}`],
    ["wm_think", `begun by the template</think>${body}`],
    ["wm_think", `<think>a</think>${body.replace("r<", "r </think> r<")}`],
    ["wm_think", body.replace("r<", "r </think> r<")],
    ["free_think_2026", "<think>a</think>\n<answer>Up</answer>"],
    ["free_think_2026", "a</think><answer>Up</answer>"],
  ])("%s reads %s", (format, reply) => {
    expect(read(reply, format)).toMatchObject({ formatOk: true, reason: "", answer: "Up", actions: ["Up"] });
  });

  test.each<[PromptFormat, string, string[]]>([
    ["answer", "So: <answer>Up</answer>", ["Up"]],
    ["answer", "<answer>Up</answer><answer>Down</answer>", ["Up"]],
    ["answer", "<ACTION>up</ACTION>", ["Up"]],
    ["answer", "Thought: go\nAnswer: down", ["Down"]],
    ["answer", "<|begin_of_box|>Up<|end_of_box|>", ["Up"]],
    ["answer", "Up", []],
    ["wm_2026", `<think>a</think>${body}`, ["Up"]],
    ["wm_2026", good, ["Up"]],
    ["wm_2026", `${body} done`, ["Up"]],
    ["wm_think", "<think>no end <answer>Up</answer>", ["Up"]],
    ["wm_think", `a</think>${body}</think>`, ["Up"]],
    ["wm_think", "<answer>Down</answer></think><answer>Up</answer></think>", ["Up"]],
    ["wm_think", "Answer: Down</think>\nAnswer: Up\n</think>", ["Up"]],
    ["free_think_2026", "<answer>Up</answer>", ["Up"]],
    ["free_think_2026", "So <think>a</think><answer>Up</answer>", ["Up"]],
    ["free_think_2026", "a</think><answer>Up</answer> done", ["Up"]],
    ["free_think_2026", "a</think>b</think><answer>Up</answer>", ["Up"]],
    ["free_think_2026", "a</think> so <answer>Up</answer>", ["Up"]],
  ])("%s salvages actions of %s, never the form", (format, reply, actions) => {
    for (const reading of ["studio", "legacy", "lite"] as const) {
      const parsed = read(reply, format, { reading });
      expect(parsed.formatOk, reading).toBe(false);
      expect(parsed.reason).not.toBe("");
      if (reading !== "legacy") expect(parsed.actions).toEqual(actions);
      expect(read(reply, format, { reading, strict: true }).actions).toEqual([]);
    }
  });
});

test("what stands before the end of a thought that the chat template opened is its reasoning", () => {
  const reply = "go up</think><answer>Up</answer>";
  const { reasoning, sections } = read(reply, "free_think_2026");
  expect(reasoning).toBe("go up");
  expect(sections.map(({ kind, from, to }) => [kind, reply.slice(from, to)])).toEqual([
    ["reasoning", "go up"],
    ["tag", "</think>"],
    ["tag", "<answer>"],
    ["answer", "Up"],
    ["tag", "</answer>"],
  ]);
  expect(read(reply, "free_think")).toMatchObject({ formatOk: false, actions: [] });
});

describe("another spelling of answers", () => {
  const spelling = {
    respell: (answer: string) => answer.replaceAll("|", ","),
    answerTags: ["<action>", "</action>"],
  } as const;
  const other = (reply: string, format: PromptFormat = "free_think") =>
    read(reply, format, { reading: "lite", spelling });

  test.each([
    ["<think>r</think><action>up|down</action>", "up|down"],
    ["So: <think>r</think><action>Up | Down</action> done", "Up | Down"],
    ["<think>r</think><answer>Up,Down</answer>", "Up,Down"],
    ["<think>r</think><answer>Up|Down</answer>", "Up|Down"],
    ["<think>r</think><action>,Up|,Down|</action>", ",Up|,Down|"],
  ])("is read beside the usual one: %s", (reply, answer) => {
    expect(other(reply)).toMatchObject({
      formatOk: true,
      reason: "",
      reasoning: "r",
      answer,
      actions: ["Up", "Down"],
    });
  });

  test("is marked in the reply", () => {
    const reply = "<action>Up</action>";
    expect(other(reply, "no_think").sections.map(({ kind }) => kind)).toEqual(["tag", "answer", "tag"]);
  });

  test("is named where it is incomplete", () => {
    expect(other("<think>r</think><action>Up")).toMatchObject({
      formatOk: false,
      reason: "missing </action>",
    });
  });

  test("does not make a reply of August 2026 right", () => {
    expect(other("<action>Up</action>", "answer")).toMatchObject({ formatOk: false, actions: ["Up"] });
  });
});

describe("VAGEN-Lite's answers in SpatialGym", () => {
  beforeAll(() => spatialGym.load?.());
  const { actions, separator, readAction, liteSpelling } = spatialGym as Required<typeof spatialGym>;
  const inRoom = (answer: string, reading: "lite" | "studio" = "lite") =>
    parseReply(`<think>r</think><answer>${answer}</answer>`, {
      format: "free_think",
      reading,
      actions,
      maxActions: 5,
      separator,
      readAction,
      ...(reading === "lite" && { spelling: liteSpelling }),
    });

  test.each([
    ["Actions: [JumpTo(chair), Rotate(-90), Observe()]", ["JumpTo(chair)", "Rotate(-90)", "Observe()"]],
    [" actions:[ term() ] ", ["Term()"]],
    ["Rotate(90) | Observe()", ["Rotate(90)", "Observe()"]],
    ["Actions: [Rotate(90) | Observe()]", ["Rotate(90)", "Observe()"]],
    [
      '{"chair": {"position": [-1, 2], "facing": "south"}, "bed": {"position": [2, 0]}}',
      ["Map(chair 2 ahead 1 left facing back; bed 0 ahead 2 right)"],
    ],
    [
      'Actions: [{"chair": {"position": [-1, 2]}, "bed": {"position": [2, 3]}}]',
      ["Map(chair 2 ahead 1 left; bed 3 ahead 2 right)"],
    ],
    [
      'Actions: [Map({"chair": {"position": [-1, 2]}, "bed": {"position": [2, 3]}})]',
      ["Map(chair 2 ahead 1 left; bed 3 ahead 2 right)"],
    ],
  ])("are read: %s", (answer, actions) => {
    expect(inRoom(answer)).toMatchObject({ formatOk: true, reason: "", actions });
  });

  test.each(["Actions: []", "Actions: [Observe()", "Actions: Observe()", "{}"])(
    "are no action: %s",
    (answer) => {
      expect(inRoom(answer).reason).not.toBe("");
    },
  );

  test.each(["{chair 2 ahead 1 left}", "{Observe()}"])("are JSON or nothing: %s", (answer) => {
    expect(inRoom(answer)).toMatchObject({ actions: [answer], reason: `unknown action "${answer}"` });
  });

  test("are read in linear time", () => {
    expect(inRoom(`Actions: [${",".repeat(1_000_000)}]`).reason).toBe("the answer is empty");
  });

  test("are unknown to the studio's own reading", () => {
    expect(inRoom("Actions: [Observe()]", "studio").reason).toContain("unknown action");
  });
});

test.each(["grounding_worldmodeling", "free_think", "answer", "wm_2026"] as const)(
  "of a malformed %s nothing is executed where the environment says so",
  (format) => {
    const whole = writeFormat(formats.get(format), texts);
    const broken = `${whole} and more`;
    for (const reading of ["studio", "legacy"] as const) {
      expect(read(whole, format, { reading, refusesMalformed: true }).actions).not.toEqual([]);
      const refused = read(broken, format, { reading, refusesMalformed: true });
      expect(refused).toMatchObject({ formatOk: false, actions: [] });
      expect(refused.reason).not.toBe("");
    }
  },
);

describe("the formats of VAGEN-Lite", () => {
  const wm = writeFormat(formats.get("wm"), texts);
  const free = writeFormat(formats.get("free_wm"), texts);

  test.each([
    ["wm", `So: ${wm} done`],
    ["free_wm", `So: ${free} done`],
  ] as const)("%s is right wherever the block stands", (id, reply) => {
    expect(read(reply, id)).toMatchObject({
      formatOk: true,
      observation: "o",
      reasoning: "r",
      actions: ["Up"],
    });
  });

  test("eval_mode is right wherever the first action stands, no_think only as the whole reply", () => {
    const alone = "<answer>Up</answer>";
    const formatsOk = (reply: string) =>
      (["eval_mode", "no_think"] as const).map((id) => read(reply, id, { reading: "lite" }).formatOk);
    expect(formatsOk(` ${alone}\n`)).toEqual([true, true]);
    expect(formatsOk(`blah ${alone} blah`)).toEqual([true, false]);
    expect(formatsOk("Up")).toEqual([false, false]);
    const several = `${alone}<answer>Down</answer>`;
    expect(read(several, "eval_mode", { reading: "lite" }).actions).toEqual(["Up"]);
  });

  test("free_wm keeps all free text as reasoning, thought in tags or not", () => {
    const reply =
      "<observation>o</observation> <think>hm</think> so <answer>Up</answer> then <prediction>p</prediction>";
    const parsed = read(reply, "free_wm");
    expect(parsed).toMatchObject({ formatOk: true, reasoning: "hm so\nthen", answer: "Up", prediction: "p" });
    const shown = parsed.sections.map(({ kind, from, to }) => [kind, reply.slice(from, to).trim()]);
    expect(shown.filter(([kind, text]) => kind !== "tag" && text !== "")).toEqual([
      ["observation", "o"],
      ["reasoning", "hm"],
      ["reasoning", "so"],
      ["answer", "Up"],
      ["reasoning", "then"],
      ["prediction", "p"],
    ]);
  });

  test.each([
    ["wm", wm.replace("</answer>", ""), "missing </answer>"],
    ["wm", `So: ${wm.replace("<think>", "x<think>")}`, "text between </observation> and <think>"],
    ["wm", good, "wrong order: <think> comes before </observation>"],
    ["free_wm", good, "wrong order: <prediction> comes before </answer>"],
    ["free_wm", free.replace("<prediction>p</prediction>", ""), "missing <prediction>"],
  ] as const)("a %s reply %j is malformed: %s", (id, reply, reason) => {
    expect(read(reply, id)).toMatchObject({ formatOk: false, reason, actions: [] });
  });

  test("agree with the lazy regular expressions of the reference", () => {
    const random = rng(11);
    const lazy = {
      wm: /<observation>[\s\S]*?<\/observation>\s*<think>[\s\S]*?<\/think>\s*<answer>[\s\S]*?<\/answer>\s*<prediction>[\s\S]*?<\/prediction>/,
      free_wm:
        /<observation>[\s\S]*?<\/observation>[\s\S]*?<answer>[\s\S]*?<\/answer>[\s\S]*?<prediction>[\s\S]*?<\/prediction>/,
    };
    const pieces = [" ", "x", "<answer>", "</answer>", "</observation>", "<think>", wm];
    for (let round = 0; round < 3000; round++) {
      let reply = random.pick([wm, free]);
      for (let n = random.int(4); n > 0; n--) {
        const at = random.int(reply.length + 1);
        reply = reply.slice(0, at) + random.pick(pieces) + reply.slice(at);
      }
      for (const id of ["wm", "free_wm"] as const)
        expect(read(reply, id).formatOk, reply).toBe(lazy[id].test(reply));
    }
  });
});

test.each(PROMPT_FORMATS)("a well-formed %s reply is read completely", (id) => {
  const parsed = read(writeFormat(formats.get(id), texts), id);
  expect(parsed).toMatchObject({
    formatOk: true,
    reason: "",
    answer: "Up",
    actions: ["Up"],
    droppedActions: [],
  });
  const { parts } = formats.get(id);
  for (const part of ["observation", "reasoning", "prediction"] as const)
    expect(parsed[part]).toBe(parts.includes(part) ? texts[part] : "");
});

test("whitespace between tags, line breaks inside and image markers are tolerated", () => {
  const reply = `\n ${good.replace("<reasoning>", "\n<reasoning>line\n").replace("</think>", " </think>\t")}<image> \n`;
  expect(read(reply)).toMatchObject({ formatOk: true, reasoning: "line\nr", actions: ["Up"] });
});

const malformed: [reply: string, reason: string][] = [
  ["", "the reply is empty"],
  ["  \n", "the reply is empty"],
  ["Up", "missing <think>"],
  ["<answer>Up</answer>", "missing <think>"],
  [good.replace("</observation>", ""), "missing </observation>"],
  [good.replace("<prediction>p</prediction>", ""), "missing <prediction>"],
  [good.replace("</think>", ""), "missing </think>"],
  [good.replace("</answer>", ""), "missing </answer>"],
  [good.slice(0, good.indexOf("r</reasoning>")), "missing </reasoning>"],
  [
    "<think><reasoning>r</reasoning><observation>o</observation><prediction>p</prediction></think><answer>Up</answer>",
    "wrong order: <reasoning> comes before </observation>",
  ],
  [
    "<think><observation>o</observation><reasoning>r</reasoning></think><prediction>p</prediction><answer>Up</answer>",
    "wrong order: </think> comes before </prediction>",
  ],
  [`So: ${good}`, "text before <think>"],
  [`${good} done`, "text after </answer>"],
  [`${good}${good.slice(0, 7)}`, "text after </answer>"],
  [good.replace("<reasoning>", "x<reasoning>"), "text between </observation> and <reasoning>"],
  [good.replace("<observation>", "x<observation>"), "text between <think> and <observation>"],
  [good.replace("</think>", "x</think>"), "text between </prediction> and </think>"],
  [good.replace("<answer>", "x<answer>"), "text between </think> and <answer>"],
  [good.toUpperCase(), "missing <think>"],
];
test.each(malformed)("%j is malformed: %s", (reply, reason) => {
  expect(read(reply)).toMatchObject({ formatOk: false, reason });
});

test("formats with named parts yield actions also from a block amid other text", () => {
  expect(read(`So: ${good} done`)).toMatchObject({ observation: "o", prediction: "p", actions: ["Up"] });
  expect(read(good.replace("<reasoning>", "x<reasoning>")).actions).toEqual([]);
});

test("formats without named parts yield nothing unless the whole reply matches", () => {
  expect(read("So: <answer>Up</answer>", "no_think")).toMatchObject({
    formatOk: false,
    answer: "",
    actions: [],
  });
  expect(read("<think>r</think><answer>Up</answer>!", "free_think")).toMatchObject({
    reasoning: "",
    actions: [],
  });
});

test("an empty answer and an unknown action keep the format but are named", () => {
  const answer = (text: string) => read(`<answer>${text}</answer>`, "no_think");
  expect(answer("")).toMatchObject({ formatOk: true, reason: "the answer is empty", actions: [] });
  expect(answer(" , ,")).toMatchObject({ formatOk: true, reason: "the answer is empty", actions: [] });
  expect(answer("Up, Foo")).toMatchObject({
    formatOk: true,
    reason: 'unknown action "Foo"',
    actions: ["Up", "Foo"],
  });
});

test("only actions that are kept can be wrong", () => {
  const answer = (text: string) => read(`<answer>${text}</answer>`, "no_think");
  expect(answer("Up, Left, Foo")).toMatchObject({
    reason: "",
    actions: ["Up", "Left"],
    droppedActions: ["Foo"],
  });
  expect(answer("Up, Foo, Bar")).toMatchObject({ reason: 'unknown action "Foo"', droppedActions: ["Bar"] });
});

test("actions are trimmed, read without regard to case, limited, and split where the rules say", () => {
  const answer = "<answer> up ,,LEFT, Down,Up</answer>";
  expect(read(answer, "no_think")).toMatchObject({ actions: ["Up", "Left"], droppedActions: ["Down", "Up"] });
  expect(read("<answer>Up|Down</answer>", "no_think", { separator: "|" }).actions).toEqual(["Up", "Down"]);
});

test("control tokens and stray think or answer tags are removed from what is extracted", () => {
  const reply = good.replace("Up", "<answer>Up<eos>").replace(">o<", "><user>o<");
  expect(read(reply)).toMatchObject({ formatOk: true, observation: "o", actions: ["Up"] });
});

test("sections name the parts of a good reply, and what stands outside", () => {
  const reply = `So: ${good}`;
  const kinds = read(reply).sections.filter(({ kind }) => kind !== "tag");
  expect(kinds.map(({ kind, from, to }) => [kind, reply.slice(from, to)])).toEqual([
    ["other", "So: "],
    ["observation", "o"],
    ["reasoning", "r"],
    ["prediction", "p"],
    ["answer", "Up"],
  ]);
  const free = "<think>hm</think> <answer>Up</answer>";
  expect(read(free, "free_think").sections.map(({ kind }) => kind)).toEqual([
    "tag",
    "reasoning",
    "tag",
    "tag",
    "tag",
    "answer",
    "tag",
  ]);
});

test("whatever a policy writes is read without an exception, and the sections cover it without gaps", () => {
  const random = rng(7);
  const pieces = [...TAGS, "Up", " ", ",", "x", "\n", "<image>", "<eos>", "<user>"];
  for (let round = 0; round < 3000; round++) {
    const reply = Array.from({ length: random.int(14) }, () => random.pick(pieces)).join("");
    const parsed = read(reply, random.pick(PROMPT_FORMATS));
    const joined = parsed.sections.map(({ from, to }) => reply.slice(from, to)).join("");
    expect(joined).toBe(reply);
    for (const [i, { from, to }] of parsed.sections.entries()) {
      expect(from).toBe(i === 0 ? 0 : parsed.sections[i - 1].to);
      expect(to).toBeGreaterThan(from);
    }
    if (!parsed.formatOk) expect(parsed.reason).not.toBe("");
  }
});

test("the parser agrees with the reference's lazy regular expressions", () => {
  const random = rng(8);
  const lazy =
    /^\s*<think>\s*<reasoning>([\s\S]*?)<\/reasoning>\s*<prediction>([\s\S]*?)<\/prediction>\s*<\/think>\s*<answer>([\s\S]*?)<\/answer>\s*$/;
  const block = writeFormat(formats.get("worldmodeling"), texts);
  for (let round = 0; round < 3000; round++) {
    // Mostly right replies with a few pieces put in somewhere.
    let reply = block;
    for (let n = random.int(4); n > 0; n--) {
      const at = random.int(reply.length + 1);
      reply =
        reply.slice(0, at) +
        random.pick([" ", "x", "<answer>", "</answer>", "</reasoning>", block]) +
        reply.slice(at);
    }
    expect(read(reply, "worldmodeling").formatOk).toBe(lazy.test(reply));
  }
});

test("a long hostile reply is read in linear time", () => {
  // Quadratic time would be more than a test may take.
  const hostile = "<think><observation>".repeat(100_000) + "</observation><reasoning>".repeat(100_000);
  expect(read(hostile).formatOk).toBe(false);
});

test("a boxed reply is read the same under every reading, and nothing is removed from it first", () => {
  for (const reading of ["studio", "legacy", "lite"] as const) {
    const boxed = (reply: string) => read(reply, "boxed", { reading });
    expect(boxed("<think>a</think>\\boxed{7}").formatOk).toBe(true);
    expect(boxed("<image><think>a</think>\\boxed{7}").formatOk).toBe(false);
    expect(boxed("<think>a</think>\\boxed{<image>7}").answer).toBe("<image>7");
  }
});

test("white space around actions is what Python takes for it", () => {
  for (const reading of ["legacy", "lite"] as const) {
    const named = (answer: string) =>
      read(`<think>a</think><answer>${answer}</answer>`, "free_think", { reading }).actions;
    expect(named("\u0085Up\u001f")).toEqual(["Up"]);
    expect(named("\uFEFFUp")).toEqual(["\uFEFFUp"]);
  }
});
