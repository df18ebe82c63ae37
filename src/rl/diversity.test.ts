import { expect, test } from "vitest";
import type { Trajectory, Turn } from "../core/types.ts";
import { distinctShare, diversityMetrics, echoShare, repeatShare } from "./diversity.ts";

test("distinct phrases, counted by hand", () => {
  // "a b", "b c" and "a b", "b d": three different ones of four.
  expect(distinctShare(["a b c", "a b d"], 2)).toBe(0.75);
  expect(distinctShare(["the same words", "the same words"], 3)).toBe(0.5);
  expect(distinctShare(["< answer > Up", "<answer>Up"], 4)).toBe(0.5);
});

test("a text that is shorter than a phrase is one phrase", () => {
  expect(distinctShare(["Up", "Up", "Down", "Left"], 4)).toBe(0.75);
});

test("the echo is the most frequent text", () => {
  expect(echoShare(["x", "y", "x", "z"])).toBe(0.5);
  expect(echoShare(["x", "X", "x ."])).toBe(1 / 3);
});

test("repetition is counted within an episode, and only where there is something to repeat", () => {
  // "x" comes twice in the first; between episodes it does not matter; the last cannot repeat itself.
  expect(repeatShare([["x", "x", "y"], ["x", "y"], ["x"]])).toBe(2 / 5);
  expect(repeatShare([["x"], ["x"]])).toBeNull();
});

test("nothing is measured without texts", () => {
  expect(distinctShare([], 4)).toBeNull();
  expect(echoShare([])).toBeNull();
  expect(diversityMetrics([])).toEqual({});
});

const turn = (observation: string, answer: string) =>
  ({
    reply: `${observation} ${answer}`,
    parsed: { observation, reasoning: "", prediction: "", answer },
  }) as Turn;

test("each kind of text is compared with its own kind; sections that a format lacks are absent", () => {
  const stuck = { turns: [turn("I am here", "Up"), turn("I am here", "Down")] } as Trajectory;
  expect(diversityMetrics([stuck])).toEqual({
    "diversity/distinct_4/observation": 0.5,
    "diversity/echo_share/observation": 1,
    "diversity/repeat_share/observation": 1,
    "diversity/distinct_4/reply": 1,
    "diversity/echo_share/reply": 0.5,
    "diversity/repeat_share/reply": 0,
  });
});
