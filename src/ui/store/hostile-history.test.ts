// Hostile or damaged histories, read by every reader.
import { expect, test } from "vitest";
import { rng } from "../../core/rng.ts";
import type { AlarmChange } from "../../rl/alarms/watch.ts";
import { EventDeduplicator } from "../../supervision/deduplicate.ts";
import {
  hasDiverged,
  hasLostChange,
  historyUpTo,
  lastReported,
  watchesOf,
} from "../../supervision/history.ts";
import { knownEvents, knownTrajectories } from "../../supervision/stored-events.ts";
import { config, FakeRun } from "../../supervision/testing/fake-run.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { applyEvent } from "./apply-event.ts";
import { emptyView, type ViewEvent } from "./run-view.ts";

const { device, memory } = new FakeRun("r", config, undefined, {});
const alarm: AlarmChange = {
  ...{ update: 2, began: 1, alarm: "a", state: "begun", severity: "warning" },
  ...{ title: "A", meaning: "m", remedy: "r", evidence: [{ metric: "m", title: "t", now: 1, before: 2 }] },
};
/** One event of each type that is stored. */
const history: readonly TrainerEvent[] = [
  { type: "run_started", runId: "r", config, device, memory, update: 0, totalUpdates: 10, time: 1 },
  { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 2 },
  { type: "stage", stage: "ppo", firstUpdate: 3, lastUpdate: 10 },
  ...[1, 2, 3].map((update): TrainerEvent => {
    const values = { "train/success": 0.5, "num_turns/mean": 2 };
    return { type: "metrics", stage: "ppo", update, values, tokens: 1, episodes: 1, wallMs: 1 };
  }),
  {
    type: "validation",
    report: {
      ...{ update: 2, stage: "ppo", episodes: 1, successes: 0, interval: [0, 1] },
      ...{ temperature: 1, metrics: { x: 1 } },
    },
  },
  { type: "checkpoint", update: 3, bytes: 1, name: "c" },
  { type: "config_changed", update: 3, path: "actor.lr", from: 1, to: 2 },
  { type: "config_changed", update: 3, path: "sft.total_updates", from: 6, to: 3, automatic: true },
  { type: "sft_ended", update: 3, message: "m" },
  { type: "alarm", ...alarm },
  { type: "warning", update: 3, code: "c", message: "m" },
  { type: "device_lost", update: 3, message: "m", recovering: true, resumeFrom: 2 },
  { type: "rewound", update: 2, from: 3 },
  { type: "run_finished", update: 3, reason: "failed", error: { name: "E", code: "c", message: "m" } },
];

const hostile = [
  null,
  undefined,
  0,
  -1,
  1e300,
  "",
  "__proto__",
  "toString",
  [],
  {},
  [null],
  true,
  { length: 9 },
];

/** A copy with one value, at any depth, that is another one or gone. */
function damaged<T>(value: T, random: ReturnType<typeof rng>): T {
  const copy = structuredClone(value);
  let node = copy as Record<string, unknown>;
  for (;;) {
    const key = random.pick(Object.keys(node).length > 0 ? Object.keys(node) : ["x"]);
    const inner = node[key];
    const goesDeeper = typeof inner === "object" && inner !== null && !ArrayBuffer.isView(inner);
    if (goesDeeper && Object.keys(inner).length > 0 && random.float() < 0.7) {
      node = inner as Record<string, unknown>;
      continue;
    }
    if (random.float() < 0.2) delete node[key];
    else node[key] = random.pick(hostile);
    return copy;
  }
}

/** Everything that reads a history. */
function readAll(stored: readonly unknown[]): void {
  const events = knownEvents(stored);
  new EventDeduplicator(events);
  watchesOf(events);
  historyUpTo(events, 2);
  hasDiverged(events);
  hasLostChange(events, config);
  lastReported(events);
  const opened = { type: "stored_run_opened", runId: "r", config, events, update: 3 } as const;
  applyEvent(emptyView(), { ...opened, resuming: false, elsewhere: false } as ViewEvent);
}

test("a whole history is whole", () => {
  expect(knownEvents(JSON.parse(JSON.stringify(history)))).toEqual(history);
});

test("what is no event is left out", () => {
  const lines = [null, 3, "x", [], {}, { type: "metrics" }, { type: "toString" }, { type: "__proto__" }];
  expect(knownEvents([...lines, ...history])).toEqual(history);
});

test("no damage of a value makes a reader throw", () => {
  const random = rng(9);
  for (let i = 0; i < 600; i++) {
    const at = Math.floor(random.float() * history.length);
    readAll(history.map((event, j) => (j === at ? damaged(event, random) : event)));
  }
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("nor does one of a stored episode", () => {
  const random = rng(10);
  const trajectory = fakeTrajectory();
  const event = { type: "trajectory", update: 1, source: "train", trajectory } as const;
  expect(knownTrajectories([event])).toEqual([event]);
  for (let i = 0; i < 200; i++) {
    const events = knownTrajectories([damaged(event, random)]);
    applyEvent(emptyView(), { type: "trajectories_restored", runId: "r", events });
  }
  const without = [null, {}, { type: "trajectory", update: 1, source: "train" }];
  expect(knownTrajectories(without)).toEqual([]);
});

test("an episode that an earlier version stored has the names of this one", () => {
  const { tokens, ...rest } = fakeTrajectory();
  const { responseMask, rolloutLogprobs, ...others } = tokens;
  const trainRewards = tokens.rewards.slice();
  const sequences = [{ from: 0, to: tokens.ids.length, firstTurn: 0, lastTurn: 1 }];
  const lossMask = responseMask.slice();
  const stored = (names: object) => ({
    ...{ type: "trajectory", update: 1, source: "train" },
    trajectory: { ...rest, tokens: { ...others, ...names } },
  });
  const old = stored({
    lossMask: responseMask,
    trainedMask: lossMask,
    rows: sequences,
    logprobs: rolloutLogprobs,
    penalisedRewards: trainRewards,
  });
  expect(knownTrajectories([old])).toEqual([
    stored({ responseMask, lossMask, sequences, rolloutLogprobs, trainRewards }),
  ]);
});

test("an episode is left out whose arrays or pictures do not fit together", () => {
  const { turns, tokens, ...rest } = fakeTrajectory();
  const known = (other: object) =>
    knownTrajectories([
      { type: "trajectory", update: 1, source: "train", trajectory: { ...rest, turns, tokens, ...other } },
    ]).length;
  expect(known({})).toBe(1);
  const [first] = turns;
  const [image] = first!.observation.images;
  const wide = { ...first!, observation: { text: "", images: [{ ...image!, width: image!.width + 1 }] } };
  expect(known({ turns: [wide] })).toBe(0);
  const others = [
    { responseMask: tokens.responseMask.slice(1) },
    { advantages: tokens.advantages.slice(1) },
    { ids: tokens.ids.map(() => -1) },
    { lossMask: { length: tokens.ids.length } },
  ];
  for (const other of others) expect(known({ tokens: { ...tokens, ...other } })).toBe(0);
});

test("a change of a path that leads elsewhere changes nothing", () => {
  const changes = ["__proto__.polluted", "constructor.prototype.polluted", "env", "actor.lr.x"];
  const events = changes.map((path) => ({ type: "config_changed", update: 1, path, from: 1, to: null }));
  const start = { ...emptyView(), runId: "r", config };
  const seen = (events as ViewEvent[]).reduce(applyEvent, start);
  expect(seen.config).toEqual(config);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});
