// Streams of episodes against the same episodes played one batch at a time.
import { describe, expect, test } from "vitest";
import { consecutive } from "../config/seeds.ts";
import type { Trajectory } from "../core/types.ts";
import type { GenerateRequest, Policy } from "../policy/policy.ts";
import { questionTask, settings } from "./areal/testing.ts";
import { EpisodeStream } from "./episode-stream.ts";
import { trainingGroup } from "./episodes.ts";
import { play } from "./play.ts";
import type { Task } from "./task.ts";
import { testTask } from "./test-task.ts";

const BATCH = 4;
const GROUP = 2;
const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 56, seed: 3 };
const task = testTask("frozenlake", { format: "no_think" }, { size: 4, max_actions_per_step: 2 });

const draw = (update: number) => ({
  seeds: consecutive(1, 1000),
  runSeed: 7,
  update,
  count: BATCH,
  perLevel: GROUP,
});
const source = {
  groups: BATCH / GROUP,
  episodesOf: (batch: number, group: number, attempt: number) => trainingGroup(draw(batch), group, attempt),
};

/** A number that follows from every token. */
const hash = (ids: readonly number[]) =>
  ids.reduce((sum, id) => (Math.imul(sum, 31) + id + 7) >>> 0, ids.length);

/** Answers by all that it has read in a conversation, as a network does, and forgets it with `begin`. */
function reader({ vocabulary, spec, imageTokens }: Task): Policy {
  let cached = new Map<number, number[]>();
  const answer = ({ slot, promptIds, fresh, images, responseMask, rngKey }: GenerateRequest) => {
    const context = fresh ? [] : cached.get(slot);
    const shown = promptIds.filter((id, t) => id === vocabulary.image && !responseMask?.[t]);
    expect(shown.length).toBe(images.length * imageTokens);
    const read = [...(context ?? []), ...promptIds];
    const choice = hash([...read, rngKey]);
    const actions = [choice >>> 4, choice >>> 12].map((n) => spec.actions[n % spec.actions.length]);
    const ids = Int32Array.from(vocabulary.encode(`<answer>${actions.join(",")}</answer><eos>`));
    cached.set(slot, [...read, ...ids]);
    return { ids, logprobs: new Float32Array(ids.length).fill(-1) };
  };
  return {
    kind: "scripted",
    begin: () => {
      cached = new Map();
    },
    generate: async (requests) => requests.map(answer),
  };
}

/** Batches one after another, as updates need them: batch b when b − 1 is trained on, by the policy before that. */
async function collected(limit: number, { mostCalls = 99, slots = BATCH, batches = 6, of = task } = {}) {
  const stream = new EpisodeStream(source, reader(of), slots);
  const found: Trajectory[][] = [];
  let dropped = 0;
  for (let batch = 1; batch <= batches; batch++) {
    const until = Math.min(batch + limit - 1, batches);
    const version = Math.max(0, batch - 2);
    found.push(await stream.collect({ task: of, sampling, batch, until, version, mostCalls }));
    dropped += stream.takeDropped();
  }
  return { batches: found, dropped };
}

const playedAlone = (batch: number, of = task) =>
  play({
    task: of,
    policy: reader(of),
    sampling,
    episodes: [0, 1].flatMap((group) => trainingGroup(draw(batch), group)),
  });

const bare = (trajectories: readonly Trajectory[]) =>
  trajectories.map(({ id, groupId, seed, success, turns, tokens: { versions: _, ...tokens } }) => ({
    ...{ id, groupId, seed, success, tokens },
    replies: turns.map(({ reply }) => reply),
  }));

const versionsOf = ({ tokens }: Trajectory) => [...tokens.versions!].filter((version) => version >= 0);

const sequencePerTurn = testTask(
  "frozenlake",
  { format: "no_think", layout: { kind: "no_concat", historyTurns: 1 } },
  { size: 4, max_actions_per_step: 2 },
);

describe.each([1, 2, 4])("with a limit of %s", (limit) => {
  test.each([
    ["one sequence per episode", task],
    ["one sequence per turn", sequencePerTurn],
    ["questions with retries", questionTask({ areal: settings })],
    ["replies that are trained alone", questionTask({ areal: { ...settings, exportStyle: "individual" } })],
  ])("episodes are those that are played alone: %s", async (_, of) => {
    const { batches } = await collected(limit, { of });
    for (const [i, batch] of batches.entries())
      expect(bare(batch)).toEqual(bare(await playedAlone(i + 1, of)));
  });

  test("no token is older than the limit allows, and the oldest are that old", async () => {
    const { batches } = await collected(limit, { slots: 2 * BATCH });
    const ages = batches.flatMap((batch, i) => batch.flatMap(versionsOf).map((version) => i - version));
    expect(Math.max(...ages)).toBe(limit);
    expect(Math.min(...ages)).toBeGreaterThanOrEqual(0);
    for (const { tokens } of batches.flat())
      expect(Array.from(tokens.versions!, (version) => Number(version >= 0))).toEqual([
        ...tokens.responseMask,
      ]);
  });
});

test("episodes that began early go on with newer weights, never with older ones", async () => {
  const { batches } = await collected(3);
  const mixed = batches.flat().filter((one) => new Set(versionsOf(one)).size > 1);
  expect(mixed.length).toBeGreaterThan(0);
  for (const one of mixed) expect(versionsOf(one)).toEqual(versionsOf(one).toSorted((a, b) => a - b));
});

test("a group that takes too many updates is dropped as a whole, and another level takes its place", async () => {
  const { batches, dropped } = await collected(3, { mostCalls: 1 });
  expect(dropped).toBeGreaterThan(0);
  const others = batches.flat().filter(({ id }) => id.includes("~"));
  expect(new Set(others.map(({ groupId }) => groupId)).size).toBe(dropped);
  for (const one of batches.flat()) expect(new Set(versionsOf(one)).size).toBe(1);
  for (const batch of batches) {
    expect(batch.map(({ groupId }) => groupId.replace(/~\d+/, "").slice(-2))).toEqual([
      "g0",
      "g0",
      "g1",
      "g1",
    ]);
    for (const [i, { groupId, seed }] of batch.entries())
      expect(batch[i - (i % GROUP)]).toMatchObject({ groupId, seed });
  }
  expect(new Set(batches.flat().map(({ id }) => id)).size).toBe(6 * BATCH);
});

test("two streams of the same draws play the same", async () => {
  const options = { mostCalls: 2, slots: 6 };
  expect(await collected(3, options)).toEqual(await collected(3, options));
});

test("stops between two turns when it is aborted", async () => {
  const stream = new EpisodeStream(source, reader(task), BATCH);
  const abort = new AbortController();
  abort.abort(new Error("enough"));
  const options = { task, sampling, batch: 1, until: 1, version: 0, mostCalls: 9, signal: abort.signal };
  await expect(stream.collect(options)).rejects.toThrow("enough");
});
