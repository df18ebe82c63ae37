import { describe, expect, it } from "vitest";
import { UPRIGHT } from "./geometry.ts";
import { draw } from "./picture.ts";
import { TASK_IDS } from "./task-ids.ts";
import { TASKS } from "./tasks.ts";
import { cameraOf, project } from "./view.ts";

describe("project", () => {
  const camera = cameraOf("AlignTwoCube", "reference");

  it("puts the point that VAGEN's camera looks at in the middle", () => {
    const { x, y } = project(camera, 300, [-200, 0, 200])!;
    expect(x).toBeCloseTo(150, 9);
    expect(y).toBeCloseTo(150, 9);
  });

  it("agrees with a place worked out by hand", () => {
    // From (1, 0, 0.6) the view goes along (−3, 0, −1)/√10. The origin lies (1·3 + 0.6·1)/√10 = 1.138420 m ahead and
    // (−1 · −1 + −0.6 · 3)/√10 = −0.252982 m up. A pixel is 150/(0.546302 · 1.138420) = 241.189 per metre.
    const { x, y, pixelsPerMetre } = project(camera, 300, [0, 100, 0])!;
    expect(pixelsPerMetre).toBeCloseTo(241.189, 2);
    expect(x).toBeCloseTo(150 + 24.119, 2);
    expect(y).toBeCloseTo(150 + 61.017, 2);
  });

  it("grows with the picture", () => {
    const [small, large] = [64, 320].map((size) => project(camera, size, [120, -60, 20])!);
    expect(large.x).toBeCloseTo(small.x * 5, 9);
    expect(large.y).toBeCloseTo(small.y * 5, 9);
  });

  it("has no pixel for a place behind the camera", () => {
    expect(project(camera, 300, [2000, 0, 600])).toBeNull();
  });
});

describe("the picture", () => {
  const size = 128;

  it.each(["close", "reference"] as const)(
    "of the %s camera shows every object where project says",
    (kind) => {
      for (const id of ["PlaceTwoCube", "StackThreeCube"] as const) {
        const task = TASKS[id];
        const camera = cameraOf(id, kind);
        const places = [
          [110, -150, 20],
          [-70, 130, 20],
          [60, 40, 20],
        ] as const;
        const objects = task.objects.map((_, i) => ({
          position: [places[i][0] / 1000, places[i][1] / 1000, 0.02] as const,
          rotation: UPRIGHT,
        }));
        const { data } = draw(task, { hand: [0, 0, 0.3], opening: 0.04, objects, drawer: 0 }, camera, size);
        for (const [i, name] of task.objects.entries()) {
          const { x, y } = project(camera, size, places[i])!;
          const at = (Math.floor(y) * size + Math.floor(x)) * 4;
          const [red, green, blue] = data.subarray(at, at + 3);
          const seen =
            red > 1.5 * Math.max(green, blue)
              ? "red"
              : green > 1.5 * Math.max(red, blue)
                ? "green"
                : "purple";
          expect(name).toBe(`${seen} cube`);
        }
      }
    },
  );

  it.each(TASK_IDS)("of %s has the whole workspace in the close camera", (id) => {
    const camera = cameraOf(id, "close");
    const { workspace, home } = TASKS[id];
    const [x, y] = workspace;
    for (const corner of [x[0], x[1]].flatMap((a) => [y[0], y[1]].map((b) => [a, b, 20] as const)))
      expectInside(project(camera, size, corner));
    expectInside(project(camera, size, [home[0] * 1000, home[1] * 1000, home[2] * 1000]));
  });

  function expectInside(place: ReturnType<typeof project>): void {
    expect(place).not.toBeNull();
    for (const value of [place!.x, place!.y]) {
      expect(value).toBeGreaterThan(2);
      expect(value).toBeLessThan(size - 2);
    }
  }
});
