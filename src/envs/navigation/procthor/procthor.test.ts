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

const at = (x: number, z: number, y = 0) => ({ x, y, z });

/** A wall as ProcTHOR writes it: its two ends on the floor, then above them. */
const wall = (id: string, from: [number, number], to: [number, number], more = {}) => ({
  id,
  polygon: [at(...from), at(...to), at(...from, 2.6), at(...to, 2.6)],
  material: "PureWhite",
  ...more,
});

/** A kitchen of 6 by 4 metres and beside it an L-shaped living room. */
const house = () => ({
  metadata: { schema: "1.0.0" },
  proceduralParameters: { lights: [] },
  windows: [],
  rooms: [
    {
      id: "room|2",
      roomType: "Kitchen",
      floorMaterial: "Tiles",
      floorPolygon: [at(0, 0), at(0, 4), at(6, 4), at(6, 0)],
    },
    {
      id: "room|3",
      roomType: "LivingRoom",
      floorPolygon: [at(6, 0), at(6, 3), at(6, 4), at(6, 7), at(9, 7), at(9, 3), at(12, 3), at(12, 0)],
    },
  ],
  walls: [
    wall("wall|2|1", [6, 0], [6, 4]),
    wall("wall|3|1", [6, 4], [6, 0]),
    wall("wall|2|2", [0, 0], [6, 0]),
  ],
  doors: [
    {
      id: "door|2|3",
      assetId: "Doorway_1",
      room0: "room|2",
      room1: "room|3",
      wall0: "wall|2|1",
      wall1: "wall|3|1",
      holePolygon: [
        { x: 1.5, y: 0, z: 0 },
        { x: 2.5, y: 2.1, z: 0 },
      ],
      openness: 1,
    },
    {
      id: "door|1|2",
      room0: "room|2",
      room1: "room|2",
      wall0: "wall|2|2",
      holePolygon: [
        { x: 1, y: 0 },
        { x: 2, y: 2 },
      ],
    },
  ],
  objects: [
    {
      id: "Fridge|2|0",
      assetId: "Fridge_4",
      position: at(0.4, 2, 0.9),
      rotation: { x: 0, y: 90, z: 0 },
      children: [],
    },
    {
      id: "DiningTable|2|1",
      assetId: "Dining_Table_208_1",
      position: at(3, 3.4, 0.4),
      rotation: { x: 0, y: 181, z: 0 },
      axisAlignedBoundingBox: { center: at(3, 3.4), size: { x: 1.6, y: 0.8, z: 0.9 } },
      children: [
        {
          id: "Laptop|surface|2|5",
          assetId: "Laptop_2",
          position: at(3, 3.4, 0.9),
          rotation: { x: 0, y: 0, z: 0 },
        },
        { id: "Apple|surface|2|6", assetId: "Apple_2", position: at(3.2, 3.4, 0.9) },
      ],
    },
    { id: "Sofa|3|0", assetId: "Sofa_203_1", position: at(11.9, 1.5, 0.4), rotation: { x: 0, y: 270, z: 0 } },
    {
      id: "Television|3|1",
      assetId: "Television_1",
      position: at(6.4, 5, 1),
      rotation: { x: 0, y: 90, z: 0 },
    },
    { id: "Painting|3|2", assetId: "Painting_1", position: at(8, 0.1, 1.6), rotation: { x: 0, y: 0, z: 0 } },
    { id: "SideTable|3|3", assetId: "Side_Table_1", position: at(8.4, 6.4, 0.3) },
    { id: "piano", assetId: "Grand_Piano_1", position: at(8, 2, 0.3) },
    { id: "Bed|9|9", assetId: "Bed_1", position: at(40, 40, 0.3) },
  ],
});

type House = ReturnType<typeof house>;
const read = (data: unknown) => importHouse(JSON.stringify(data));

function errorOf(data: unknown): StudioError {
  try {
    if (typeof data === "string") importHouse(data);
    else read(data);
  } catch (error) {
    expect(error).toBeInstanceOf(EnvError);
    expect((error as StudioError).code).toBe("invalid_config");
    expect((error as StudioError).hint).toMatch(/\.$/);
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

  it("read a door's older bounding box, measured along its wall, and empty walls", () => {
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
      { x0: 588, x1: 612, z0: 0, z1: 300, top: 260 },
    ]);
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
    expect(ignored).toEqual({ Apple: 1, Bed: 1, GrandPiano: 1 });
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
    ["", /not JSON.*""/],
    ["<html>", /not JSON.*<html>/],
    ["[]", /The house is \[\]/],
    ["{}", /^rooms is missing/],
    ['{"rooms":[]}', /^rooms is \[\]/],
  ] as const)("%j", (text, message) => {
    expect(errorOf(text).message).toMatch(message);
  });

  it("too large to be parsed", () => {
    expect(errorOf(" ".repeat(LIMITS.characters + 1)).message).toContain(String(LIMITS.characters));
  });

  it.each<[string, (house: House) => void, RegExp]>([
    ["a room of another type", (h) => (h.rooms[1].roomType = "Garage"), /rooms\[1\]\.roomType is "Garage"/],
    [
      "a number that is text",
      (h) => (h.rooms[0].floorPolygon[2].x = "6" as never),
      /rooms\[0\]\.floorPolygon\[2\]\.x is "6"/,
    ],
    [
      "a missing position",
      (h) => delete (h.objects[2] as { position?: unknown }).position,
      /objects\[2\]\.position is missing/,
    ],
    ["two corners", (h) => h.rooms[0].floorPolygon.splice(2), /rooms\[0\]\.floorPolygon is /],
    [
      "a slanted side",
      (h) => (h.rooms[0].floorPolygon[2].z = 3),
      /rooms\[0\]\.floorPolygon has a slanted side/,
    ],
    ["a room in millimetres", (h) => (h.rooms[0].floorPolygon[2].x = 6000), /floorPolygon\[2\]\.x is 6000/],
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
        refused++;
      }
    }
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });

  it("more rooms than are read", () => {
    const data = house();
    const rooms = Array.from({ length: LIMITS.rooms + 1 }, () => data.rooms[0]);
    expect(errorOf({ ...data, rooms }).message).toMatch(/^rooms is /);
  });
});
