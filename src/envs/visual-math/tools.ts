// The measuring tools. They answer in the units of the scene.
import { z } from "../../core/schema.ts";
import { defineTool, type Tool } from "../env.ts";
import { POINTS, type PointName } from "./question.ts";
import { isWanted, type Scene } from "./scene.ts";

/** The tools of an environment; `scene` gives the scene of the running episode. */
export const visualTools = (scene: () => Scene): readonly Tool[] => [
  defineTool({
    name: "measure",
    description: "The distance between two labelled points on one line of the grid, in units.",
    args: z.strictObject({
      from: z.enum(POINTS).describe("A labelled point."),
      to: z.enum(POINTS).describe("Another labelled point."),
    }),
    run: ({ from, to }) => String(distance(scene(), from, to)),
  }),
  defineTool({
    name: "count",
    description: "How many of the shapes that the question asks for lie in one row.",
    args: z.strictObject({ row: z.int().min(0).describe("The row, from 0 at the top.") }),
    run: ({ row }) => String(countInRow(scene(), row)),
  }),
];

/** Length of the straight line between two points, in units. @throws Error if there is none. */
export function distance({ points, unit }: Scene, from: PointName, to: PointName): number {
  const [a, b] = [points[from], points[to]];
  if (!a || !b) throw new Error(`There is no point ${a ? to : from} in the picture.`);
  const [rows, cols] = [Math.abs(a[0] - b[0]), Math.abs(a[1] - b[1])];
  if (rows > 0 && cols > 0) throw new Error(`${from} and ${to} do not lie on one line of the grid.`);
  return (rows + cols) * unit;
}

/** @throws Error when nothing is counted, or the row is not in the picture. */
function countInRow({ kind, wanted, items, side }: Scene, row: number): number {
  if (kind !== "count") throw new Error("The question asks for no shapes.");
  if (row >= side) throw new Error(`The last row is ${side - 1}.`);
  return items.filter(({ cell, item }) => cell[0] === row && isWanted(item, wanted)).length;
}
