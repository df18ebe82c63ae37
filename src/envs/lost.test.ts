// Where a game was lost: worked examples, and random play compared with the solver before and after the turn.
import { describe, expect, test } from "vitest";
import { rng } from "../core/rng.ts";
import type { Cell, ExecutedAction, GroundTruth, SceneTruth, Trajectory } from "../core/types.ts";
import type { Env } from "./env.ts";
import { envs, loadEnv } from "./index.ts";
import { type KnownMoves, lossIn, lostMoment, lostTurn } from "./lost.ts";

type Played = Pick<Trajectory, "envId" | "seed" | "turns" | "success">;

const action = (name: string): ExecutedAction => ({ name, valid: true, effective: true, note: "" });

/** An episode with these actions, turn by turn; only what `lostTurn` reads. */
const played = (envId: string, seed: number, turns: readonly string[][], success = false): Played => ({
  envId,
  seed,
  success,
  turns: turns.map(
    (names, index) => ({ index, executed: names.map(action) }) as unknown as Trajectory["turns"][0],
  ),
});

/** The start on the left, the goal on the right, a hole below the start. */
const lake = { desc: ["SFFG", "HFFF"], max_actions_per_step: 1 };

describe("on a lake", () => {
  const lost = (turns: string[][], maxTurns: number, config: object = lake, success = false) =>
    lostTurn(played("frozenlake", 1, turns, success), config, { maxTurns });

  test.each<[string, string[][], number, number | null]>([
    ["a hole loses the game at once", [["Right"], ["Left"], ["Down"]], 9, 2],
    ["three moves need three turns", [["Right"], ["Right"]], 3, null],
    ["a wasted turn of the three", [["Left"], ["Right"], ["Right"]], 3, 0],
    ["a step back loses two turns", [["Right"], ["Left"], ["Right"]], 4, 1],
    ["with turns to spare, the last one", [["Left"], ["Left"], ["Left"], ["Left"]], 4, 1],
    ["a turn without actions counts", [[], ["Right"], ["Right"]], 3, 0],
  ])("%s", (_, turns, maxTurns, expected) => {
    expect(lost(turns, maxTurns)).toBe(expected);
  });

  test("a turn of several actions needs fewer turns", () => {
    const config = { ...lake, max_actions_per_step: 3 };
    expect(lost([["Left"]], 2, config)).toBeNull();
    expect(lost([["Left"]], 1, config)).toBe(0);
    expect(lost([["Right", "Down", "Left"], ["Up"]], 5, config)).toBe(0);
  });

  test("the action is named after which no turns would help", () => {
    const config = { ...lake, max_actions_per_step: 3 };
    const when = (turns: string[][], maxTurns: number) =>
      lostMoment(played("frozenlake", 1, turns), config, { maxTurns });
    expect(when([["Right"], ["Down", "Left", "Up"]], 5)).toEqual({ turn: 1, action: 1 });
    expect(when([["Left"]], 1)).toEqual({ turn: 0, action: null });
  });

  test("an action that the game does not know was not played", () => {
    const one = played("frozenlake", 1, [["Right"]]);
    one.turns[0]!.executed = [{ name: "jump", valid: false, effective: false, note: "unknown" }];
    expect(lostTurn(one, lake, { maxTurns: 4 })).toBeNull();
    expect(lostTurn(one, lake, { maxTurns: 3 })).toBe(0);
  });

  test("a success was never lost", () => {
    expect(lost([["Right"], ["Right"], ["Right"]], 3, lake, true)).toBeNull();
  });

  test("slippery ice is lost only when luck cannot help any more", () => {
    const config = { ...lake, is_slippery: true };
    expect(lost([[]], 4, config)).toBeNull();
    expect(lost([[]], 3, config)).toBe(0);
  });
});

