// VAGEN's own levels: rooms that its generators drew, and the random streams and hashes that they draw from.
import { describe, expect, it, test } from "vitest";
import { countSources, levelsText } from "../../../core/level-source.ts";
import golden from "../golden/reference-levels.json" with { type: "json" };
import { sokoban } from "../index.ts";
import type { Level } from "../room.ts";
import { solve } from "../solver.ts";
import { numpyLegacyRandom, pythonRandom } from "./mersenne-twister.ts";
import { referenceLevel } from "./reference-level.ts";
import { type Generation, referenceRoom } from "./reference-room.ts";
import { hashedSeed, pythonHash } from "./text-hash.ts";

interface GoldenLevel {
  seed: number;
  accepted_first_try: boolean;
  moves?: number | null;
  room?: string[];
  retried_with?: number[];
  hash_seed_0?: { retried_with: number[]; moves?: number; room: string[] };
}

interface GoldenSet {
  set: string;
  generation: Generation;
  config: object;
  levels: GoldenLevel[];
}

const sets = golden.sets as unknown as GoldenSet[];
const optionsOf = (set: GoldenSet) => sokoban.config.parse(set.config);

/** A level with the symbols of the golden file. */
function draw({ rows, cols, wall, targets, boxes, player }: Level): string[] {
  const symbol = (cell: number) => {
    if (wall[cell]) return "#";
    if (cell === player) return targets.includes(cell) ? "S" : "P";
    if (boxes.includes(cell)) return "X";
    return targets.includes(cell) ? "O" : "_";
  };
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols }, (_, col) => symbol(row * cols + col)).join(""),
  );
}

test("there are as many rooms as were recorded", () => {
  expect(sets.map(({ levels }) => levels.length)).toEqual([60, 30, 60, 30, 10, 10, 61, 10, 10]);
});

describe.each(sets.map((set) => [set.set, set] as const))("%s", (_, set) => {
  const options = optionsOf(set);
  const first = (seed: number) =>
    referenceRoom(set.generation, options.dim_room, options.num_boxes, seed).level;

  it("draws the first room of every seed, or none", () => {
    for (const { seed, room, retried_with } of set.levels) {
      const expected = retried_with ? null : (room ?? null);
      const level = first(seed);
      expect(level && draw(level), `seed ${seed}`).toEqual(expected);
    }
  });

  it("finds the length of a shortest solution", () => {
    for (const { seed, moves, retried_with } of set.levels) {
      if (moves === undefined || retried_with) continue;
      const length = solve(first(seed) as Level).plan?.length as number;
      expect(set.generation === "legacy" && length > 5 ? null : length, `seed ${seed}`).toBe(moves);
    }
  });

  it("accepts the same rooms, and retries with the same seeds", () => {
    for (const { seed, room, accepted_first_try: accepted, hash_seed_0, retried_with } of set.levels) {
      const found = referenceLevel(set.generation, options, seed);
      const retry = hash_seed_0 ?? { retried_with, room };
      expect(found?.retriedWith, `seed ${seed}`).toEqual(accepted ? [] : retry.retried_with);
      expect(found && draw(found.level), `seed ${seed}`).toEqual(accepted ? room : retry.room);
    }
  });

  it("is what the environment plays", () => {
    const env = sokoban.create({ ...options, levels: set.generation });
    for (const { seed, room, hash_seed_0 } of set.levels) {
      env.reset(seed);
      expect(env.text().replaceAll(" ", "").split("\n")).toEqual(hash_seed_0?.room ?? room);
    }
  });
});

