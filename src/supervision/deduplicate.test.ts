import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";
import { EventDeduplicator } from "./deduplicate.ts";
import { metrics } from "./testing/metrics.ts";

const validation = (update: number, temperature: number): TrainerEvent => ({
  type: "validation",
  report: { stage: "ppo", update, temperature } as ValidationReport,
});
const trajectory = (update: number, id: string): TrainerEvent => ({
  type: "trajectory",
  update,
  source: "train",
  trajectory: { id } as Trajectory,
});
const changed = (to: number): TrainerEvent => ({
  type: "config_changed",
  update: 1,
  path: "actor.lr",
  from: 0,
  to,
});

const admitted = (events: readonly TrainerEvent[], deduplicator = new EventDeduplicator()) =>
  events.filter((event) => deduplicator.admit(event));

test("an update is reported once, however often it is computed", () => {
  const emitted = admitted([1, 2, 3, 2, 3, 4].map(metrics));
  expect(emitted).toEqual([1, 2, 3, 4].map(metrics));
});

test("the events of an earlier session count", () => {
  expect(admitted([3, 4, 5].map(metrics), new EventDeduplicator([metrics(4)]))).toEqual([metrics(5)]);
});

test("SFT ends once, however often its last update is computed", () => {
  const end: TrainerEvent = { type: "sft_ended", update: 4, message: "SFT ended." };
  expect(admitted([end, end], new EventDeduplicator([metrics(1)]))).toEqual([end]);
  expect(admitted([end], new EventDeduplicator([end]))).toEqual([]);
});

test("a validation at another temperature is another validation", () => {
  const both = [validation(20, 1), validation(20, 0)];
  expect(admitted([...both, ...both])).toEqual(both);
});

test("the trajectories of an update are admitted again only after its checkpoint", () => {
  const deduplicator = new EventDeduplicator();
  expect(admitted([trajectory(4, "a"), trajectory(4, "b"), trajectory(4, "a")], deduplicator)).toHaveLength(
    2,
  );
  deduplicator.admit({ type: "checkpoint", update: 4, bytes: 1, name: "" });
  // Updates before a checkpoint are not repeated, so their keys are dropped.
  expect(admitted([trajectory(4, "a")], deduplicator)).toHaveLength(1);
});

test("only one update's trajectories are kept, and those of earlier ones still count as reported", () => {
  const deduplicator = new EventDeduplicator();
  const played = (update: number) => [trajectory(update, `${update}`), metrics(update)];
  for (let update = 1; update <= 500; update++) admitted(played(update), deduplicator);
  const { trajectories } = deduplicator as unknown as { trajectories: ReadonlyMap<string, number> };
  expect(trajectories.size).toBe(1);
  expect(admitted([...played(499), ...played(500)], deduplicator)).toEqual([]);
});

test("trajectories of an earlier session are admitted again, because its history has none", () => {
  const deduplicator = new EventDeduplicator([metrics(4), metrics(5)]);
  expect(admitted([trajectory(4, "a"), metrics(4), trajectory(4, "a")], deduplicator)).toHaveLength(1);
});

test("a value that is set back is reported", () => {
  expect(admitted([changed(1), changed(1), changed(2), changed(1)])).toEqual([
    changed(1),
    changed(2),
    changed(1),
  ]);
});

test("phases, warnings and losses always pass", () => {
  const events: TrainerEvent[] = [
    { type: "phase", stage: "ppo", update: 1, phase: "rollout", done: 0, of: 1 },
    { type: "warning", update: 1, code: "w", message: "" },
    { type: "device_lost", update: 1, message: "", recovering: true, resumeFrom: 0 },
  ];
  expect(admitted([...events, ...events])).toHaveLength(6);
});