describe("in a room", () => {
  test("a crate in a corner is lost, with all turns left", () => {
    const config = { dim_room: [6, 6], num_boxes: 1, min_solution_steps: [1, 5], max_actions_per_step: 3 };
    const spec = envs.get("sokoban");
    const options = spec.config.parse(config);
    // The first level where two pushes from the start end without a plan.
    for (let seed = 1; ; seed++) {
      for (const name of spec.actions) {
        const env = spec.create(options);
        env.reset(seed);
        const ends = [name, name, name].some((one) => env.step(one).terminated);
        if (ends || env.oracle() !== null) continue;
        const when = lostMoment(played("sokoban", seed, [[name, name, name]]), config, { maxTurns: 50 });
        const push = spec.create(options);
        push.reset(seed);
        const fatal = [0, 1, 2].find(() => push.step(name).terminated || push.oracle() === null);
        expect(when).toEqual({ turn: 0, action: fatal });
        return;
      }
    }
  });

  test("a room that no plan solves was lost by no turn", () => {
    // The crate is in a corner from the start.
    const room = { desc: ["######", "#X___#", "#__P_#", "#___O#", "######"] };
    const one = played("sokoban", 1, [["Left"], ["Up"]]);
    expect(lostMoment(one, room, { maxTurns: 9 })).toBeNull();
  });

  test("with several crates only an impossible number of turns is a proof", () => {
    const config = { num_boxes: 2, max_actions_per_step: 1 };
    expect(lostTurn(played("sokoban", 3, [[]]), config, { maxTurns: 2 })).toBe(0);
  });
});

describe("in a home", async () => {
  await loadEnv("navigation");
  const spec = envs.get("navigation");
  // Starts are two or three steps from success.
  const near = { step_length: 0.5, success_threshold: 1.9, resolution: 32, max_actions_per_step: 2 };
  const planFrom = (seed: number, config: object): readonly string[] => {
    const env = spec.create(spec.config.parse(config));
    env.reset(seed);
    return env.oracle()!;
  };
  const turn = Array.from({ length: 4 }, () => "turn_left");

  test("turns that lead nowhere lose the game when too few are left", () => {
    const config = { max_actions_per_step: 5 };
    const plan = planFrom(600_000, config);
    expect(plan.length).toBeGreaterThan(5);
    expect(plan.length).toBeLessThanOrEqual(10);
    const lost = (turns: string[][], maxTurns: number) =>
      lostMoment(played("navigation", 600_000, turns), config, { maxTurns });
    // Four turns to the left end where they began.
    expect(lost([turn, turn], 4)).toBeNull();
    expect(lost([turn, turn], 3)).toEqual({ turn: 1, action: null });
    expect(lost([plan.slice(0, 5), turn], 2)).toEqual({ turn: 1, action: null });
  });

  test("the action is named after which max_steps leaves too few", () => {
    const config = { max_actions_per_step: 5, max_steps: 10 };
    const spare = 10 - planFrom(600_000, config).length;
    const idle = Array.from({ length: 5 }, () => "turn_left");
    const one = played("navigation", 600_000, [idle, idle]);
    expect(lostMoment(one, config, { maxTurns: 9 })).toEqual({ turn: 0, action: spare });
  });

  test("before the lost turn a plan fits, after it none does, as a search of every sequence of actions finds", () => {
    const actions = spec.actions.filter((name) => !name.startsWith("look"));
    const found = { won: 0, early: 0, late: 0 };
    for (let seed = 0; seed < 40; seed++) {
      const { episode, winnable, success } = randomEpisode("navigation", near, seed, 3);
      const lost = lostTurn(episode, near, { maxTurns: 3 });
      expect(lost, `seed ${seed}`).toBe(success ? null : winnable.indexOf(false));
      if (lost === null) {
        found.won++;
        continue;
      }
      found[lost === 2 ? "late" : "early"]++;
      // The last turn alone is left: two actions.
      const before = episode.turns.slice(0, 2).flatMap(({ executed }) => executed.map(({ name }) => name));
      const wins = actions.some((a) => actions.some((b) => reaches(seed, [...before, a, b])));
      expect(lost === 2, `seed ${seed}`).toBe(wins);
    }
    for (const [outcome, count] of Object.entries(found)) expect(count, outcome).toBeGreaterThan(2);
  });

  /** Whether actions from the start end in success. */
  function reaches(seed: number, names: readonly string[]): boolean {
    const env = spec.create(spec.config.parse(near));
    env.reset(seed);
    for (const name of names) {
      const { terminated, success } = env.step(name);
      if (terminated) return success;
    }
    return false;
  }

  test("nothing is said of imported houses, which a recording lacks", () => {
    const one = played("navigation", 1, [turn, turn, turn]);
    expect(lostMoment(one, {}, { maxTurns: 3 })).not.toBeNull();
    expect(lostMoment(one, { homes: "imported" }, { maxTurns: 3 })).toBeNull();
  });

  describe("from scenes alone, by the straight way to the target", () => {
    /** The target is ahead, this many metres away. */
    const scene = (distance: number): SceneTruth => ({
      frame: "floor",
      things: [],
      facts: { x: 0.3, z: 0, target_x: 0.3, target_z: distance, step: 0.3, reach: 1 },
    });
    const actions = (count: number) => Array.from({ length: count }, () => action("turn_left"));
    const lossOf = (distances: readonly number[], limits: object, each = 2) =>
      lossIn(
        {
          turns: distances.map((metres) => ({
            after: scene(metres),
            executed: actions(each),
          })) as unknown as Trajectory["turns"],
          success: false,
        },
        spec,
        { maxTurns: 4, perTurn: 2, ...limits },
      );

    test("a walk is lost when its steps need more turns than are left", () => {
      // Six, six and five steps are left, of at most six, four and two.
      expect(lossOf([2.8, 2.8, 2.5], {})).toEqual({ turn: 1, mode: "timeout" });
      // Exactly as many as there may be.
      expect(lossOf([2.8, 2.2, 1.6], {})).toBeNull();
      expect(lossOf([2.8, 2.2, 1.6, 1.3], {})).toEqual({ turn: 3, mode: "timeout" });
    });

    test("and by its own limit of actions, which more turns would not raise", () => {
      expect(lossOf([2.8, 2.2, 1.6], { maxActions: 8 })).toBeNull();
      expect(lossOf([2.8, 2.2, 1.6], { maxActions: 7 })).toEqual({ turn: 0, mode: "deadlock" });
    });

    test("never before the walk was lost", () => {
      for (let seed = 0; seed < 30; seed++) {
        const { episode, limits } = randomEpisode("navigation", near, seed, 3);
        const exact = lostTurn(episode, near, { maxTurns: 3 });
        const bound = lossIn(episode, spec, { ...limits, maxActions: 30 })?.turn ?? null;
        if (exact === null) expect(bound, `seed ${seed}`).toBeNull();
        else expect(bound, `seed ${seed}`).toBeGreaterThanOrEqual(exact);
      }
    });
  });
});

