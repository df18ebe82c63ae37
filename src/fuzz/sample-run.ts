// A small run folder as a run writes it: what fuzzing damages.
import { parseReply } from "../agent/reply.ts";
import { toJsonLine } from "../cli/run-folder/json.ts";
import { toYaml } from "../cli/source.ts";
import { presets } from "../config/presets.ts";
import type { Trajectory, Turn } from "../core/types.ts";
import { envs } from "../envs/index.ts";
import { type CheckpointMeta, encodeCheckpoint } from "../persistence/checkpoint.ts";
import { pack } from "../persistence/packed.ts";
import { checkpointName } from "../persistence/store.ts";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";
import { vocabularyOf } from "../ui/trace/vocabulary.ts";

const config = presets.get("frozenlake-nano").config;
/** The newest update that the folder has a checkpoint of. */
export const NEWEST = 20;
const OLDER = 10;

/** Files of a run by their path in its folder. */
export type Folder = ReadonlyMap<string, Uint8Array<ArrayBuffer>>;

/** The run's folder; the same every time. */
export async function sampleRun(): Promise<Folder> {
  const text = new TextEncoder();
  const lines = (values: readonly object[]) => text.encode(values.map((v) => `${toJsonLine(v)}\n`).join(""));
  const episodes = [episode("e1", 7), episode("e2", 8)];
  const played = episodes.map((trajectory, i) => {
    const source = i === 0 ? ("train" as const) : ("validation" as const);
    return { type: "trajectory", update: NEWEST, source, trajectory };
  });
  return new Map([
    [`checkpoints/${checkpointName(OLDER)}`, await checkpoint(OLDER)],
    [`checkpoints/${checkpointName(NEWEST)}`, await checkpoint(NEWEST)],
    ["events.jsonl", lines(history)],
    ["trajectories.packed", await pack(played)],
    ["extensions.jsonl", lines([{ name: "mine.mjs", source: "export default {};" }])],
    ["config.yaml", text.encode(toYaml(config))],
    ["metrics.jsonl", lines(history.filter(({ type }) => type === "metrics"))],
    ["trajectories.jsonl", lines(played)],
  ]);
}

function checkpoint(update: number): Promise<Uint8Array<ArrayBuffer>> {
  const meta: CheckpointMeta = {
    ...{ format: "vagen-studio-checkpoint", version: 1, runId: "sample", update, stage: "ppo", config },
    vocabulary: vocabularyOf(config)!.toJSON(),
    counters: { tokens: 1234, episodes: 56, wallMs: 7890, validatedUpdate: update },
    architecture: {},
    extensions: [],
  };
  return encodeCheckpoint({
    meta,
    tensors: new Map([["param.x", { shape: [2], data: Float32Array.of(1, 2) }]]),
  });
}

function report(update: number): ValidationReport {
  return {
    ...{ update, stage: "ppo", episodes: 4, successes: 2, interval: [0.2, 0.8], temperature: 1 },
    samples: 2,
    metrics: { "val/success": 0.5, "num_turns/mean": 2 },
    further: { sokoban: { episodes: 2, successes: 1, interval: [0.1, 0.9] } },
    expected: { "expected/format_correct": 0.99 },
  };
}

const metrics = (update: number): TrainerEvent => ({
  ...{ type: "metrics", stage: "ppo", update, tokens: 10 * update, episodes: update, wallMs: 5 * update },
  values: { "train/success": 0.5, "num_turns/mean": 2, "actor/lr": 1e-4, "reward/task": 0.5, mine: update },
});

