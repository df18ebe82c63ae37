import { describe, expect, it } from "vitest";
import { EnvError } from "../../core/errors.ts";
import { rng } from "../../core/rng.ts";
import { boardOf } from "../../core/scene.ts";
import { TRAINING_SEARCH_BUDGET } from "../env.ts";
import { ImpossibleConfig } from "../grid.ts";
import type { SokobanConfig } from "./config.ts";
import { generateLevel } from "./generator.ts";
import { sokoban } from "./index.ts";
import { directions, isSolved, type Level, offsets, placementKey } from "./room.ts";
import { move, solve } from "./solver.ts";

const config = (overrides: Partial<SokobanConfig> = {}) => sokoban.config.parse(overrides);

/** A level from a drawing with the symbols of `text()`. */
function level(...drawing: string[]): Level {
  const cols = drawing[0].length;
  const cells = [...drawing.join("")];
  const find = (symbols: string) => [...cells.keys()].filter((i) => symbols.includes(cells[i]));
  const wall = Uint8Array.from(cells, (cell) => (cell === "#" ? 1 : 0));
  return { rows: drawing.length, cols, wall, targets: find("OS√"), boxes: find("X√"), player: find("PS")[0] };
}

/** Breadth-first search without any estimate: slow, obvious, and the judge of the solver. */
function slowestShortest(start: Level): number | null {
  const seen = new Set([placementKey(start.player, start.boxes)]);
  let layer = [{ player: start.player, boxes: start.boxes }];
  for (let moves = 0; layer.length; moves++) {
    if (layer.some(({ boxes }) => isSolved(start, boxes))) return moves;
    layer = layer
      .flatMap(({ player, boxes }) => offsets(start.cols).map((step) => move(start, player, boxes, step)))
      .filter((next) => next !== null)
      .filter(
        ({ player, boxes }) =>
          !seen.has(placementKey(player, boxes)) && seen.add(placementKey(player, boxes)),
      );
  }
  return null;
}

function errorOf(run: () => unknown): EnvError {
  try {
    run();
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    return error as EnvError;
  }
  throw new Error("nothing was thrown");
}

describe("levels", () => {
  it("keep to min_solution_steps, start unsolved and can be solved: 300 seeds", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const made = generateLevel(config({ min_solution_steps: [1, 5] }), seed);
      const { plan } = solve(made);
      expect(plan?.length).toBeGreaterThanOrEqual(1);
      expect(plan?.length).toBeLessThanOrEqual(5);
      expect(made.targets.some((target) => made.boxes.includes(target) || made.player === target)).toBe(
        false,
      );
    }
  });

  it("have a closed border, and as many boxes as asked for, in rooms of any shape", () => {
    for (const [dim_room, num_boxes] of [
      [[5, 9], 1],
      [[9, 6], 2],
      [[8, 8], 3],
    ] as const) {
      const { rows, cols, wall, boxes, targets } = generateLevel(
        config({ dim_room: [...dim_room], num_boxes }),
        3,
      );
      expect([rows, cols, boxes.length, targets.length]).toEqual([...dim_room, num_boxes, num_boxes]);
      for (let i = 0; i < wall.length; i++) {
        const border = i < cols || i >= wall.length - cols || i % cols === 0 || i % cols === cols - 1;
        if (border) expect(wall[i]).toBe(1);
      }
    }
  });

  it("reach long solutions when asked to", () => {
    const made = generateLevel(config({ min_solution_steps: [8, 20] }), 1);
    expect(solve(made).plan?.length).toBeGreaterThanOrEqual(8);
  });

  it("never change these rooms: recorded runs depend on them", () => {
    const env = sokoban.create(config());
    env.reset(10_001);
    expect(env.text()).toMatchInlineSnapshot(`
      "# # # # # #
      # _ # # # #
      # _ P # # #
      # _ X _ # #
      # _ _ O _ #
      # # # # # #"
    `);
  });
});

