// The schema of a run's stored events and trajectories. Files can be damaged or come from untrusted sources, so values that
// do not match are dropped and readers can rely on the types.

import { RunConfig } from "../config/run-config.ts";
import { sceneSchema } from "../core/scene-schema.ts";
import { z } from "../core/schema.ts";
import type { StoredTrajectoryEvent, TrainerEvent } from "../training/events.ts";

const Update = z.int().min(0);
const Single = z.union([z.string(), z.number(), z.boolean(), z.null()]);
const Message = z.union([
  z.string(),
  z.array(
    z.union([
      z.string(),
      z.object({ setting: z.string() }),
      z.object({ of: z.string(), value: z.union([Single, z.array(Single)]).optional() }),
    ]),
  ),
]);
const Said = {
  message: z.string(),
  hint: z.string().optional(),
  parts: z.object({ message: Message, hint: Message.optional() }).optional(),
};
/** JSON writes NaN and infinities as null. */
const Values = z.record(z.string(), z.number().nullable());
const Stage = z.enum(["warmup", "ppo"]);
const Cause = z.looseObject({
  name: z.string(),
  code: z.string(),
  where: z.string().optional(),
  ...Said,
});
const Device = z.looseObject({
  vendor: z.string(),
  architecture: z.string(),
  description: z.string(),
  software: z.boolean(),
  features: z.array(z.string()),
});
const Memory = z.looseObject({
  total: z.number(),
  parts: z.record(z.string(), z.number()),
  parameters: z.number(),
  largestBuffer: z.number(),
  limit: z.number(),
  problem: z.looseObject(Said).optional(),
});
const SuccessCount = {
  episodes: z.number(),
  successes: z.number(),
  interval: z.tuple([z.number(), z.number()]),
};
const Report = z.looseObject({
  update: Update,
  stage: Stage,
  ...SuccessCount,
  temperature: z.number(),
  samples: z.number().optional(),
  metrics: Values,
  levels: z
    .looseObject({ reference: z.number(), reference_retry: z.number(), studio: z.number() })
    .optional(),
  further: z.record(z.string(), z.looseObject(SuccessCount)).optional(),
  expected: z.record(z.string(), z.number()).optional(),
});
const Evidence = z.looseObject({
  metric: z.string(),
  title: z.string(),
  now: z.number(),
  before: z.number().optional(),
  isMeasured: z.literal(true).optional(),
  limit: z.number().optional(),
});
/** Trajectories are large, phases are many, and none of these is needed to rebuild the view of a run. */
export const UNLOGGED = [
  "trajectory",
  "phase",
  "prepare",
  "paused",
] as const satisfies TrainerEvent["type"][];
type UnloggedEvent = (typeof UNLOGGED)[number];
/** One line for each stored type of event; `satisfies` makes a missing type a compile error. */
const shapes = {
  run_started: {
    runId: z.string(),
    config: RunConfig,
    device: Device,
    memory: Memory,
    update: Update,
    totalUpdates: Update,
    time: z.number(),
  },
  stage: { stage: Stage, firstUpdate: Update, lastUpdate: Update },
  metrics: {
    stage: Stage,
    update: Update,
    values: Values,
    tokens: z.number(),
    episodes: z.number(),
    wallMs: z.number(),
  },
  validation: { report: Report },
  checkpoint: { update: Update, bytes: z.number(), name: z.string() },
  config_changed: { update: Update, path: z.string(), automatic: z.literal(true).optional() },
  sft_ended: { update: Update, ...Said },
  rewound: { update: Update, from: Update },
  warning: { update: Update, code: z.string(), ...Said },
  alarm: {
    update: Update,
    began: Update,
    alarm: z.string(),
    state: z.enum(["begun", "over"]),
    severity: z.enum(["warning", "danger"]),
    title: z.string(),
    meaning: z.string(),
    remedy: z.string(),
    evidence: z.array(Evidence),
  },
  device_lost: { update: Update, message: z.string(), recovering: z.boolean(), resumeFrom: Update },
  run_finished: {
    update: Update,
    reason: z.enum(["completed", "stopped", "failed", "diverged"]),
    error: Cause.optional(),
  },
} satisfies Record<Exclude<TrainerEvent["type"], UnloggedEvent>, z.ZodRawShape>;

const schemas: Readonly<Record<string, z.ZodType>> = Object.fromEntries(
  Object.entries(shapes).map(([type, shape]) => [type, z.looseObject(shape)]),
);

function isEvent(value: unknown): value is TrainerEvent {
  const type = (value as { type?: unknown } | null)?.type;
  return typeof type === "string" && Object.hasOwn(schemas, type) && schemas[type]!.safeParse(value).success;
}

/** A canvas throws if the number of bytes does not match the size. */
const Frame = z
  .object({ width: z.int().min(1), height: z.int().min(1), data: z.instanceof(Uint8ClampedArray) })
  .refine(({ width, height, data }) => data.length === 4 * width * height);
