// Events, differences, pairs, moments and messages: what is said about replays.
import { describe, expect, it } from "vitest";
import type { Turn } from "../core/types.ts";
import { NOT_STATED, NOT_THERE } from "../core/verdict.ts";
import { timelineOf } from "./clock.ts";
import { describeDifference, firstDifference } from "./difference.ts";
import { eventsOf } from "./events.ts";
import { readCommand } from "./messages.ts";
import { type Moment, momentAtTurn, namesMoment, readMoment, writeMoment } from "./moment.ts";
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
        text: "It claims player: row 0 col 1. Correct: row 0 col 0.",
      },
    ]);
  });
  it("say what a claim leaves out, and that a thing is not there", () => {
    const said = (predicted: string, truth: string, name = "chair") => {
      const observation = { ...WRONG, fields: [{ name, predicted, truth, ok: false }] };
      return eventsOf(episodeOf([turnOf(0, { verdicts: { observation } })]), null)[0]!.text;
    };
    expect(said(NOT_STATED, "3 ahead")).toBe("It does not mention the chair. Correct: 3 ahead.");
    expect(said(NOT_STATED, "edge", "up")).toBe("It does not mention the neighbour above. Correct: edge.");
    expect(said("free", "hole", "up")).toBe("It claims the neighbour above: free. Correct: hole.");
    expect(said("3 ahead", NOT_THERE)).toBe("It claims chair: 3 ahead, but it is not there.");
    expect(said("not seen", NOT_THERE)).toBe("It claims chair: not seen, which is wrong.");
  });
  it("name the first wrong neighbour beside the first wrong belief", () => {
    const events = eventsOf(
      episodeOf([
        turnOf(0, { verdicts: { surroundings: WRONG } }),
        turnOf(1, { verdicts: { observation: WRONG, surroundings: WRONG } }),
      ]),
      null,
    );
    expect(events.map(({ kind, turn, phase }) => [kind, turn, phase])).toEqual([
      ["wrong_neighbour", 0, "reasoning"],
      ["wrong_belief", 1, "observation"],
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
    const events = eventsOf(episodeOf(turns), { turn: 2, action: 0 });
    expect(events.map(({ kind, turn }) => [kind, turn])).toEqual([
      ["wrong_prediction", 0],
      ["invalid_action", 1],
      ["lost", 2],
    ]);
    expect(events[1]!.text).toBe("No answer.");
    expect(events[2]!.text).toBe("After Up (fell into a hole) the goal is out of reach for good.");
    expect(eventsOf(episodeOf(turns, true), null).at(-1)).toMatchObject({ kind: "goal", turn: 2 });
    const late = (turn: number) =>
      eventsOf(episodeOf(turns), { turn, action: null }).find(({ kind }) => kind === "lost");
    expect(late(1)!.text).toContain("still reachable, but not in the turns that are left");
    expect(late(2)!.text).toContain("The turns have run out; the goal was within reach until then.");
  });
});

