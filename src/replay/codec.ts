// Recordings as files. A file is one JSON object: turns without pictures, and the numbers of tokens only where they are not 0.
import type { RunConfig } from "../config/run-config.ts";
import type { z } from "../core/schema.ts";
import { short, shown } from "../core/short.ts";
import type { Trajectory, TrajectoryTokens, Turn } from "../core/types.ts";
import { ReplayError } from "./error.ts";
import { dense, fromRuns, markedBy, rounded, runLength, runs, type SparseFloats, sparse } from "./numbers.ts";
import type { Replay } from "./replay.ts";
import { FORMAT, file, MORE_FLOATS, type StoredTokens, type StoredTurn, VERSION } from "./schema.ts";

const REMEDY = "Get the file again, or record it again: npm run record -- --all";

/** A replay as plain JSON: without pictures, its floats rounded to five digits. Masks and integers are exact. */
export function encodeReplay({ id, trajectory, config, provenance }: Replay): object {
  const { turns, tokens: record, ...episode } = trajectory;
  return {
    format: FORMAT,
    version: VERSION,
    id,
    provenance: { ...provenance, success: { ...provenance.success, rate: rounded(provenance.success.rate) } },
    config,
    trajectory: { ...episode, turns: turns.map(encodeTurn), tokens: encodeTokens(record) },
  };
}

/**
 * The replay in a parsed file, with `images` empty in every observation.
 * @throws ReplayError "foreign" for another kind of file or another version, "corrupt" naming the field that does not fit.
 */
export function decodeReplay(json: unknown): Replay {
  assertOurs(json);
  const { data, error } = file.safeParse(json);
  if (error) throw corrupt(json, error.issues[0]!);
  const { id, provenance, trajectory } = data;
  const record = decodeTokens(trajectory.tokens, trajectory.turns.length);
  const turns = trajectory.turns.map(decodeTurn);
  // What the page needs of the configuration is checked above; the rest is as its own studio wrote it.
  const config = data.config as unknown as RunConfig;
  return { id, provenance, config, trajectory: { ...trajectory, turns, tokens: record } as Trajectory };
}

function encodeTurn({ observation, rewards, reward, taskReward, verdicts, ...turn }: Turn) {
  return {
    ...turn,
    text: observation.text,
    verdicts: mapValues(verdicts, (one) => ({
      ...one,
      score: rounded(one.score),
      ...(one.paid !== undefined && { paid: rounded(one.paid) }),
    })),
    taskReward: rounded(taskReward),
    rewards: mapValues(rewards, rounded),
    reward: rounded(reward),
  };
}

function decodeTurn({ text, ...stored }: StoredTurn, index: number): Turn {
  if (stored.index !== index)
    throw misfit(`trajectory.turns.${index}.index`, stored.index, `Expected ${index}, its place.`);
  return { ...(stored as Omit<Turn, "observation">), observation: { text, images: [] } };
}

function mapValues<A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function encodeTokens(record: TrajectoryTokens): StoredTokens {
  const { sequences, ids, lossMask, valueMask, trainRewards } = record;
  const filled = MORE_FLOATS.filter((name) => record[name].length > 0);
  const asFloats = (names: readonly ("rolloutLogprobs" | "rewards" | (typeof MORE_FLOATS)[number])[]) =>
    Object.fromEntries(names.map((name) => [name, sparse(record[name], record)]));
  return {
    ...(sequences && { sequences: sequences.map((span) => ({ ...span })) }),
    ids: Array.from(ids),
    responseMask: runs(record.responseMask),
    turnEndMask: runs(record.turnEndMask),
    turnIndex: runs(record.turnIndex),
    imagePatch: runs(record.imagePatch),
    ...(lossMask && { lossMask: runs(lossMask) }),
    ...(valueMask && { valueMask: runs(valueMask) }),
    ...(trainRewards && { trainRewards: sparse(trainRewards, record) }),
    ...asFloats(["rolloutLogprobs", "rewards", ...filled]),
  } as StoredTokens;
}

