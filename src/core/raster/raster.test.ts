import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rng } from "../rng.ts";
import type { Camera } from "./camera.ts";
import { type Canvas, clearCanvas, countIds, createCanvas, frameOf } from "./canvas.ts";
import { drawMesh, shadeMesh } from "./draw.ts";
import { buildMesh, type Group } from "./mesh.ts";
import { boxFaces, dot, type Face, minus, type Rgb, roundFaces, type Vec3 } from "./solid.ts";

const RED: Rgb = [200, 0, 0];
const BLUE: Rgb = [0, 0, 200];

const camera = (overrides: Partial<Camera> = {}): Camera => ({
  position: [0, 0, 0],
  right: [1, 0, 0],
  up: [0, 1, 0],
  forward: [0, 0, 1],
  tangent: 1,
  near: 0.1,
  clear: 2,
  ...overrides,
});

/** A face that looks at a camera that looks along +z. */
const facing = (points: Vec3[], pattern?: Face["pattern"]): Face => ({
  points,
  normal: [0, 0, -1],
  color: RED,
  ...(pattern && { pattern }),
});

const square = (half: number, z: number): Vec3[] => [
  [-half, -half, z],
  [half, -half, z],
  [half, half, z],
  [-half, half, z],
];

function drawn(groups: readonly Group[], view = camera(), side = 32): Canvas {
  const canvas = createCanvas(side, 1);
  drawMesh(canvas, buildMesh(groups), view);
  return canvas;
}

