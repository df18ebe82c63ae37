import { expect, test } from "vitest";
import type { Task } from "../agent/task.ts";
import { taskNamed } from "./eval-run.ts";

const stack = { spec: { id: "stack" } } as Task;
const task = { spec: { id: "place" }, others: new Map([["stack", stack]]) } as unknown as Task;

test("--env names an environment of the run, by default the first", () => {
  expect(taskNamed(task, undefined)).toBe(task);
  expect(taskNamed(task, "place")).toBe(task);
  expect(taskNamed(task, "stack")).toBe(stack);
});

test.each([
  ["stak", 'Did you mean "stack"?'],
  ["drawer", "It has: place, stack."],
])("--env %s, which the run does not have", (name, hint) => {
  const message = `--env is "${name}"; the run has no environment of that name.`;
  expect(() => taskNamed(task, name)).toThrow(expect.objectContaining({ message, hint }));
});
