// Test aid only: an episode with known text, for the timeline and what is said about it.
import type { Section, SectionKind, Trajectory, Turn, Verdict } from "../core/types.ts";

/** A reply of an observation, a reasoning, a prediction and an answer, of 10, 20, 10 and 5 characters. */
const PARTS: readonly (readonly [kind: SectionKind, text: string])[] = [
  ["tag", "<o>"],
  ["observation", "0123456789"],
  ["tag", "<r>"],
  ["reasoning", "01234567890123456789"],
  ["tag", "<p>"],
  ["prediction", "0123456789"],
  ["tag", "<a>"],
  ["answer", "Right"],
];

export const noVerdict = (status: Verdict["status"], fields: Verdict["fields"] = []): Verdict => ({
  ...{ status, score: status === "match" ? 1 : 0, judge: "rule", reason: "", fields },
});

/** Claims that the player is at [0, 1], where it is at [0, 0]. */
export const WRONG: Verdict = noVerdict("mismatch", [
  { name: "player", predicted: "row 0 col 1", truth: "row 0 col 0", ok: false, cells: [[0, 1]] },
]);

export function turnOf(index: number, change: Partial<Turn> = {}): Turn {
  const sections: Section[] = [];
  for (const [kind, text] of PARTS) {
    const from = sections.at(-1)?.to ?? 0;
    sections.push({ kind, from, to: from + text.length });
  }
  const reply = PARTS.map(([, text]) => text).join("");
  const scene = { rows: 1, cols: 3, player: [0, index] as const, entities: {} };
  return {
    ...{ index, observation: { text: "", images: [] }, reply },
    parsed: {
      ...{ formatOk: true, reason: "", observation: "", reasoning: "", prediction: "", answer: "Right" },
      ...{ actions: ["Right"], droppedActions: [], sections },
    },
    executed: [{ name: "Right", valid: true, effective: true, note: "" }],
    verdicts: { observation: noVerdict("match"), prediction: noVerdict("match") },
    ...{ taskReward: 0, rewards: {}, reward: 0, before: scene, after: scene },
    ...{ actionIsEffective: true, actionIsValid: true },
    ...change,
  };
}

/** An episode with these turns. Each turn has two given tokens and eight written ones: markup and text in turn. */
export function episodeOf(turns: Turn[], success = false): Trajectory {
  const T = turns.length * 10;
  const zeros = () => new Float32Array(T);
  return {
    ...{ id: "e", envId: "frozenlake", seed: 1, groupId: "g", turns, success },
    ...{ terminated: success, truncated: !success },
    tokens: {
      ids: Int32Array.from({ length: T }, (_, i) => i),
      responseMask: Uint8Array.from({ length: T }, (_, i) => (i % 10 < 2 ? 0 : 1)),
      turnEndMask: Uint8Array.from({ length: T }, (_, i) => (i % 10 === 9 ? 1 : 0)),
      turnIndex: Int16Array.from({ length: T }, (_, i) => Math.floor(i / 10)),
      imagePatch: new Int32Array(T).fill(-1),
      ...{ rolloutLogprobs: zeros(), rewards: zeros(), values: zeros(), advantages: zeros() },
      ...{ returns: zeros(), entropy: zeros(), refLogprobs: new Float32Array() },
    },
  };
}

/** Where the eight tokens of a reply end in its text. */
export const ENDS = [3, 13, 16, 36, 39, 49, 52, 57];
