// Parts of the patterns by which claims about worlds are read.
import { expect, it } from "vitest";
import { claimText, LINK, NUMBER, nameWord, numberOf } from "./claim-words.ts";

it.each([
  ["62", 62],
  ["-5", -5],
  ["+.5", 0.5],
  ["2.5", 2.5],
  ["62.", 62],
  ["1e3", 1000],
  ["-5.5e1", -55],
  ["48.5.9", Number.NaN],
])("%s is the number %d", (written, number) => {
  expect(new RegExp(`^(?:${NUMBER})$`).test(written)).toBe(true);
  expect(numberOf(written)).toBe(number);
});

it("writes signs and negations in one way", () => {
  expect(claimText("The LAMP isn’t −2 ahead")).toBe("the lamp is not -2 ahead");
});

const things = new RegExp(`(${nameWord(["clear"])})${LINK}(${NUMBER})`, "gu");
it.each<[string, string[]]>([
  ["lamp 4", ["lamp 4"]],
  ["the lamp is at 4", ["lamp 4"]],
  ["'lamp': 4, \"red_cube\" = 5", ["lamp 4", "red_cube 5"]],
  ["light-green 4", ["light-green 4"]],
  ["-lamp 4", ["lamp 4"]],
  ["clear 4 and 5 of 6", []],
  ["lamp is not 4", []],
  ["clearing 4", ["clearing 4"]],
])("finds what could be a thing in %j", (text, found) => {
  expect([...text.matchAll(things)].map(([, name, number]) => `${name} ${number}`)).toEqual(found);
});

it("takes time in proportion to the text", () => {
  for (const unit of ["dark-", "a ", "a is ", " ", "1.", "is at "]) {
    const text = `lamp ${unit.repeat(100_000)}`;
    expect(text.match(things)?.length ?? 0).toBeLessThan(2);
  }
});