test("questions about a picture have no solver", () => {
  const one = played("visual-math", 1, [["3"], ["3"], ["3"]]);
  expect(lostTurn(one, {}, { maxTurns: 3 })).toBeNull();
});

test("an environment of an extension has no solver", () => {
  expect(lostTurn(played("maze", 1, [["Up"]]), {}, { maxTurns: 3 })).toBeNull();
});

/** Plays at random, and notes after each turn whether a plan that fits exists, by the environment alone. */
function randomEpisode(envId: string, config: object, seed: number, maxTurns: number) {
  const spec = envs.get(envId);
  const options = spec.config.parse(config);
  const { max_actions_per_step: perTurn = 1 } = options as { max_actions_per_step?: number };
  const random = rng(seed).fork(envId);
  const env: Env = spec.create(options);
  env.reset(seed);
  const turns: string[][] = [];
  const scenes: SceneTruth[] = [];
  const winnable: boolean[] = [];
  let [terminated, success] = [false, false];
  while (turns.length < maxTurns && !terminated) {
    const names: string[] = [];
    for (let n = random.int(perTurn + 1); n > 0 && !terminated; n--) {
      names.push(random.pick(spec.actions));
      ({ terminated, success } = env.step(names.at(-1)!));
    }
    turns.push(names);
    scenes.push(env.groundTruth());
    const moves = success
      ? 0
      : terminated
        ? Number.POSITIVE_INFINITY
        : (env.oracle()?.length ?? Number.POSITIVE_INFINITY);
    winnable.push(Math.ceil(moves / perTurn) <= maxTurns - turns.length);
  }
  const episode = played(envId, seed, turns, success);
  for (const [i, after] of scenes.entries()) Object.assign(episode.turns[i]!, { after });
  return { episode, winnable, success, limits: { maxTurns, perTurn } };
}

