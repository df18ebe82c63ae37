import { beforeAll, expect, test } from "vitest";
import { rng } from "../../core/rng.ts";
import { boardOf } from "../../core/scene.ts";
import { mathAlgebra } from "./algebra.ts";
import { readAnswer } from "./answer.ts";
import { isSameAnswer, setAlgebra } from "./grade.ts";
import { visualMath } from "./index.ts";
import { allQuestions, questionText, WHOLE_QUESTIONS } from "./question.ts";
import { drawScene, isWanted, lineCells, type Scene } from "./scene.ts";
import { distance } from "./tools.ts";

beforeAll(async () => {
  setAlgebra(mathAlgebra);
  await visualMath.load?.();
});

const options = (overrides: object = {}) => visualMath.config.parse(overrides);
const begin = (overrides: object, seed: number) => {
  const env = visualMath.create(options(overrides));
  env.reset(seed);
  return env;
};
const scenes = (overrides: object = {}, count = 300): Scene[] =>
  Array.from({ length: count }, (_, seed) => drawScene(options(overrides), rng(seed)));

/** The answer worked out from what the picture shows, another way than the generator does. */
function workedOut(scene: Scene): number {
  const side = (from: "A" | "B" | "C", to: "B" | "C" | "D") => distance(scene, from, to);
  switch (scene.kind) {
    case "count":
      return scene.items.filter(({ item }) => isWanted(item, scene.wanted)).length;
    case "length":
      return side("A", "B");
    case "longer":
      return side("A", "B") - side("C", "D");
    case "perimeter":
      return side("A", "B") + side("B", "C") + side("C", "D") + distance(scene, "D", "A");
    case "area":
      return side("A", "B") * side("B", "C");
    case "share":
      return scene.items.filter(({ item }) => isWanted(item, scene.wanted)).length / scene.items.length;
    case "diagonal":
      return Math.hypot(side("A", "B"), side("B", "C"));
  }
}

test.each(["easy", "medium", "hard"])("%s answers are exact and within the limit", (difficulty) => {
  const max_answer = difficulty === "hard" ? 40 : 20;
  const drawn = scenes({ difficulty, max_answer, questions: [...WHOLE_QUESTIONS] });
  for (const scene of drawn) {
    expect(scene.answer).toBe(workedOut(scene));
    expect(scene.answer).toBeGreaterThanOrEqual(0);
    expect(scene.answer).toBeLessThanOrEqual(max_answer);
    expect(allQuestions(options({ difficulty }))).toContain(questionText(scene));
  }
  expect(new Set(drawn.map(({ kind }) => kind)).size).toBe(WHOLE_QUESTIONS.length);
});

test.each(["share", "diagonal"] as const)(
  "the answer to a %s question is exact, and graded as one",
  (kind) => {
    const drawn = scenes({ questions: [kind], difficulty: "hard" });
    expect(drawn.filter(({ answer }) => typeof answer === "string").length).toBeGreaterThan(100);
    for (const [seed, scene] of drawn.entries()) {
      const answer = String(scene.answer);
      const value = mathAlgebra.evaluate(answer, {});
      expect(value).toBeCloseTo(workedOut(scene), 9);
      if (kind === "share" && answer.includes("/")) {
        const [part, whole] = answer.split("/").map(Number);
        expect(isSameAnswer(`\\frac{${part}}{${whole}}`, answer)).toBe(true);
        expect(isSameAnswer(`${2 * part!}/${2 * whole!}`, answer)).toBe(false);
      }
      if (seed < 20) {
        const env = begin({ questions: [kind], difficulty: "hard" }, seed);
        const [right] = env.oracle() ?? [];
        expect(readAnswer(right!)).toBe(right);
        expect(env.step("1/77")).toMatchObject({ success: false, terminated: false });
        expect(env.step(right!)).toMatchObject({ success: true, reward: 0.9 });
      }
    }
  },
);

test("nothing lies on anything else, and there is paper left", () => {
  for (const scene of scenes({ grid_size: 3 })) {
    const cells = [
      ...scene.items.map(({ cell }) => `${cell}`),
      ...new Set(lineCells(scene).map(({ cell }) => `${cell}`)),
    ];
    expect(new Set(cells).size).toBe(cells.length);
    expect(cells.length).toBeLessThan(9);
    for (const cell of cells) expect(cell).toMatch(/^[0-2],[0-2]$/);
  }
});

