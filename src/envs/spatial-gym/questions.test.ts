// Questions and maps in a room that is written down: the start at (300, 300) with its heading along +z, lengths in centimetres.
//
//        z                    lamp (100, 500)      bed (310, 560)
//        |
//        |                    start (300, 300)  ^             desk (520, 290)
//        |
//        +------ x            bin (290, 60)
import { describe, expect, it } from "vitest";
import { rng } from "../../core/rng.ts";
import type { Quarter } from "../navigation/pose.ts";
import { QUESTION_KINDS } from "./config.ts";
import { compareMap, mapOf, mapScore, partsOf, partsScore, readEntry } from "./map.ts";
import type { Origin, Placed } from "./objects.ts";
import { ANSWERS, answerTo, ask } from "./questions.ts";

const put = (name: string, x: number, z: number, turn: Quarter = 0): Placed => ({ name, x, z, turn });

const start: Origin = { x: 300, z: 300, turn: 0 };
const bed = put("bed", 310, 560, 2);
const desk = put("desk", 520, 290, 3);
const bin = put("bin", 290, 60);
const lamp = put("lamp", 100, 500);
const room = [bed, desk, bin];

describe("the answer to a question", () => {
  it.each([
    [bed, 0],
    [desk, 1],
    [bin, 2],
    [put("clock", 20, 310), 3],
  ])("about a direction is its side of the start: %o", (object, side) => {
    expect(answerTo("direction", [object], start)).toBe(side);
  });

  it("about a direction turns with the heading of the start", () => {
    expect(answerTo("direction", [desk], { ...start, turn: 1 })).toBe(0);
    expect(answerTo("direction", [bed], { ...start, turn: 1 })).toBe(3);
  });

  it("about a direction is none on the border of two sides", () => {
    expect(answerTo("direction", [lamp], start)).toBeNull();
  });

  it("from a perspective is the side of one who stands at the first and faces the second", () => {
    // From the bin (290, 60) to the bed (310, 560) is nearly +z; the desk is to the right of that way, and the other way to its left.
    expect(answerTo("perspective", [bin, bed, put("sink", 560, 80)], start)).toBe(1);
    expect(answerTo("perspective", [bed, bin, put("sink", 560, 540)], start)).toBe(3);
    expect(answerTo("perspective", [put("sink", 300, 300), bed, bin], start)).toBe(2);
    expect(answerTo("perspective", [bin, put("sink", 300, 300), bed], start)).toBe(0);
  });

  it("about distances is the nearer one, if that is clear", () => {
    // Bed to desk: √(210² + 270²) = 342; bed to bin: √(20² + 500²) = 500.
    expect(answerTo("distance", [bed, desk, bin], start)).toBe(0);
    expect(answerTo("distance", [bed, bin, desk], start)).toBe(1);
    // Desk to bin: √(230² + 230²) = 325.
    expect(answerTo("distance", [desk, bed, bin], start)).toBeNull();
  });

  it("about an order is what a clockwise turn meets first", () => {
    expect(answerTo("order", [desk, bin], start)).toBe(0);
    expect(answerTo("order", [bin, desk], start)).toBe(1);
    expect(answerTo("order", [lamp, bin], start)).toBe(1);
    expect(answerTo("order", [bin, lamp], { ...start, turn: 3 })).toBe(1);
  });

  it("about an order is none next to the heading, or for two that are nearly in line", () => {
    expect(answerTo("order", [bed, desk], start)).toBeNull();
    expect(answerTo("order", [desk, put("sofa", 500, 250)], start)).toBeNull();
  });
});

it("a question names its objects and its right answer", () => {
  const question = ask("distance", 1, [bed, desk, bin], start, rng(1))!;
  const [, to, one, other] = /nearer to the (\w+), the (\w+) or the (\w+)\?/.exec(question.text)!;
  expect(question.options).toEqual([one, other]);
  expect(question.answer).toBe(other);
  const named = [to, one, other].map((name) => room.find((object) => object.name === name)!);
  expect(answerTo("distance", named, start)).toBe(1);
  expect(ask("direction", 3, room, start, rng(1))).toBeNull();
});

it("each kind has an answer of every index in some room", () => {
  const many = [...room, lamp, put("clock", 20, 310), put("sink", 300, 200)];
  for (const kind of QUESTION_KINDS)
    for (let answer = 0; answer < ANSWERS[kind]; answer++)
      expect(ask(kind, answer, many, start, rng(1)), `${kind} ${answer}`).not.toBeNull();
});

