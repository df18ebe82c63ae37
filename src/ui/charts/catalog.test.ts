import { expect, it } from "vitest";
import { chartsToShow } from "./catalog.ts";

const table = (...keys: string[]) => ({
  keys,
  get: (key: string) => (keys.includes(key) ? { xs: [1], ys: [0.5] } : undefined),
});
const overview = (...keys: string[]) =>
  chartsToShow(table(...keys) as never, "ppo")
    .filter(({ group }) => group === "Overview")
    .flatMap(({ charts }) => charts.map(({ title }) => title));

it("has one chart of success for a run in one environment, and one for each of several", () => {
  expect(overview("train/success/frozenlake")).toEqual(["Success rate"]);
  expect(overview("train/success/frozenlake", "train/success/boxes")).toEqual([
    "Success rate: frozenlake",
    "Success rate: boxes",
  ]);
});
