import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { teachable } from "./usable.ts";

/** An episode whose replies have these lengths. */
const replying = (...lengths: number[]) =>
  ({
    turns: lengths.map(() => ({})),
    tokens: {
      responseMask: lengths.flatMap((length) => [0, ...Array(length).fill(1)]),
      turnIndex: lengths.flatMap((length, turn) => Array(length + 1).fill(turn)),
    },
  }) as unknown as Trajectory;

const short = [replying(8, 20), replying(20), replying(3, 3, 3)];

test("demonstrations are left out when one of their replies is too long", () => {
  expect(teachable([...short, replying(5, 21, 5)], 20)).toEqual(short);
  expect(teachable(short, 20)).toEqual(short);
});

test("more than a quarter that are too long is an error that names the limit and the longest reply", () => {
  expect(() => teachable([...short, replying(21), replying(4, 33)], 20)).toThrow(
    "rollout.response_length is 20, but 2 of 5 demonstrations have a longer reply, of up to 33 tokens.",
  );
});
