import { expect, test } from "vitest";
import { rng } from "../core/rng.ts";
import { conversation, turnSequences } from "./conversation.ts";

const image = 2;
const reply = (ids: number[]) => ({
  ids: Int32Array.from(ids),
  logprobs: Float32Array.from(ids, (id) => -id / 8),
});

test("a two-turn conversation, position by position", () => {
  const tokens = conversation(image);
  tokens.addPrompt(Int32Array.of(0, 30, 3, image, image, 4));
  tokens.addReply(reply([40, 41, 1]));
  tokens.addPrompt(Int32Array.of(3, image, image, 4));
  tokens.addReply(reply([42, 1]));
  tokens.addPrompt(Int32Array.of(3, image, image, 4));
  const record = tokens.finish([0.5, 10]);
  expect(Array.from(record.ids)).toEqual([0, 30, 3, 2, 2, 4, 40, 41, 1, 3, 2, 2, 4, 42, 1]);
  expect(Array.from(record.responseMask)).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 1]);
  expect(Array.from(record.turnEndMask)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
  expect(Array.from(record.turnIndex)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1]);
  expect(Array.from(record.imagePatch)).toEqual([-1, -1, -1, 0, 1, -1, -1, -1, -1, -1, 2, 3, -1, -1, -1]);
  expect(record.rewards[8]).toBe(0.5);
  expect(record.rewards[14]).toBe(10);
  expect(record.rolloutLogprobs[6]).toBe(-5);
  expect(record.rolloutLogprobs[0]).toBe(0);
});

test("a picture token that the policy writes is no picture", () => {
  const tokens = conversation(image);
  tokens.addPrompt(Int32Array.of(image));
  tokens.addReply(reply([image, 1]));
  tokens.addPrompt(Int32Array.of(image));
  tokens.addReply(reply([1]));
  expect(Array.from(tokens.finish([0, 0]).imagePatch)).toEqual([0, -1, -1, 1, -1]);
});

test("an empty reply and a wrong number of rewards are errors", () => {
  const tokens = conversation(image);
  expect(() => tokens.addReply(reply([]))).toThrow(RangeError);
  tokens.addReply(reply([1]));
  expect(() => tokens.finish([])).toThrow(RangeError);
});

test("masks, turns and rewards of any conversation fit together", () => {
  const random = rng(11);
  const someIds = (length: number) => Int32Array.from({ length }, () => random.int(128));
  for (let round = 0; round < 300; round++) {
    const tokens = conversation(image);
    const rewards = Array.from({ length: 1 + random.int(6) }, () => random.int(64) / 8);
    const prompts = new Set<number>();
    for (const _ of rewards) {
      const prompt = someIds(random.int(9));
      for (let i = 0; i < prompt.length; i++) prompts.add(tokens.length + i);
      tokens.addPrompt(prompt);
      tokens.addReply(reply(Array.from(someIds(1 + random.int(9)))));
    }
    const end = tokens.length;
    tokens.addPrompt(someIds(random.int(5)));
    const record = tokens.finish(rewards);

    const { refLogprobs, ...aligned } = record;
    for (const array of Object.values(aligned)) expect(array).toHaveLength(end);
    expect(refLogprobs).toHaveLength(0);
    for (let t = 0; t < end; t++) {
      expect(record.responseMask[t]).toBe(prompts.has(t) ? 0 : 1);
      expect(record.imagePatch[t] >= 0).toBe(record.ids[t] === image && prompts.has(t));
      if (record.imagePatch[t] >= 0) expect(record.responseMask[t]).toBe(0);
      if (record.rewards[t] !== 0) expect(record.turnEndMask[t]).toBe(1);
      if (record.turnEndMask[t]) expect(record.responseMask[t]).toBe(1);
    }
    for (const [turn, reward] of rewards.entries()) {
      const ends = Array.from(record.turnEndMask.keys()).filter(
        (t) => record.turnEndMask[t] && record.turnIndex[t] === turn,
      );
      expect(ends).toHaveLength(1);
      expect(record.rewards[ends[0]]).toBe(reward);
    }
    const sum = (values: Iterable<number>) => Array.from(values).reduce((a, b) => a + b, 0);
    expect(sum(record.rewards)).toBe(sum(rewards));
    expect(record.turnEndMask[end - 1]).toBe(1);
  }
});

