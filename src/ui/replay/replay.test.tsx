import { renderToStaticMarkup } from "react-dom/server";
import { prerender } from "react-dom/static";
import { describe, expect, it } from "vitest";
import { createVocabulary } from "../../agent/vocabulary.ts";
import type { BoardTruth } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import { placeAt, timelineOf } from "../../replay/clock.ts";
import { isReadable, labelSize } from "../episode/env-picture.tsx";
import { tokenEndsOf } from "../episode/token-ends.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { judgeScope } from "./claims.ts";
import { shownAt, statesOf } from "./episode-states.ts";
import { bareIn, movesBetween } from "./motion.ts";
import { OwnGame } from "./own-game.ts";
import { PlayerClock } from "./player-clock.ts";
import { ReplayPair } from "./replay-pair.tsx";
import { ReplayPlayer } from "./replay-player.tsx";

const trajectory = fakeTrajectory({ id: "p", seed: 5, skill: 0.6 });
const replay = { trajectory, envConfig: {}, maxTurns: 5, title: "A policy" };

describe("the clock of a player", () => {
  /** Frames that come when they are called for. */
  const byHand = () => {
    let callback: ((now: number) => void) | null = null;
    const frames = {
      request: (next: (now: number) => void) => {
        callback = next;
        return 1;
      },
      cancel: () => {
        callback = null;
      },
    };
    const at = (now: number) => {
      const due = callback;
      callback = null;
      due?.(now);
    };
    return { frames, at };
  };
  const start = (initial: ConstructorParameters<typeof PlayerClock>[0] = {}) => {
    const { frames, at } = byHand();
    return { clock: new PlayerClock({ to: 1000, ...initial }, frames), at };
  };

  it("runs at its speed until its end, and then from its start", () => {
    const { clock, at } = start({ speed: 2 });
    clock.play();
    at(0);
    at(50);
    expect(clock.get()).toMatchObject({ ms: 100, playing: true });
    for (let now = 100; now <= 600; now += 50) at(now);
    expect(clock.get()).toMatchObject({ ms: 1000, playing: false });
    clock.play();
    expect(clock.get()).toMatchObject({ ms: 0, playing: true });
  });
  it("pauses when it is moved", () => {
    const { clock, at } = start();
    clock.play();
    at(0);
    clock.seek(400);
    at(50);
    expect(clock.get()).toMatchObject({ ms: 400, playing: false });
  });
  it("stops at a moment, and goes on from it", () => {
    const { clock, at } = start();
    clock.stops = [60];
    clock.play();
    at(0);
    at(90);
    expect(clock.get()).toMatchObject({ ms: 60, playing: false });
    clock.play();
    at(100);
    at(150);
    expect(clock.get()).toMatchObject({ ms: 110, playing: true });
  });
  it("does not leap after a time without frames", () => {
    const { clock, at } = start();
    clock.play();
    at(0);
    at(60_000);
    expect(clock.get().ms).toBe(100);
  });
  it("does not play what has no length", () => {
    const { clock } = start({ to: 0 });
    clock.play();
    expect(clock.get().playing).toBe(false);
  });
});

