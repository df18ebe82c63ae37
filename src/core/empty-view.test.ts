// How claims say that nothing is in view.
import { expect, it } from "vitest";
import { claimText } from "./claim-words.ts";
import { deniedView } from "./empty-view.ts";

const read = (text: string) => deniedView(claimText(text));

it.each(["nothing", "Nothing.", " nothing at all ; ", '"nothing"', "lamp not seen ; nothing"])(
  "takes %j for the word alone",
  (text) => {
    expect(read(text)).toBe("nothing");
  },
);

it.each([
  "Nothing is in view.",
  "Nothing will be in view.",
  "In view: nothing",
  "No objects are visible.",
  "There will be no object in sight.",
  "no visible objects",
  "I see nothing.",
  "I will turn right and see nothing",
  "I don't see anything.",
  "I can’t see any objects",
  "Nothing comes into view",
  "There won't be anything in view.",
  "None of the objects will be seen.",
  "The view will be empty.",
  "an empty view",
  "nothing ; nothing will be in view",
  "lamp 4 ahead 2 right ; I see nothing",
])("takes %j for a claim about the view", (text) => {
  expect(read(text)).toBe("nothing in view");
});

it.each([
  "",
  "lamp 4 ahead 2 right",
  "lamp 4 ahead 2 right is not in view",
  "target not seen",
  "nothing else",
  "I see nothing else.",
  "No other objects are visible.",
  "I do not see anything else",
  "Nothing new will be in view.",
  "No objects but the bin are visible",
  "nothing except the bin is in view",
  "There is nothing to my left",
  "I see nothing between me and the bed",
  "There is nothing in front of me",
  "There is nothing nearby",
  "I see no objects near me",
  "There are no objects close to me",
  "Nothing is visible on the table",
  "There is nothing, except the bin",
  "Nothing blocks the way.",
  "There is nothing in the way",
  "The view will not be empty.",
  "I see a lamp, no objects",
])("takes %j for neither", (text) => {
  expect(read(text)).toBeNull();
});

it("takes time in proportion to the text", () => {
  for (const unit of ["nothing ", "not any ", "not a ", "view is ", "no  ", " ", "none\n"])
    expect(read(unit.repeat(100_000))).toBeNull();
});