describe("a map", () => {
  const entries = (text: string) => partsOf(text).map(readEntry);

  it("is written in whole steps, with the fronts that things have", () => {
    // 260 cm are 5.2 steps, 220 are 4.4, 240 are 4.8.
    expect(mapOf(room, start)).toBe(
      "bed 5 ahead 0 right facing back; desk 0 ahead 4 right facing left; bin 5 back 0 right",
    );
    expect(mapOf([desk], { ...start, turn: 1 })).toBe("desk 4 ahead 0 right facing back");
  });

  it("is read with one way or two, in any order, case and spacing", () => {
    expect(entries(" Chair 2 AHEAD 1 left facing back ;\n table 3 right")).toEqual([
      { name: "chair", offset: [2, -1], facing: "back" },
      { name: "table", offset: [0, 3] },
    ]);
    expect(entries("chair 1 left, 2 back")).toEqual([{ name: "chair", offset: [-2, -1] }]);
  });

  it("is read in VAGEN's form as well", () => {
    const text = '{"bed": {"position": [0, 5], "facing": "south"}, "desk": {"position":[-4,0]}}';
    expect(entries(text)).toEqual([
      { name: "bed", offset: [5, 0], facing: "back" },
      { name: "desk", offset: [0, -4] },
    ]);
  });

  it("is read in VAGEN's form with its fields in any order, and with fractions of a step", () => {
    const text =
      '{"bed": {"facing": "unknown", "position": [-0.5, 5], "note": 1}, "desk": "near", "bin": {"position": [1, 2]}}';
    expect(partsOf(text)).toEqual(["bed 5 ahead 0.5 left", 'desk "near"', "bin 2 ahead 1 right"]);
    expect(entries(text)).toEqual([
      { name: "bed", offset: [5, -0.5] },
      null,
      { name: "bin", offset: [2, 1] },
    ]);
    expect(entries('{"bed": {"position": [0, 5]')).toEqual([null]);
    expect(entries('{"bed": {"position": [-2e-7, 5], "facing": "north"}}')).toEqual([
      { name: "bed", offset: [5, -2e-7], facing: "ahead" },
    ]);
  });

  it("is worth nothing without any of the objects, whatever was explored", () => {
    const of = (text: string, seen: number) =>
      mapScore(
        entries(text).flatMap((entry) => entry ?? []),
        { objects: room, start, seen },
      );
    expect(of("sofa 0 ahead", 3)).toBe(0);
    expect(of("bin 9 ahead 9 right", 3)).toBeCloseTo(1 / 4, 12);
    expect(of("bin 9 ahead 9 right", 1)).toBeCloseTo(1 / 12, 12);
  });

  it.each([
    "unicorn 1 ahead",
    "chair",
    "chair 1 ahead 2 back",
    "chair ahead",
    "chair 1 up",
    "chair -1 ahead",
  ])("has no entry in %j", (text) => {
    expect(readEntry(text)).toBeNull();
  });

  it("has the score of its parts", () => {
    // The bed is right but 10 cm off along each axis; the desk's front is wrong and it is 200 cm off, with the right direction; no bin.
    const said = entries("bed 5 ahead 0 right facing back; desk 8 right facing right; sofa 1 ahead");
    const parts = compareMap(
      said.flatMap((entry) => entry ?? []),
      room,
      start,
    );
    const [bedOff, deskOff] = [Math.sqrt(10 ** 2 + 10 ** 2), Math.sqrt(180 ** 2 + 10 ** 2)];
    expect(parts.dir).toBeCloseTo(2 / 3, 12);
    expect(parts.facing).toBeCloseTo(1 / 2, 12);
    expect(parts.pos).toBeCloseTo((1 - bedOff / 200 + 1 - deskOff / 200) / 3, 12);
    const score = (2 / 3 - 1 / 8 + (1 / 2 - 1 / 4) + parts.pos + 0.75) / 4;
    expect(partsScore({ ...parts, coverage: 0.75 })).toBeCloseTo(score, 12);
  });

  it("scores at most 29/32, and nothing below chance", () => {
    expect(partsScore({ dir: 1, facing: 1, pos: 1, coverage: 1 })).toBe(29 / 32);
    expect(partsScore({ dir: 0.1, facing: 0.2, pos: 0, coverage: 0 })).toBe(0);
  });

  it("points somewhere wrong at the start itself, and more than 22.5° off", () => {
    const dir = (text: string) => compareMap([readEntry(text)!], [bed], start).dir;
    // The bed is 2.2° right of ahead; 2 of 5 is 21.8°, 3 of 5 is 31°.
    expect([dir("bed 5 ahead 2 right"), dir("bed 5 ahead 3 right"), dir("bed 0 ahead 0 right")]).toEqual([
      1, 0, 0,
    ]);
  });
});
