import { describe, expect, it } from "vitest";
import type { Vec3 } from "../../core/raster/solid.ts";
import { rng } from "../../core/rng.ts";
import { flatDistance, UPRIGHT } from "./geometry.ts";
import { TASK_IDS } from "./task-ids.ts";
import { type Scene, stageValue, TASKS } from "./tasks.ts";

/** A scene from positions in millimetres. */
const scene = (positions: readonly Vec3[], held: readonly number[] = [], drawer = 0): Scene => ({
  seen: {
    hand: [0, 0, 0.3],
    opening: 0,
    objects: positions.map(([x, y, z]) => ({
      position: [x / 1000, y / 1000, z / 1000],
      rotation: UPRIGHT,
    })),
    drawer: drawer / 1000,
  },
  grasped: positions.map((_, i) => held.includes(i)),
});

describe("success", () => {
  const { AlignTwoCube, PlaceTwoCube, StackThreeCube, PutAppleInDrawer } = TASKS;
  const align = (a: Vec3, b: Vec3) => AlignTwoCube.succeeds(scene([a, b]));
  const place = (a: Vec3, b: Vec3, held: number[] = []) => PlaceTwoCube.succeeds(scene([a, b], held));
  const stack = (a: Vec3, b: Vec3, c: Vec3, held: number[] = []) =>
    StackThreeCube.succeeds(scene([a, b, c], held));
  const store = (apple: Vec3, open: number, held: number[] = []) =>
    PutAppleInDrawer.succeeds(scene([apple], held, open));

  it.each([
    ["both cubes within 10 mm of x = 0", align([9.9, 5, 20], [-9.9, 100, 20]), true],
    ["a cube beyond", align([10.1, 5, 20], [0, 100, 20]), false],
    ["a cube higher than 50 mm", align([0, 5, 20], [0, 100, 50.1]), false],
    ["cubes within 50 mm of their targets", place([80, -149, 20], [31, 100, 20]), true],
    ["a cube outside its target", place([80, -151, 20], [80, 100, 20]), false],
    ["cubes on each other's targets", place([80, 100, 20], [80, -100, 20]), false],
    ["a cube over its target but held", place([80, -100, 60], [80, 100, 20], [0]), false],
    ["a stack of green, red and purple", stack([0, 0, 60], [10, 0, 20], [0, 10, 100]), true],
    ["a stack that leans by 20 mm", stack([0, 0, 60], [20.1, 0, 20], [0, 0, 100]), false],
    ["a stack whose top is still held", stack([0, 0, 60], [0, 0, 20], [0, 0, 100], [2]), false],
    ["a stack in another order", stack([0, 0, 20], [0, 0, 60], [0, 0, 100]), false],
    // The drawer's point is at (−500, −800 + open, 200).
    ["an apple in a closed drawer", store([-500, -770, 162], 30), true],
    ["an apple in a drawer that is open by 101 mm", store([-500, -699, 162], 101), false],
    ["an apple that is 101 mm beside the point", store([-399, -800, 162], 0), false],
    ["an apple under the drawer", store([-500, -800, 99], 0), false],
    ["an apple that is held", store([-500, -800, 162], 0, [0]), false],
  ])("%s: %s", (_, found, expected) => {
    expect(found).toBe(expected);
  });
});

describe("the value of a scene", () => {
  const { AlignTwoCube, PlaceTwoCube, StackThreeCube, PutAppleInDrawer } = TASKS;
  const onTable: Vec3 = [-50, 0, 20];
  const values = [
    ["nothing", AlignTwoCube, scene([[120, 0, 20], onTable]), 0, 0],
    ["red aligned", AlignTwoCube, scene([[0, 0, 20], onTable]), 2, 2],
    ["green aligned, a later stage", AlignTwoCube, scene([onTable, [0, 0, 20]]), 4, 4],
    ["red held", PlaceTwoCube, scene([[0, 0, 300], onTable], [0]), 2, 0],
    ["red placed", PlaceTwoCube, scene([[80, -100, 20], onTable]), 4, 0],
    [
      "green held",
      PlaceTwoCube,
      scene(
        [
          [80, -100, 20],
          [0, 0, 300],
        ],
        [1],
      ),
      6,
      0,
    ],
    [
      "both placed",
      PlaceTwoCube,
      scene([
        [80, -100, 20],
        [80, 100, 20],
      ]),
      10,
      10,
    ],
    ["red on green", StackThreeCube, scene([[0, 0, 60], [0, 0, 20], onTable]), 4, 0],
    ["apple held", PutAppleInDrawer, scene([[0, 0, 650]], [0], 240), 2, 0],
    ["apple in the drawer", PutAppleInDrawer, scene([[-500, -540, 162]], [], 240), 4, 0],
  ] as const;

  it.each(values)("of %s", (_, task, now, all, reference) => {
    expect(stageValue(task, now, "all")).toBe(all);
    expect(stageValue(task, now, "reference")).toBe(reference);
  });
});

describe("the start", () => {
  it("lies in VAGEN's regions, apart", () => {
    for (let seed = 0; seed < 300; seed++)
      for (const id of TASK_IDS) {
        const places = TASKS[id].place(rng(seed)).map(({ position }) => position);
        const [low, high] = TASKS[id].workspace;
        for (const [x, y] of places) {
          expect(x * 1000).toBeGreaterThanOrEqual(low[0]);
          expect(x * 1000).toBeLessThanOrEqual(low[1]);
          expect(y * 1000).toBeGreaterThanOrEqual(high[0]);
          expect(y * 1000).toBeLessThanOrEqual(high[1]);
        }
        // Two radii of ‖(0.02, 0.02)‖ + 0.02.
        for (const [i, one] of places.entries())
          for (const other of places.slice(0, i)) expect(flatDistance(one, other)).toBeGreaterThan(0.0965);
      }
  });

  it("of AlignTwoCube has the red cube left of the green one's region", () => {
    for (let seed = 0; seed < 100; seed++) {
      const [red, green] = TASKS.AlignTwoCube.place(rng(seed));
      for (const { position } of [red, green]) expect(position[0]).toBeGreaterThanOrEqual(0.1);
      expect(red.position[1]).toBeLessThanOrEqual(0.1);
      expect(green.position[1]).toBeGreaterThanOrEqual(0.1);
    }
  });
});
