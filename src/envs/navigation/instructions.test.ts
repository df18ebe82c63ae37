import { describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { instruct, instructionWords, isKept } from "./instructions.ts";
import { KIND_NAMES, type Kind } from "./kinds.ts";
import { COLORS, type ColorName } from "./models/part.ts";
import { PHRASES } from "./phrases.ts";
import { type Split, STYLES, type Style, TASK_COUNTS, TASK_SETS, type TaskSet } from "./task-sets.ts";
import { type Task, taskOf } from "./tasks.ts";

type Told = Pick<Task, "instruction"> & { kind: Kind; color: ColorName };

const setOf = (style: Style, split: Split): TaskSet => (split === "eval" ? style : `${style}_train`);

/** Every task's instruction and target. All styles of an index are drawn together, because they share a home. */
const told = new Map<TaskSet, Told[]>(TASK_SETS.map((set) => [set, []]));
for (const split of ["eval", "train"] as const)
  for (let i = 0; i < TASK_COUNTS[split]; i++)
    for (const style of STYLES) {
      const { instruction, place, target } = taskOf(setOf(style, split), i);
      const { kind, color } = place.home.things[target];
      told.get(setOf(style, split))!.push({ instruction, kind: kind as Kind, color });
    }

const tasksOf = (style: Style, split: Split): Told[] => told.get(setOf(style, split))!;

const wordsOf = (texts: readonly string[]) => new Set(texts.flatMap((text) => text.split(" ")));

describe.each(STYLES)("instructions of %s", (style) => {
  const evaluation = tasksOf(style, "eval").map(({ instruction }) => instruction);
  const training = tasksOf(style, "train").map(({ instruction }) => instruction);

  it("of evaluation do not occur in training", () => {
    const known = new Set(training);
    for (const text of evaluation) {
      expect(known.has(text), text).toBe(false);
      expect(isKept(text)).toBe(true);
    }
    for (const text of training) expect(isKept(text)).toBe(false);
  });

  it("have no word in evaluation that training lacks, and no word that the vocabulary lacks", () => {
    const known = wordsOf(training);
    for (const word of wordsOf(evaluation)) expect([...known]).toContain(word);
    const vocabulary = instructionWords();
    for (const word of known) expect(vocabulary).toContain(word);
  });

  it("are words with single blanks between them", () => {
    for (const text of [...evaluation, ...training]) expect(text).toMatch(/^[a-z]+( [a-z]+)+$/);
    expect(new Set(training).size).toBeGreaterThan(400);
  });
});

describe("instructions", () => {
  it("exist for every kind in every style, in both splits", () => {
    for (const style of STYLES)
      for (const kind of KIND_NAMES)
        for (const split of ["eval", "train"] as const) {
          const texts = Array.from({ length: 20 }, (_, i) => instruct(style, kind, "red", split, rng(i)));
          expect(new Set(texts).size).toBeGreaterThan(5);
          for (const text of texts) expect(isKept(text)).toBe(split === "eval");
        }
  });

  /** Kinds that a text speaks of in a way that no other kind is spoken of. */
  const meant = (text: string, list: "names" | "purposes" | "looks") =>
    KIND_NAMES.filter((kind) =>
      PHRASES[kind][list].some((phrase) =>
        new RegExp(`(^| )${phrase.replace("*", "[a-z]+")}( |$)`).test(text),
      ),
    );

  it.each([
    ["base", "names"],
    ["complex_instruction", "names"],
    ["common_sense", "purposes"],
    ["visual_appearance", "looks"],
  ] as const)("of %s say what the target is, and name no other object", (style, list) => {
    for (const { instruction, kind } of [...tasksOf(style, "eval"), ...tasksOf(style, "train").slice(0, 200)])
      expect(meant(instruction, list), instruction).toEqual([kind]);
  });

  it("of common_sense and visual_appearance do not name the target", () => {
    for (const style of ["common_sense", "visual_appearance"] as const)
      for (const { instruction, kind } of tasksOf(style, "eval")) {
        for (const name of PHRASES[kind].names) expect(` ${instruction} `).not.toContain(` ${name} `);
      }
  });

  it("of visual_appearance give the colour that the target has", () => {
    for (const { instruction, color } of tasksOf("visual_appearance", "eval"))
      expect(instruction.split(" ")).toContain(color);
  });

  it("use each colour word for one colour, and a vocabulary of a few hundred words", () => {
    const words = instructionWords();
    expect(new Set(words).size).toBe(words.length);
    expect(words.length).toBeLessThan(500);
    for (const color of Object.keys(COLORS) as ColorName[]) expect(words).toContain(color);
  });
});
