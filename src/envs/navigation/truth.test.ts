import { describe, expect, it } from "vitest";
import type { Home } from "./home.ts";
import { thingOf } from "./home.ts";
import type { Pose, Quarter } from "./pose.ts";
import { distanceOf, sectorOf, stateOf } from "./truth.ts";

const pose = (yaw: Quarter, x = 10, z = 10): Pose => ({ x, z, yaw, tilt: 0 });
const at = (dx: number, dz: number) => ({ x: 100 + dx, z: 100 + dz });

describe("directions", () => {
  it("belong to the sectors of VAGEN, borders included", () => {
    // At yaw 0: x to the right, z ahead.
    expect(sectorOf(pose(0), at(0, 50))).toBe("ahead");
    expect(sectorOf(pose(0), at(50, 50))).toBe("ahead");
    expect(sectorOf(pose(0), at(-50, 50))).toBe("ahead");
    expect(sectorOf(pose(0), at(51, 50))).toBe("right");
    expect(sectorOf(pose(0), at(-51, 50))).toBe("left");
    expect(sectorOf(pose(0), at(50, -50))).toBe("right");
    expect(sectorOf(pose(0), at(-50, -50))).toBe("left");
    expect(sectorOf(pose(0), at(50, -51))).toBe("back");
    expect(sectorOf(pose(0), at(-50, -51))).toBe("back");
    expect(sectorOf(pose(0), at(0, -50))).toBe("back");
    expect(sectorOf(pose(0), at(0, 0))).toBe("ahead");
  });

  it("are those of the angles of VAGEN away from the borders, at every yaw", () => {
    const sectors = new Set<string>();
    for (const yaw of [0, 1, 2, 3] as const)
      for (let dx = -7; dx <= 7; dx++)
        for (let dz = -7; dz <= 7; dz++) {
          if (Math.abs(dx) === Math.abs(dz)) continue;
          let angle = (Math.atan2(dx, dz) * 180) / Math.PI - yaw * 90;
          while (angle <= -180) angle += 360;
          const wanted =
            Math.abs(angle) < 45 ? "ahead" : Math.abs(angle) > 135 ? "back" : angle > 0 ? "right" : "left";
          const found = sectorOf(pose(yaw), at(dx * 10, dz * 10));
          expect(found, `${yaw} ${dx} ${dz}`).toBe(wanted);
          sectors.add(found);
        }
    expect(sectors.size).toBe(4);
  });

  it("come with distances in metres with two decimals", () => {
    expect(distanceOf(pose(0), at(30, 40))).toBe(0.5);
    expect(distanceOf(pose(0), at(100, 100))).toBe(1.41);
    expect(distanceOf(pose(0), at(0, 0))).toBe(0);
  });
});

describe("the truth", () => {
  const spot = (x: number) => ({ x, z: 100, turn: 0 as const, room: 0 });
  const home: Home = {
    rooms: [],
    openings: [],
    height: 250,
    things: [
      thingOf("sofa", "red", spot(400)),
      thingOf("counter", "brown", spot(120)),
      thingOf("lamp", "pink", spot(150)),
      thingOf("bin", "green", spot(-20)),
      thingOf("chair", "blue", spot(300)),
    ],
  };

  it("lists what shows, nearest first, without scenery and without what shows in too few pixels", () => {
    const truth = stateOf(home, 0, pose(1), { pixels: [90, 90, 90, 3, 2.75], side: 64 }, 5);
    expect(truth).toEqual({
      target: { kind: "sofa", direction: "ahead", distance: 3, at: [4, 1] },
      visible: [
        { kind: "lamp", direction: "ahead", distance: 0.5, at: [1.5, 1] },
        { kind: "bin", direction: "back", distance: 1.2, at: [-0.2, 1] },
        { kind: "sofa", direction: "ahead", distance: 3, at: [4, 1] },
      ],
      further: [],
      agent: { x: 1, z: 1, yaw: 90, horizon: 0 },
    });
  });

  it("asks for the same share of a picture at every resolution", () => {
    const seen = (side: number, pixels: number) =>
      stateOf(home, 0, pose(1), { pixels: [0, 0, pixels, 0, 0], side }, 5).visible.length === 1;
    for (const [side, least] of [
      [32, 0.75],
      [64, 3],
      [128, 12],
      [256, 48],
    ] as const)
      expect([seen(side, least), seen(side, least - 0.25)], `${side}`).toEqual([true, false]);
  });

  it("lists no more than it is asked for, and always a target in view", () => {
    const listed = (target: number) => {
      const { visible, further } = stateOf(
        home,
        target,
        pose(2),
        { pixels: [90, 90, 90, 90, 90], side: 64 },
        2,
      );
      return {
        visible: visible.map(({ kind, direction }) => [kind, direction]),
        further: further.map(({ kind }) => kind),
      };
    };
    expect(listed(3)).toEqual({
      visible: [
        ["lamp", "left"],
        ["bin", "right"],
      ],
      further: ["chair", "sofa"],
    });
    expect(listed(4)).toEqual({
      visible: [
        ["lamp", "left"],
        ["chair", "left"],
      ],
      further: ["bin", "sofa"],
    });
  });
});
