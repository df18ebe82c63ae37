import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { takesHouses } from "../../config/houses.ts";
import { envs } from "../../envs/index.ts";
import { Notes } from "./houses.tsx";

const text = (notes: readonly string[]) =>
  renderToStaticMarkup(<Notes notes={notes} />)
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

const LEFT_OUT = "3 houses left out: no object in it can be the target of a task";

it("counts kinds of objects, and says apart from them how many houses are left out", () => {
  const said = text([LEFT_OUT, "Apple: 3, left out", "Piano: 1, drawn as boxes, never a target"]);
  expect(said).toContain(`${LEFT_OUT}. 2 kinds of objects drawn as boxes or left out`);
});

it("counts the kinds that a long list sums up", () => {
  expect(text(["Apple: 3, left out", "23 other kinds, left out"])).toContain("24 kinds of objects");
});

it("mentions no objects where only houses are left out", () => {
  expect(text([LEFT_OUT])).not.toContain("kind");
});

it("offers houses where an environment has the option to play in them", () => {
  const offered = envs.all.filter(({ config }) => "homes" in (config.parse({}) as object));
  expect(offered.map(({ id }) => id)).toEqual(["navigation"]);
  expect(envs.ids.filter(takesHouses)).toEqual(["navigation"]);
  expect(takesHouses("no such environment")).toBe(false);
});