describe("the pictures of a replay", () => {
  const states = statesOf(trajectory, {});
  const timeline = timelineOf(trajectory, "log");

  it("show the state before a turn until its action, and the state after it", () => {
    const of = (kind: string, share: number) => {
      const { from, to } = timeline.phases.find((phase) => phase.kind === kind)!;
      return shownAt(states, trajectory, placeAt(timeline, from + share * (to - from))!)!;
    };
    // By identity: pictures are long to compare.
    const [before, after] = states.turns[0]!;
    const is = (kind: string, share: number) => {
      const { state, from, way } = of(kind, share);
      return [state === before ? "before" : state === after ? "after" : "", from === before, way];
    };
    expect(is("look", 0.5)).toEqual(["before", false, 1]);
    expect(is("action", 0.3)).toEqual(["after", true, 0.5]);
    expect(is("action", 0.9)).toEqual(["after", true, 1]);
    expect(is("verdict", 0.5)).toEqual(["after", false, 1]);
  });
  it("are those that the model received where the level cannot be played again", () => {
    const { turns, problem } = statesOf({ ...trajectory, seed: 6 }, {});
    expect(problem).toContain("differs from the recording");
    expect(turns[0]![0]!.frame).toBe(trajectory.turns[0]!.observation.images[0]);
  });
  const scene = (player: readonly [number, number], box: readonly [number, number][]): BoardTruth => ({
    ...{ rows: 4, cols: 4, player, entities: { box, target: [[1, 1]] } },
  });
  it("know what moved: the figure, and what it pushed", () => {
    const before = scene([2, 1], [[2, 2]]);
    const pushed = scene([2, 2], [[2, 3]]);
    expect(movesBetween(before, pushed)).toEqual([
      { from: [2, 2], to: [2, 3] },
      { from: [2, 1], to: [2, 2] },
    ]);
    expect(movesBetween(before, before)).toEqual([]);
    expect(movesBetween(before, scene([2, 2], []))).toBeNull();
  });
  it("find ground without figures, of the same cell or of one like it", () => {
    const frame = { width: 4, height: 4, data: new Uint8ClampedArray(64) };
    const shown = [scene([2, 1], [[2, 2]]), scene([2, 2], [[2, 3]])].map((truth) => ({ frame, truth }));
    const bare = bareIn(shown);
    expect(bare([2, 1])).toEqual({ frame, cell: [2, 1] });
    // A figure or a box is on it in every state; the first plain cell is its like, the target is not.
    expect(bare([2, 2])).toEqual({ frame, cell: [1, 2] });
  });
});

describe("a visitor's own game", () => {
  const lastTurn = trajectory.turns.length - 1;

  it("begins where the turn began, and knows its actions", () => {
    const game = new OwnGame(trajectory, {}, lastTurn);
    expect(game.position.state.truth).toEqual(trajectory.turns[lastTurn]!.before);
    expect(game.spec.actions).toEqual(["Left", "Down", "Right", "Up"]);
  });
  it("begins the level again after a solved turn in AReaL's workflow", async () => {
    await loadEnv("visual-math");
    const solved = fakeTrajectory({ id: "a", envId: "visual-math", seed: 5, skill: 1 });
    const turns = [0, 1, 2].map((index) => ({ ...solved.turns[0]!, index }));
    // Turn 3 has not been played: the game ends with turn 2 and begins again.
    for (const turn of [1, 2, 3]) {
      const { position } = new OwnGame({ ...solved, turns }, {}, turn);
      expect(position.state.truth).toEqual(solved.turns[0]!.before);
    }
  });
  it("plays the environment, takes back, and starts again", () => {
    const game = new OwnGame(trajectory, {}, 0);
    const [first] = trajectory.turns[0]!.executed;
    game.play(first!.name);
    const { state } = game.position;
    game.play("Left");
    game.undo();
    expect(game.position.state).toBe(state);
    expect(game.position.moves).toEqual([{ name: first!.name, note: first!.note, reward: 0 }]);
    game.reset();
    expect(game.position).toMatchObject({ moves: [], ended: "" });
    game.undo();
    expect(game.position.moves).toEqual([]);
  });
  it("ends in success by the shortest way, and takes no action after that", () => {
    const solved = fakeTrajectory({ id: "s", seed: 5, skill: 1 });
    const game = new OwnGame(solved, {}, 0);
    for (const { executed } of solved.turns) for (const { name } of executed) game.play(name);
    expect([solved.success, game.position.ended]).toEqual([true, "success"]);
    const { moves } = game.position;
    game.play("Left");
    expect(game.position.moves).toBe(moves);
  });
});

it("knows where tokens end in a reply", () => {
  const ends = tokenEndsOf(trajectory, createVocabulary());
  for (const [i, { reply }] of trajectory.turns.entries()) {
    expect(ends[i]!.at(-1)).toBe(reply.length);
    expect([...ends[i]!].sort((a, b) => a - b)).toEqual(ends[i]);
  }
});

