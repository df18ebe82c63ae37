import { describe, expect, it } from "vitest";
import {
  describePlace,
  marksOf,
  nextMark,
  nextSpeed,
  placeAt,
  READINGS,
  readingMs,
  timelineOf,
  timeOfAction,
  timeOfToken,
  timeOfTurn,
  translate,
} from "./clock.ts";
import { ENDS, episodeOf, turnOf } from "./testing.ts";

const episode = episodeOf([turnOf(0), turnOf(1)], true);
const stream = timelineOf(episode, "stream", [ENDS, ENDS]);

describe("the timeline of an episode", () => {
  it("reads 238 words of six characters in a minute", () => {
    expect(readingMs(238 * 6)).toBe(60_000);
  });
  it("has the phases of every turn in order, without gaps", () => {
    for (const reading of READINGS) {
      const { phases, durationMs, turns } = timelineOf(episode, reading);
      const kinds = ["look", "observation", "reasoning", "prediction", "answer", "action", "verdict"];
      expect(phases.map(({ kind }) => kind)).toEqual([...kinds, ...kinds]);
      for (const [i, { from }] of phases.entries()) expect(from).toBe(phases[i - 1]?.to ?? 0);
      expect(phases.at(-1)!.to).toBe(durationMs);
      expect(turns).toEqual([
        { from: 0, to: durationMs / 2 },
        { from: durationMs / 2, to: durationMs },
      ]);
    }
  });
  it("gives a part of a streamed reply the time that it takes to read, and no part less than half a second", () => {
    const ms = (kind: string) => {
      const { from, to } = stream.phases.find((phase) => phase.kind === kind)!;
      return to - from;
    };
    // 20 characters are 3⅓ words, of which one takes 252 ms.
    expect(ms("reasoning")).toBeCloseTo((20 / 6 / 238) * 60_000);
    expect(ms("answer")).toBe(500);
  });
  it("has no phase for a part that says nothing", () => {
    const { sections } = turnOf(0).parsed;
    const blank = turnOf(0, { reply: `<o>${" ".repeat(10)}${turnOf(0).reply.slice(13)}` });
    expect(sections).toHaveLength(8);
    const { phases } = timelineOf(episodeOf([blank]), "stream");
    expect(phases.map(({ kind }) => kind)).not.toContain("observation");
  });
  it("gives a motion its own time, up to five seconds, and the rest that other actions have", () => {
    const [action] = turnOf(0).executed;
    const arm = turnOf(0, { executed: [action!, action!, action!] });
    for (const reading of READINGS) {
      const ms = (seconds?: (number | null)[][]) =>
        timelineOf(episodeOf([arm]), reading, undefined, seconds)
          .phases.filter(({ kind }) => kind === "action")
          .map(({ from, to }) => to - from);
      const [usual] = ms();
      const rest = 0.4 * usual!;
      expect(ms([[2.5, null, 60]])).toEqual(
        [2500 + rest, usual, 5000 + rest].map((close) => expect.closeTo(close!)),
      );
    }
  });
  it("of no turns has no place", () => {
    const empty = timelineOf(episodeOf([]), "log");
    expect(empty.durationMs).toBe(0);
    expect(placeAt(empty, 0)).toBeNull();
  });
});

