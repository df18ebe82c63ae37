import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Section, SectionKind, Trajectory, Turn } from "../../core/types.ts";
import { NOT_STATED, NOT_THERE } from "../../core/verdict.ts";
import { envs, loadEnv } from "../../envs/index.ts";
import { type Reading, timelineOf } from "../../replay/clock.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { claimsAt, claimsKey, judgeScope, mistakeIn, statesBeliefs } from "./claims.ts";
import type { Playback } from "./playback.ts";

await Promise.all(envs.ids.map(loadEnv));

it("says of worlds that the judge checks where things are, without neighbours, which they do not have", () => {
  const board = fakeTrajectory({ id: "b", seed: 5 });
  const { verdicts } = board.turns[0]!;
  for (const envId of ["navigation", "primitive-skill", "spatial-gym"]) {
    const { turns } = fakeTrajectory({ id: "w", envId, seed: 5 });
    const judged = turns.map((turn) => ({ ...turn, verdicts }));
    expect(judgeScope([{ turns: judged }])).toBe("The judge checks where things are.");
  }
  expect(judgeScope([board])).toMatch(/^The judge checks positions only \(.+\), not statements/);
});

it("says what a claim states or leaves out, and what is true", () => {
  const of = (predicted: string, truth: string) => mistakeIn({ name: "bin", predicted, truth, ok: false });
  expect(of("3 ahead", "2 ahead")).toBe("bin: claimed 3 ahead, correct: 2 ahead");
  expect(of(NOT_STATED, "2 ahead")).toBe("bin: not stated, correct: 2 ahead");
  expect(of("3 ahead", NOT_THERE)).toBe("bin: claimed 3 ahead, not there");
  expect(of("not seen", NOT_THERE)).toBe("bin: claimed not seen, wrongly");
});

/** The second turn of the case study: the tile above is a hole, the reply calls it free, and the player walks there. */
const wrongBelief = recordedTurn("frozenlake-10079-early", 1);

function recordedTurn(id: string, index: number): Turn {
  const file = join(import.meta.dirname, `../../../public/replays/${id}.json`);
  const { trajectory } = JSON.parse(readFileSync(file, "utf8")) as { trajectory: Trajectory };
  return trajectory.turns[index]!;
}

/** A turn that makes only some of its claims. */
function saying(turn: Turn, ...kinds: SectionKind[]): Turn {
  const isSaid = ({ kind }: Section) => kinds.includes(kind) || kind === "answer";
  const verdicts = Object.entries(turn.verdicts).filter(
    ([claim]) => claim === "surroundings" || kinds.includes(claim as SectionKind),
  );
  const sections = turn.parsed.sections.filter(isSaid);
  return { ...turn, parsed: { ...turn.parsed, sections }, verdicts: Object.fromEntries(verdicts) };
}

function playbackOf(turn: Turn, reading: Reading = "log"): Playback {
  const trajectory = { ...fakeTrajectory(), turns: [turn] };
  const timeline = timelineOf(trajectory, reading);
  // Claims follow from the recording alone.
  return { replay: { trajectory, envConfig: {} }, timeline } as unknown as Playback;
}

const MARKS = new Map([
  [true, " ✓"],
  [false, " ✗"],
]);

/** What the picture writes in each phase of a turn. */
function labelsOf(turn: Turn, reading: Reading = "log"): string[] {
  const playback = playbackOf(turn, reading);
  return playback.timeline.phases.map(({ kind }, phase) => {
    const { ghosts = [] } = claimsAt(playback, phase) ?? {};
    const labels = ghosts.map(({ name, ok }) => `${name}${ok === null ? "" : MARKS.get(ok)}`);
    return [`${kind}:`, labels.join(", ")].join(" ").trim();
  });
}

it("shows what is said of neighbours with its verdict before the player moves, and claims once they are read", () => {
  expect(labelsOf(wrongBelief)).toEqual([
    "look:",
    "observation: player, goal",
    "reasoning: free, player ✓, goal ✓",
    "prediction: free ✗, player",
    "answer: free ✗, player",
    "action: player",
    "verdict: player ✓",
  ]);
});

it("shows no claim and no verdict before their words have been read out", () => {
  expect(labelsOf(wrongBelief, "stream")).toEqual([
    "look:",
    "observation:",
    "reasoning: player ✓, goal ✓",
    "prediction: free ✗, player ✓, goal ✓",
    "answer: free ✗, player",
    "action: player",
    "verdict: player ✓",
  ]);
});

it("shows neighbours once the reasoning has been read in all of its places", () => {
  const { sections } = wrongBelief.parsed;
  const [observation, reasoning, prediction, answer] = [
    "observation",
    "reasoning",
    "prediction",
    "answer",
  ].map((kind) => sections.find((section) => section.kind === kind)!);
  const twice = [observation!, reasoning!, answer!, { ...reasoning! }, prediction!];
  const turn = { ...wrongBelief, parsed: { ...wrongBelief.parsed, sections: twice } };
  for (const reading of ["log", "stream"] as const) {
    const labels = labelsOf(turn, reading);
    expect(labels.slice(0, 4).join()).not.toContain("free");
    expect(labels[5]).toContain("free ✗");
  }
});

it("shows it in replies without an observation, and in those that only reason", () => {
  expect(labelsOf(saying(wrongBelief, "reasoning", "prediction"))).toEqual([
    "look:",
    "reasoning: free",
    "prediction: free ✗, player",
    "answer: free ✗, player",
    "action: player",
    "verdict: player ✓",
  ]);
  expect(labelsOf(saying(wrongBelief, "reasoning"))).toEqual([
    "look:",
    "reasoning: free",
    "answer: free ✗",
    "action:",
    "verdict:",
  ]);
});

it("judges neighbours where no judgement came of the observation", () => {
  const { observation } = wrongBelief.verdicts;
  const verdicts = {
    ...wrongBelief.verdicts,
    observation: { ...observation!, status: "not_judged" } as const,
  };
  const turn = saying({ ...wrongBelief, verdicts }, "observation", "reasoning");
  expect(labelsOf(turn)).toContain("answer: free ✗, player, goal");
});

it("has one key for the phases that show the same", () => {
  const playback = playbackOf(wrongBelief);
  const keys = playback.timeline.phases.map((_, phase) => Number(claimsKey(playback, phase).split(" ")[0]));
  expect(keys).toEqual([0, 1, 2, 3, 3, 5, 6]);
});

it("finds what can be outlined in replies that only reason", () => {
  expect(statesBeliefs({ turns: [saying(wrongBelief, "reasoning")] })).toBe(true);
  expect(statesBeliefs({ turns: [{ ...wrongBelief, verdicts: {} }] })).toBe(false);
  const { surroundings } = recordedTurn("frozenlake-10079-early", 0).verdicts;
  expect(statesBeliefs({ turns: [{ ...wrongBelief, verdicts: { surroundings: surroundings! } }] })).toBe(
    false,
  );
});