describe("the first difference of two episodes", () => {
  const up = { executed: [{ name: "Up", valid: true, effective: true, note: "" }] };
  const { reply } = turnOf(0);
  const titles = ["A", "B"] as const;
  const between = (...[a, b]: [Turn[], Turn[]]) => firstDifference(episodeOf(a), episodeOf(b));
  const say = (...[a, b]: [Turn[], Turn[]]) => describeDifference(between(a, b)!, titles);

  it("is none between equal ones, and white space is none", () => {
    expect(between([turnOf(0)], [turnOf(0)])).toBeNull();
    expect(between([turnOf(0)], [turnOf(0, { reply: `${reply}\n` })])).toBeNull();
  });
  it("names the episodes as the subjects of clauses", () => {
    const found = between([turnOf(0)], [turnOf(0, { executed: [] })])!;
    expect(describeDifference(found, ["Short SFT", "Trained policy"])).toContain(
      "; the policy “Short SFT” plays Right, the trained policy does nothing.",
    );
    expect(describeDifference(found, ["VAGEN-Full", "A policy"])).toContain(
      "; VAGEN-Full plays Right, A policy does nothing.",
    );
  });
  it("mentions long actions in few words", () => {
    const drawing = (code: string) =>
      turnOf(0, { executed: [{ name: code, mention: "a drawing", valid: true, effective: true, note: "" }] });
    expect(say([drawing("<svg>1</svg>")], [drawing("<svg>2</svg>")])).toBe(
      "Turn 1: the replies are the same; their actions differ.",
    );
    expect(say([drawing("<svg>1</svg>")], [turnOf(0)])).toContain("A plays a drawing, B plays Right");
  });
  it("names a tool without its arguments", () => {
    const calling = (name: string, call: string) =>
      turnOf(0, { executed: [], tool: { call, name, ok: name !== "", result: "4", detail: "" } });
    const measure = calling("measure", '{"name": "measure", "arguments": {"from": "A"}}');
    expect(say([turnOf(0)], [measure])).toContain("A plays Right, B calls measure.");
    expect(say([measure], [calling("", "")])).toContain("A calls measure, B makes a malformed tool call.");
    expect(say([turnOf(0)], [turnOf(0, { executed: [] })])).toContain("A plays Right, B does nothing.");
  });
  it("is the word before the action that follows from it", () => {
    const [a, b] = [[turnOf(0)], [turnOf(0, { reply: reply.replace("Right", "Up"), ...up })]];
    const at = reply.indexOf("Right");
    expect(between(a, b)).toEqual({
      turn: 0,
      what: "words",
      words: [
        { text: "Right", at },
        { text: "Up", at },
      ],
      action: { turn: 0, deeds: ["plays Right", "plays Up"] },
    });
    expect(say(a, b)).toBe("Turn 1: A writes “Right”, B writes “Up”; then A plays Right, B plays Up.");
  });
  it("is the word of an earlier turn than the action, and both are said", () => {
    const [a, b] = [
      [turnOf(0), turnOf(1)],
      [turnOf(0, { reply: `${reply} more` }), turnOf(1, up)],
    ];
    expect(between(a, b)).toMatchObject({ turn: 0, what: "words", words: [null, { text: "more" }] });
    expect(say(a, b)).toBe("Turn 1: A ends its reply, B writes “more”; in turn 2 A plays Right, B plays Up.");
    expect(say(a, [b[0]!, turnOf(1)])).toBe(
      "Turn 1: A ends its reply, B writes “more”; they act the same throughout.",
    );
  });
  it("is a word, not the comma after the word before it", () => {
    const of = (text: string) => [turnOf(0, { reply: text })];
    expect(between(of("<answer>Right</answer>"), of("<answer>Right, Up</answer>"))?.words).toEqual([
      { text: "</answer>", at: 13 },
      { text: "Up", at: 15 },
    ]);
    expect(between(of("go 0.5."), of("go 0.6."))?.words).toMatchObject([{ text: "0.5" }, { text: "0.6" }]);
  });
  it("counts a tag as one word, and bears with half a tag", () => {
    const of = (text: string) => [turnOf(0, { reply: text })];
    expect(between(of("<think><answer>"), of("<think><think>"))?.words?.map((word) => word?.text)).toEqual([
      "<answer>",
      "<think>",
    ]);
    expect(between(of("a <b"), of("a < b"))?.words?.map((word) => word?.text)).toEqual(["<b", "<"]);
  });
  it("is the action where the words are the same, and the state where the action is too", () => {
    const a = [turnOf(0), turnOf(1)];
    expect(between(a, [turnOf(0), turnOf(1, up)])).toMatchObject({ turn: 1, what: "action", words: null });
    expect(say(a, [turnOf(0), turnOf(1, up)])).toBe(
      "Turn 2: the replies are the same; A plays Right, B plays Up.",
    );
    const slipped = turnOf(0, { after: { ...turnOf(0).after, player: [0, 2] } });
    expect(between(a, [slipped, turnOf(1)])).toMatchObject({ turn: 0, what: "state", action: null });
    expect(say(a, [slipped, turnOf(1)])).toBe("Turn 1: the same action leads to different states.");
  });
  it("is the turn that only one of them has", () => {
    expect(between([turnOf(0)], [turnOf(0), turnOf(1)])).toMatchObject({ turn: 1, what: "end" });
    expect(say([turnOf(0)], [turnOf(0), turnOf(1)])).toBe("Turn 2: A is already over, B plays Right.");
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
  it("can name a turn or a token alone", () => {
    expect(writeMoment(momentAtTurn(2, null)).toString()).toBe("turn=3");
    expect(writeMoment(momentAtTurn(2, 37)).toString()).toBe("turn=3&tok=37");
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
