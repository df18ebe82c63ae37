import { expect, it } from "vitest";
import { affirmed } from "./negation.ts";

const placesIn = (text: string) => affirmed(text, /[a-z]+ \d ahead/g).map(([found]) => found);

it.each([
  ["lamp 4 ahead", ["lamp 4 ahead"]],
  ["no lamp 4 ahead", []],
  ["there isn't any other lamp 4 ahead", []],
  ["lamp 4 ahead is not in view", []],
  ["lamp 4 ahead isn't there ; sofa 2 ahead", ["sofa 2 ahead"]],
  ["lamp 4 ahead will never be seen", []],
  ["lamp 4 ahead cannot be seen", []],
  ["lamp 4 ahead can't be seen", []],
  ["lamp 4 ahead won't be in view", []],
  ["lamp 4 ahead is not far", ["lamp 4 ahead"]],
  ["lamp 4 ahead is not blocked", ["lamp 4 ahead"]],
  ["lamp 4 ahead is near, not far", ["lamp 4 ahead"]],
  ["lamp 4 ahead, not 5", ["lamp 4 ahead"]],
])("reads of %j what is not denied", (text, places) => {
  expect(placesIn(text)).toEqual(places);
});