describe("the rasteriser", () => {
  it("draws a square where perspective puts it", () => {
    // Half as wide as far: it fills the middle half of the picture.
    const { ids, side } = drawn([{ id: 7, faces: [facing(square(1, 2))] }]);
    for (let row = 0; row < side; row++)
      for (let col = 0; col < side; col++) {
        const isInside = row >= 8 && row < 24 && col >= 8 && col < 24;
        expect(ids[row * side + col], `${row}, ${col}`).toBe(isInside ? 7 : 0);
      }
  });

  it("lets the nearer thing hide the farther one, in whatever order they come", () => {
    const near = { id: 1, faces: boxFaces([-1, -1, 4], [1, 1, 5], RED) };
    const far = { id: 2, faces: boxFaces([-3, -3, 6], [3, 3, 7], BLUE) };
    const one = drawn([near, far]);
    const other = drawn([far, near]);
    expect(one.ids).toEqual(other.ids);
    expect(one.colors).toEqual(other.colors);
    expect([...countIds(one, 2)].every((count) => count > 0)).toBe(true);
    expect(drawn([near, { id: 2, faces: boxFaces([-0.5, -0.5, 6], [0.5, 0.5, 7], BLUE) }]).ids).not.toContain(
      2,
    );
  });

  it("leaves no gap and no overlap between faces with a common edge", () => {
    const random = rng(3);
    for (let i = 0; i < 40; i++) {
      // A tilted plane, cut into four triangles around a random point.
      const at = (x: number, y: number): Vec3 => [x, y, 5 + x * 0.4 + y * 0.3];
      const middle = at(random.float() - 0.5, random.float() - 0.5);
      const corners = [at(-30, -30), at(30, -30), at(30, 30), at(-30, 30)];
      const normal: Vec3 = [0.4 / 1.118034, 0.3 / 1.118034, -1 / 1.118034];
      const groups = corners.map((corner, k) => ({
        id: k + 1,
        faces: [{ points: [corner, corners[(k + 1) % 4], middle], normal, color: RED }],
      }));
      const all = drawn(groups);
      expect(all.ids).not.toContain(0);
      // Each sample belongs to one triangle alone.
      const alone = groups.map((group) => countIds(drawn([group]), group.id)[group.id]);
      expect(alone.reduce((sum, count) => sum + count)).toBe(all.side * all.side);
    }
  });

  it("cuts off what reaches behind the camera", () => {
    const floor: Face = {
      points: [
        [-50, -1, -50],
        [50, -1, -50],
        [50, -1, 50],
        [-50, -1, 50],
      ],
      normal: [0, 1, 0],
      color: RED,
    };
    const { ids, nearness, side } = drawn([{ id: 1, faces: [floor] }]);
    for (let row = 0; row < side; row++) {
      const below = (row + 0.5) / (side / 2) - 1;
      const isFloor = below > 1 / 50;
      for (let col = 0; col < side; col++) {
        expect(ids[row * side + col]).toBe(isFloor ? 1 : 0);
        // At this angle the floor, one below the camera, is 1 / below away.
        if (isFloor) expect(nearness[row * side + col]).toBeCloseTo(below, 6);
      }
    }
  });

  it("fills the picture from inside of a room, wherever the camera stands", () => {
    const walls = [
      boxFaces([-5, -1, 4], [5, 3, 5], RED),
      boxFaces([-5, -1, -5], [5, 3, -4], RED),
      boxFaces([-5, -1, -5], [-4, 3, 5], RED),
      boxFaces([4, -1, -5], [5, 3, 5], RED),
      boxFaces([-5, -2, -5], [5, -1, 5], BLUE),
      boxFaces([-5, 3, -5], [5, 4, 5], BLUE),
    ].map((faces) => ({ id: 1, faces }));
    for (const position of [
      [0, 0, 0],
      [3.8, 0, 3.8],
      [-3.85, 2, 3.85],
    ] as const)
      expect(drawn(walls, camera({ position, tangent: 1.2 })).ids).not.toContain(0);
  });

  it("runs patterns true in perspective", () => {
    const floor: Face = {
      points: [
        [-40, -1, 1],
        [40, -1, 1],
        [40, -1, 60],
        [-40, -1, 60],
      ],
      normal: [0, 1, 0],
      color: RED,
      pattern: { kind: "checker", size: 0.7, second: BLUE },
    };
    const { colors, side } = drawn([{ id: 1, faces: [floor] }]);
    let seen = 0;
    for (let row = 0; row < side; row++)
      for (let col = 0; col < side; col++) {
        const below = (row + 0.5) / (side / 2) - 1;
        const z = 1 / below;
        if (z < 1 || z > 8) continue;
        const x = ((col + 0.5) / (side / 2) - 1) * z;
        const isSecond = (Math.floor(x / 0.7) + Math.floor(z / 0.7)) % 2 !== 0;
        const color = colors[row * side + col];
        expect((color & 255) > color >> 16 === isSecond || z > 2 * 2, `${row}, ${col}`).toBe(true);
        seen++;
      }
    expect(seen).toBeGreaterThan(200);
  });

  it("builds prisms whose faces look outward", () => {
    for (const axis of ["x", "y", "z"] as const)
      for (const taper of [1, 0.5, 0]) {
        const faces = roundFaces([1, 2, 3], [3, 6, 9], RED, axis, taper);
        expect(faces).toHaveLength(taper === 0 ? 9 : 10);
        for (const { normal, points } of faces) {
          expect(dot(normal, normal)).toBeCloseTo(1, 12);
          expect(dot(normal, minus(points[0], [2, 4, 6]))).toBeGreaterThan(0);
          // Flat: every corner lies in the plane of the first.
          for (const point of points) expect(dot(normal, minus(point, points[0]))).toBeCloseTo(0, 9);
        }
      }
  });

  it("refuses faces with too few or too many corners", () => {
    for (const corners of [2, 13]) {
      const points = Array.from({ length: corners }, (_, i): Vec3 => [i, i * i, 5]);
      expect(() => buildMesh([{ id: 1, faces: [facing(points)] }])).toThrow(`${corners} corners`);
    }
  });

  it("darkens what a scene covers once, and nothing but the id that is asked for", () => {
    const canvas = drawn([
      { id: 1, faces: [facing(square(4, 4))] },
      { id: 2, faces: [facing(square(0.5, 2))] },
    ]);
    const before = canvas.colors.slice();
    const ids = canvas.ids.slice();
    // Two faces that overlap, one nearer than what is drawn and one behind it.
    const cover = [{ id: 3, faces: [facing(square(1.5, 3)), facing(square(2, 8))] }];
    shadeMesh(canvas, buildMesh(cover), camera(), 1, 128);
    const covered = drawn(cover).ids;
    for (let i = 0; i < ids.length; i++) {
      const isDarkened = ids[i] === 1 && covered[i] === 3;
      const red = before[i] >>> 16;
      expect(canvas.colors[i]).toBe(isDarkened ? ((red * 128) >>> 8) << 16 : before[i]);
      expect(canvas.ids[i]).toBe(isDarkened ? 3 : ids[i]);
    }
    expect(new Set(canvas.ids)).toEqual(new Set([1, 2, 3]));
  });

  it("makes each pixel the mean of its samples", () => {
    const canvas = createCanvas(2, 2);
    canvas.colors.set([0xff0000, 0xff0000, 0, 0x0000ff, 0x00ff00, 0x00ff00, 0, 0]);
    expect([...frameOf(canvas).data.subarray(0, 8)]).toEqual([127, 127, 0, 255, 0, 0, 63, 255]);
    clearCanvas(canvas);
    expect([...frameOf(canvas).data.subarray(0, 8)]).toEqual([0, 0, 0, 255, 0, 0, 0, 255]);
  });

  it("draws the same bytes as ever", () => {
    const groups = [
      { id: 1, faces: roundFaces([-1, -1, 3], [0.5, 1, 4.5], RED, "y", 0.6) },
      { id: 2, faces: boxFaces([0.2, -1.2, 2], [1.4, 0.1, 3], BLUE) },
      ...(["plain", "checker", "planks", "tiles"] as const).map((kind, i) => ({
        id: 3 + i,
        faces: [facing(square(2 + i, 5 + i), { kind, size: 0.4, second: [250, 250, 90] })],
      })),
    ];
    const canvas = createCanvas(48, 2);
    const half = Math.sqrt(3) / 2;
    drawMesh(
      canvas,
      buildMesh(groups),
      camera({ position: [0, 1, 0], up: [0, half, 0.5], forward: [0, -0.5, half] }),
    );
    const digest = createHash("sha1").update(frameOf(canvas).data).digest("hex");
    expect(digest).toBe("f4f46ee06df4d55a3d5de8666d25e05b0904e999");
  });

  it("uses no function that engines round differently", () => {
    const exact = ["floor", "ceil", "round", "abs", "min", "max", "sqrt", "imul", "PI"];
    const folder = import.meta.dirname;
    for (const file of readdirSync(folder).filter((name) => !name.endsWith(".test.ts"))) {
      const source = readFileSync(join(folder, file), "utf8");
      for (const [, name] of source.matchAll(/Math\.(\w+)/g)) expect(exact, file).toContain(name);
      expect(source, file).not.toMatch(/[\w)\]] \*\* /);
    }
  });
});