describe("impossible configurations name field, value and a remedy that works", () => {
  /** The remedy, followed: a level is found for every one of some seeds. */
  function works(overrides: object) {
    for (let seed = 1; seed <= 5; seed++) sokoban.create(config(overrides), { searchBudget: 1 }).reset(seed);
  }

  it.each([
    [{ min_solution_steps: [500, 500] }, "min_solution_steps is [500,500]", "Use [1, 12]", [1, 12]],
    [{ min_solution_steps: [200, 220] }, "min_solution_steps is [200,220]", "or null", null],
    [{ min_solution_steps: [5, 1] }, "min_solution_steps is [5,1]", "Use [1, 5]", [1, 5]],
    [{ min_solution_steps: [90, 80] }, "min_solution_steps is [90,80]", "Use [1, 12]", [1, 12]],
    [{ min_solution_steps: [0, 1], num_boxes: 2 }, "steps is [0,1]; 2 boxes need", "Use [1, 24]", [1, 24]],
    [{ num_boxes: 15 }, "num_boxes is 15; a 6×6 room has 16 cells", "1 to 4 boxes", 4],
    [{ num_boxes: 8 }, "num_boxes is 8", "1 to 4 boxes", 4],
    [{ num_boxes: 7 }, "num_boxes is 7; seed", "1 to 4 boxes", 4],
    [{ num_boxes: 4, dim_room: [5, 5] }, "num_boxes is 4", "1 to 2 boxes", 2],
    [{ dim_room: [4, 4] }, "dim_room is [4,4]", "Use [5, 5]", [5, 5]],
    [{ num_boxes: 3, min_solution_bfs_max_depth: 2 }, "min_solution_bfs_max_depth is 2", "Use 200", 200],
    [{ dim_room: [4, 6], reset_seed_max_tries: 1 }, "reset_seed_max_tries is 1", "Use 10000", 10_000],
    [{ min_solution_steps: [100, 150] }, "min_solution_steps is [100,150]", "Use [1, 12]", [1, 12]],
  ] as [Partial<SokobanConfig>, string, string, unknown][])("%o", (overrides, message, hint, better) => {
    const error = errorOf(() => works(overrides));
    expect(error).toBeInstanceOf(ImpossibleConfig);
    expect(error.message).toContain(`env.config.`);
    expect(error.message).toContain(message);
    expect(error.hint).toContain(hint);
    const { path } = error as ImpossibleConfig;
    works({ ...overrides, [path.replace("env.config.", "")]: better });
  });

  it("those that no room can satisfy are refused before a level is drawn", () => {
    for (const overrides of [{ num_boxes: 8 }, { min_solution_steps: [500, 500] }, { dim_room: [4, 4] }])
      expect(errorOf(() => sokoban.create(config(overrides as object))).code).toBe("invalid_config");
  });

  it("the others after a bounded search", () => {
    const error = errorOf(() => works({ min_solution_steps: [60, 70] }));
    expect(error.code).toBe("unsolvable_level");
  });

  it("rare levels with the budget of training, which leaves the others the same", () => {
    const options = config({ dim_room: [4, 6], reset_seed_max_tries: 1 });
    const seeds = Array.from({ length: 30 }, (_, seed) => seed);
    const isRare = (seed: number) => {
      const env = sokoban.create(options, { searchBudget: 1 });
      try {
        env.reset(seed);
      } catch (error) {
        expect((error as EnvError).code).toBe("unsolvable_level");
        return true;
      }
      expect(generateLevel(options, seed, TRAINING_SEARCH_BUDGET)).toEqual(generateLevel(options, seed));
      return false;
    };
    const rare = seeds.filter(isRare);
    expect(rare.length).toBeGreaterThan(0);
    expect(rare.length).toBeLessThan(seeds.length);
    const env = sokoban.create(options);
    for (const seed of rare) {
      env.reset(seed);
      expect(env.oracle()).not.toBeNull();
    }
  });

  it("stops after reset_seed_max_tries", () => {
    const error = errorOf(() =>
      generateLevel(config({ min_solution_steps: [9, 9], reset_seed_max_tries: 3 }), 1),
    );
    expect(error.message).toContain("none of 3 levels");
  });

  it.each([
    [{ dim_room: [3, 6] }, "dim_room"],
    [{ num_boxes: 0 }, "num_boxes"],
    [{ min_solution_steps: [1.5, 2] }, "min_solution_steps"],
    [{ reset_seed_max_tries: 0 }, "reset_seed_max_tries"],
  ])("%o is refused by the schema", (overrides, word) => {
    expect(sokoban.config.safeParse(overrides).error?.issues[0].path[0]).toBe(word);
  });
});

describe("solver", () => {
  it("is as short as breadth-first search, over rooms with one and two boxes and random states in them", () => {
    const random = rng(1);
    for (let seed = 0; seed < 25; seed++) {
      const made = generateLevel(config({ num_boxes: 1 + (seed % 2), dim_room: [6, 7] }), seed);
      let state = made;
      for (let i = 0; i < 5; i++) {
        expect(solve(state).plan?.length ?? null).toBe(slowestShortest(state));
        const moved = move(state, state.player, state.boxes, random.pick(offsets(state.cols)));
        state = { ...state, ...moved };
      }
    }
  });

  it("gives up at once on a box in a corner", () => {
    expect(solve(level("######", "#X__O#", "#__P_#", "######"))).toEqual({ plan: null, visited: 0 });
  });

  it("sees that two boxes cannot share a target", () => {
    // Both stand against the upper wall, where only the left target can be reached.
    const shared = level("#######", "#OX_X_#", "#__P__#", "#__O__#", "#######");
    expect(solve(shared)).toEqual({ plan: null, visited: 0 });
    expect(solve(level("#########", "#_OXPX_O#", "#########")).plan).toEqual([
      "Left",
      "Right",
      "Right",
      "Right",
    ]);
  });

  it("respects its limits", () => {
    const room = level("#######", "#P____#", "#_X___#", "#____O#", "#######");
    const { plan } = solve(room);
    expect(plan).toHaveLength(slowestShortest(room) ?? -1);
    expect(solve(room, { maxMoves: (plan?.length ?? 0) - 1, maxVisited: 1e6 }).plan).toBeNull();
    expect(solve(room, { maxMoves: 100, maxVisited: 2 }).plan).toBeNull();
  });

  it("solves three boxes in a large room without long search", () => {
    const made = generateLevel(config({ dim_room: [10, 10], num_boxes: 3 }), 2);
    const { plan, visited } = solve(made);
    expect(plan).not.toBeNull();
    expect(visited).toBeLessThan(50_000);
  });
});

