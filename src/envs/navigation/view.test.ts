import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Frame } from "../../core/types.ts";
import { drawHome } from "./draw-home.ts";
import golden from "./golden/pictures.json" with { type: "json" };
import { goldenPictures } from "./golden.ts";
import { isFree } from "./ground.ts";
import { FAMILIES, type Home } from "./home.ts";
import { KIND_NAMES } from "./kinds.ts";
import { cameraOf, type Pose, TILTS, tangentOf } from "./pose.ts";
import { placeOf } from "./tasks.ts";
import { PASSAGE, put, TANGENT, twoRooms } from "./testing.ts";
import { stateOf } from "./truth.ts";
import { draw, look, pixelsThrough } from "./view.ts";

const digest = ({ data }: Frame) => createHash("sha1").update(data).digest("hex");

/** Pixels of each thing from a pose, in a picture of 64 pixels. */
const pixels = (home: Home, pose: Pose) => [...look(home, pose, 64, TANGENT).pixels];

describe("pictures", () => {
  it("are the same bytes as ever, at both sizes", () => {
    expect(goldenPictures().map(digest)).toEqual(golden);
  });

  it("are opaque, of the size that is asked for, and the reader's to change", () => {
    const home = drawHome("bedroom", 3);
    const pose: Pose = { x: 20, z: 20, yaw: 1, tilt: 0 };
    for (const size of [48, 64, 100]) {
      const frame = draw(home, pose, size, TANGENT);
      expect([frame.width, frame.height, frame.data.length]).toEqual([size, size, size * size * 4]);
      expect(frame.data.filter((_, i) => i % 4 === 3).every((opacity) => opacity === 255)).toBe(true);
      const before = digest(frame);
      frame.data.fill(0);
      expect(digest(draw(home, pose, size, TANGENT))).toBe(before);
    }
  });

  it("count the same pixels with and without patterns", () => {
    for (const [i, family] of FAMILIES.entries()) {
      const home = drawHome(family, 4);
      const pose: Pose = { x: 20, z: 20, yaw: (i % 4) as Pose["yaw"], tilt: 0 };
      const counted = [...pixelsThrough(home, cameraOf(pose, TANGENT), 64)];
      expect(counted).toEqual(pixels(home, pose));
      expect(counted.some((count) => count > 0)).toBe(true);
    }
  });

  it("have no hole in any home: walls, floor or ceiling are behind every thing", () => {
    for (const family of FAMILIES)
      for (const seed of [1, 2]) {
        const { home, ground } = placeOf(drawHome(family, seed));
        for (let i = 0; i < ground.free.length; i += 97) {
          if (!ground.free[i]) continue;
          const [x, z] = [(i % ground.cols) + ground.x0, Math.floor(i / ground.cols) + ground.z0];
          expect(isFree(ground, x, z)).toBe(true);
          const yaw = (i % 4) as Pose["yaw"];
          const { frame } = look(home, { x, z, yaw, tilt: (i % 3) - 1 }, 32, TANGENT);
          // Where nothing is drawn, samples stay black, which no paint is.
          for (let at = 0; at < frame.data.length; at += 4)
            expect(frame.data[at] + frame.data[at + 1] + frame.data[at + 2]).toBeGreaterThan(30);
        }
      }
  });

  it("show each kind so that it can be told from all others, by its colours or its outline", () => {
    const views = KIND_NAMES.map((kind) => {
      const home = twoRooms([{ ...put(kind, 300, 400, 2), y: 0 }]);
      return draw(home, { x: 30, z: 20, yaw: 0, tilt: 0 }, 64, TANGENT).data;
    });
    for (const [i, one] of views.entries())
      for (const [j, other] of views.slice(0, i).entries()) {
        let different = 0;
        for (let at = 0; at < one.length; at += 4)
          if ([0, 1, 2].some((k) => Math.abs(one[at + k] - other[at + k]) > 40)) different++;
        expect(different, `${KIND_NAMES[i]} ${KIND_NAMES[j]}`).toBeGreaterThan(20);
      }
  });
});

