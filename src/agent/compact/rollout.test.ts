import { describe, expect, test } from "vitest";
import { replyPositions, sequenceSpans, summaryMask } from "../../core/token-sequences.ts";
import type { Trajectory } from "../../core/types.ts";
import { loadEnv } from "../../envs/index.ts";
import type { GenerateRequest, Policy } from "../../policy/policy.ts";
import { scriptedPolicy } from "../../policy/scripted/scripted.ts";
import type { Compact, Layout } from "../layout.ts";
import { play } from "../play.ts";
import { demonstrationBatch, demonstrator } from "../players.ts";
import { LABEL } from "../summary-words.ts";
import type { Task } from "../task.ts";
import { testTask } from "../test-task.ts";
import { vocabularyFor } from "../vocabulary.ts";

await loadEnv("visual-math");

const LIMITS = { budget: 260, room: Number.POSITIVE_INFINITY, maxReply: 80, maxSummary: 40 };
const compact = (limits: Partial<Compact> = {}): Compact => ({ kind: "compact", ...LIMITS, ...limits });
const NEVER = { budget: Number.POSITIVE_INFINITY };

/** A task of eight turns with one action each, whose vocabulary has the words of summaries. */
function taskOf(layout: Layout, envId = "sokoban", overrides: Partial<Task> = {}): Task {
  const settings = { max_actions_per_step: 1, ...(envId === "sokoban" && { min_solution_steps: [3, 8] }) };
  const task = testTask(envId, { maxTurns: 8, layout, ...overrides }, settings);
  const words = { format: task.format, stateFormat: task.stateFormat, summaries: true };
  return { ...task, vocabulary: vocabularyFor(task.spec, task.envConfig, 8, words) };
}

const episodes = Array.from({ length: 12 }, (_, i) => ({
  id: `e${i}`,
  seed: 3 + i,
  groupId: `g${i >> 1}`,
  rngKey: 50 + i,
}));
const skill = { randomFraction: 0.5, expertFraction: 0.5 };
const demonstrate = (layout: Layout, envId?: string, overrides?: Partial<Task>): Promise<Trajectory[]> =>
  demonstrationBatch({ task: taskOf(layout, envId, overrides), episodes, skill, oneTurn: false, seed: 1 });

