// What PIVOT's teacher reads: worked examples of prefixes, and where the tokens of a sequence go.
import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { rng } from "../core/rng.ts";
import type { Frame, Trajectory } from "../core/types.ts";
import { buildTask } from "../run/task.ts";
import { pivotOf, pivotPrefix, prefixTokens, randomPivot, withPrefix } from "./pivot.ts";
import { createVocabulary } from "./vocabulary.ts";

const taskWith = (changes: object = {}) =>
  buildTask(checkedRunConfig({ env: { name: "frozenlake" }, actor: { use_pivot: true }, ...changes }));
const task = taskWith();
const frame = (grey: number): Frame => ({
  width: 1,
  height: 1,
  data: Uint8ClampedArray.from([grey, grey, grey, 255]),
});
const greys = (pictures: readonly Frame[]) => pictures.map(({ data }) => data[0]);
const turns = [1, 2, 3].map((grey) => ({
  observation: { text: "", images: [frame(grey)] },
})) as Trajectory["turns"];

test("words are two tokens that decode to how and when the game was lost", () => {
  const { ids, images } = pivotPrefix({ turns }, { turn: 2, mode: "deadlock" }, task, "words");
  expect(task.vocabulary.decode(ids)).toBe(" lost by deadlock at turn 3");
  expect([ids.length, images]).toEqual([2, []]);
});

test("the words come after those of the common vocabulary, whose ids stay", () => {
  const common = createVocabulary().toJSON().surfaces;
  const words = common.filter((text, id) => text !== `<unused ${id}>`);
  expect(task.vocabulary.toJSON().surfaces.slice(0, words.length)).toEqual(words);
  expect(words.some((text) => text.includes("lost by"))).toBe(false);
});

test("the panel shows the turns around the pivot turn, black where there is none", () => {
  const panelAt = (turn: number) => pivotPrefix({ turns }, { turn, mode: "timeout" }, task, "panel");
  expect(greys(panelAt(1).images)).toEqual([1, 2, 3]);
  expect(greys(panelAt(0).images)).toEqual([0, 1, 2]);
  expect(greys(panelAt(2).images)).toEqual([2, 3, 0]);
  const { ids } = panelAt(0);
  expect(ids.filter((id) => id === task.vocabulary.image)).toHaveLength(3 * task.imageTokens);
  expect(ids).toHaveLength(prefixTokens(task, "panel"));
});

test("the prefix follows the opening, and every token keeps its place on the batch axis", () => {
  const { bos, image } = task.vocabulary;
  const opening = task.vocabulary.encode("<bos>FrozenLake grounding_worldmodeling");
  expect(opening[0]).toBe(bos);
  const first = opening.length;
  const sequence = {
    ids: Int32Array.from([...opening, image, image, 40, 41]),
    imagePatch: Int32Array.from([...opening.map(() => -1), 0, 1, -1, -1]),
    images: [frame(7)],
    targetMask: Uint8Array.from([...opening.map(() => 0), 0, 0, 1, 1]),
    batchStart: 1,
  };
  const prefix = { ids: Int32Array.from([50, image, image]), images: [frame(9)] };
  const longer = withPrefix(sequence, prefix, task);
  expect(Array.from(longer.ids)).toEqual([...opening, 50, image, image, image, image, 40, 41]);
  expect(Array.from(longer.imagePatch.slice(first))).toEqual([-1, 0, 1, 2, 3, -1, -1]);
  expect(greys(longer.images)).toEqual([9, 7]);
  const places = ({ targetMask, batchStart }: { targetMask: Uint8Array; batchStart: number }) =>
    Array.from(targetMask).flatMap((marked, t) => (marked ? [batchStart + t] : []));
  expect(places(longer)).toEqual(places(sequence));
  expect(longer.batchStart).toBe(1 - 3);
});

test("an episode that was cut while it could be won ran out of turns at its last one", () => {
  const scene = { rows: 1, cols: 3, player: [0, 0], entities: { goal: [[0, 2]], hole: [] } };
  const cut = { success: false, turns: [{ before: scene, after: scene }] } as unknown as Trajectory;
  expect(pivotOf(cut, task, new Map())).toEqual({ turn: 0, mode: "timeout" });
});

test("a random pivot is one of the turns played, the same for the same seed", () => {
  const drawn = Array.from({ length: 40 }, (_, i) => randomPivot({ turns } as Trajectory, rng(i)));
  expect(new Set(drawn.map(({ turn }) => turn))).toEqual(new Set([0, 1, 2]));
  expect(new Set(drawn.map(({ mode }) => mode))).toEqual(new Set(["deadlock", "timeout"]));
  expect(randomPivot({ turns } as Trajectory, rng(3))).toEqual(drawn[3]);
});
