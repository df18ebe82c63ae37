// The schema of a replay's file.
import { sceneSchema } from "../core/scene-schema.ts";
import { z } from "../core/schema.ts";
import type { SectionKind } from "../core/types.ts";
import { verdictSchema } from "../core/verdict-schema.ts";
import { FLOAT_PLACES } from "./numbers.ts";

export const FORMAT = "vagen-studio-replay";
export const VERSION = 1;

/** Floats of a record that not every record has: the file leaves out those that are empty. */
export const MORE_FLOATS = ["values", "advantages", "returns", "entropy", "refLogprobs"] as const;

const SECTIONS = [
  "observation",
  "reasoning",
  "prediction",
  "answer",
  "call",
  "tag",
  "other",
] as const satisfies readonly SectionKind[];
const parsed = z.object({
  formatOk: z.boolean(),
  answersFreely: z.boolean().optional(),
  reason: z.string(),
  observation: z.string(),
  reasoning: z.string(),
  prediction: z.string(),
  answer: z.string(),
  actions: z.array(z.string()),
  droppedActions: z.array(z.string()),
  call: z.string().optional(),
  sections: z.array(z.object({ kind: z.enum(SECTIONS), from: z.int().min(0), to: z.int().min(0) })),
});
const turn = z.object({
  index: z.int().min(0),
  text: z.string(),
  summary: z.string().exactOptional(),
  reply: z.string(),
  parsed,
  executed: z.array(
    z.object({
      name: z.string(),
      mention: z.string().optional(),
      valid: z.boolean(),
      effective: z.boolean(),
      note: z.string(),
    }),
  ),
  tool: z
    .object({ call: z.string(), name: z.string(), ok: z.boolean(), result: z.string(), detail: z.string() })
    .optional(),
  verdicts: z.record(z.string(), verdictSchema),
  taskReward: z.number(),
  rewards: z.record(z.string(), z.number()),
  reward: z.number(),
  before: sceneSchema,
  after: sceneSchema,
  saved: z.record(z.string(), z.union([z.number(), z.array(z.number())])).exactOptional(),
  actionIsEffective: z.boolean(),
  actionIsValid: z.boolean(),
  formatEarned: z.boolean().optional(),
});
const floats = z.object({ at: z.enum(FLOAT_PLACES), values: z.array(z.number()) });
const integerRuns = z.array(z.int());
const tokens = z.object({
  sequences: z
    .array(
      z.object({
        from: z.int().min(0),
        to: z.int().min(0),
        firstTurn: z.int().min(0),
        lastTurn: z.int().min(0),
        summaryFrom: z.int().min(0).exactOptional(),
      }),
    )
    .optional(),
  ids: z.array(z.int().min(0)),
  responseMask: integerRuns,
  turnEndMask: integerRuns,
  turnIndex: integerRuns,
  imagePatch: integerRuns,
  lossMask: integerRuns.optional(),
  valueMask: integerRuns.optional(),
  trainRewards: floats.optional(),
  rolloutLogprobs: floats,
  rewards: floats,
  ...Object.fromEntries(MORE_FLOATS.map((name) => [name, floats.optional()])),
});
export type StoredTokens = z.output<typeof tokens> &
  Partial<Record<(typeof MORE_FLOATS)[number], z.output<typeof floats>>>;

export const file = z.object({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  id: z.string().min(1),
  provenance: z.object({
    policy: z.string(),
    checkpoint: z.string().exactOptional(),
    command: z.string(),
    commit: z.string(),
    update: z.int().min(0),
    temperature: z.number().min(0),
    success: z.object({ rate: z.number().min(0).max(1), episodes: z.int().min(1) }),
  }),
  // The studio that recorded may have had fewer settings than this one, so only those without which nothing is shown are checked.
  config: z.looseObject({
    env: z.looseObject({ name: z.string(), config: z.record(z.string(), z.unknown()) }),
    rollout: z.looseObject({ prompt_format: z.string(), max_turns: z.int().min(1) }),
    algorithm: z.looseObject({ adv_estimator: z.string(), gamma: z.number(), lam: z.number() }),
  }),
  trajectory: z.object({
    id: z.string(),
    envId: z.string(),
    entry: z.string().exactOptional(),
    seed: z.int().min(0),
    groupId: z.string(),
    terminated: z.boolean(),
    truncated: z.boolean(),
    success: z.boolean(),
    turns: z.array(turn).min(1),
    tokens,
  }),
});

export type StoredTurn = z.output<typeof turn>;