test.each<[string, object]>([
  ["frozenlake", { size: 4, p: 0.7, max_actions_per_step: 2 }],
  ["frozenlake", { size: 6, p: 0.8, max_actions_per_step: 3 }],
  ["sokoban", { min_solution_steps: [1, 5], max_actions_per_step: 3 }],
])("%s %j: before the lost turn a plan fits, after it none does", (envId, config) => {
  const found = { lost: 0, early: 0, won: 0 };
  const known: KnownMoves = new Map();
  for (let seed = 1; seed <= 120; seed++) {
    const { episode, winnable, success, limits } = randomEpisode(envId, config, seed, 5);
    const lost = lostTurn(episode, config, { maxTurns: 5 });
    expect(lost, `seed ${seed}`).toBe(success ? null : winnable.indexOf(false));
    // The recorded scenes give the same answer, whatever is known already.
    for (const cache of [known, undefined])
      expect(lossIn(episode, envs.get(envId), limits, cache)?.turn ?? null).toBe(lost);
    if (lost === null) found.won++;
    else {
      found.lost++;
      if (lost < episode.turns.length - 1) found.early++;
      expect(winnable.slice(lost).some(Boolean), `seed ${seed}`).toBe(false);
    }
  }
  expect(found.lost).toBeGreaterThan(20);
  expect(found.won).toBeGreaterThan(0);
  if (envId === "sokoban") expect(found.early).toBeGreaterThan(5);
});

describe("how a game was lost", () => {
  /** The loss of an episode with these scenes, one action a turn. */
  const lossOf = (envId: string, turns: readonly GroundTruth[], maxTurns: number) =>
    lossIn(
      { turns: turns.map((after) => ({ after })) as unknown as Trajectory["turns"], success: false },
      envs.get(envId),
      {
        maxTurns,
        perTurn: 1,
      },
    );
  const onLake = (...player: Cell): GroundTruth => ({
    ...{ rows: 2, cols: 4, player },
    entities: { goal: [[0, 3]], hole: [[1, 0]] },
  });
  /** Three rows of four floor cells; the player stands in the upper left one. */
  const room = (...box: Cell): GroundTruth => ({
    ...{ rows: 5, cols: 6, player: [1, 1] },
    entities: { box: [box], target: [[2, 3]], wall: [] },
  });

  test("a hole is a deadlock, a lack of turns a timeout", () => {
    expect(lossOf("frozenlake", [onLake(0, 1), onLake(0, 0), onLake(1, 0)], 9)).toEqual({
      turn: 2,
      mode: "deadlock",
    });
    expect(lossOf("frozenlake", [onLake(0, 0)], 3)).toEqual({ turn: 0, mode: "timeout" });
    expect(lossOf("frozenlake", [onLake(0, 0)], 4)).toBeNull();
  });

  test("a crate in a corner is a deadlock, a crate too far away a timeout", () => {
    expect(lossOf("sokoban", [room(2, 2), room(3, 4)], 9)).toEqual({ turn: 1, mode: "deadlock" });
    // One step down and one push.
    expect(lossOf("sokoban", [room(2, 2)], 3)).toBeNull();
    expect(lossOf("sokoban", [room(2, 2)], 2)).toEqual({ turn: 0, mode: "timeout" });
  });

  test("nothing is said of several crates and of questions", () => {
    const two = {
      ...room(3, 4),
      entities: {
        box: [
          [3, 4],
          [3, 1],
        ] as Cell[],
        target: [
          [2, 3],
          [2, 2],
        ] as Cell[],
        wall: [],
      },
    };
    expect(lossOf("sokoban", [two], 9)).toBeNull();
    expect(lossOf("visual-math", [room(2, 2)], 9)).toBeNull();
  });
});
