// The metadata in a checkpoint. The file may come from anywhere, so every field is checked before use.
import { withoutSecrets } from "../core/address.ts";
import { CheckpointError } from "../core/errors.ts";
import { isDeeperThan } from "../core/plain-data.ts";
import { z } from "../core/schema.ts";
import { short, shown } from "../core/short.ts";

/** How a checkpoint that ships with the studio was made. The studio shows only these numbers for such files. */
export interface Provenance {
  command: string;
  commit: string;
  seed: number;
  /** What was measured when it was made, e.g. `val/success/frozenlake`. */
  figures: Readonly<Record<string, number>>;
}

/** An extension that was registered when a checkpoint was made. Its code is not stored: checkpoints must not carry code. */
export interface ExtensionRecord {
  readonly name: string;
  /** Of its text, in hexadecimal. */
  readonly sha256: string;
  /** Its members, e.g. `rewardTerm shorter`. */
  readonly provides: readonly string[];
}

export interface CheckpointMeta {
  format: "vagen-studio-checkpoint";
  version: 1;
  runId: string;
  /** Updates done, SFT included. */
  update: number;
  stage: "warmup" | "ppo";
  /** Plain JSON of the whole RunConfig; parse it before use. */
  config: object;
  /** The text of each token id. */
  vocabulary: { version: number; hash: string; surfaces: readonly string[] };
  /** RNG counters, optimiser steps, tokens, episodes, wallMs, … */
  counters: Readonly<Record<string, number>>;
  /** Plain JSON: everything that fixes the tensors' names and shapes. */
  architecture: object;
  provenance?: Provenance;
  /** Absent means none. */
  extensions?: readonly ExtensionRecord[];
  /** Plain JSON: counts of earlier statements, where the reward depends on them. */
  repetition?: object;
  /** Plain JSON: what the critic that reads the simulator's state has learned; absent if nothing. */
  stateCritic?: object;
}

const VERSION = 1;
/** A configuration nests six levels deep. The limit protects code that walks the metadata recursively. */
const MAX_DEPTH = 32;
/** Characters of all tokens together. The studio's largest vocabulary has some thousand short tokens. */
const MAX_VOCABULARY_TEXT = 2 ** 20;
const MAX_NAME_LENGTH = 1024;

const text = z.string().max(MAX_NAME_LENGTH);
const count = z.int().min(0);
const tree = z.record(z.string(), z.unknown());
const countedTexts = z.array(z.tuple([z.string(), z.number()]));

const Meta = z.object({
  format: z.literal("vagen-studio-checkpoint"),
  version: z.literal(VERSION),
  runId: text,
  update: count,
  stage: z.enum(["warmup", "ppo"]),
  // Files of earlier versions may hold credentials in the address of a judge; drop them here.
  config: tree.transform(withoutSecrets),
  vocabulary: z.object({
    version: z.number(),
    hash: text,
    surfaces: z.array(z.string()).refine(isOfSensibleLength, "The vocabulary is too large."),
  }),
  counters: z.record(z.string(), z.number()),
  architecture: tree,
  provenance: z
    .object({
      command: z.string(),
      commit: text,
      seed: z.number(),
      // JSON has no NaN: a number that could not be measured is null in the file, and absent here.
      figures: z.record(z.string(), z.number().nullable()).transform(onlyNumbers),
    })
    .optional(),
  extensions: z.array(z.object({ name: text, sha256: text, provides: z.array(text) })).optional(),
  stateCritic: z.object({ cells: z.array(z.tuple([z.string(), z.number(), z.number()])) }).optional(),
  repetition: z.object({ observation: countedTexts, prediction: countedTexts }).partial().optional(),
});

/** Parses and checks the metadata of a file. @throws CheckpointError("corrupt" or "foreign") naming the field and its value. */
export function parseMeta(json: string, file: string): CheckpointMeta {
  const stored = parsed(json, file);
  const version = (stored as { version?: unknown } | null)?.version;
  if (typeof version === "number" && version !== VERSION) throw otherVersion(version, file);
  if (isDeeperThan(stored, MAX_DEPTH)) throw unreadable(file, `it nests more than ${MAX_DEPTH} levels deep`);
  const { data, error } = Meta.safeParse(stored);
  if (data) return data as CheckpointMeta;
  const [issue] = error.issues;
  const path = issue!.path.join(".");
  const value = issue!.path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    stored,
  );
  const field = path ? `meta.${path}` : "meta";
  throw unreadable(file, `${short(field)} is ${shown(value)}. ${issue!.message}`);
}

function parsed(json: string, file: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    throw unreadable(file, "it is not JSON");
  }
}

function isOfSensibleLength(surfaces: readonly string[]): boolean {
  return surfaces.reduce((sum, { length }) => sum + length + 1, 0) <= MAX_VOCABULARY_TEXT;
}

function onlyNumbers(figures: Record<string, number | null>): Record<string, number> {
  const measured = Object.entries(figures).filter((entry): entry is [string, number] => entry[1] !== null);
  return Object.fromEntries(measured);
}

function otherVersion(version: number, file: string): CheckpointError {
  return new CheckpointError(
    "foreign",
    `${file} has checkpoint version ${version}; this studio reads version ${VERSION}.`,
    "Open it with the version of the studio that saved it, or start a new run.",
  );
}

function unreadable(file: string, why: string): CheckpointError {
  return new CheckpointError(
    "corrupt",
    `${file} is damaged: its description cannot be read: ${why.replace(/\.?$/, ".")}`,
    "Copy or download the file again, or use an earlier checkpoint.",
  );
}
