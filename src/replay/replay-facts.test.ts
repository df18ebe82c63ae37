// Events, differences, pairs, moments and messages: what is said about replays.
import { describe, expect, it } from "vitest";
import { timelineOf } from "./clock.ts";
import { firstDifference } from "./difference.ts";
import { eventsOf } from "./events.ts";
import { readCommand } from "./messages.ts";
import { type Moment, namesMoment, readMoment, writeMoment } from "./moment.ts";
import { longerIn, pairTimeline, timeInOne, timeInPair, translatePair, turnAt } from "./pair.ts";
import { episodeOf, noVerdict, turnOf, WRONG } from "./testing.ts";

describe("the events of an episode", () => {
  it("are none where all goes well but the end is not reached", () => {
    expect(eventsOf(episodeOf([turnOf(0), turnOf(1)]), null)).toEqual([]);
  });
  it("name the first wrong belief only, and say what is true", () => {
    const wrong = { observation: WRONG, prediction: noVerdict("match") };
    const events = eventsOf(
      episodeOf([turnOf(0), turnOf(1, { verdicts: wrong }), turnOf(2, { verdicts: wrong })]),
      null,
    );
    expect(events).toEqual([
      {
        ...{ kind: "wrong_belief", turn: 1, phase: "observation" },
        text: "Turn 2: the first wrong belief. It says player: row 0 col 1; the truth is row 0 col 0.",
      },
    ]);
  });
  it("count a partly wrong claim, and not one without a judgement", () => {
    const kinds = (status: "partial" | "format" | "off" | "not_judged" | "unreadable") =>
      eventsOf(episodeOf([turnOf(0, { verdicts: { prediction: noVerdict(status) } })]), null).map(
        ({ kind }) => kind,
      );
    expect(kinds("partial")).toEqual(["wrong_prediction"]);
    for (const status of ["format", "off", "not_judged", "unreadable"] as const)
      expect(kinds(status)).toEqual([]);
  });
  it("name every wrong prediction, invalid action, the lost turn and the goal", () => {
    const turns = [
      turnOf(0, { verdicts: { prediction: WRONG } }),
      turnOf(1, { actionIsValid: false, executed: [], parsed: { ...turnOf(1).parsed, reason: "no answer" } }),
      turnOf(2, { executed: [{ name: "Up", valid: true, effective: true, note: "fell into a hole" }] }),
    ];
    const events = eventsOf(episodeOf(turns), 2);
    expect(events.map(({ kind, turn }) => [kind, turn])).toEqual([
      ["wrong_prediction", 0],
      ["invalid_action", 1],
      ["lost", 2],
    ]);
    expect(events[1]!.text).toBe("Turn 2: an invalid action: no answer.");
    expect(events[2]!.text).toBe(
      "Turn 3: lost here. After Up (fell into a hole) the goal is out of reach with the turns left.",
    );
    expect(eventsOf(episodeOf(turns, true), null).at(-1)).toMatchObject({ kind: "goal", turn: 2 });
  });
});

describe("the first difference of two episodes", () => {
  const other = { executed: [{ name: "Up", valid: true, effective: true, note: "" }] };
  it("is none between equal ones", () => {
    expect(firstDifference(episodeOf([turnOf(0)]), episodeOf([turnOf(0)]))).toBeNull();
  });
  it("is the action where other actions were executed, and else the reply", () => {
    const a = episodeOf([turnOf(0), turnOf(1)]);
    const reworded = turnOf(0, { reply: "other" });
    expect(firstDifference(a, episodeOf([reworded, turnOf(1, other)]))).toEqual({ turn: 0, what: "reply" });
    expect(firstDifference(a, episodeOf([turnOf(0), turnOf(1, other)]))).toEqual({ turn: 1, what: "action" });
  });
  it("is the turn that only one of them has", () => {
    const a = episodeOf([turnOf(0)]);
    expect(firstDifference(a, episodeOf([turnOf(0), turnOf(1)]))).toEqual({ turn: 1, what: "action" });
  });
});

