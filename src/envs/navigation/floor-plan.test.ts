import { expect, it } from "vitest";
import { floorPlanOf } from "./floor-plan.ts";
import { type Home, thingOf } from "./home.ts";

it("has what stands in the way, in metres", () => {
  const place = { x: 100, z: 200, turn: 0, room: 0 } as const;
  const [bed, rug, painting] = [
    thingOf("bed", "blue", place),
    thingOf("rug", "red", place),
    thingOf("painting", "brown", place),
  ];
  const room = {
    family: "bedroom",
    polygon: [
      [0, 0],
      [400, 0],
      [400, 300],
      [0, 300],
    ],
  } as const;
  const planWith = (things: Home["things"]) =>
    floorPlanOf({ rooms: [room], openings: [], things, height: 250 });
  // One walks over a rug, and into a painting.
  expect(planWith([rug]).things).toEqual([]);
  expect(planWith([bed, painting]).things).toHaveLength(2);
  const [x0, z0, x1, z1] = planWith([bed]).things[0]!;
  expect([(x0 + x1) / 2, (z0 + z1) / 2]).toEqual([1, 2]);
  expect(planWith([]).rooms).toEqual([
    [
      [0, 0],
      [4, 0],
      [4, 3],
      [0, 3],
    ],
  ]);
});
