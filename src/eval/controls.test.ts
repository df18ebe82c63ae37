import { expect, test } from "vitest";
import { testTask } from "../agent/test-task.ts";
import { loadEnv } from "../envs/index.ts";
import { twoViews } from "../envs/testing/two-views.ts";
import { controls } from "./controls.ts";

await loadEnv("navigation");
const LEVELS = [600_000, 600_001, 600_002, 600_003];

test("a blanked picture is one grey of the same size, and the game is the same", () => {
  const task = testTask("frozenlake");
  const [plain, hidden] = [task, controls.get("blanked_picture").apply(task)!].map((one) =>
    one.spec.create(one.envConfig),
  );
  for (const env of [plain, hidden]) env.reset(7);
  const [{ data: _, ...size }, { data, ...blankSize }] = [plain.render(8), hidden.render(8)];
  expect(blankSize).toEqual(size);
  expect(new Set(data)).toEqual(new Set([128, 255]));
  expect(hidden.groundTruth()).toEqual(plain.groundTruth());
  for (const action of plain.oracle()!) expect(hidden.step(action)).toEqual(plain.step(action));
});

test("a blanked picture hides every picture of an observation", () => {
  const task = { ...testTask("frozenlake"), spec: twoViews };
  const hidden = controls.get("blanked_picture").apply(task)!;
  const env = hidden.spec.create(hidden.envConfig);
  env.reset(7);
  const pictures = [env.render(8), ...env.furtherPictures!().map((draw) => draw(8))];
  expect(pictures.map(({ data }) => [...new Set(data)])).toEqual([
    [128, 255],
    [128, 255],
  ]);
});

test("a shuffled instruction is one of another level, in the home of its own", () => {
  const task = testTask("navigation");
  const control = controls.get("shuffled_instruction").apply(task)!;
  const [plain, hidden] = [task, control].map((one) => one.spec.create(one.envConfig));
  for (const seed of LEVELS) {
    for (const env of [plain, hidden]) env.reset(seed);
    expect(hidden.render(8)).toEqual(plain.render(8));
    expect(hidden.question!()).not.toBe(plain.question!());
    plain.reset(seed + 1);
    expect(hidden.question!()).toBe(plain.question!());
  }
});

test("where all levels of a task have one instruction, it is that of another task, with the places of its own", async () => {
  await loadEnv("primitive-skill");
  const task = testTask("primitive-skill", {}, { env_id: "StackThreeCube" });
  const control = controls.get("shuffled_instruction").apply(task)!;
  const [plain, hidden] = [task, control].map((one) => one.spec.create(one.envConfig));
  const instructionOf = (question: string) => question.replace(/( \([-\d,]+\))+$/, "");
  const seen = new Set<string>();
  for (const seed of LEVELS) {
    for (const env of [plain, hidden]) env.reset(seed);
    const instruction = instructionOf(hidden.question!());
    seen.add(instruction);
    expect(instruction).not.toBe(instructionOf(plain.question!()));
    expect(hidden.question!()).toBe(plain.question!().replace(instructionOf(plain.question!()), instruction));
    const [action] = plain.oracle()!;
    for (const env of [plain, hidden]) env.step(action!);
    expect(hidden.question!()).toBe(plain.question!().replace(instructionOf(plain.question!()), instruction));
  }
  expect(seen.size).toBe(3);
});

test("a text of another level stays what that level begins with, and the game is the level's own", () => {
  const task = testTask("navigation", {}, { render_mode: "text" });
  const control = controls.get("text_of_another_level").apply(task)!;
  const [plain, hidden] = [task, control].map((one) => one.spec.create(one.envConfig));
  for (const seed of LEVELS) {
    for (const env of [plain, hidden]) env.reset(seed);
    const shown = hidden.text();
    expect(shown).not.toBe(plain.text());
    for (const action of plain.oracle()!.slice(0, 2)) expect(hidden.step(action)).toEqual(plain.step(action));
    expect(hidden.text()).toBe(shown);
    plain.reset(seed + 1);
    expect(shown).toBe(plain.text());
  }
});

test("nothing is hidden where a task has no picture, no text or no instruction", () => {
  expect(
    controls.get("blanked_picture").apply(testTask("frozenlake", {}, { render_mode: "text" })),
  ).toBeNull();
  expect(controls.get("text_of_another_level").apply(testTask("frozenlake"))).toBeNull();
  expect(controls.get("shuffled_instruction").apply(testTask("frozenlake"))).toBeNull();
});