describe("random streams", () => {
  const repeat = <T>(times: number, draw: () => T) => Array.from({ length: times }, draw);

  test.each([
    [0, 0.8444218515250481, [5, 0, 3, 3, 7, 9, 3, 5], [3, 3, 0, 2, 4, 3, 3, 2]],
    [1, 0.13436424411240122, [5, 8, 9, 5, 0, 0, 1, 7], [1, 4, 0, 2, 0, 3, 3, 3]],
    [10001, 0.35629006521821327, [1, 4, 6, 9, 3, 3, 8, 1], [2, 0, 0, 3, 4, 3, 0, 4]],
  ])("of seed %i equal those of Python and NumPy", (seed, float, belowTen, belowFive) => {
    expect(pythonRandom(seed).float()).toBe(float);
    const numpy = numpyLegacyRandom(seed);
    expect(repeat(8, () => numpy.int(10))).toEqual(belowTen);
    const python = pythonRandom(seed);
    expect(repeat(8, () => python.int(5))).toEqual(belowFive);
  });

  it("agree beyond the first block of 624 outputs", () => {
    // random.seed(1); [random.randrange(2**31) for _ in range(1250)][-1], and numpy.random.randint(2**31) likewise.
    const python = pythonRandom(1);
    const numpy = numpyLegacyRandom(1);
    expect(repeat(1250, () => python.int(2 ** 31)).at(-1)).toBe(650629093);
    expect(repeat(1250, () => numpy.int(2 ** 31)).at(-1)).toBe(1731864432);
  });
});

describe("hash of a seed", () => {
  it("equals Python's, under both versions of SipHash", () => {
    expect(pythonHash("7", [2, 4])).toBe(8255655750251093705n);
    expect(pythonHash("7", [1, 3])).toBe(-435914714773863006n);
    expect(hashedSeed(7, [2, 4])).toBe(497065673);
    expect(hashedSeed(7, [1, 3])).toBe(2658548318);
    expect(hashedSeed(123456, [2, 4])).toBe(2521266857);
    expect(hashedSeed(123456, [1, 3])).toBe(2617758573);
  });

  it("takes texts of one and of several words", () => {
    expect(pythonHash("1234567", [1, 3])).toBe(-6684075128579576191n);
    expect(pythonHash("12345678", [1, 3])).toBe(3785724242978802311n);
    expect(pythonHash("4294967295", [1, 3])).toBe(-7395580164763800411n);
  });
});

describe("where a level comes from", () => {
  const usual = { min_solution_steps: [1, 5] as [number, number] };
  const count = (overrides: object, first: number, levels: number) => {
    const options = sokoban.config.parse({ ...usual, ...overrides });
    return countSources(
      Array.from({ length: levels }, (_, i) => sokoban.levelSource?.(options, first + i) ?? "studio"),
    );
  };

  it("is the seed for 218 of Lite's 256 validation levels; the others are retries", () => {
    expect(count({ levels: "lite" }, 10_001, 256)).toEqual({
      reference: 218,
      reference_retry: 38,
      studio: 0,
    });
  });

  it("is the seed for 2,613 of Lite's first 3,000 training levels", () => {
    expect(count({ levels: "lite" }, 1, 3000).reference).toBe(2613);
  });

  it("is the studio for seeds that legacy's data sets leave out, and for seeds that Python's streams do not take", () => {
    const options = sokoban.config.parse({ ...usual, levels: "legacy" });
    const set = sets.find(({ set }) => set === "legacy") as GoldenSet;
    for (const { seed, moves } of set.levels)
      expect(sokoban.levelSource?.(options, seed)).toBe(moves === null ? "studio" : "reference");
    expect(sokoban.levelSource?.(options, 2 ** 32)).toBe("studio");
  });

  it("is not counted for the studio's own levels", () => {
    expect(sokoban.levelSource?.(sokoban.config.parse(usual), 1)).toBeNull();
  });

  it("falls back to a level of the studio that satisfies the options", () => {
    const options = sokoban.config.parse({ ...usual, levels: "lite", reset_seed_max_tries: 1 });
    // The first room of seed 2 needs eight moves.
    expect(referenceLevel("lite", options, 2)).toBeNull();
    const env = sokoban.create({ ...options, reset_seed_max_tries: 100 });
    env.reset(2);
    expect(env.oracle()?.length).toBeLessThanOrEqual(5);
  });

  it("is said in words", () => {
    expect(levelsText({ reference: 218, reference_retry: 38, studio: 0 })).toBe(
      "218 of 256 levels are VAGEN's, 38 are VAGEN's under PYTHONHASHSEED=0",
    );
    expect(levelsText({ reference: 3, reference_retry: 0, studio: 1 })).toBe(
      "3 of 4 levels are VAGEN's, 1 is the studio's",
    );
  });
});
