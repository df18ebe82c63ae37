// A stored state, as recordings of episodes have it.
import { z } from "./schema.ts";

const cell = z.tuple([z.number(), z.number()]);
const facts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional();
const board = z.object({
  rows: z.int().min(1),
  cols: z.int().min(1),
  player: cell.optional(),
  entities: z.record(z.string(), z.array(cell)),
  facts,
});
const world = z.object({
  frame: z.enum(["floor", "workspace", "canvas", "plane"]),
  size: z.tuple([z.number().positive(), z.number().positive()]).exactOptional(),
  things: z.array(z.object({ name: z.string(), at: z.array(z.number()) })),
  facts,
});

/** The shape of `SceneTruth`. */
export const sceneSchema = z.union([board, world]);
