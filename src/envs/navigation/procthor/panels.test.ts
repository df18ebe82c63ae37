import { describe, expect, it } from "vitest";
import real from "../golden/procthor-train-4.json" with { type: "json" };
import { groundOf } from "../ground.ts";
import type { Home } from "../home.ts";
import { tangentOf } from "../pose.ts";
import { draw } from "../view.ts";
import { importHouse } from "./import-house.ts";
import { readHouses } from "./read-houses.ts";
import { house, wall } from "./sample-house.ts";

type Sample = ReturnType<typeof house>;

const panelsIn = (data: unknown) => importHouse(structuredClone(data)).home.panels;
const changed = (change: (data: Sample) => void) => {
  const data = house();
  change(data);
  return data;
};

const DOOR = { kind: "door", x: 150, y: 0, z: 5, turn: 0, width: 100, height: 200 };
const WINDOW = { kind: "window", x: 400, y: 100, z: 5, turn: 0, width: 100, height: 90 };

describe("doors and windows to the outside", () => {
  it("hang on the side of their wall that the room sees, and inner doors do not", () => {
    expect(panelsIn(house())).toEqual([DOOR, WINDOW]);
  });

  it("look into the room, whichever way the wall was written", () => {
    const turned = changed((data) => {
      data.walls[2] = wall("wall|2|2", [0, 4], [0, 0]);
    });
    // Measured from the end at z = 4 m.
    expect(panelsIn(turned)).toEqual([
      { ...DOOR, x: 5, z: 250, turn: 1 },
      { ...WINDOW, x: 5, z: 27.5, turn: 1, width: 45 },
    ]);
  });

  it("belong to the room that the file names first or second", () => {
    const swapped = changed((data) => {
      Object.assign(data.windows[0]!, { room0: "exterior", room1: "room|2" });
      Object.assign(data.doors[1]!, { room1: "exterior" });
    });
    expect(panelsIn(swapped)).toEqual([DOOR, WINDOW]);
  });

  it("may have the older bounding box", () => {
    const old = changed((data) => {
      const boundingBox = { min: { x: 3.5, y: 1 }, max: { x: 4.5, y: 1.9 } };
      Object.assign(data.windows[0]!, { holePolygon: undefined, boundingBox });
    });
    expect(panelsIn(old)).toEqual([DOOR, WINDOW]);
  });

  it.each<[string, (data: Sample) => void]>([
    ["a wall that is not there", (data) => Object.assign(data.windows[0]!, { wall0: "wall|9" })],
    ["rooms that are not there", (data) => Object.assign(data.windows[0]!, { room0: "room|9" })],
    ["a wall of another room", (data) => Object.assign(data.windows[0]!, { room0: "room|3" })],
    ["a wall between two rooms", (data) => Object.assign(data.windows[0]!, { room1: "room|3" })],
    ["no width", (data) => Object.assign(data.windows[0]!.holePolygon[1]!, { x: 3.5 })],
    ["no height below the ceiling", (data) => Object.assign(data.windows[0]!.holePolygon[0]!, { y: 1.85 })],
    ["a wall that is a passage", (data) => Object.assign(data.windows[0]!, { wall0: "wall|2|1" })],
  ])("are left out with %s", (_, change) => {
    const data = changed(change);
    data.walls[0] = wall("wall|2|1", [6, 0], [6, 4], { empty: true });
    expect(panelsIn(data)).toEqual([DOOR]);
  });

  it("are kept with the house", () => {
    const read = readHouses([{ name: "real.json", text: JSON.stringify(real) }]);
    expect(panelsIn(JSON.parse(read.source))).toEqual(panelsIn(real));
    const walled = readHouses([{ name: "walled.json", text: JSON.stringify({ ...house(), windows: [] }) }]);
    expect(walled.source).not.toContain("windows");
  });
});

describe("the house of the generator", () => {
  const { home } = importHouse(structuredClone(real));
  const bare: Home = { ...home, panels: [] };
  /** The part of the pixels that differ. */
  function difference(pose: Parameters<typeof draw>[1]): number {
    const [one, other] = [home, bare].map((of) => draw(of, pose, 64, tangentOf(100)).data);
    return one!.filter((value, i) => value !== other![i]).length / one!.length;
  }

  it("shows its front door and its windows", () => {
    expect(home.panels!.map(({ kind, turn }) => [kind, turn])).toEqual([
      ["door", 0],
      ["window", 1],
      ["window", 1],
      ["window", 2],
      ["window", 3],
    ]);
    expect(difference({ x: 33, z: 30, yaw: 2, tilt: 0 })).toBeGreaterThan(0.05);
    expect(difference({ x: 60, z: 70, yaw: 3, tilt: 0 })).toBeGreaterThan(0.05);
    // In the bathroom there are none.
    expect(difference({ x: 100, z: 10, yaw: 1, tilt: 0 })).toBe(0);
  });

  it("can be walked through as without them", () => {
    expect(groundOf(home)).toEqual(groundOf(bare));
  });
});
