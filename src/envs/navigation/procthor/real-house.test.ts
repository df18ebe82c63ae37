// A house of the ProcTHOR generator that the repository of AI2-THOR has as an example: four rooms, three doors, one of them to the outside,
// an empty wall and 97 objects. Its `source` says where it is from.
import { describe, expect, it } from "vitest";
import { config } from "../config.ts";
import real from "../golden/procthor-train-4.json" with { type: "json" };
import { groundOf, isFree } from "../ground.ts";
import { footprintOf, type Home, holds, overlap, type Thing } from "../home.ts";
import { factsOf, isKind } from "../kinds.ts";
import { Navigation } from "../navigation.ts";
import { GRID } from "../pose.ts";
import { TASK_SETS } from "../task-sets.ts";
import { TANGENT } from "../testing.ts";
import { look } from "../view.ts";
import { floorOf, WALL, wallsOf } from "../walls.ts";
import { importHouse } from "./import-house.ts";
import { homesFrom, readHouses } from "./read-houses.ts";

const file = { name: "train_4.json", text: JSON.stringify(real) };
const { home } = importHouse(structuredClone(real));
const [bedroom, , kitchen, living] = [0, 1, 2, 3] as const;
const named = (name: string, room: number): Thing[] =>
  home.things.filter((thing) => thing.name === name && thing.room === room);
const hanging = home.things.filter(({ y, kind }) => y > 0 && ["painting", "television"].includes(kind));

describe("a house of the generator", () => {
  it("has its four rooms and its ceiling", () => {
    expect(home.rooms.map(({ family, polygon }) => [family, polygon.length])).toEqual([
      ["bedroom", 8],
      ["bathroom", 4],
      ["kitchen", 6],
      ["living room", 4],
    ]);
    expect(home.height).toBe(409);
  });

  it("has two doors and a passage in place of the empty wall, and none to the outside", () => {
    expect(home.openings).toEqual([
      { x0: 1187, x1: 1386, z0: 198, z1: 222, top: 213 },
      { x0: 827, x1: 851, z0: 297, z1: 402, top: 210 },
      { x0: 5, x1: 834, z0: 408, z1: 432, top: 409 },
    ]);
  });

  it("has no gap in the outer wall where the empty wall ends", () => {
    const walls = wallsOf(home.rooms[living]!, home);
    expect(walls).toContainEqual({ x0: 0, x1: WALL, z0: 0, z1: 420, y0: -4, y1: 413 });
  });

  it("can be walked through: free floor of every room is reached from any other", () => {
    const reached = reachedFrom(home, [70, 50]);
    for (const [room, { polygon }] of home.rooms.entries()) {
      const inside = reached.filter(([x, z]) =>
        floorOf(polygon).some((rect) => holds(rect, { x0: x, x1: x, z0: z, z1: z })),
      );
      expect(inside.length, `room ${room}`).toBeGreaterThan(300);
    }
  });
});