/** Opening 0 30, then turns of a two-patch picture with replies 40 1, then 41 image 1, then 42 1. */
function threeTurns() {
  const tokens = conversation(image);
  tokens.addOpening(Int32Array.of(0, 30));
  for (const [turn, ids] of [
    [40, 1],
    [41, image, 1],
    [42, 1],
  ].entries()) {
    tokens.addPrompt(Int32Array.of(50 + turn, image, image));
    tokens.addReply(reply(ids));
  }
  return tokens;
}

test("a sequence per turn with one turn of history, position by position", () => {
  const { sequences, ...record } = threeTurns().finish([0.5, 1, 10], turnSequences(3, 1));
  expect(sequences).toEqual([
    { from: 0, to: 7, firstTurn: 0, lastTurn: 0 },
    { from: 7, to: 20, firstTurn: 0, lastTurn: 1 },
    { from: 20, to: 33, firstTurn: 1, lastTurn: 2 },
  ]);
  const sequence = (k: number, array: ArrayLike<number>) =>
    Array.from(array).slice(sequences![k]!.from, sequences![k]!.to);
  expect(sequence(0, record.ids)).toEqual([0, 30, 50, 2, 2, 40, 1]);
  expect(sequence(1, record.ids)).toEqual([0, 30, 50, 2, 2, 40, 1, 51, 2, 2, 41, 2, 1]);
  expect(sequence(2, record.ids)).toEqual([0, 30, 51, 2, 2, 41, 2, 1, 52, 2, 2, 42, 1]);
  // Only the sequence's own reply is trained on, paid and ended; pictures count from the sequence's first.
  expect(sequence(1, record.responseMask)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1]);
  expect(sequence(1, record.turnEndMask)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(sequence(1, record.rewards)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]);
  expect(sequence(1, record.imagePatch)).toEqual([-1, -1, -1, 0, 1, -1, -1, -1, 2, 3, -1, -1, -1]);
  expect(sequence(2, record.imagePatch)).toEqual([-1, -1, -1, 0, 1, -1, -1, -1, -1, 2, 3, -1, -1]);
  expect(sequence(1, record.turnIndex)).toEqual(new Array(13).fill(1));
  expect(sequence(2, record.rolloutLogprobs)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -42 / 8, -1 / 8]);
});

test("what a reply is drawn from is what its sequence begins with", () => {
  for (const history of [0, 1, 2, Infinity]) {
    const tokens = conversation(image);
    tokens.addOpening(Int32Array.of(0, 30));
    const contexts = [0, 1, 2, 3].map((turn) => {
      tokens.addPrompt(Int32Array.of(50 + turn, image));
      const context = tokens.context(history);
      tokens.addReply(reply([40 + turn, image, 1]));
      return context;
    });
    const { sequences, ids, imagePatch } = tokens.finish([0, 0, 0, 0], turnSequences(4, history));
    for (const [turn, context] of contexts.entries()) {
      const { from, to, firstTurn } = sequences![turn]!;
      expect(context.firstTurn).toBe(firstTurn);
      expect(Array.from(context.ids)).toEqual(Array.from(ids.subarray(from, to - 3)));
      context.responseMask.forEach((own, t) => {
        if (context.ids[t] === image) expect(imagePatch[from + t]! >= 0).toBe(own === 0);
      });
    }
  }
});

test("sequences of whole histories say what the whole conversation says", () => {
  const whole = threeTurns().finish([0.5, 1, 10]);
  const { sequences, ...record } = threeTurns().finish([0.5, 1, 10], turnSequences(3, Infinity));
  const { from, to } = sequences![2]!;
  expect(record.ids.slice(from, to)).toEqual(whole.ids);
  expect(record.imagePatch.slice(from, to)).toEqual(whole.imagePatch);
  const sampled = ({ ids, responseMask }: typeof whole) => Array.from(ids).filter((_, t) => responseMask[t]);
  expect(sampled(record)).toEqual(sampled(whole));
});