describe("the player", () => {
  const moment = { turn: 0, token: null, action: 9, reading: null, speed: null, from: null, to: null };
  const text = (html: string) => html.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

  it("shows outcome, controls and the turns up to its moment", () => {
    const html = renderToStaticMarkup(<ReplayPlayer replay={replay} moment={moment} reading="log" />);
    expect(html).toContain('aria-valuetext="turn 1 of');
    expect(html).toContain('data-testid="replay-turn-0"');
    expect(html).not.toContain('data-testid="replay-turn-1"');
    expect(text(html)).toContain("Take over from turn 1");
    expect(text(html)).not.toContain("try again");
  });
  it("offers the policy another try where it can be played", async () => {
    // The button's code is loaded when it is first shown.
    const { prelude } = await prerender(
      <ReplayPlayer replay={replay} onTryAgain={() => Promise.resolve()} />,
    );
    expect(text(await new Response(prelude).text())).toContain("Let the policy retry from turn 1");
  });
  it("shows one line a turn in the summary", () => {
    const last = { ...moment, turn: trajectory.turns.length - 1 };
    const html = renderToStaticMarkup(<ReplayPlayer replay={replay} moment={last} reading="summary" />);
    for (const { index, executed } of trajectory.turns)
      expect(text(html)).toMatch(new RegExp(`Turn ${index + 1}\\s+${executed[0]?.name ?? "no action"}`));
  });
  it("says what came of a tool call, and exactly what was wrong with it", () => {
    const tool = {
      ...{ call: "measure()", name: "measure", ok: false },
      result: "no such shape",
      detail: "",
    };
    const turns = trajectory.turns.map((turn) => ({ ...turn, tool: { ...tool, detail: "name a colour" } }));
    const called = { ...replay, trajectory: { ...trajectory, turns } };
    const later = { ...moment, turn: trajectory.turns.length - 1 };
    const html = renderToStaticMarkup(<ReplayPlayer replay={called} moment={later} reading="log" />);
    expect(text(html)).toContain("The tool measure failed: no such shape (name a colour)");
  });
  it("shows two replays with both places", () => {
    const other = { ...replay, trajectory: fakeTrajectory({ id: "q", seed: 5, skill: 1 }), title: "Another" };
    const html = renderToStaticMarkup(<ReplayPair replays={[replay, other]} />);
    expect(html).toMatch(/aria-valuetext="A policy: turn 1 of \d, the picture; Another: turn 1 of \d/);
    expect(text(html)).toContain("First difference: turn 1");
  });
});

describe("what the judge checks", () => {
  const [turn] = trajectory.turns;
  const surroundings = turn!.verdicts.observation!;
  it("is said by the names of the positions that it has checked", () => {
    const names = turn!.verdicts.observation!.fields.map(({ name }) => name).join(" and ");
    expect(judgeScope([trajectory])).toBe(
      `The judge checks positions only (${names}), not statements about neighbours.`,
    );
  });
  it("is not said where a verdict is about neighbours, nor where no position was checked", () => {
    const all = { turns: [{ ...turn!, verdicts: { ...turn!.verdicts, surroundings } }] };
    expect(judgeScope([trajectory, all])).toBe("");
    expect(judgeScope([{ turns: [{ ...turn!, verdicts: {} }] }])).toBe("");
  });
});

describe("text on a picture", () => {
  it("is at least 10 px high where there is room for that", () => {
    for (const [cols, width] of [
      [6, 285],
      [4, 420],
      [8, 420],
    ] as const)
      expect((labelSize(cols, width) * width) / cols).toBeGreaterThanOrEqual(10);
  });
  it("leaves the picture visible, and numbers of cells out, where there is none", () => {
    expect(labelSize(6, 160)).toBe(0.3);
    expect(isReadable(labelSize(6, 160), 6, 160)).toBe(false);
    expect(isReadable(labelSize(6, 285), 6, 285)).toBe(true);
  });
});