describe("what shows", () => {
  const pose: Pose = { x: 30, z: 30, yaw: 1, tilt: 0 };

  it("is what lies in the field of view, and not what lies behind", () => {
    const [ahead, back] = pixels(twoRooms([put("chair", 500, 300), put("chair", 100, 300)]), pose);
    expect(ahead).toBeGreaterThan(20);
    expect(back).toBe(0);
  });

  it("is not what a wall hides, unless there is an opening", () => {
    const things = [put("toilet", 750, 300, 3)];
    expect(pixels(twoRooms(things), pose)).toEqual([0]);
    expect(pixels(twoRooms(things, [PASSAGE]), pose)[0]).toBeGreaterThan(10);
  });

  it("is not what another object hides", () => {
    const small = put("basket", 560, 300);
    const [alone] = pixels(twoRooms([small]), pose);
    const [hidden] = pixels(twoRooms([small, put("wardrobe", 450, 300, 3)]), pose);
    expect(alone).toBeGreaterThan(10);
    expect(hidden).toBe(0);
  });

  it("makes pictures differ whenever it differs, and the same pose gives the same picture", () => {
    for (const family of FAMILIES) {
      const { home, ground } = placeOf(drawHome(family, 5));
      const views = [...ground.free.keys()]
        .filter((i) => ground.free[i] && i % 53 === 0)
        .map((i) => {
          const at = { x: (i % ground.cols) + ground.x0, z: Math.floor(i / ground.cols) + ground.z0 };
          const view: Pose = { ...at, yaw: (i % 4) as Pose["yaw"], tilt: 0 };
          const { frame, pixels } = look(home, view, 64, TANGENT);
          expect(digest(draw(home, { ...view }, 64, TANGENT))).toBe(digest(frame));
          const seen = stateOf(home, 0, view, { pixels, side: 64 }, 5).visible.map(
            ({ kind, distance }) => `${kind} ${distance}`,
          );
          return { picture: digest(frame), seen: seen.join() };
        });
      expect(views.length).toBeGreaterThan(10);
      for (const [i, one] of views.entries())
        for (const other of views.slice(0, i))
          if (one.seen !== other.seen) expect(one.picture).not.toBe(other.picture);
    }
  });
});

describe("the camera", () => {
  it("has three axes of length 1 that stand on each other, at every yaw and tilt", () => {
    for (const yaw of [0, 1, 2, 3] as const)
      for (let tilt = TILTS.lowest; tilt <= TILTS.highest; tilt++) {
        const { right, up, forward } = cameraOf({ x: 1, z: 2, yaw, tilt }, 1);
        const dot = (a: readonly number[], b: readonly number[]) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        for (const axis of [right, up, forward]) expect(dot(axis, axis)).toBeCloseTo(1, 14);
        for (const [a, b] of [
          [right, up],
          [up, forward],
          [forward, right],
        ] as const)
          expect(dot(a, b)).toBeCloseTo(0, 14);
        expect(up[1]).toBeGreaterThan(0);
        // Angles as AI2-THOR gives them: yaw clockwise from +z, the horizon below level.
        const turn = (yaw * Math.PI) / 2;
        const down = (tilt * Math.PI) / 6;
        expect(forward[0]).toBeCloseTo(Math.sin(turn) * Math.cos(down), 14);
        expect(forward[1]).toBeCloseTo(-Math.sin(down), 14);
        expect(forward[2]).toBeCloseTo(Math.cos(turn) * Math.cos(down), 14);
      }
  });

  it("knows the tangent of half of every field of view", () => {
    for (let degrees = 1; degrees <= 120; degrees++)
      expect(tangentOf(degrees)).toBeCloseTo(Math.tan((degrees * Math.PI) / 360), 13);
  });

  it("uses no function that engines round differently, nor does anything else of the environment", () => {
    const exact = ["floor", "ceil", "round", "abs", "min", "max", "sqrt", "sign", "imul", "PI", "tan"];
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
    for (const file of files.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))) {
      const source = readFileSync(join(import.meta.dirname, file), "utf8").replace("`Math.tan`", "");
      for (const [, name] of source.matchAll(/Math\.(\w+)/g))
        expect(exact.slice(0, -1), file).toContain(name);
    }
  });
});
