import { expect, test } from "vitest";
import { PROMPT_FORMATS } from "../config/run-config.ts";
import { CheckpointError, PolicyError } from "../core/errors.ts";
import { type Rng, rng } from "../core/rng.ts";
import { envs } from "../envs/index.ts";
import { TAGS } from "./skeleton.ts";
import { createVocabulary, vocabularyFor, vocabularyFromJson } from "./vocabulary.ts";

const vocabulary = createVocabulary();

test("the common vocabulary has 128 entries, every one with a surface of its own", () => {
  const { surfaces } = vocabulary.toJSON();
  expect(vocabulary.size).toBe(128);
  expect(new Set(surfaces).size).toBe(128);
});

test("every tag, every action and every format is one token", () => {
  const words = [
    ...TAGS,
    ...["frozenlake", "sokoban"].flatMap((id) => envs.get(id).actions),
    ...["no_think", "free_think", "grounding", "worldmodeling", "grounding_worldmodeling"],
    "<bos>",
    "<eos>",
    "<image>",
  ];
  for (const word of words) expect(vocabulary.encode(word)).toHaveLength(1);
  for (const format of PROMPT_FORMATS) expect(createVocabulary({ format }).encode(format)).toHaveLength(1);
});

test.each([
  "",
  "player at row 2 col 1 ; goal at row 0 col 3",
  "Naïve façade — 漢字 \u{1F9CA} \uFEFFbyte order\0mark\r\n",
  "<0xA><unused 127><eos><eo",
  "row 12 col 15",
])("%j comes back unchanged", (text) => {
  expect(vocabulary.decode(vocabulary.encode(text))).toBe(text);
});

test("any text comes back unchanged", () => {
  const random = rng(1);
  for (let round = 0; round < 1000; round++) {
    const text = Array.from({ length: random.int(20) }, () => randomPiece(random)).join("");
    expect(vocabulary.decode(vocabulary.encode(text))).toBe(text);
  }
});

function randomPiece(random: Rng): string {
  if (random.int(2)) return random.pick(vocabulary.toJSON().surfaces);
  const code = random.int(random.pick([0x80, 0x800, 0x10000, 0x110000]));
  // A surrogate alone is no text.
  return code >= 0xd800 && code < 0xe000 ? "" : String.fromCodePoint(code);
}

test("any sequence of ids can be shown, also half a byte and broken UTF-8", () => {
  expect(vocabulary.decode([5 + 4, 5 + 1])).toBe("A");
  expect(vocabulary.decode([5 + 4])).toBe("\uFFFD");
  expect(vocabulary.decode([5 + 15, 5 + 15, 1])).toBe("\uFFFD<eos>");
  expect(vocabulary.surface(15)).toBe("<0xA>");
});

test("an id outside the vocabulary is an error", () => {
  for (const id of [-1, 128, 1.5]) expect(() => vocabulary.decode([id])).toThrow(PolicyError);
});

test("it survives JSON, and a changed one is noticed", () => {
  const json = JSON.parse(JSON.stringify(vocabulary));
  const again = vocabularyFromJson(json);
  expect([again.hash, again.eos, again.size]).toEqual([vocabulary.hash, vocabulary.eos, vocabulary.size]);
  expect(again.encode("player at row 2 col 1")).toEqual(vocabulary.encode("player at row 2 col 1"));
  const changed = { ...json, surfaces: json.surfaces.with(30, "changed") };
  expect(() => vocabularyFromJson(changed)).toThrow(CheckpointError);
  expect(() => vocabularyFromJson({ ...json, version: 99 })).toThrow(CheckpointError);
});

test("the ids of the common vocabulary stay what checkpoints were trained with", () => {
  expect(vocabulary.hash).toMatchInlineSnapshot(`"e911bbbf2ba38da6"`);
});

test("ordinary runs share the common vocabulary; large boards, long episodes and text boards enlarge it", () => {
  const of = (id: string, config: object, turns: number) =>
    vocabularyFor(envs.get(id), envs.get(id).config.parse(config), turns);
  expect(of("frozenlake", {}, 5).hash).toBe(vocabulary.hash);
  expect(of("sokoban", {}, 3).hash).toBe(vocabulary.hash);
  expect(of("frozenlake", { size: 8 }, 5).encode("row 7 col 7")).toHaveLength(2);
  expect(of("frozenlake", {}, 9).encode("turn 9")).toHaveLength(1);
  expect(of("frozenlake", { render_mode: "text" }, 5).encode("P_OG\n")).toHaveLength(5);
});

test("words of later formats and of representations come after all others, in the runs that use them only", () => {
  const { surfaces } = vocabulary.toJSON();
  const common = surfaces.filter((word) => !word.startsWith("<unused"));
  for (const options of [
    { format: "wm" },
    { stateFormat: "structured" },
    { stateFormat: "symbolic", format: "free_wm" },
  ] as const) {
    const larger = createVocabulary(options);
    expect(larger.hash).not.toBe(vocabulary.hash);
    expect(larger.toJSON().surfaces.slice(0, common.length)).toEqual(common);
  }
  for (const format of ["no_think", "grounding"] as const)
    expect(createVocabulary({ format, stateFormat: "natural" }).hash).toBe(vocabulary.hash);
  const { encode } = createVocabulary({ stateFormat: "structured" });
  expect(encode('{"player": [1, 0], "goal": [2, 1]}')).toHaveLength(7);
  expect(encode('{"player": [1, 0], "box": [[2, 1], [3, 1]]}')).toHaveLength(12);
});
