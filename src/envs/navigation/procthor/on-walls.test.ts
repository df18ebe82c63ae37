import { describe, expect, it } from "vitest";
import { footprintOf, type Opening, type Room, thingOf } from "../home.ts";
import type { Quarter } from "../pose.ts";
import { hangsIn, shrunkToPlace } from "./on-walls.ts";
import { spaceAround } from "./space.ts";

const room: Room = {
  family: "bedroom",
  polygon: [
    [0, 0],
    [600, 0],
    [600, 400],
    [0, 400],
  ],
};
const painting = (x: number, z: number, turn: Quarter = 0) =>
  thingOf("painting", "brown", { x, z, turn, room: 0, y: 100 });
const closed = { openings: [], panels: [] };
const door: Opening = { x0: 340, x1: 440, z0: -12, z1: 12, top: 140 };

/** Where a painting on the wall along x begins and ends. */
function span(
  x: number,
  walls: Partial<Parameters<typeof shrunkToPlace>[2]>,
  others: readonly number[] = [],
) {
  const hung = [x, ...others].map((at) => painting(at, 2));
  const { x0, x1 } = footprintOf(shrunkToPlace(painting(x, 2), room, { ...closed, ...walls }, hung));
  return [x0, x1];
}

describe("what hangs on a wall", () => {
  it("has its own size where there is space for it", () => {
    expect(shrunkToPlace(painting(300, 2), room, closed, [painting(300, 2)])).toEqual(painting(300, 2));
  });

  it("ends before the end of the wall, a passage, and half way to what hangs beside it", () => {
    expect(span(45, {})).toEqual([5, 85]);
    expect(span(560, {})).toEqual([525, 595]);
    expect(span(300, { openings: [door] })).toEqual([260, 340]);
    expect(span(300, { panels: [door] })).toEqual([260, 340]);
    expect(span(300, {}, [350, 100])).toEqual([275, 325]);
  });

  it("is not limited by what is on other walls", () => {
    const onOther = [painting(598, 40, 3), painting(310, 398, 2)];
    const beside = { x0: 588, x1: 612, z0: 20, z1: 120, top: 210 };
    const thing = painting(300, 2);
    expect(shrunkToPlace(thing, room, { ...closed, openings: [beside] }, [thing, ...onOther])).toEqual(thing);
  });

  it("shrinks around its middle, to no less than a quarter", () => {
    const { y, size } = shrunkToPlace(painting(35, 2), room, closed, []);
    expect([y + size[1] / 2, size[0], size[1]]).toEqual([145, 60, 45]);
    expect(shrunkToPlace(painting(6, 2), room, closed, []).size[0]).toBe(30);
  });

  it("shrinks above a passage until it hangs free of it", () => {
    // Its middle is at 145, its lower edge at 100.
    const low = { ...door, top: 120 };
    const over = shrunkToPlace(painting(390, 2), room, { ...closed, openings: [low] }, []);
    expect(over.y).toBe(120);
    expect(over.y + over.size[1] / 2).toBe(145);
    expect(over.size[0] / over.size[1]).toBeCloseTo(120 / 90);
  });

  it("is in a passage only where the passage goes through its own wall", () => {
    expect(hangsIn(door, painting(390, 2))).toBe(true);
    expect(hangsIn(door, painting(330, 2))).toBe(false);
    // In the corner of a room, beside the end of a passage through the next wall.
    const next = { x0: -12, x1: 12, z0: 5, z1: 395, top: 210 };
    expect(hangsIn(next, painting(10, 8))).toBe(false);
    expect(hangsIn(next, painting(2, 200, 1))).toBe(true);
  });
});

describe("the space around a thing", () => {
  it("reaches from wall to wall, across strips of the floor, and no further", () => {
    const floors = [
      { x0: 0, x1: 200, z0: 0, z1: 300 },
      { x0: 200, x1: 400, z0: 0, z1: 500 },
      { x0: 400, x1: 600, z0: 100, z1: 300 },
    ];
    expect(spaceAround({ x: 300, z: 200 }, floors)).toEqual({ x0: 5, x1: 595, z0: 5, z1: 495 });
    expect(spaceAround({ x: 300, z: 50 }, floors)).toEqual({ x0: 5, x1: 395, z0: 5, z1: 495 });
    expect(spaceAround({ x: 300, z: 400 }, floors)).toEqual({ x0: 205, x1: 395, z0: 5, z1: 495 });
  });
});
