import { describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import { boardOf } from "../../core/scene.ts";
import type { Cell } from "../../core/types.ts";
import type { Env } from "../env.ts";
import { neighbour, sameCell } from "../grid.ts";
import type { FrozenLakeConfig } from "./config.ts";
import golden from "./golden/levels.json" with { type: "json" };
import numpyGolden from "./golden/numpy-draws.json" with { type: "json" };
import { frozenlake } from "./index.ts";
import { directions, generateLevel, type Level, readLevel, shortestPath } from "./level.ts";

const create = (overrides: Partial<FrozenLakeConfig> = {}) =>
  frozenlake.create(frozenlake.config.parse(overrides));

function begin(desc: string[], overrides: Partial<FrozenLakeConfig> = {}, seed = 0) {
  const env = create({ desc, ...overrides });
  env.reset(seed);
  return env;
}

const playerOf = (env: Env) => boardOf(env.groundTruth()).player as Cell;

/** The map in VAGEN's letters. */
function writeLevel({ rows, cols, start, goal, holes }: Level): string[] {
  const grid = Array.from({ length: rows }, () => new Array<string>(cols).fill("F"));
  for (const [row, col] of holes) grid[row][col] = "H";
  grid[start[0]][start[1]] = "S";
  grid[goal[0]][goal[1]] = "G";
  return grid.map((row) => row.join(""));
}

describe("levels", () => {
  const { note: _, ...recorded } = golden;

  it("are as many as were recorded", () => {
    const counts = (sets: object) =>
      Object.fromEntries(Object.entries(sets).map(([name, levels]) => [name, Object.keys(levels).length]));
    expect(counts(recorded)).toEqual({ "size4_p0.8": 513, "size8_p0.8": 32, "size6_p0.6": 32 });
    expect(Object.values(counts(numpyGolden.levels))).toEqual([5, 5, 5, 5]);
  });

  it.each([
    ...Object.entries(recorded),
    ...Object.entries(numpyGolden.levels).map(
      ([name, levels]) => [`${name}, seeds beyond 2^32`, levels] as const,
    ),
  ])("are the reference's own: %s", (name, levels) => {
    const [size, p] = name.slice("size".length).split(/_p|,/).map(Number);
    for (const [seed, rows] of Object.entries(levels)) {
      expect(writeLevel(generateLevel(size, p, Number(seed))), `seed ${seed}`).toEqual(rows);
    }
  });

  it("exist, and are found, for the sparsest lake that a configuration allows: start beside the goal", () => {
    const level = generateLevel(20, 0, 1);
    expect(level.holes).toHaveLength(398);
    expect(shortestPath(level, level.start)).toHaveLength(1);
  });

  it("read back what was written", () => {
    const desc = ["SFH", "FHF", "FFG"];
    expect(writeLevel(readLevel(desc))).toEqual(desc);
  });
});

describe("oracle", () => {
  it("is as short as possible: no path found by brute force is shorter", () => {
    for (let seed = 0; seed < 100; seed++) {
      const level = generateLevel(4, 0.8, seed);
      // Bellman's equation, iterated to its fixed point, shares no code with the search.
      const holes = new Set(level.holes.map(([r, c]) => r * 4 + c));
      const distance = new Array(16).fill(99);
      distance[level.goal[0] * 4 + level.goal[1]] = 0;
      for (let sweep = 0; sweep < 16; sweep++) {
        for (let cell = 0; cell < 16; cell++) {
          if (holes.has(cell)) continue;
          const around = [cell - 4, cell + 4, cell % 4 ? cell - 1 : -1, cell % 4 < 3 ? cell + 1 : -1];
          for (const next of around) {
            if (next >= 0 && next < 16 && !holes.has(next))
              distance[cell] = Math.min(distance[cell], distance[next] + 1);
          }
        }
      }
      expect(shortestPath(level, level.start)).toHaveLength(distance[level.start[0] * 4 + level.start[1]]);
    }
  });

  it("goes round holes, and knows when all is lost or won", () => {
    const env = begin(["SHG", "FFF"]);
    expect(env.oracle()).toEqual(["Down", "Right", "Right", "Up"]);
    expect(env.step("Right")).toMatchObject({
      terminated: true,
      success: false,
      reward: 0,
      effective: true,
      note: "fell into a hole",
    });
    expect(env.oracle()).toBeNull();
    expect(env.text()).toBe("_ X G\n_ _ _");
  });
});

describe("moves", () => {
  it("stop at the edge of the lake and say so", () => {
    const env = begin(["SF", "FG"]);
    for (const action of ["Left", "Up"]) {
      expect(env.step(action)).toEqual({
        reward: 0,
        terminated: false,
        success: false,
        effective: false,
        note: "blocked by the edge of the lake",
      });
    }
  });

  it("lead to the goal, with the reward of the preset", () => {
    for (const [name, reward, text] of [
      ["lite", 1, " _  V "],
      ["legacy", 10, " _ \t √ \t"],
    ] as const) {
      const env = begin(["SG"], frozenlake.presets[name]);
      expect(env.step("Right")).toMatchObject({ reward, terminated: true, success: true });
      expect(env.text()).toBe(text);
      expect(env.groundTruth()).toEqual({
        rows: 1,
        cols: 2,
        player: [0, 1],
        entities: { goal: [[0, 1]], hole: [] },
      });
    }
  });

  it("look different on ice, in a hole and on the goal, at both sizes", () => {
    for (const patchPx of [8, 64]) {
      // The same tile under the player: ice, hole or goal.
      const tiles = [
        ["SF", "FG"],
        ["SF", "HG"],
        ["SG", "FF"],
      ].map((desc, i) => {
        const env = begin(desc);
        env.step(["Down", "Down", "Right"][i]);
        return env.render(patchPx).data.join();
      });
      expect(new Set(tiles).size).toBe(3);
    }
  });
});

describe("slippery ice", () => {
  /** The start is 9 moves from the nearest edge, and farther from the goal. */
  const wide = Array.from({ length: 20 }, (_, row) =>
    row === 10 ? `${"F".repeat(10)}S${"F".repeat(9)}` : row === 19 ? `${"F".repeat(19)}G` : "F".repeat(20),
  );

  /** Shares of the directions in which "Right" really went. */
  function shares(overrides: Partial<FrozenLakeConfig>) {
    const counts = new Map<string, number>();
    let n = 0;
    for (let seed = 0; n < 6000; seed++) {
      const env = begin(wide, overrides, seed);
      for (let i = 0; i < 9; i++, n++) {
        const before = playerOf(env);
        env.step("Right");
        const went = directions.find((name) => sameCell(neighbour(before, name), playerOf(env))) as string;
        counts.set(went, (counts.get(went) ?? 0) + 1);
      }
    }
    return Object.fromEntries(directions.map((name) => [name, (counts.get(name) ?? 0) / n]));
  }

  it("takes a move a third of the time each way but back when is_slippery", () => {
    const share = shares({ is_slippery: true });
    for (const name of ["Right", "Up", "Down"]) expect(Math.abs(share[name] - 1 / 3)).toBeLessThan(0.025);
    expect(share.Left).toBe(0);
  });

  it("takes a move to either side with slip_prob", () => {
    const share = shares({ slip_prob: 0.2 });
    expect(Math.abs(share.Right - 0.8)).toBeLessThan(0.025);
    expect(Math.abs(share.Up - 0.1)).toBeLessThan(0.02);
    expect(share.Left).toBe(0);
  });

  it("slips the same way in the same episode, and leaves the level alone", () => {
    const play = (seed: number) => {
      const env = create({ is_slippery: true, slip_prob: 0.3, p: 1, size: 20 });
      env.reset(seed);
      const actions = rng(1);
      const start = env.text();
      const walk = Array.from({ length: 8 }, () => {
        env.step(actions.pick(directions));
        return env.text();
      });
      return [start, ...walk];
    };
    expect(play(2)).toEqual(play(2));
    const plain = create({ p: 1, size: 20 });
    plain.reset(2);
    expect(play(2)[0]).toBe(plain.text());
  });
});

describe("configuration", () => {
  it("has the reference's defaults", () => {
    expect(frozenlake.config.parse({})).toEqual({
      size: 4,
      p: 0.8,
      desc: null,
      is_slippery: false,
      slip_prob: 0,
      render_mode: "vision",
      text_cells: "studio",
      max_actions_per_step: 5,
      format_reward: 0.02,
      success_reward: 1,
    });
  });

  it.each([
    [{ size: 1 }, "size"],
    [{ size: 4.5 }, "size"],
    [{ size: 21 }, "size"],
    [{ p: 1.2 }, "p"],
    [{ slip_prob: -0.1 }, "slip_prob"],
    [{ desc: [] }, "desc"],
    [{ desc: ["SFX", "FFG"] }, "S (start), F (frozen), H (hole) and G (goal)"],
    [{ desc: ["SF", "FFG"] }, "same length"],
    [{ desc: ["SFF", "FFF"] }, "exactly one S and exactly one G"],
    [{ desc: ["SGF", "FFG"] }, "exactly one S and exactly one G"],
    [{ max_actions_per_step: 0 }, "max_actions_per_step"],
  ])("refuses %o and says what is wrong", (overrides, words) => {
    const result = frozenlake.config.safeParse(overrides);
    expect(
      result.error?.issues.map(({ path, message }) => `${String(path[0])}: ${message}`).join(),
    ).toContain(words);
  });

  it("refuses a map without a way to the goal, naming field, value and remedy", () => {
    const desc = ["SH", "HG"];
    expect(() => create({ desc })).toThrow(
      expect.objectContaining({
        code: "invalid_config",
        message: expect.stringContaining(`env.config.desc is ["SH","HG"]; no path`),
        hint: expect.stringContaining("Change an H"),
      }),
    );
  });

  it("takes the size of the board from a fixed map", () => {
    const config = frozenlake.config.parse({ desc: ["SFF", "FFG"] });
    expect(frozenlake.patches(config)).toEqual({ rows: 2, cols: 3 });
    expect(begin(["SFF", "FFG"]).render(8)).toMatchObject({ width: 24, height: 16 });
  });
});