describe("a place", () => {
  const at = (kind: string, share: number, turn = 0) => {
    const phase = stream.phases.find((known) => known.kind === kind && known.turn === turn)!;
    return placeAt(stream, phase.from + share * (phase.to - phase.from))!;
  };
  it("knows how much has been read and which token is being read", () => {
    expect(at("look", 0.5)).toMatchObject({ turn: 0, characters: 0, token: null, actions: 0 });
    // Tokens 0 and 1 are given; 2 is markup, and 3 is the observation.
    expect(at("observation", 0.5)).toMatchObject({ characters: 8, token: 3 });
    expect(at("reasoning", 0.25)).toMatchObject({ characters: 21, token: 5 });
    expect(at("prediction", 0, 1)).toMatchObject({ turn: 1, token: 17 });
    expect(at("action", 0.5)).toMatchObject({ actions: 1, token: null });
    expect(at("verdict", 0.5)).toMatchObject({ actions: 1 });
  });
  it("knows how far a motion is, which then rests", () => {
    const timeline = timelineOf(episodeOf([turnOf(0)]), "log", undefined, [[3]]);
    const { from, to } = timeline.phases.find(({ kind }) => kind === "action")!;
    expect(placeAt(timeline, from + 1500)!.way).toBeCloseTo(0.5);
    expect([placeAt(timeline, from + 3001)!.way, placeAt(timeline, to - 1)!.way]).toEqual([1, 1]);
    expect(placeAt(timeline, from + 3001)!.progress).toBeLessThan(1);
    expect(at("action", 0.3).way).toBeCloseTo(0.5);
  });
  it("stays within the timeline", () => {
    expect(placeAt(stream, -5)).toMatchObject({ turn: 0, kind: "look", progress: 0 });
    expect(placeAt(stream, 1e9)).toMatchObject({ turn: 1, kind: "verdict", progress: 1 });
  });
  it("comes back from the time of its turn, its token or its action", () => {
    expect(placeAt(stream, timeOfTurn(stream, 1))).toMatchObject({ turn: 1, kind: "look" });
    for (const token of [3, 5, 7, 9, 13, 15, 17, 19])
      expect(placeAt(stream, timeOfToken(stream, token)!)!.token).toBe(token);
    expect(placeAt(stream, timeOfAction(stream, 1, 0))).toMatchObject({
      turn: 1,
      kind: "action",
      actions: 1,
    });
    // Beyond the last action is the verdict.
    expect(placeAt(stream, timeOfAction(stream, 0, 1))).toMatchObject({ turn: 0, kind: "verdict" });
    expect(timeOfToken(stream, 0)).toBeNull();
  });
  it("is the same in every reading", () => {
    const log = timelineOf(episode, "log", [ENDS, ENDS]);
    for (const { from, to } of stream.phases) {
      const ms = from + 0.4 * (to - from);
      const { turn, kind, progress } = placeAt(stream, ms)!;
      const there = placeAt(log, translate(ms, stream, log))!;
      expect([there.turn, there.kind]).toEqual([turn, kind]);
      expect(there.progress).toBeCloseTo(progress);
    }
  });
  it("is described in words", () => {
    const { turns } = episode;
    expect(describePlace(at("prediction", 0, 1), turns)).toBe("turn 2 of 2, prediction");
    expect(describePlace(at("action", 0), turns)).toBe("turn 1 of 2, action Right");
  });
  it("spreads tokens evenly where their text is not known", () => {
    const { tokens } = timelineOf(episode, "stream");
    expect(tokens[0]!.ends).toEqual([7, 14, 21, 29, 36, 43, 50, 57]);
    // So does a list of ends that belongs to other tokens.
    expect(timelineOf(episode, "stream", [[1, 2], ENDS]).tokens[0]!.ends).toEqual(tokens[0]!.ends);
  });
});

describe("a step", () => {
  const { durationMs } = stream;
  it("leads to the next or previous turn, phase or token", () => {
    const [, second] = stream.turns;
    expect(nextMark(marksOf(stream, "turn"), 10, 1, durationMs)).toBe(second!.from);
    expect(nextMark(marksOf(stream, "turn"), second!.from, -1, durationMs)).toBe(0);
    expect(nextMark(marksOf(stream, "phase"), 0, 1, durationMs)).toBe(stream.phases[1]!.from);
    const token = nextMark(marksOf(stream, "token"), timeOfToken(stream, 3)!, 1, durationMs);
    expect(placeAt(stream, token)!.token).toBe(5);
  });
  it("back within a phase leads to its start", () => {
    const { from, to } = stream.phases[2]!;
    expect(nextMark(marksOf(stream, "phase"), (from + to) / 2, -1, durationMs)).toBe(from);
  });
  it("ends at the ends", () => {
    expect(nextMark(marksOf(stream, "turn"), durationMs - 1, 1, durationMs)).toBe(durationMs);
    expect(nextMark(marksOf(stream, "turn"), 0, -1, durationMs)).toBe(0);
  });
});

it("changes speed in steps between a quarter and four times", () => {
  expect([
    nextSpeed(1, 1),
    nextSpeed(1, -1),
    nextSpeed(4, 1),
    nextSpeed(0.25, -1),
    nextSpeed(1.5, 1),
  ]).toEqual([2, 0.5, 4, 0.25, 2]);
});
