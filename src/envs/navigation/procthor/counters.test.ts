// Counters of houses of the generator, with some of what lies on them: `unity/Assets/Resources/rooms/143.json` and `1310.json`, and
// `ai2thor/tests/data/arm/procthor_train_1.json` of https://github.com/allenai/ai2thor (Apache-2.0), in centimetres.
import { describe, expect, it } from "vitest";
import { footprintOf, type Thing } from "../home.ts";
import type { Quarter } from "../pose.ts";
import { counterSize, piecesOf } from "./counters.ts";
import { isInside } from "./space.ts";

type Points = readonly (readonly [x: number, z: number])[];
const COUNTERS: readonly [assetId: string, x: number, z: number, turn: Quarter, on: Points, free: Points][] =
  [
    [
      "Countertop_L_8x10",
      124,
      155,
      0,
      [
        [186, 32],
        [63, 56],
        [200, 126],
        [216, 185],
        [223, 247],
      ],
      [[60, 150]],
    ],
    [
      "Countertop_L_4x4",
      940,
      64,
      1,
      [
        [910, 110],
        [887, 32],
        [986, 26],
        [933, 64],
      ],
      [[980, 110]],
    ],
    [
      "Countertop_C_8x4",
      227,
      639,
      2,
      [
        [318, 619],
        [166, 663],
        [128, 593],
        [227, 671],
        [318, 585],
      ],
      [[227, 600]],
    ],
  ];

function counter(assetId: string, x: number, z: number, turn: Quarter): Thing {
  const [width, depth] = counterSize(assetId)!;
  return {
    kind: "box",
    name: "counter",
    color: "brown",
    x,
    z,
    y: 0,
    turn,
    room: 0,
    size: [width, 94, depth],
  };
}

describe("counters", () => {
  it.each(COUNTERS)(
    "%s carries what lies on it and leaves free what it encloses",
    (id, x, z, turn, on, free) => {
      const pieces = piecesOf(counter(id, x, z, turn), id).map(footprintOf);
      const isCovered = ([px, pz]: Points[number]) => pieces.some((rect) => isInside(rect, px, pz));
      expect(on.filter((point) => !isCovered(point))).toEqual([]);
      expect(free.filter(isCovered)).toEqual([]);
    },
  );

  it("without ends are one piece, and so are those without a shape in their names", () => {
    for (const id of ["Countertop_I_8x2", "Countertop_Island_10x3"])
      expect(piecesOf(counter(id, 0, 0, 0), id)).toHaveLength(1);
    expect(counterSize("Countertop_I_8x2")).toEqual([249, 66]);
    expect(counterSize("CounterTop_1")).toBeNull();
  });
});
