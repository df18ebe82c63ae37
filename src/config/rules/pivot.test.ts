import { expect, test } from "vitest";
import { inspectRunConfig } from "../check.ts";
import { problemText } from "./problem.ts";

const problemsOf = (config: object) =>
  inspectRunConfig({ ...config, actor: { use_pivot: true } }).problems.map((problem) => {
    const { message, hint } = problemText(problem);
    return `${problem.path}: ${message} ${hint}`;
  });

test("PIVOT needs a solver that decides every state, and pictures for its panel", () => {
  expect(problemsOf({ env: { name: "frozenlake" } })).toEqual([]);
  const [questions] = problemsOf({
    env: { name: "visual-math" },
    rollout: { prompt_format: "boxed" },
    judge: { name: "off" },
  });
  expect(questions).toMatch(/^actor\.use_pivot: .*no solver.*frozenlake.*sokoban/);
  const [boxes] = problemsOf({ env: { name: "sokoban", config: { num_boxes: 2 } } });
  expect(boxes).toMatch(/^actor\.use_pivot: .*several boxes.*Set env\.config\.num_boxes to 1/);
  const [text] = problemsOf({ env: { name: "frozenlake", config: { render_mode: "text" } } });
  expect(text).toMatch(/^actor\.pivot_prefix: .*no pictures.*words/);
});