describe("conversations with summaries", () => {
  test("are sequences, of which all but the last end with a summary", async () => {
    const trajectories = await demonstrate(compact());
    expect(trajectories.some(({ tokens }) => (tokens.sequences?.length ?? 1) > 2)).toBe(true);
    for (const { turns, tokens } of trajectories) {
      const spans = sequenceSpans({ turns, tokens });
      expect(spans.map(({ summaryFrom }) => summaryFrom !== undefined)).toEqual(
        spans.map((_, k) => k < spans.length - 1),
      );
      // Together they have every turn once, and every token.
      expect(spans.flatMap(({ firstTurn, lastTurn }) => [firstTurn, lastTurn + 1])).toEqual(
        spans.flatMap(({ firstTurn }, k) => [firstTurn, spans[k + 1]?.firstTurn ?? turns.length]),
      );
      expect(spans.map(({ from }) => from)).toEqual([0, ...spans.slice(0, -1).map(({ to }) => to)]);
      expect(spans.at(-1)!.to).toBe(tokens.ids.length);
      for (const { from, to, summaryFrom } of spans)
        if (summaryFrom !== undefined) {
          expect(summaryFrom).toBeGreaterThan(from);
          expect(to - summaryFrom).toBeLessThanOrEqual(LIMITS.maxSummary);
        }
    }
  });

  test("are trained on: a summary is sampled, ends like a turn, and earns nothing", async () => {
    const { vocabulary } = taskOf(compact());
    for (const { turns, tokens } of await demonstrate(compact())) {
      const inSummary = summaryMask(tokens);
      const ends = [...tokens.turnEndMask.keys()].filter((t) => tokens.turnEndMask[t]);
      const summaries = sequenceSpans({ turns, tokens }).length - 1;
      expect(ends).toHaveLength(turns.length + summaries);
      expect(ends.filter((t) => inSummary[t])).toHaveLength(summaries);
      for (const [t, own] of inSummary.entries()) {
        if (!own) continue;
        expect([tokens.responseMask[t], tokens.rewards[t]]).toEqual([1, 0]);
        expect(turns[tokens.turnIndex[t]!]).toBeDefined();
      }
      // Without the summaries every turn has its reply and its reward.
      for (const [turn, positions] of replyPositions(tokens, turns.length).entries()) {
        const text = vocabulary.decode(positions.map((t) => tokens.ids[t]!));
        expect(text).toBe(`${turns[turn]!.reply}<eos>`);
        expect(tokens.rewards[positions.at(-1)!]).toBe(Math.fround(turns[turn]!.reward));
      }
    }
  });

  test("begin with the opening, the summary and the picture of one observation", async () => {
    const { vocabulary } = taskOf(compact());
    for (const { turns, tokens } of await demonstrate(compact())) {
      const spans = sequenceSpans({ turns, tokens });
      for (const [k, { from, to, firstTurn, lastTurn, summaryFrom }] of spans.entries()) {
        const text = vocabulary.decode(tokens.ids.subarray(from, to));
        expect(text).toMatch(/^<bos>/);
        expect(text.includes(LABEL)).toBe(k > 0);
        const { summary, observation } = turns[firstTurn]!;
        expect(summary !== undefined).toBe(k > 0);
        if (summary !== undefined)
          expect(observation.text).toMatch(`${LABEL}${summary}\n\nturn ${firstTurn + 1}`);
        const next = spans[k + 1];
        if (summaryFrom !== undefined)
          expect(vocabulary.decode(tokens.ids.subarray(summaryFrom, to))).toBe(
            `${turns[next!.firstTurn]!.summary}<eos>`,
          );
        const patches = tokens.imagePatch.subarray(from, to).filter((patch) => patch >= 0);
        expect([...patches]).toEqual([...patches.keys()]);
        expect(patches).toHaveLength((lastTurn - firstTurn + 1) * 36);
      }
      expect(turns.filter(({ summary }) => summary !== undefined)).toHaveLength(spans.length - 1);
    }
  });

  test("say what was seen, done and planned, in words of one token", async () => {
    const { vocabulary } = taskOf(compact());
    const [halfByte] = vocabulary.encode("\u{1F4E6}");
    const summaries = (await demonstrate(compact())).flatMap(({ turns }) =>
      turns.flatMap(({ summary }, k) => (summary === undefined ? [] : [{ summary, before: turns[k - 1]! }])),
    );
    expect(summaries.length).toBeGreaterThan(5);
    for (const { summary, before } of summaries) {
      const { player } = before.before as { player: readonly [number, number] };
      expect(summary).toContain(`player at row ${player[0]} col ${player[1]} ; box at `);
      expect(summary).toContain(`; target at `);
      expect(summary).toContain(` ; done ${before.executed.map(({ name }) => name).join(", ")} ; next `);
      expect(vocabulary.encode(summary).length).toBeLessThan(15);
      expect(Math.min(...vocabulary.encode(summary))).toBeGreaterThan(halfByte! + 15 - 5);
    }
  });

  test("leave the decisions and rewards as they are", async () => {
    const outcome = (trajectories: Trajectory[]) =>
      trajectories.map(({ turns, success }) => ({
        success,
        turns: turns.map(({ reply, executed, reward }) => ({ reply, executed, reward })),
      }));
    const concat = outcome(await demonstrate({ kind: "concat" }));
    expect(outcome(await demonstrate(compact()))).toEqual(concat);
    expect(outcome(await demonstrate({ kind: "no_concat", historyTurns: 0 }))).toEqual(concat);
  });

  test.each(["frozenlake", "sokoban", "visual-math"])(
    "of %s that never grow too long are those of the layout concat, token for token",
    async (envId) => {
      expect(await demonstrate(compact(NEVER), envId)).toEqual(await demonstrate({ kind: "concat" }, envId));
    },
  );

  test("are closed for the room too, and no reply exceeds what is left of it", async () => {
    const limits = { budget: Number.POSITIVE_INFINITY, room: 240 };
    const trajectories = await demonstrate(compact(limits));
    expect(trajectories.some(({ tokens }) => tokens.sequences)).toBe(true);
    for (const { turns, tokens } of trajectories)
      for (const { from, to } of sequenceSpans({ turns, tokens }))
        expect(to - (from + tokens.responseMask.subarray(from, to).indexOf(1))).toBeLessThanOrEqual(240);
  });
});

