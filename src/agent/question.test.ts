import { expect, test } from "vitest";
import { questionOf } from "./question.ts";
import { testTask } from "./test-task.ts";

test("a question has words, tokens and a picture, and grades what is replied", () => {
  const task = testTask("visual-math", { format: "boxed" }, { questions: ["length"] });
  const { prompt, promptIds, images, grade } = questionOf(task, 7);
  expect(prompt).toBe("turn 1 how long is A B<image>");
  expect(images.map(({ width, height }) => [width, height])).toEqual([[40, 40]]);
  const { vocabulary } = task;
  expect([...promptIds].filter((id) => id === vocabulary.image)).toHaveLength(25);
  expect(promptIds[0]).toBe(vocabulary.bos);
  expect(promptIds.at(-1)).toBe(vocabulary.assistant);

  const env = task.spec.create(task.envConfig);
  env.reset(7);
  const [answer] = env.oracle() ?? [];
  expect(grade(`<think>t</think>\\boxed{0${answer}}<eos>`)).toBe(1);
  expect(grade(`\\boxed{${answer}}`)).toBe(0.9);
  expect(grade("<think>t</think>\\boxed{}")).toBe(0.1);
  expect(grade(`${answer}`)).toBe(0);
});

test("the weights are the environment's rewards", () => {
  const task = testTask("visual-math", { format: "boxed" }, { success_reward: 2, format_reward: 0.5 });
  expect(questionOf(task, 1).grade("<think>t</think>\\boxed{no}")).toBe(0.5);
});

test("a level that takes several moves is no question", () => {
  const task = testTask("frozenlake");
  const seeds = Array.from({ length: 20 }, (_, seed) => seed);
  expect(() => seeds.map((seed) => questionOf(task, seed))).toThrow("no question with one answer");
});
