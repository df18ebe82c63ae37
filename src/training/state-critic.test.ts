import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import { packBatch } from "./batch.ts";
import { StateCritic } from "./state-critic.ts";

const scene = (column: number) => ({ rows: 1, cols: 9, player: [0, column] as const, entities: {} });
/** A corridor whose goal is at column 3. */
const task = {
  maxTurns: 3,
  spec: { movesLeft: ({ player }: { player: readonly [number, number] }) => Math.abs(3 - player[1]) },
} as unknown as ConstructorParameters<typeof StateCritic>[0];

interface Walk {
  /** Columns before the first turn and after each of two turns. */
  columns: [number, number, number];
  /** What each turn earns from there on. */
  returns: [number, number];
  success?: boolean;
}

/** Two turns of two tokens: p a a o b b. */
function walk({ columns: [from, over, to], returns: [first, second], success = false }: Walk): Trajectory {
  const turn = (before: number, after: number) => ({
    before: scene(before),
    after: scene(after),
    observation: { text: "", images: [] },
  });
  return {
    groupId: "g",
    terminated: success,
    success,
    turns: [turn(from, over), turn(over, to)],
    tokens: {
      ids: new Int32Array(6),
      imagePatch: new Int32Array(6).fill(-1),
      responseMask: Uint8Array.of(0, 1, 1, 0, 1, 1),
      turnEndMask: Uint8Array.of(0, 0, 1, 0, 0, 1),
      turnIndex: Int16Array.of(0, 0, 0, 1, 1, 1),
      rewards: new Float32Array(6),
      values: new Float32Array(6),
      returns: Float32Array.of(9, first, first, 9, second, second),
    },
  } as unknown as Trajectory;
}

const near = walk({ columns: [0, 1, 3], returns: [1, 1], success: true });
const far = walk({ columns: [0, 0, 0], returns: [0, 0] });

test("nothing is known before the first batch", () => {
  expect([...new StateCritic(task).values(packBatch([near]))]).toEqual([0, 0, 0, 0, 0, 0]);
});

test("tokens before a decision share the value of their state, and only the last token knows where it leads", () => {
  const critic = new StateCritic(task);
  critic.learn(packBatch([near, far]));
  const [a, b] = [critic.values(packBatch([near])), critic.values(packBatch([far]))];
  // Both began in the same state; the decisions differ.
  expect([...a.subarray(0, 2)]).toEqual([...b.subarray(0, 2)]);
  expect(a[2]).toBeGreaterThan(b[2] as number);
  // The next turn begins with the observation of its state.
  expect(a[3]).toBe(a[4]);
  expect(a[4]).toBeGreaterThan(b[4] as number);
  expect(a[5]).toBeGreaterThan(b[5] as number);
});

test("a value before the last token does not depend on what the turn does", () => {
  const critic = new StateCritic(task);
  critic.learn(packBatch([near, far]));
  const other = walk({ columns: [0, 1, 8], returns: [5, 5] });
  const [a, b] = [critic.values(packBatch([near])), critic.values(packBatch([other]))];
  expect([...a.subarray(0, 5)]).toEqual([...b.subarray(0, 5)]);
  expect(a[5]).not.toBe(b[5]);
});

test("a restored critic continues with equal bits", () => {
  const critic = new StateCritic(task);
  critic.learn(packBatch([near, far]));
  const restored = new StateCritic(task, JSON.parse(JSON.stringify(critic)));
  for (const one of [critic, restored]) one.learn(packBatch([far, near]));
  expect(restored.values(packBatch([near, far]))).toEqual(critic.values(packBatch([near, far])));
  expect(restored.toJSON()).toEqual(critic.toJSON());
});
