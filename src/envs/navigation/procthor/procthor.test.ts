import { describe, expect, it } from "vitest";
import { EnvError, type StudioError } from "../../../core/errors.ts";
import { type Rng, rng } from "../../../core/rng.ts";
import { config } from "../config.ts";
import { groundOf, isFree } from "../ground.ts";
import { isKind } from "../kinds.ts";
import { Navigation } from "../navigation.ts";
import { TANGENT } from "../testing.ts";
import { look } from "../view.ts";
import { LIMITS } from "./house-schema.ts";
import { importHouse } from "./import-house.ts";
import { at, house, wall } from "./sample-house.ts";

type House = ReturnType<typeof house>;
const read = (data: unknown) => importHouse(JSON.parse(JSON.stringify(data)));

/** What only the reader of schemas would say. */
const RAW = /undefined|NaN|Invalid input|expected/;

function errorOf(data: unknown): StudioError {
  try {
    read(data);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    expect((error as StudioError).code).toBe("invalid_config");
    expect((error as StudioError).hint).toMatch(/\.$/);
    expect((error as StudioError).message).not.toMatch(RAW);
    return error as StudioError;
  }
  throw new Error("nothing was thrown");
}

describe("houses of ProcTHOR", () => {
  const { home, ignored } = read(house());

  it("keep their rooms, without corners in the middle of a side", () => {
    expect(home.rooms.map(({ family, polygon }) => [family, polygon.length])).toEqual([
      ["kitchen", 4],
      ["living room", 6],
    ]);
    expect(home.height).toBe(260);
  });

  it("have passages where inner doors are, and none to the outside", () => {
    expect(home.openings).toEqual([{ x0: 588, x1: 612, z0: 150, z1: 250, top: 210 }]);
    const ground = groundOf(home);
    for (let x = 50; x <= 70; x++) expect(isFree(ground, x, 20), `x ${x}`).toBe(true);
    expect(isFree(ground, 60, 10)).toBe(false);
  });

  it("read a door's older bounding box, measured along its wall, and empty walls, up to the walls beside them", () => {
    const other = house();
    const { holePolygon: _, ...door } = other.doors[0];
    const old = {
      ...door,
      wall0: "wall|3|1",
      boundingBox: { min: { x: 1.5, y: 0 }, max: { x: 2.5, y: 2.1 } },
    };
    expect(read({ ...other, doors: [old] }).home.openings[0]).toMatchObject({ z0: 150, z1: 250 });
    const walls = [wall("wall|2|1", [6, 0], [6, 3], { empty: true })];
    expect(read({ ...other, doors: [], walls }).home.openings).toEqual([
      { x0: 588, x1: 612, z0: 5, z1: 295, top: 260 },
    ]);
    const atCorner = {
      ...other.doors[0]!,
      holePolygon: [
        { x: 0.0049, y: 0, z: 0 },
        { x: 1.9985, y: 2.1, z: 0 },
      ],
    };
    expect(read({ ...other, doors: [atCorner] }).home.openings[0]).toMatchObject({ z0: 5, z1: 200 });
  });

  it("put objects in their rooms, with our models or as boxes, and count what they leave out", () => {
    const things = home.things.map(({ name, x, z, y, turn, room }) => [name, x, z, y, turn, room]);
    expect(things).toEqual([
      ["fridge", 40, 200, 0, 1, 0],
      ["table", 300, 340, 0, 2, 0],
      ["laptop", 300, 340, 80, 0, 0],
      ["sofa", 1153, 150, 0, 3, 1],
      ["television", 640, 500, 0, 1, 1],
      ["painting", 800, 10, 115, 0, 1],
      ["side table", 840, 640, 0, 0, 1],
    ]);
    expect(home.things[1].size).toEqual([160, 80, 90]);
    expect(Object.fromEntries(ignored)).toEqual({ Apple: 1, Bed: 1, GrandPiano: 1 });
  });

  it("draw objects of other kinds as boxes where the file gives their size, except small ones", () => {
    const boxOf = (x: number, y: number, z: number) => {
      const size = { axisAlignedBoundingBox: { center: at(8, 2, y / 2), size: { x, y, z } } };
      const { objects, ...rest } = house();
      return read({
        ...rest,
        objects: objects.map((one) => (one.id === "piano" ? { ...one, ...size } : one)),
      });
    };
    const large = boxOf(1.5, 1, 1.2);
    const box = large.home.things.find(({ name }) => name === "grand piano")!;
    expect(box).toMatchObject({ kind: "box", size: [150, 100, 120] });
    expect(isFree(groundOf(large.home), box.x / 10, box.z / 10)).toBe(false);
    expect(large.ignored.has("GrandPiano")).toBe(false);
    expect(large.boxes.get("grand piano")).toBe(1);
    expect(boxOf(0.1, 0.19, 0.1).ignored.get("GrandPiano")).toBe(1);
  });

  it("name the types of objects in their ids or, as the generator writes them, in their assets alone", () => {
    const generated = house();
    for (const [i, object] of generated.objects.entries()) {
      object.id = `2|${i}`;
      object.assetId = object.assetId.replace("SideTable", "Side_Table");
      for (const [n, child] of (object.children ?? []).entries()) child.id = `small|2|${n}`;
    }
    const { home: again, ignored: left } = read(generated);
    expect(again).toEqual(home);
    expect(left).toEqual(ignored);
  });

  it("can be looked at and played in", () => {
    const { pixels } = look(home, { x: 50, z: 20, yaw: 3, tilt: 0 }, 64, TANGENT);
    const seen = home.things.filter((_, i) => pixels[i] > 3).map(({ name }) => name);
    expect(seen).toEqual(["fridge", "table", "laptop"]);
    const env = new Navigation(config.parse({ eval_set: "base_train" }), [home]);
    const targets = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      env.reset(seed);
      const { kind } = env.state().target;
      expect(isKind(kind)).toBe(true);
      targets.add(kind);
      for (const action of env.oracle()!) env.step(action);
      expect(env.state().target.distance).toBeLessThanOrEqual(1);
    }
    expect(targets.size).toBeGreaterThan(3);
  });

  it("fill the limits within seconds", () => {
    const data = house();
    const rooms = Array.from({ length: LIMITS.rooms }, (_, i) => ({
      id: `room|${i}`,
      roomType: "Bedroom",
      floorPolygon: [at(0, i * 2), at(40, i * 2), at(40, i * 2 + 2), at(0, i * 2 + 2)],
    }));
    const objects = Array.from({ length: LIMITS.objects }, (_, i) => ({
      id: `Chair|0|${i}`,
      position: at((i % 60) * 0.6 + 1, Math.floor(i / 60) * 0.9 + 0.5),
    }));
    const { home } = read({ ...data, rooms, objects, doors: [] });
    expect(home.things).toHaveLength(LIMITS.objects);
    expect(groundOf(home).free.length).toBeLessThan(250_000);
  });
});