const device = { vendor: "v", architecture: "a", description: "d", software: true, features: [] };
const memory = { total: 1, parts: { weights: 1 }, parameters: 1, largestBuffer: 1, limit: 2 };
/** One event of each type that is stored. */
const history: readonly TrainerEvent[] = [
  { type: "run_started", runId: "sample", config, device, memory, update: 0, totalUpdates: 30, time: 1 },
  { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 2 },
  { type: "stage", stage: "ppo", firstUpdate: 3, lastUpdate: 30 },
  { type: "validation", report: report(0) },
  ...Array.from({ length: NEWEST }, (_, i) => metrics(i + 1)),
  { type: "validation", report: report(NEWEST) },
  { type: "checkpoint", update: NEWEST, bytes: 1, name: checkpointName(NEWEST) },
  { type: "sft_ended", update: 2, message: "m" },
  { type: "config_changed", update: NEWEST, path: "actor.lr", from: 1e-4, to: 2e-4 },
  {
    ...{ type: "alarm", update: 19, began: 18, alarm: "entropy", state: "begun", severity: "warning" },
    ...{ title: "t", meaning: "m", remedy: "r", evidence: [{ metric: "m", title: "t", now: 1, before: 2 }] },
  },
  { type: "warning", update: NEWEST, code: "storage", message: "m", hint: "h" },
  { type: "device_lost", update: NEWEST, message: "m", recovering: true, resumeFrom: OLDER },
  { type: "rewound", update: 15, from: NEWEST },
  ...[16, 17, 18, 19, 20].map(metrics),
  {
    ...{ type: "run_finished", update: NEWEST, reason: "failed" },
    error: { name: "GpuError", code: "c", message: "m" },
  },
];

const REPLY = "<observation>player at row 0 col 0</observation><think>go</think><answer>Down</answer>";

/** An episode of at most two turns, played in the real environment. */
function episode(id: string, seed: number): Trajectory {
  const spec = envs.get(config.env.name);
  const env = spec.create(spec.config.parse(config.env.config));
  env.reset(seed);
  const turns: Turn[] = [];
  for (let path = env.oracle(); path?.length && turns.length < 2; path = env.oracle()) {
    const before = env.groundTruth();
    const observation = { text: `turn ${turns.length}\n<image>`, images: [env.render(4)] };
    const parsed = parseReply(REPLY, { format: "free_think", actions: spec.actions, maxActions: 3 });
    const name = path[0]!;
    const { effective, note, terminated } = env.step(name);
    const fields = [
      { name: "player", predicted: "row 0 col 0", truth: "row 0 col 0", ok: true, cells: [[0, 0] as const] },
    ];
    turns.push({
      ...{ index: turns.length, observation, reply: REPLY, parsed, before, after: env.groundTruth() },
      executed: [{ name, valid: true, effective, note }],
      verdicts: { observation: { status: "match", score: 1, judge: "rule", reason: "right", fields } },
      ...{ taskReward: 0, rewards: { task: 0, format: 0.1 }, reward: 0.1 },
      ...{ actionIsEffective: effective, actionIsValid: true },
    });
    if (terminated) break;
  }
  const ends = { terminated: false, truncated: true, success: false };
  return { id, envId: config.env.name, seed, groupId: id, turns, ...ends, tokens: tokensOf(turns.length) };
}

/** Every turn is a picture of four tokens and the reply. */
function tokensOf(turns: number): Trajectory["tokens"] {
  const { image, encode } = vocabularyOf(config)!;
  const reply = [...encode(REPLY)];
  const one = [image, image, image, image, ...reply];
  const ids = Int32Array.from(Array.from({ length: turns }, () => one).flat());
  const inTurn = (i: number) => i % one.length;
  const ofReply = (f: (i: number) => number) => Float32Array.from(ids, (_, i) => (inTurn(i) < 4 ? 0 : f(i)));
  return {
    ids,
    responseMask: Uint8Array.from(ids, (_, i) => (inTurn(i) < 4 ? 0 : 1)),
    turnEndMask: Uint8Array.from(ids, (_, i) => (inTurn(i) === one.length - 1 ? 1 : 0)),
    turnIndex: Int16Array.from(ids, (_, i) => Math.floor(i / one.length)),
    imagePatch: Int32Array.from(ids, (_, i) => (inTurn(i) < 4 ? inTurn(i) : -1)),
    sequences: [{ from: 0, to: ids.length, firstTurn: 0, lastTurn: turns - 1 }],
    rolloutLogprobs: ofReply(() => -0.5),
    rewards: ofReply((i) => (inTurn(i) === one.length - 1 ? 0.1 : 0)),
    values: ofReply((i) => i / 100),
    advantages: ofReply((i) => 1 - i / 50),
    returns: ofReply(() => 0.5),
    entropy: ofReply((i) => 1 / (i + 1)),
    refLogprobs: new Float32Array(),
  };
}