describe("two replays in step", () => {
  const long = turnOf(0, { executed: Array.from({ length: 3 }, () => turnOf(0).executed[0]!) });
  const a = timelineOf(episodeOf([long, turnOf(1)]), "log");
  const b = timelineOf(episodeOf([turnOf(0), turnOf(1), turnOf(2)]), "log");
  const pair = pairTimeline(a, b);

  it("begin their turns together, and a turn is as long as the longer one", () => {
    expect(pair.turns[0]!.to).toBe(a.turns[0]!.to);
    expect(pair.durationMs).toBe(a.turns[0]!.to + 2 * b.turns[0]!.to);
    expect(timeInOne(pair, a, pair.turns[1]!.from)).toBe(a.turns[1]!.from);
    expect(timeInOne(pair, b, pair.turns[1]!.from)).toBe(b.turns[1]!.from);
    expect([longerIn(0, a, b), longerIn(2, a, b)]).toEqual([0, 1]);
  });
  it("wait for each other, and stay at their own end", () => {
    const waiting = timeInOne(pair, b, pair.turns[0]!.to - 1);
    expect(turnAt(b, waiting)).toBe(0);
    expect(timeInOne(pair, a, pair.durationMs)).toBe(a.durationMs);
    expect(timeInOne(pair, b, pair.durationMs)).toBe(b.durationMs);
  });
  it("have one time for a moment of either", () => {
    for (const ms of [0, 700, a.turns[1]!.from + 10])
      expect(timeInOne(pair, a, timeInPair(pair, a, ms))).toBe(ms);
  });
  it("keep turn and share of it in another reading", () => {
    const streamed = pairTimeline(timelineOf(episodeOf([long, turnOf(1)]), "stream"), b);
    const { from, to } = pair.turns[1]!;
    const there = streamed.turns[1]!;
    expect(translatePair((from + to) / 2, pair, streamed)).toBeCloseTo((there.from + there.to) / 2);
  });
});

describe("a moment in an address", () => {
  const read = (query: string) => readMoment(new URLSearchParams(query));
  const start: Moment = {
    turn: 0,
    token: null,
    action: null,
    reading: null,
    speed: null,
    from: null,
    to: null,
  };

  it("is read back as it was written", () => {
    const moment: Moment = { turn: 1, token: 37, action: null, reading: "stream", speed: 1, from: 1, to: 3 };
    expect(writeMoment(moment).toString()).toBe("turn=2&tok=37&read=stream&speed=1&from=2&to=4");
    expect(readMoment(writeMoment(moment))).toEqual(moment);
    expect(readMoment(writeMoment({ ...start, action: 2 }))).toEqual({ ...start, action: 2 });
  });
  it("is the start, or the first turn to play, without a turn", () => {
    expect(read("")).toEqual(start);
    expect(read("from=3")).toEqual({ ...start, turn: 2, from: 2 });
  });
  it.each([
    "turn=0",
    "turn=-1",
    "turn=x",
    "turn=1e9999",
    "speed=9",
    "speed=NaN",
    "speed=",
    "read=loud",
    "tok=-1",
    "act=0",
  ])("ignores %s", (query) => expect(read(query)).toEqual(start));
  it("is named by a turn, a token or an action only", () => {
    const names = (query: string) => namesMoment(new URLSearchParams(query));
    expect([names("turn=1"), names("tok=3"), names("act=1"), names("speed=2&read=log")]).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });
});

describe("a message to an embedded player", () => {
  it("is a command with its defaults", () => {
    expect(readCommand({ type: "vagen:play", more: 1 })).toEqual({ type: "vagen:play" });
    expect(readCommand({ type: "vagen:step" })).toEqual({ type: "vagen:step", unit: "phase", by: 1 });
    expect(readCommand({ type: "vagen:seek", turn: 2 })).toEqual({
      type: "vagen:seek",
      turn: 2,
      token: null,
    });
    expect(readCommand({ type: "vagen:speed", speed: 0.25 })).toEqual({ type: "vagen:speed", speed: 0.25 });
  });
  it.each([
    null,
    "vagen:play",
    [],
    {},
    { type: "play" },
    { type: "vagen:step", by: 2 },
    { type: "vagen:step", unit: "year" },
    { type: "vagen:seek" },
    { type: "vagen:seek", turn: 0 },
    { type: "vagen:seek", turn: 1.5 },
    { type: "vagen:seek", turn: 1, token: "3" },
    { type: "vagen:speed", speed: "1" },
    { type: "vagen:speed", speed: Number.NaN },
    { type: "vagen:speed", speed: 5 },
  ])("is ignored when it is %j", (data) => expect(readCommand(data)).toBeNull());
});
