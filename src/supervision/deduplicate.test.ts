import { expect, test } from "vitest";
import type { Trajectory } from "../core/types.ts";
import type { TrainerEvent, ValidationReport } from "../training/events.ts";
import { Continuity } from "./deduplicate.ts";

const metrics = (update: number): TrainerEvent => ({
  type: "metrics",
  stage: "ppo",
  update,
  values: {},
  tokens: 0,
  episodes: 0,
  wallMs: 0,
});
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

const admitted = (events: readonly TrainerEvent[], continuity = new Continuity()) =>
  events.filter((event) => continuity.admit(event));

test("an update is told once, however often it is computed", () => {
  const told = admitted([1, 2, 3, 2, 3, 4].map(metrics));
  expect(told).toEqual([1, 2, 3, 4].map(metrics));
});

test("what was told in an earlier session counts", () => {
  expect(admitted([3, 4, 5].map(metrics), new Continuity([metrics(4)]))).toEqual([metrics(5)]);
});

test("a validation at another temperature is another validation", () => {
  const both = [validation(20, 1), validation(20, 0)];
  expect(admitted([...both, ...both])).toEqual(both);
});

test("trajectories come again only after a checkpoint of theirs", () => {
  const continuity = new Continuity();
  expect(admitted([trajectory(4, "a"), trajectory(4, "b"), trajectory(4, "a")], continuity)).toHaveLength(2);
  continuity.admit({ type: "checkpoint", update: 4, bytes: 1, name: "" });
  // Nothing before a checkpoint is computed again, so nothing before it need be remembered.
  expect(admitted([trajectory(4, "a")], continuity)).toHaveLength(1);
});

test("trajectories of one update are remembered, and those of earlier ones still count as told", () => {
  const continuity = new Continuity();
  const played = (update: number) => [trajectory(update, `${update}`), metrics(update)];
  for (let update = 1; update <= 500; update++) admitted(played(update), continuity);
  const { trajectories } = continuity as unknown as { trajectories: ReadonlyMap<string, number> };
  expect(trajectories.size).toBe(1);
  expect(admitted([...played(499), ...played(500)], continuity)).toEqual([]);
});

test("trajectories of an earlier session come again, because its history has none", () => {
  const continuity = new Continuity([metrics(4), metrics(5)]);
  expect(admitted([trajectory(4, "a"), metrics(4), trajectory(4, "a")], continuity)).toHaveLength(1);
});

test("a value that is set again to what it was is told", () => {
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