describe("its furniture", () => {
  it("has the heights that the file tells: the middle of a thing on the floor is at half its height", () => {
    const heightsOf = (name: string, room: number) => named(name, room).map(({ size }) => size[1]);
    expect(heightsOf("bookshelf", kitchen)).toEqual([66, 142]);
    expect(heightsOf("bookshelf", living)).toEqual([60]);
    expect(heightsOf("fridge", kitchen)).toEqual([170]);
    expect(heightsOf("cart", living)).toEqual([128]);
    expect(heightsOf("bed", bedroom)).toEqual([factsOf("bed").model.size[1]]);
  });

  it("has a counter around three sides of its place, open towards the room", () => {
    expect(named("counter", kitchen).map(footprintOf)).toEqual([
      { x0: 585, x1: 834, z0: 768, z1: 834 },
      { x0: 585, x1: 651, z0: 524, z1: 768 },
      { x0: 768, x1: 834, z0: 524, z1: 768 },
    ]);
    expect(isFree(groundOf(home), 71, 65)).toBe(true);
  });

  it("has plants and laptops on what they lie on", () => {
    const [[onCounter], [onTable]] = [named("plant", kitchen), named("plant", living)];
    expect([onCounter!.y, onTable!.y]).toEqual([94, 78]);
    expect(onTable!.size[1]).toBe(62);
    const [bed] = named("bed", bedroom);
    const [laptop] = named("laptop", bedroom);
    expect(holds(footprintOf(bed!), footprintOf(laptop!))).toBe(true);
    expect(laptop!.y).toBe(56);
    expect(named("laptop", living)[0]!.y).toBe(52);
  });

  it("has one television on a stand of ours and another on the wall above the dresser", () => {
    const [standing] = named("television", living);
    const [hung] = named("television", bedroom);
    expect([standing!.y, standing!.size]).toEqual([0, factsOf("television").model.size]);
    expect(hung!.y + hung!.size[1] / 2).toBe(178);
    expect(hung!.y).toBeGreaterThan(named("dresser", bedroom)[0]!.size[1]);
    expect(home.things.filter(({ name }) => name === "television stand")).toEqual([]);
  });

  it("hangs on walls beside doors and beside each other", () => {
    expect(hanging).toHaveLength(11);
    for (const thing of hanging) {
      const rect = footprintOf(thing);
      expect(home.openings.filter((opening) => overlap(opening, rect))).toEqual([]);
      expect(hanging.filter((other) => other !== thing && overlap(rect, footprintOf(other)))).toEqual([]);
    }
  });

  it("keeps its place across the strips of an L-shaped room", () => {
    const [, , , chair] = named("chair", bedroom);
    expect([chair!.x, chair!.z, chair!.turn]).toEqual([1034, 668, 1]);
    expect(named("dog bed", bedroom)[0]!.x).toBe(1044);
  });

  it("is the same where ids name no type, as in schema 0.0.1", () => {
    const untyped = (id: string) => id.replace(/^\w+\|surface/, "small").replace(/^[A-Z]\w*\|/, "");
    const objects = real.objects.map((object) => ({
      ...object,
      id: untyped(object.id),
      children: (object.children ?? []).map((child) => ({ ...child, id: untyped(child.id) })),
    }));
    expect(importHouse({ ...real, objects }).home).toEqual(home);
  });
});

describe("its tasks", () => {
  it("are the same after the house has been kept, and one counter is counted once", () => {
    const { source, rooms, notes } = readHouses([file]);
    expect(homesFrom({ name: "kept.jsonl", text: source })).toEqual([home]);
    expect(rooms).toBe(4);
    expect(notes.slice(0, 3)).toEqual([
      "cart: 1, drawn as boxes, never a target",
      "counter: 1, drawn as boxes, never a target",
      "dog bed: 1, drawn as boxes, never a target",
    ]);
  });

  it("mean what there is one of, and the oracle solves them in every set", () => {
    for (const set of TASK_SETS) {
      const env = new Navigation(config.parse({ eval_set: set, homes: "imported" }), [home]);
      for (let seed = 0; seed < 3; seed++) {
        env.reset(seed);
        const { kind } = env.state().target;
        expect(isKind(kind) && home.things.filter((thing) => thing.kind === kind).length, kind).toBe(1);
        for (const action of env.oracle()!) env.step(action);
        expect(env.state().target.distance, `${set}, seed ${seed}`).toBeLessThanOrEqual(1);
      }
    }
  });

  it("show through the door of the bedroom what stands in it, and no picture in the doorway", () => {
    const { pixels } = look(home, { x: 75, z: 30, yaw: 1, tilt: 0 }, 64, TANGENT);
    const seen = home.things.filter((_, i) => pixels[i]! > 3);
    expect(new Set(seen.map(({ name }) => name))).toEqual(
      new Set(["bed", "laptop", "table", "chair", "dog bed", "painting"]),
    );
    expect(seen.filter(({ name }) => name === "painting").map(({ turn }) => turn)).toEqual([3]);
  });
});

/** Free places that a walk from a place reaches, in centimetres. */
function reachedFrom({ rooms, ...rest }: Home, start: [number, number]): [number, number][] {
  const ground = groundOf({ rooms, ...rest });
  const queue = [start];
  const known = new Set([start.join()]);
  for (const [x, z] of queue)
    for (const next of [
      [x + 1, z],
      [x - 1, z],
      [x, z + 1],
      [x, z - 1],
    ] as [number, number][]) {
      if (known.has(next.join()) || !isFree(ground, ...next)) continue;
      known.add(next.join());
      queue.push(next);
    }
  return queue.map(([x, z]) => [x * GRID, z * GRID]);
}