function decodeTokens(stored: StoredTokens, turns: number): TrajectoryTokens {
  const { length } = stored.ids;
  const integers = (name: keyof StoredTokens, low: number, high: number) =>
    integersOf(stored[name] as number[], `trajectory.tokens.${name}`, length, [low, high]);
  const mask = (name: keyof StoredTokens) => Uint8Array.from(integers(name, 0, 1));
  const masks = { responseMask: mask("responseMask"), turnEndMask: mask("turnEndMask") };
  const floatsOf = (name: keyof StoredTokens) => {
    const one = stored[name] as SparseFloats | undefined;
    if (!one) return new Float32Array(0);
    const expected = markedBy(masks, one.at, length);
    if (one.values.length === expected) return dense(one, masks, length);
    throw misfit(`trajectory.tokens.${name}.values`, one.values, `Expected ${expected} numbers.`);
  };
  assertSequences(stored.sequences, length, turns);
  return {
    ...(stored.sequences && { sequences: stored.sequences }),
    ids: Int32Array.from(stored.ids),
    ...masks,
    turnIndex: Int16Array.from(integers("turnIndex", 0, turns - 1)),
    imagePatch: Int32Array.from(integers("imagePatch", -1, length)),
    ...(stored.lossMask && { lossMask: mask("lossMask") }),
    ...(stored.valueMask && { valueMask: mask("valueMask") }),
    ...(stored.trainRewards && { trainRewards: floatsOf("trainRewards") }),
    rolloutLogprobs: floatsOf("rolloutLogprobs"),
    rewards: floatsOf("rewards"),
    values: floatsOf("values"),
    advantages: floatsOf("advantages"),
    returns: floatsOf("returns"),
    entropy: floatsOf("entropy"),
    refLogprobs: floatsOf("refLogprobs"),
  };
}

/** The integers of some runs. They are counted first: a damaged file could ask for any number of them. */
function integersOf(
  found: readonly number[],
  field: string,
  length: number,
  [low, high]: readonly [number, number],
): number[] {
  if (found.length % 2 || found.some((x, i) => i % 2 && x < 1) || runLength(found) !== length)
    throw misfit(field, found, `Expected pairs of a value and a count, for ${length} tokens in all.`);
  const wrong = found.find((x, i) => i % 2 === 0 && (x < low || x > high));
  if (wrong !== undefined) throw misfit(field, wrong, `Expected values from ${low} to ${high}.`);
  return fromRuns(found);
}

function assertSequences(spans: StoredTokens["sequences"], length: number, turns: number): void {
  if (!spans) return;
  const starts = [0, ...spans.map(({ to }) => to)];
  const fits = spans.every(
    ({ from, to, firstTurn, lastTurn, summaryFrom = from }, i) =>
      from === starts[i] &&
      to > from &&
      firstTurn <= lastTurn &&
      lastTurn < turns &&
      summaryFrom >= from &&
      summaryFrom < to,
  );
  if (!fits || starts.at(-1) !== length)
    throw misfit("trajectory.tokens.sequences", spans, `Expected spans that cover ${length} tokens.`);
}

/** @throws ReplayError("foreign") */
function assertOurs(json: unknown): void {
  const { format, version } = (json ?? {}) as { format?: unknown; version?: unknown };
  if (format !== FORMAT)
    throw new ReplayError(
      "foreign",
      `This is no replay of the studio: format is ${shown(format)}; expected "${FORMAT}".`,
      "Choose a file that npm run record wrote.",
    );
  if (version !== VERSION)
    throw new ReplayError(
      "foreign",
      `The replay's version is ${shown(version)}; this studio reads version ${VERSION}.`,
      "Open it with the version of the studio that recorded it, or record it again.",
    );
}

function corrupt(json: unknown, { path, message }: z.core.$ZodIssue): ReplayError {
  const value = path.reduce<unknown>(
    (at, key) => (at as Record<PropertyKey, unknown> | null | undefined)?.[key],
    json,
  );
  return misfit(path.join("."), value, `${message.replace(/\.?$/, ".")}`);
}

const misfit = (field: string, value: unknown, expected: string) =>
  new ReplayError(
    "corrupt",
    `The replay is damaged: ${short(field)} is ${shown(value)}. ${expected}`,
    REMEDY,
  );