const Cells = z.tuple([z.number(), z.number()]);
const Turn = z.looseObject({
  index: z.int(),
  observation: z.object({ text: z.string(), images: z.array(Frame) }),
  summary: z.string().optional(),
  reply: z.string(),
  parsed: z.looseObject({
    formatOk: z.boolean(),
    reason: z.string(),
    actions: z.array(z.string()),
    droppedActions: z.array(z.string()),
    sections: z.array(z.looseObject({ kind: z.string(), from: z.int(), to: z.int() })),
  }),
  executed: z.array(
    z.looseObject({ name: z.string(), valid: z.boolean(), effective: z.boolean(), note: z.string() }),
  ),
  verdicts: z.record(
    z.string(),
    z.looseObject({
      status: z.string(),
      score: z.number(),
      judge: z.string(),
      reason: z.string(),
      fields: z.array(
        z.looseObject({
          name: z.string(),
          predicted: z.string(),
          truth: z.string(),
          ok: z.boolean(),
          cells: z.array(Cells).optional(),
        }),
      ),
    }),
  ),
  rewards: z.record(z.string(), z.number()),
  reward: z.number(),
  before: sceneSchema,
  after: sceneSchema,
});
/** One value per token in every record. */
const PER_TOKEN = {
  ids: z.instanceof(Int32Array),
  responseMask: z.instanceof(Uint8Array),
  turnEndMask: z.instanceof(Uint8Array),
  turnIndex: z.instanceof(Int16Array),
  imagePatch: z.instanceof(Int32Array),
  rolloutLogprobs: z.instanceof(Float32Array),
  rewards: z.instanceof(Float32Array),
};
/** One value per token, or empty. */
const OF_SOME_RECORDS = {
  values: z.instanceof(Float32Array),
  advantages: z.instanceof(Float32Array),
  returns: z.instanceof(Float32Array),
  entropy: z.instanceof(Float32Array),
  refLogprobs: z.instanceof(Float32Array),
  versions: z.instanceof(Int32Array).optional(),
  lossMask: z.instanceof(Uint8Array).optional(),
  valueMask: z.instanceof(Uint8Array).optional(),
  trainRewards: z.instanceof(Float32Array).optional(),
};
const Tokens = z
  .looseObject({
    ...PER_TOKEN,
    ...OF_SOME_RECORDS,
    sequences: z
      .array(
        z.object({
          from: z.int(),
          to: z.int(),
          firstTurn: z.int(),
          lastTurn: z.int(),
          summaryFrom: z.int().optional(),
        }),
      )
      .optional(),
  })
  .refine((tokens) => {
    const lengthOf = (name: string) => (tokens[name] as { length: number } | undefined)?.length ?? 0;
    const isWhole = (name: string) => lengthOf(name) === tokens.ids.length;
    const isNone = (name: string) => lengthOf(name) === 0;
    return (
      tokens.ids.every((id) => id >= 0) &&
      Object.keys(PER_TOKEN).every(isWhole) &&
      Object.keys(OF_SOME_RECORDS).every((name) => isWhole(name) || isNone(name))
    );
  });
const StoredTrajectory = z.looseObject({
  type: z.literal("trajectory"),
  update: Update,
  source: z.enum(["train", "validation"]),
  trajectory: z.looseObject({
    id: z.string(),
    envId: z.string(),
    entry: z.string().optional(),
    seed: z.number(),
    turns: z.array(Turn),
    terminated: z.boolean(),
    truncated: z.boolean(),
    success: z.boolean(),
    tokens: Tokens,
  }),
});

/** The stored values that are events. */
export const knownEvents = (stored: readonly unknown[]): TrainerEvent[] =>
  stored.filter(isEvent).map(withNaN);

/** The stored values that are trajectories. */
export const knownTrajectories = (stored: readonly unknown[]): StoredTrajectoryEvent[] =>
  stored
    .map(withNewNames)
    .filter((value): value is StoredTrajectoryEvent => StoredTrajectory.safeParse(value).success);

/** Former names of token arrays, from when `lossMask` was the response mask. */
const NEW_NAMES: Readonly<Record<string, string>> = {
  lossMask: "responseMask",
  trainedMask: "lossMask",
  rows: "sequences",
  logprobs: "rolloutLogprobs",
  penalisedRewards: "trainRewards",
};

/** A trajectory that an earlier version stored, under the names of this one; any other value as it is. */
function withNewNames(value: unknown): unknown {
  const { trajectory } = (value ?? {}) as { trajectory?: { tokens?: object } | null };
  const tokens = trajectory?.tokens;
  if (typeof tokens !== "object" || tokens === null || "responseMask" in tokens) return value;
  const renamed = Object.entries(tokens).map(([name, array]) => [NEW_NAMES[name] ?? name, array]);
  return { ...(value as object), trajectory: { ...trajectory, tokens: Object.fromEntries(renamed) } };
}

/** Restores NaN in metrics, which JSON stores as null. */
function withNaN(event: TrainerEvent): TrainerEvent {
  if (event.type === "metrics") return { ...event, values: withoutNull(event.values) };
  if (event.type !== "validation") return event;
  return { ...event, report: { ...event.report, metrics: withoutNull(event.report.metrics) } };
}

function withoutNull(values: Readonly<Record<string, number | null>>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? Number.NaN]));
}
