import { expect, test } from "vitest";
import type { GroundTruth } from "../core/types.ts";
import { isBlank, readClaim } from "./reading.ts";

const room: GroundTruth = {
  rows: 4,
  cols: 4,
  player: [1, 1],
  entities: { box: [[1, 2]], target: [[2, 2]], wall: [] },
};
const lake: GroundTruth = {
  rows: 3,
  cols: 3,
  player: [0, 0],
  entities: { goal: [[2, 2]], hole: [[1, 1]] },
};
const stated = (text: string, truth = room) =>
  Object.fromEntries([...readClaim(text, truth).places].filter(([, cells]) => cells.length > 0));

test.each([
  '{"player": [1, 1], "box": [1, 2], "target": [2, 2]}',
  "{'player': (1, 1), 'box': (1, 2), 'target': (2, 2)}",
  '{{"player": [1, 1], "box": [1, 2], "target": [2, 2]}}',
  '```json\n{"player_position": {"row": 1, "column": 1}, "box_positions": [[1, 2]], "target_positions": [[2, 2]]}\n```',
  '{"state": {player: {x: 1, y: 1}, boxes: [{row: 1, col: 2}], targets: ["(2, 2)"]}}',
  '[{"object_id": "player", "position": [1, 1]}, {"object_id": "box0", "position": [1, 2]}, {"id": "target", "cell": [2, 2]}]',
  "# # # #\n# P X #\n# _ O #\n# # # #",
  "The room:\n####\n#PX#\n#_O#\n####\nThat is all.",
  "#### / #PX# / #_O# / ####",
  '["####", "#PX#", "#_O#", "####"]',
  "player at row 1 col 1 ; box at row 1 col 2 ; target at row 2 col 2",
  "the agent (1, 1), a crate (1, 2) and the goal at (2, 2)",
])("%j", (text) => {
  expect(stated(text)).toMatchObject({ player: [[1, 1]], box: [[1, 2]], target: [[2, 2]] });
});

test("symbols mean what they mean in the game", () => {
  expect(stated("P _ _\n_ O _\n_ _ G", lake)).toEqual({ player: [[0, 0]], hole: [[1, 1]], goal: [[2, 2]] });
  expect(stated("_ _ _\n_ X _\n_ _ G", lake)).toMatchObject({ player: [[1, 1]], hole: [[1, 1]] });
  expect(stated("####\n#_S#\n#_√#\n####")).toMatchObject({
    player: [[1, 2]],
    box: [[2, 2]],
    target: [
      [1, 2],
      [2, 2],
    ],
  });
  expect(stated("the target is at row 2 col 2", lake)).toEqual({ goal: [[2, 2]] });
});

test("a board of another size is no board", () => {
  expect(stated("P _\n_ O", lake)).toEqual({});
  expect(stated("P _ _\n_ O _\n_ _ G\n_ _ _", lake)).toEqual({});
});

test("directions come from places, dictionaries and words", () => {
  const seen = { name: "box", vertical: "same", horizontal: "right" };
  for (const text of [
    '{"player": [1, 1], "box": [1, 2]}',
    '{"box": "directly right"}',
    '[{"object_id": "box", "vertical_relation": "same", "horizontal_relation": "right"}]',
    '{"box": {"vertical_relation": "same", "horizontal_relation": "right"}}',
    "the box is in the same row, to the right of you",
    "#### / #PX# / #__# / ####",
  ])
    expect(
      readClaim(text, room).relations.filter(({ name }) => name === "box"),
      text,
    ).toEqual([seen]);
});

test("keys that are missing or hold something else were not said", () => {
  const read = (text: string) => readClaim(text, room).relations;
  expect(read('[{"object_id": "box", "vertical_relation": "above"}]')).toEqual([
    { name: "box", vertical: "above", horizontal: null },
  ]);
  for (const text of [
    '[{"vertical_relation": "above"}]',
    '[{"object_id": "box"}]',
    '[{"object_id": 7, "vertical_relation": "above"}]',
    '{"box": null}',
    "{broken",
  ])
    expect(read(text), text).toEqual([]);
});

test("every record is a statement of its own, also one without a direction", () => {
  const read = (text: string) => readClaim(text, room).relations;
  const record = (vertical: unknown, horizontal: unknown) => ({
    object_id: "box",
    vertical_relation: vertical,
    horizontal_relation: horizontal,
  });
  const box = { name: "box", vertical: null, horizontal: null };
  expect(read(JSON.stringify([record("above", null), record(null, "left")]))).toEqual([
    { ...box, vertical: "above" },
    { ...box, horizontal: "left" },
  ]);
  for (const empty of [record(null, null), record(null, 3)])
    expect(read(JSON.stringify([empty, record("above", "left")]))).toEqual([
      box,
      { ...box, vertical: "above", horizontal: "left" },
    ]);
  expect(read('{"box": [{"vertical": "above"}, {"horizontal": "left"}]}')).toHaveLength(2);
  // Sentences may describe one place in two parts.
  expect(read("The box is above. The box is left.")).toEqual([
    { ...box, vertical: "above", horizontal: "left" },
  ]);
  expect(isBlank(readClaim(JSON.stringify([record(null, null)]), room))).toBe(true);
});

test("a text that says two things of one place says both", () => {
  expect(stated('{"player": [1, 1]} player at row 2 col 2')).toEqual({
    player: [
      [1, 1],
      [2, 2],
    ],
  });
});
