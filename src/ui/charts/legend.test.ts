import { expect, it } from "vitest";
import { CHARTS } from "./catalog.ts";
import type { Figure } from "./figure.ts";
import { legendOf, legendRows } from "./legend.ts";

const line = (label: string) => ({ label, color: "--run-1" }) as Figure["lines"][number];
const point = { successes: 3, label: "Format", color: "--run-2" } as Figure["points"][number];
const success = CHARTS.find(({ id }) => id === "success")!;
const labels = (drawn: Pick<Figure, "lines" | "points"> & Partial<Pick<Figure, "compared">>) =>
  legendOf(success, { compared: [], ...drawn }).map(({ label }) => label);

it("names what the title does not", () => {
  expect(labels({ lines: [line("Success rate")], points: [] })).toEqual([]);
  expect(labels({ lines: [line("Success rate")], points: [point] })).toEqual([
    "Training",
    "Validation, 95 % interval",
    "Greedy",
  ]);
  expect(
    labels({ lines: [line("Format"), line("Action")], points: [{ ...point, successes: null }] }),
  ).toEqual(["Format", "Action", "Format, validation", "Greedy"]);
});

it("names the run on screen and those beside it, whose validations have the colours of their lines", () => {
  const compared = [{ ...line("B: other"), rows: [] }] as unknown as Figure["compared"];
  expect(labels({ lines: [line("This run")], compared, points: [] })).toEqual(["This run", "B: other"]);
  const validated = { lines: [line("This run")], compared, points: [{ ...point, label: "This run" }] };
  // In the words of the chart of one run.
  expect(legendOf(success, validated).slice(2)).toEqual([
    { mark: "dot", color: "--muted", label: "Validation, 95 % interval" },
    { mark: "diamond", color: "--muted", label: "Greedy" },
  ]);
});

it("names the lines whose colours the points of validations have, even before they begin", () => {
  const missed = CHARTS.find(({ id }) => id === "surroundings_miss")!;
  const chart = { ...missed, lines: missed.lines.slice(0, 2) };
  const drawn = { lines: [], compared: [], points: [{ ...point, successes: null, label: "Hole" }] };
  expect(legendOf(chart, drawn).map(({ mark, label }) => `${mark} ${label}`)).toEqual([
    "line Hole",
    "line Box",
    "dot Validation",
    "diamond Greedy",
  ]);
});

it("shows the dashes of a line", () => {
  const drawn = [line("first"), { ...line("second"), dash: "7 3" }];
  expect(legendOf(success, { lines: drawn, compared: [], points: [] }).map(({ dash }) => dash)).toEqual([
    undefined,
    "7 3",
  ]);
});

it("breaks into rows that are as wide as the picture", () => {
  const rows = (...widths: number[]) => legendRows(widths, (width) => width, 100);
  expect(rows(40, 60, 1)).toEqual([[40, 60], [1]]);
  expect(rows(300, 20)).toEqual([[300], [20]]);
  expect(rows()).toEqual([]);
});
