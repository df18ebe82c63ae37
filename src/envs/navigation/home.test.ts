import { describe, expect, it } from "vitest";
import { drawHome } from "./draw-home.ts";
import { groundOf, isFree } from "./ground.ts";
import {
  boundsOf,
  FAMILIES,
  footprintOf,
  grown,
  type Home,
  holds,
  isObstacle,
  overlap,
  type Rect,
  type Room,
  type Thing,
} from "./home.ts";
import { factsOf, isKind } from "./kinds.ts";
import { AGENT_HEIGHT } from "./pose.ts";
import { RECIPES } from "./recipes.ts";
import { floorOf, WALL, wallsOf } from "./walls.ts";

const homes = FAMILIES.flatMap((family) => Array.from({ length: 40 }, (_, seed) => drawHome(family, seed)));

const inside = ({ polygon }: Room): Rect => grown(boundsOf(polygon), -WALL);
const area = ({ x0, x1, z0, z1 }: Rect) => (x1 - x0) * (z1 - z0);

describe("homes", () => {
  it("are the same for the same family and seed, and different for others", () => {
    expect(drawHome("kitchen", 2 ** 40 + 1)).toEqual(drawHome("kitchen", 2 ** 40 + 1));
    const texts = homes.map((home) => JSON.stringify(home));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it("have their family's main room first, and beside about half of them another one", () => {
    const withSide = homes.filter(({ rooms }) => rooms.length === 2);
    expect(withSide.length).toBeGreaterThan(homes.length / 4);
    expect(withSide.length).toBeLessThan((homes.length * 3) / 4);
    for (const { rooms, openings } of homes) expect(openings).toHaveLength(rooms.length - 1);
    for (const { rooms } of withSide) {
      expect(rooms[0].family).not.toBe(rooms[1].family);
      expect(overlap(boundsOf(rooms[0].polygon), boundsOf(rooms[1].polygon))).toBe(false);
    }
  });

  it("keep every object inside its room", () => {
    for (const { rooms, things } of homes)
      for (const thing of things)
        expect(holds(inside(rooms[thing.room]), footprintOf(thing)), JSON.stringify(thing)).toBe(true);
  });

  it("have no object inside another", () => {
    const meet = (one: Thing, other: Thing) =>
      overlap(footprintOf(one), footprintOf(other)) &&
      one.y < other.y + other.size[1] &&
      other.y < one.y + one.size[1];
    for (const { things } of homes) {
      const solid = things.filter(({ kind }) => kind !== "rug");
      for (const [i, one] of solid.entries())
        for (const other of solid.slice(i + 1))
          expect(meet(one, other), `${one.name} ${other.name}`).toBe(false);
    }
  });

  it("put what stands on others on top of them", () => {
    let found = 0;
    for (const { things } of homes)
      for (const thing of things.filter(({ kind }) => kind !== "box" && factsOf(kind).placement === "top")) {
        const below = things.filter(
          (other) =>
            other !== thing &&
            other.y + other.size[1] === thing.y &&
            holds(footprintOf(other), footprintOf(thing)),
        );
        expect(below).toHaveLength(1);
        found++;
      }
    expect(found).toBeGreaterThan(20);
  });

  it("have what their family always has, and enough kinds to choose from", () => {
    for (const { rooms, things } of homes) {
      const kinds = things.filter(({ room }) => room === 0).map(({ kind }) => kind);
      for (const kind of RECIPES[rooms[0].family].always) expect(kinds).toContain(kind);
    }
    const counts = homes.map(({ things }) => new Set(things.map(({ kind }) => kind).filter(isKind)).size);
    expect(counts.reduce((sum, count) => sum + count) / counts.length).toBeGreaterThan(7);
  });

  it("have free floor in one piece, but for a few corners behind things", () => {
    for (const home of homes) {
      const ground = groundOf(home);
      const free = [...ground.free.keys()].filter((i) => ground.free[i]);
      expect(free.length).toBeGreaterThan(200);
      let left = new Set(free);
      let largest = 0;
      while (left.size > largest) {
        const piece = new Set([[...left][0]]);
        for (const at of piece)
          for (const next of [at - 1, at + 1, at - ground.cols, at + ground.cols])
            if (ground.free[next] && Math.abs((next % ground.cols) - (at % ground.cols)) <= 1)
              piece.add(next);
        largest = Math.max(largest, piece.size);
        left = new Set([...left].filter((at) => !piece.has(at)));
      }
      expect(largest).toBeGreaterThan(free.length * 0.9);
    }
  });

  it("keep the agent's radius free of walls and things", () => {
    for (const home of homes.slice(0, 40)) {
      const ground = groundOf(home);
      const rects = [
        ...home.things.filter((thing) => isObstacle(thing, AGENT_HEIGHT)).map(footprintOf),
        ...home.rooms.flatMap((room) => wallsOf(room, home)).filter(({ y0 }) => y0 < AGENT_HEIGHT),
      ];
      for (let z = ground.z0 - 2; z < ground.z0 + ground.rows + 2; z++)
        for (let x = ground.x0 - 2; x < ground.x0 + ground.cols + 2; x++) {
          const clear = rects.every(({ x0, x1, z0, z1 }) => {
            const dx = Math.max(x0 - x * 10, 0, x * 10 - x1);
            const dz = Math.max(z0 - z * 10, 0, z * 10 - z1);
            return dx * dx + dz * dz >= 400;
          });
          const isIndoors = [...home.rooms.map(({ polygon }) => boundsOf(polygon)), ...home.openings].some(
            ({ x0, x1, z0, z1 }) => x * 10 >= x0 && x * 10 <= x1 && z * 10 >= z0 && z * 10 <= z1,
          );
          expect(isFree(ground, x, z)).toBe(clear && isIndoors);
        }
    }
  });

  it("lets the agent through openings", () => {
    for (const home of homes.filter(({ rooms }) => rooms.length === 2)) {
      const { x0, x1, z0, z1 } = home.openings[0];
      const ground = groundOf(home);
      expect(isFree(ground, Math.round((x0 + x1) / 20), Math.round((z0 + z1) / 20))).toBe(true);
    }
  });
});

describe("walls and floors", () => {
  /** A room like an L: 4 by 4 metres without a corner of 2 by 2. */
  const corner: Room = {
    family: "kitchen",
    polygon: [
      [0, 0],
      [400, 0],
      [400, 200],
      [200, 200],
      [200, 400],
      [0, 400],
    ],
  };
  const home = (openings: Home["openings"] = []) => ({ openings, height: 250 });

  it("fill an outline with floor, whichever way round it runs", () => {
    for (const polygon of [corner.polygon, [...corner.polygon].reverse()]) {
      const rects = floorOf(polygon);
      expect(rects.reduce((sum, rect) => sum + area(rect), 0)).toBe(120_000);
      for (const [i, one] of rects.entries())
        for (const other of rects.slice(i + 1)) expect(overlap(one, other)).toBe(false);
    }
  });

  it("stand inside the outline, one for each side", () => {
    for (const polygon of [corner.polygon, [...corner.polygon].reverse()]) {
      const walls = wallsOf({ ...corner, polygon }, home());
      expect(walls).toHaveLength(6);
      const floors = floorOf(polygon);
      for (const wall of walls) {
        // At the inner corner two walls reach round it, so one rectangle alone need not hold them.
        const middle = { x: (wall.x0 + wall.x1) / 2, z: (wall.z0 + wall.z1) / 2 };
        expect(
          floors.some(
            ({ x0, x1, z0, z1 }) => middle.x >= x0 && middle.x <= x1 && middle.z > z0 && middle.z < z1,
          ),
        ).toBe(true);
      }
      expect(walls.filter(({ x0, x1 }) => x0 === 195 || x1 === 200)).not.toHaveLength(0);
    }
  });

  it("have gaps where openings are, with a wall above them", () => {
    const opening = { x0: 100, x1: 200, z0: -6, z1: 6, top: 210 };
    const walls = wallsOf(corner, home([opening])).filter(({ z0, z1 }) => z0 === 0 && z1 === WALL);
    expect(walls.map(({ x0, x1, y0 }) => [x0, x1, y0])).toEqual([
      [0, 100, -4],
      [100, 200, 210],
      [200, 400, -4],
    ]);
  });
});
