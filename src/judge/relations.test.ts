import { expect, test } from "vitest";
import { type Horizontal, readOffset, readRelations, type Vertical } from "./relations.ts";

const known = ["player", "box", "target", "hole"];
const said = (text: string) =>
  readRelations(text, known).map(({ name, vertical, horizontal }) => [name, vertical, horizontal]);

test.each<[string, Vertical | null, Horizontal | null]>([
  ["up-left", "above", "left"],
  ["Upper right", "above", "right"],
  ["bottomleft", "below", "left"],
  ["south-east", "below", "right"],
  ["directly above", "above", "same"],
  ["directly to the left", "same", "left"],
  ["same row, to the right", "same", "right"],
  ["2 down 1 right", "below", "right"],
  ["in the same place", "same", "same"],
  ["left", null, "left"],
  ["somewhere", null, null],
])("%s", (text, vertical, horizontal) => {
  expect(readOffset(text)).toEqual({ vertical, horizontal });
});

test.each([
  ["The box is above and to the left of the player.", [["box", "above", "left"]]],
  [
    "The box is above the player and to its left; the target is below you.",
    [
      ["box", "above", "left"],
      ["target", "below", null],
    ],
  ],
  [
    "the box is up-left, the target directly below",
    [
      ["box", "above", "left"],
      ["target", "below", "same"],
    ],
  ],
  ["You are above the box.", [["box", "below", null]]],
  ["The player is to the right of the target and below it", [["target", null, "left"]]],
  [
    "Above you is a box and to the right is the target.",
    [
      ["box", "above", null],
      ["target", null, "right"],
    ],
  ],
  [
    "holes: left, below-right",
    [
      ["hole", null, "left"],
      ["hole", "below", "right"],
    ],
  ],
  [
    "There is a hole on the left and another one below.",
    [
      ["hole", null, "left"],
      ["hole", "below", null],
    ],
  ],
  [
    "up hole, down box",
    [
      ["hole", "above", null],
      ["box", "below", null],
    ],
  ],
])("%s", (text, relations) => {
  expect(said(text)).toEqual(relations);
});

test("what is said of other things, of moves, of the board or by denial is no relation to the player", () => {
  for (const text of [
    "The box is left of the target.",
    "The player moves up.",
    "I push the box left",
    "The target is at the top left of the room.",
    "There is no hole to the left.",
    "The box is not above the player.",
    "The box isn't above and to the left of the player.",
    "The box isn’t above me",
    "The box is neither above nor to the left.",
    "The box cannot be above me.",
    "It is above.",
  ])
    expect(said(text), text).toEqual([]);
});

test("after a move the sentence speaks of the state again", () => {
  expect(said("I will push the box to the left, then the target is above me.")).toEqual([
    ["target", "above", null],
  ]);
});

test("names with digits are words of their own", () => {
  const relations = readRelations("The key2 is above you, the key is left of you.", [
    "player",
    "key",
    "key2",
  ]);
  expect(relations.map(({ name }) => name)).toEqual(["key2", "key"]);
  // A digit behind a known word without one is left out, as in "box1".
  expect(said("box1 is above left2 of you")).toEqual([["box", "above", "left"]]);
});