test("only hard figures have a length that the picture does not show", () => {
  expect(new Set(scenes({ difficulty: "medium" }).map(({ unit }) => unit))).toEqual(new Set([1]));
  const hard = scenes({ difficulty: "hard", questions: ["length"], max_answer: 40 });
  expect(new Set(hard.map(({ unit }) => unit))).toEqual(new Set([2, 3, 4]));
  // The same picture, two answers: no eye can tell them apart.
  const bare = scenes({ difficulty: "hard", questions: ["length"], max_answer: 40, grid_size: 3 }, 2000);
  const answers = new Map<string, Set<number | string>>();
  for (const { points, items, answer } of bare) {
    const picture = JSON.stringify([points, items]);
    answers.set(picture, (answers.get(picture) ?? new Set()).add(answer));
  }
  expect([...answers.values()].some(({ size }) => size > 1)).toBe(true);
});

test("a wrong answer changes nothing and may be corrected; the right one ends the episode", () => {
  const env = begin({ questions: ["count"] }, 4);
  const [right] = env.oracle() ?? [];
  const wrong = String(Number(right) + 1);
  const before = env.groundTruth();
  expect(env.step(wrong)).toEqual({
    reward: 0,
    terminated: false,
    success: false,
    effective: false,
    note: "a wrong answer",
  });
  expect(env.groundTruth()).toEqual(before);
  expect(env.step(right)).toMatchObject({ reward: 0.9, terminated: true, success: true });
});

test("the picture shows the shapes that are counted", () => {
  const [row, col] = [0, 0];
  for (const [color, letter] of [
    ["red", "r"],
    ["blue", "b"],
  ] as const) {
    const env = Array.from({ length: 400 }, (_, seed) => begin({ questions: ["count"] }, seed)).find((game) =>
      boardOf(game.groundTruth()).entities[`${color} square`]?.some(([r, c]) => r === row && c === col),
    );
    expect(env?.text().startsWith(`${letter}s `)).toBe(true);
    const { data } = env!.render(8);
    const [r, , b] = data;
    expect(r > b).toBe(color === "red");
  }
});

test("the tools answer about this episode, and say why they cannot", () => {
  const env = begin({ questions: ["area"], difficulty: "hard", max_answer: 99 }, 2);
  const [measure, count] = env.tools?.() ?? [];
  const [ab, bc] = [measure.run({ from: "A", to: "B" }), measure.run({ from: "B", to: "C" })];
  expect(String(Number(ab) * Number(bc))).toBe(env.oracle()?.[0]);
  expect(() => measure.run({ from: "A", to: "C" })).toThrow("A and C do not lie on one line");
  expect(() => count.run({ row: 0 })).toThrow("no shapes");
  env.reset(3);
  expect(measure.run({ from: "A", to: "B" })).not.toBe("");
});

test("the rows of a count add up to its answer", () => {
  for (let seed = 0; seed < 20; seed++) {
    const env = begin({ questions: ["count"] }, seed);
    const count = env.tools?.()[1];
    const rows = Array.from({ length: 5 }, (_, row) => Number(count?.run({ row })));
    expect(rows.reduce((a, b) => a + b)).toBe(Number(env.oracle()?.[0]));
    expect(() => count?.run({ row: 5 })).toThrow("The last row is 4.");
  }
});

test.each([
  ["4", "4"],
  [" 04 ", "4"],
  ["+4", "4"],
  ["4.0", "4"],
  ["$4$", "4"],
  ["\\text{4}", "4"],
  ["4 units", "4"],
  ["0", "0"],
  ["99", "99"],
  ["100", null],
  ["-4", null],
  ["4.5", null],
  ["8/2", "8/2"],
  ["\\frac{8}{2}", "8/2"],
  ["2\\sqrt{3}", "2sqrt(3)"],
  ["1/0", null],
  ["a/ /b", null],
  ["four", null],
  ["4, 5", null],
  ["4 red circles", null],
])("the answer %j is read as %j", (text, answer) => {
  expect(readAnswer(text)).toBe(answer);
});

test("refuses what cannot be asked, with a remedy that works", () => {
  const create = (overrides: object) => () => visualMath.create(options(overrides));
  expect(create({ questions: ["perimeter"], max_answer: 3 })).toThrow(
    expect.objectContaining({
      path: "env.config.max_answer",
      value: 3,
      hint: expect.stringContaining("at least 4"),
    }),
  );
  expect(create({ questions: ["perimeter"], max_answer: 4 })).not.toThrow();
  expect(create({ difficulty: "hard", tools: false, max_answer: 60 })).toThrow(
    expect.objectContaining({ path: "env.config.tools", value: false }),
  );
  expect(create({ difficulty: "hard", tools: false, questions: ["count"] })).not.toThrow();
  expect(create({ difficulty: "hard", questions: ["area"], max_tool_calls: 1 })).toThrow(
    expect.objectContaining({ path: "env.config.max_tool_calls", value: 1 }),
  );
  expect(create({ difficulty: "hard", questions: ["area"], max_tool_calls: 2 })).not.toThrow();
  expect(() => options({ questions: [] })).toThrow(/"questions"/);
});

test("tools can be turned off", () => {
  expect(begin({ tools: false }, 1).tools?.()).toEqual([]);
});