describe("moves", () => {
  /** Resets until the wanted situation occurs, then returns the game in it. */
  function find(
    wanted: (env: ReturnType<typeof sokoban.create>) => boolean,
    overrides: Partial<SokobanConfig> = {},
  ) {
    const env = sokoban.create(config(overrides));
    for (let seed = 0; seed < 500; seed++) {
      env.reset(seed);
      if (wanted(env)) return env;
    }
    throw new Error("no such level");
  }

  it("explain what stopped them", () => {
    const notes = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const env = sokoban.create(config({ num_boxes: 2 }));
      env.reset(seed);
      const random = rng(seed);
      for (let i = 0; i < 30; i++) {
        const result = env.step(random.pick(directions));
        notes.add(result.note);
        if (result.terminated) break;
      }
    }
    expect([...notes].sort()).toEqual([
      "",
      "blocked by a wall",
      "the box is blocked by a wall",
      "the box is blocked by another box",
    ]);
  });

  it("earn the legacy rewards: every step, onto and off a target, and success", () => {
    const env = find((game) => game.oracle()?.length === 1, sokoban.presets.legacy);
    const [push] = env.oracle() ?? [];
    const result = env.step(push);
    expect(result.reward).toBeCloseTo(-0.1 + 1 + 10);
    const two = find((game) => (game.oracle()?.length ?? 0) > 4, { ...sokoban.presets.legacy, num_boxes: 2 });
    const rewards = (two.oracle() ?? []).map((action) => two.step(action).reward);
    expect(rewards.reduce((sum, reward) => sum + reward)).toBeCloseTo(-0.1 * rewards.length + 2 + 10);
  });

  it("show the player on a target and a box on a target as themselves", () => {
    const env = sokoban.create(config({ num_boxes: 2 }));
    const symbols = new Set<string>();
    const random = rng(3);
    for (let seed = 0; seed < 10; seed++) {
      env.reset(seed);
      for (let i = 0; i < 60 && env.oracle()?.length !== 0; i++) {
        env.step(random.pick(directions));
        for (const symbol of env.text().match(/\S/g) ?? []) symbols.add(symbol);
      }
    }
    expect([...symbols].sort().join("")).toBe("#OPSX_√");
  });
});

describe("a fixed room", () => {
  const desc = ["#####", "#P__#", "#_X_#", "#_*O#", "#####"];
  const problems = (rows: string[]) => sokoban.config.safeParse({ desc: rows }).error?.issues[0]?.message;

  it("is played for every seed, whatever generator the levels are drawn by", () => {
    for (const levels of ["studio", "lite", "legacy"]) {
      const config = sokoban.config.parse({ desc, levels, min_solution_steps: [9, 9] });
      expect(sokoban.levelSource!(config, 7)).toBe(null);
      const env = sokoban.create(config, { searchBudget: 1 });
      const drawn = [1, 10001].map((seed) => {
        env.reset(seed);
        return env.text();
      });
      expect(new Set(drawn).size).toBe(1);
    }
  });

  it("is played for every seed as it was drawn, and gives the board its size", () => {
    const config = sokoban.config.parse({ desc, text_cells: "lite" });
    const env = sokoban.create(config);
    for (const seed of [1, 2]) {
      env.reset(seed);
      const drawn = desc.map((row) => [...row].map((symbol) => ` ${symbol.replace("*", "√")} `).join(""));
      expect(env.text()).toBe(drawn.join("\n"));
      env.step("Right");
    }
    expect(sokoban.patches(config)).toEqual({ rows: 5, cols: 5 });
    expect(boardOf(env.groundTruth()).entities).toMatchObject({
      target: [
        [3, 2],
        [3, 3],
      ],
      box: [
        [2, 2],
        [3, 2],
      ],
    });
  });

  it("is refused with what is wrong", () => {
    expect(problems(["#####", "#PZO#", "#_X_#", "#####"])).toContain("use only # wall");
    expect(problems(["#####", "#P_O", "#_X_#", "#####"])).toContain("same length");
    expect(problems(["#####", "#P_O_", "#_X_#", "#####"])).toContain("walls (#) all around");
    expect(problems(["#####", "#__O#", "#_X_#", "#####"])).toContain("exactly one player");
    expect(problems(["#####", "#P__#", "#_X_#", "#####"])).toContain("as many boxes as targets");
    expect(problems(["#####", "#P__#", "#_*_#", "#####"])).toContain("not on a target");
  });
});
