import { expect, it } from "vitest";
import { ScrollPlaces } from "./scroll-places.ts";

/** A list that was read down to 900 px, and a trace of it, whose address is rewritten as one reads. */
function reading(): ScrollPlaces {
  const places = new ScrollPlaces();
  expect(places.enter("list", "POP")).toBeNull();
  places.note(900);
  expect(places.enter("trace", "PUSH")).toBe(0);
  places.note(350);
  expect(places.enter("trace, turn 2", "REPLACE")).toBeNull();
  return places;
}

it("begins a room at its top, and leaves it alone while only its address changes", () => {
  reading();
});

it("goes back and forth to where a room was left", () => {
  const places = reading();
  expect(places.enter("list", "POP")).toBe(900);
  expect(places.enter("trace, turn 2", "POP")).toBe(350);
  places.note(500);
  expect(places.enter("list", "POP")).toBe(900);
  expect(places.enter("trace, turn 2", "POP")).toBe(500);
});

it("begins at the top what was never seen", () => {
  expect(reading().enter("before the reload", "POP")).toBe(0);
});