describe("an episode that makes no progress", () => {
  test("ends as unusable, with the turns that it has", async () => {
    // A prompt of 42 tokens and a reply of about 30: every conversation is full after one turn.
    const trajectories = await demonstrate(compact({ budget: 60 }));
    const stuck = trajectories.filter(({ unusable }) => unusable);
    expect(stuck.length).toBeGreaterThan(0);
    for (const { turns, tokens, truncated, success, unusable } of stuck) {
      expect({ truncated, success, unusable }).toEqual({
        truncated: true,
        success: false,
        unusable: "no_progress",
      });
      expect(turns).toHaveLength(2);
      expect(tokens.sequences).toHaveLength(2);
    }
    for (const { turns, unusable } of trajectories) if (!unusable) expect(turns.length).toBeLessThan(3);
  });
});

/** Records what a policy is asked. */
function spied(policy: Policy): { policy: Policy; requests: GenerateRequest[] } {
  const requests: GenerateRequest[] = [];
  return {
    requests,
    policy: {
      ...policy,
      generate(asked, ...rest) {
        requests.push(...asked);
        return policy.generate(asked, ...rest);
      },
    },
  };
}

describe("what the policy is asked", () => {
  const sampling = { temperature: 1, topP: 1, topK: 0, maxTokens: 80, seed: 3 };

  test("begins every conversation with an empty context, and continues the open one", async () => {
    const task = taskOf(compact());
    const { policy, requests } = spied(demonstrator(task, skill));
    const [trajectory] = await play({ task, policy, episodes: episodes.slice(0, 1), sampling });
    const spans = sequenceSpans(trajectory!);
    expect(requests.filter(({ fresh }) => fresh)).toHaveLength(spans.length);
    expect(requests.filter(({ asksSummary }) => asksSummary)).toHaveLength(spans.length - 1);
    expect(requests).toHaveLength(trajectory!.turns.length + spans.length - 1);
    // What it is given and what it writes are the record.
    const { ids, responseMask } = trajectory!.tokens;
    expect(requests.flatMap(({ promptIds }) => [...promptIds])).toEqual(
      [...ids].filter((_, t) => !responseMask[t]),
    );
  });

  test("repeats the whole conversation where the record has less of the last reply than the policy wrote", async () => {
    const task = taskOf(
      compact({ budget: Number.POSITIVE_INFINITY, room: 150, maxReply: 80, maxSummary: 5 }),
    );
    const long = new Array<number>(80).fill(task.vocabulary.encode("nothing")[0]!);
    const { policy, requests } = spied(scriptedPolicy(() => Int32Array.from(long)));
    const [trajectory] = await play({ task, policy, episodes: episodes.slice(0, 1), sampling });
    const { ids, responseMask } = trajectory!.tokens;
    const whole = requests.filter(({ responseMask: own }) => own);
    for (const { promptIds, responseMask: own, fresh } of whole) {
      expect(fresh).toBe(true);
      const text = promptIds.join();
      const span = sequenceSpans(trajectory!).find(({ from, to }) =>
        ids.subarray(from, to).join().startsWith(text),
      )!;
      expect([...own!]).toEqual([...responseMask.subarray(span.from, span.from + own!.length)]);
    }
  });

  test("a summary cannot put a picture or an end of turn into the next conversation", async () => {
    const task = taskOf(compact());
    const { image, eos, user } = task.vocabulary;
    const player = demonstrator(task, skill);
    const policy: Policy = {
      ...player,
      async generate(asked, ...rest) {
        const replies = await player.generate(asked, ...rest);
        const ids = Int32Array.of(image, user, ...task.vocabulary.encode("player at "), image, eos);
        return replies.map((reply, i) =>
          asked[i]!.asksSummary ? { ids, logprobs: new Float32Array(ids.length) } : reply,
        );
      },
    };
    const trajectories = await play({ task, policy, episodes, sampling });
    const kept = trajectories.flatMap(({ turns }) => turns.flatMap(({ summary }) => summary ?? []));
    expect(new Set(kept)).toEqual(new Set(["player at "]));
    for (const { turns, tokens } of trajectories)
      for (const { from, to, firstTurn, lastTurn } of sequenceSpans({ turns, tokens }))
        expect(tokens.imagePatch.subarray(from, to).filter((patch) => patch >= 0)).toHaveLength(
          (lastTurn - firstTurn + 1) * 36,
        );
  });
});
