// A stored verdict, as recordings of judges and of episodes have it.
import { z } from "./schema.ts";
import type { VerdictStatus } from "./types.ts";

const STATUSES = [
  "match",
  "partial",
  "mismatch",
  "unreadable",
  "format",
  "off",
  "not_judged",
] as const satisfies readonly VerdictStatus[];

/** The shape of `Verdict`. */
export const verdictSchema = z.object({
  status: z.enum(STATUSES),
  score: z.number(),
  judge: z.string(),
  reason: z.string(),
  repeated: z.boolean().exactOptional(),
  paid: z.number().exactOptional(),
  fields: z.array(
    z.object({
      name: z.string(),
      predicted: z.string(),
      truth: z.string(),
      ok: z.boolean(),
      cells: z.array(z.tuple([z.number(), z.number()])).exactOptional(),
      outline: z
        .object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() })
        .exactOptional(),
    }),
  ),
});
