import { describe, expect, it } from "vitest";
import { footprintOf, type Room, thingOf } from "../home.ts";
import type { Quarter } from "../pose.ts";
import { shrunkToPlace } from "./on-walls.ts";
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
/** Where a painting on the wall along x begins and ends. */
function span(x: number, openings: Parameters<typeof shrunkToPlace>[2], others: readonly number[] = []) {
  const hung = [x, ...others].map((at) => painting(at, 2));
  const { x0, x1 } = footprintOf(shrunkToPlace(painting(x, 2), room, openings, hung));
  return [x0, x1];
}

describe("what hangs on a wall", () => {
  it("has its own size where there is space for it", () => {
    expect(shrunkToPlace(painting(300, 2), room, [], [painting(300, 2)])).toEqual(painting(300, 2));
  });

  it("ends before the end of the wall, a passage, and half way to what hangs beside it", () => {
    expect(span(45, [])).toEqual([5, 85]);
    expect(span(560, [])).toEqual([525, 595]);
    expect(span(300, [{ x0: 340, x1: 440, z0: -12, z1: 12, top: 210 }])).toEqual([260, 340]);
    expect(span(300, [], [350, 100])).toEqual([275, 325]);
  });

  it("is not limited by what is on other walls", () => {
    const onOther = [painting(598, 40, 3), painting(310, 398, 2)];
    const door = { x0: 588, x1: 612, z0: 20, z1: 120, top: 210 };
    const thing = painting(300, 2);
    expect(shrunkToPlace(thing, room, [door], [thing, ...onOther])).toEqual(thing);
  });

  it("shrinks around its middle, to no less than a quarter", () => {
    const { y, size } = shrunkToPlace(painting(35, 2), room, [], []);
    expect([y + size[1] / 2, size[0], size[1]]).toEqual([145, 60, 45]);
    expect(shrunkToPlace(painting(6, 2), room, [], []).size[0]).toBe(30);
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