/** Replaces or removes one value somewhere in a house. */
function damage(data: object, random: Rng, odd: readonly unknown[]): void {
  let at = data as Record<string, unknown>;
  for (;;) {
    const key = random.pick(Object.keys(at));
    const inner = at[key];
    const isInner = typeof inner === "object" && inner !== null && Object.keys(inner).length > 0;
    if (isInner && random.int(5)) at = inner as Record<string, unknown>;
    else {
      if (random.int(4)) at[key] = structuredClone(random.pick(odd));
      else delete at[key];
      return;
    }
  }
}

describe("files that are no houses", () => {
  const changed = (change: (house: House) => void) => {
    const data = house();
    change(data);
    return data;
  };

  it.each([
    [[], /^the house is \[\]; it must be an object\.$/],
    [null, /^the house is null; it must be an object\.$/],
    [{}, /^rooms is missing; it must be a list\.$/],
    [{ rooms: [] }, /^rooms is \[\]; it must have at least 1 entry\.$/],
    [{ rooms: [{ id: 7 }] }, /^rooms\[0\]\.id is 7; it must be a text\.$/],
    [
      { ...house(), walls: [wall("w", [0, 0], [1, 0], { empty: "no" })] },
      /\.empty is "no"; it must be true or false\.$/,
    ],
  ] as const)("%j", (data, message) => {
    expect(errorOf(data).message).toMatch(message);
  });

  it("nested too deep", () => {
    let metadata: unknown = {};
    for (let i = 0; i < 5000; i++) metadata = [metadata];
    expect(errorOf({ ...house(), metadata }).message).toContain(`more than ${LIMITS.levels} levels`);
  });

  it.each<[string, (house: House) => void, RegExp]>([
    ["a room of another type", (h) => (h.rooms[1].roomType = "Garage"), /rooms\[1\]\.roomType is "Garage"/],
    [
      "a number that is text",
      (h) => (h.rooms[0].floorPolygon[2].x = "6" as never),
      /^rooms\[0\]\.floorPolygon\[2\]\.x is "6"; it must be a number\.$/,
    ],
    [
      "a missing position",
      (h) => delete (h.objects[2] as { position?: unknown }).position,
      /^objects\[2\]\.position is missing; it must be an object\.$/,
    ],
    [
      "two corners",
      (h) => h.rooms[0].floorPolygon.splice(2),
      /floorPolygon is .*; it must have at least 4 entries\.$/,
    ],
    [
      "a slanted side",
      (h) => (h.rooms[0].floorPolygon[2].z = 3),
      /rooms\[0\]\.floorPolygon has a slanted side/,
    ],
    [
      "a room in millimetres",
      (h) => (h.rooms[0].floorPolygon[2].x = 6000),
      /\.x is 6000; it must be at most 100\.$/,
    ],
    [
      "a room without area",
      (h) => {
        for (const point of h.rooms[0].floorPolygon) point.x = 0;
      },
      /encloses less than 1 m²/,
    ],
    [
      "a house too wide",
      (h) => {
        for (const point of h.rooms[0].floorPolygon) if (point.x === 0) point.x = -60;
      },
      /spread over 72 m/,
    ],
    [
      "a child without a place",
      (h) => (h.objects[1].children = [{ id: "x" }] as never),
      /objects\[1\]\.children\[0\]\.position/,
    ],
  ])("%s", (_, change, message) => {
    expect(errorOf(changed(change)).message).toMatch(message);
  });

  it("damaged at random: they are read or refused, and what is read can be drawn", () => {
    const random = rng(8);
    const odd = [null, -1, 0, 1e9, 0.5, "", "room|2", [], {}, [[]], true, "Kitchen", "__proto__"];
    let [taken, refused] = [0, 0];
    for (let i = 0; i < 400; i++) {
      const data = house();
      for (let changes = random.int(3); changes >= 0; changes--) damage(data, random, odd);
      try {
        const { home } = read(data);
        expect(look(home, { x: 20, z: 20, yaw: 0, tilt: 0 }, 32, TANGENT).frame.width).toBe(32);
        expect(groundOf(home).free.length).toBeGreaterThan(0);
        taken++;
      } catch (error) {
        expect(error, JSON.stringify(data)).toBeInstanceOf(EnvError);
        expect((error as EnvError).message).not.toMatch(RAW);
        refused++;
      }
    }
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });

  it("more rooms than are read", () => {
    const data = house();
    const rooms = Array.from({ length: LIMITS.rooms + 1 }, () => data.rooms[0]);
    expect(errorOf({ ...data, rooms }).message).toMatch(/^rooms is .*; it must have at most 24 entries\.$/);
  });
});
