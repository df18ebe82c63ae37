import { afterEach, describe, expect, it } from "vitest";
import { loadEnv } from "../index.ts";
import { config } from "./config.ts";
import { houseCount, housesFor, loadHouses } from "./houses.ts";
import { taskIn } from "./imported-tasks.ts";
import { navigation } from "./index.ts";
import type { Navigation } from "./navigation.ts";
import { squaredDistanceTo } from "./plan.ts";
import { importHouse } from "./procthor/import-house.ts";
import { house } from "./procthor/sample-house.ts";

const options = (more: object = {}) => config.parse({ homes: "imported", eval_set: "base_train", ...more });

describe("loaded houses", () => {
  const { home } = importHouse(house());
  afterEach(() => loadHouses([]));

  it("are played where the configuration says so", async () => {
    await loadEnv("navigation");
    const unload = loadHouses([home]);
    expect(houseCount()).toBe(1);
    const env = navigation.create(options()) as Navigation;
    env.reset(5);
    expect(["kitchen", "living room"]).toContain(taskIn([home], "base_train", 5)!.family);
    expect(env.question()).toBe(taskIn([home], "base_train", 5)!.instruction);
    const own = navigation.create(options({ homes: "own" })) as Navigation;
    own.reset(5);
    expect(own.question()).not.toBe(env.question());
    unload();
    expect(houseCount()).toBe(0);
    expect(() => navigation.create(options())).toThrow(
      /env\.config\.homes is "imported"; no houses are loaded/,
    );
  });

  it("stay when those that were loaded before are unloaded", () => {
    const unload = loadHouses([]);
    loadHouses([home]);
    unload();
    expect(houseCount()).toBe(1);
  });
});

describe("houses of a seed", () => {
  const houses = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];

  it("are those for training, or from a seed on and in evaluation sets the last ones", () => {
    const split = options({ eval_houses_from: 100 });
    expect(housesFor(houses, split, 99)).toEqual(houses.slice(0, 8));
    expect(housesFor(houses, split, 100)).toEqual(["i", "j"]);
    expect(housesFor(houses, options({ eval_set: "base" }), 0)).toEqual(["i", "j"]);
  });

  it.each([
    [10, 0, 10, 10],
    [1, 0.2, 1, 1],
    [2, 0.2, 1, 1],
    [2, 0.9, 1, 1],
    [3, 0.9, 1, 2],
    [7, 0.5, 3, 4],
  ])(
    "%d houses, a part of %d: %d for training, %d for evaluation",
    (count, eval_houses, trained, evaluated) => {
      const split = options({ eval_houses, eval_houses_from: 100 });
      const some = houses.slice(0, count);
      expect([0, 100].map((seed) => housesFor(some, split, seed).length)).toEqual([trained, evaluated]);
    },
  );
});

describe("tasks in imported houses", () => {
  const { home } = importHouse(house());
  const bare = importHouse({ ...house(), objects: [] }).home;

  it("follow from the seed alone, and differ between seeds", () => {
    const tasks = Array.from({ length: 20 }, (_, seed) => taskIn([home, home], "base_train", seed)!);
    const places = tasks.map(({ target, start }) => JSON.stringify([target, start]));
    expect(new Set(places).size).toBeGreaterThan(15);
    expect(taskIn([home, structuredClone(home)], "base_train", 7)).toEqual(tasks[7]);
  });

  it("begin at the distances of the task sets, facing the target in evaluation", () => {
    const distances = (set: "base" | "base_train") =>
      Array.from({ length: 20 }, (_, seed) => {
        const { target, start } = taskIn([home], set, seed)!;
        return Math.sqrt(squaredDistanceTo(home.things[target]!, start.x, start.z));
      });
    expect(Math.min(...distances("base"))).toBeGreaterThanOrEqual(251);
    expect(Math.max(...distances("base"))).toBeLessThanOrEqual(300);
    expect(Math.min(...distances("base_train"))).toBeGreaterThanOrEqual(200);
  });

  it("have the styles of a set in turn, and the back to the target in long_horizon", () => {
    const [base, common] = [0, 1].map((seed) => taskIn([home], "base_common_train", seed)!);
    expect(base).toEqual(taskIn([home], "base_train", 0));
    expect(common).toEqual(taskIn([home], "common_sense_train", 1));
    const long = taskIn([home], "long_horizon", 3)!;
    const short = taskIn([home], "base", 3)!;
    expect(long.instruction).toBe(short.instruction);
    expect(long.start).toEqual({ ...short.start, yaw: (short.start.yaw + 2) % 4 });
  });

  it("take the next house where one has no target", () => {
    expect(taskIn([bare, home], "base_train", 0)!.place.home).toBe(home);
    expect(taskIn([home, bare], "base_train", 1)!.place.home).toBe(home);
    expect(taskIn([bare], "base_train", 0)).toBeNull();
  });
});
