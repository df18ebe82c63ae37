import { expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { TrainerEvent } from "../training/events.ts";
import { Console } from "./console.ts";
import { testIo } from "./testing/io.ts";

const alarm = (state: "begun" | "over"): TrainerEvent => ({
  type: "alarm",
  alarm: "entropy_collapse",
  state,
  update: 43,
  began: 41,
  severity: "danger",
  title: "Entropy collapse",
  meaning: "Nothing is explored.",
  remedy: "Go slower.",
  evidence: [{ metric: "actor/entropy", title: "entropy", before: 0.1, now: 0.004, limit: 0.008 }],
});

const memory = { parameters: 1, total: 1 };
const device = { vendor: "v", architecture: "a", description: "d", software: true };

test("an alarm is one line when it begins and one when it is over", () => {
  const io = testIo();
  const screen = new Console(io, () => 0);
  screen.show(alarm("begun"));
  screen.show(alarm("over"));
  expect(io.written.err.trim().split("\n")).toEqual([
    "alarm: Entropy collapse since update 41 (entropy 0.1 → 0.004). Go slower.",
    "alarm over at update 43: Entropy collapse",
  ]);
});

test("an alarm of the first validation is there from the start", () => {
  const io = testIo();
  new Console(io, () => 0).show({ ...alarm("begun"), update: 0, began: 0 } as TrainerEvent);
  expect(io.written.err).toMatch(/^alarm: Entropy collapse from the start \(/);
});

test("names updates as the progress line counts them", () => {
  const io = testIo();
  const screen = new Console(io, () => 0);
  const config = checkedRunConfig({ sft: { total_updates: 40, one_turn_updates: 0 } });
  screen.show({ type: "run_started", config, memory, device, update: 0 } as unknown as TrainerEvent);
  const change = { type: "config_changed", path: "actor.lr", from: 4e-4, to: 1e-4 } as const;
  screen.show({ ...change, update: 39 });
  screen.show({ ...change, update: 43 });
  screen.show(alarm("begun"));
  screen.show({ type: "run_finished", update: 45, reason: "stopped" });
  expect(io.written.err.trim().split("\n").slice(1)).toEqual([
    "actor.lr: 0.0004 → 0.0001, after SFT update 39",
    "actor.lr: 0.0004 → 0.0001, after PPO update 3",
    "alarm: Entropy collapse since PPO update 1 (entropy 0.1 → 0.004). Go slower.",
    "stopped after PPO update 5, 0 ms",
  ]);
});

test("says why SFT ended in place of the settings that changed with it", () => {
  const io = testIo();
  const screen = new Console(io, () => 0);
  const message = "SFT ended after 2300 updates: 98.4 % of the facts are right (target 98.0 %).";
  const change = {
    type: "config_changed",
    update: 2300,
    path: "sft.total_updates",
    from: 5000,
    to: 2300,
  } as const;
  screen.show({ type: "sft_ended", update: 2300, message });
  screen.show({ ...change, automatic: true });
  expect(io.written.err).toBe(`${message}\n`);
  screen.show(change);
  expect(io.written.err).toContain("sft.total_updates: 5000 → 2300, after update 2300");
});

const validating = (done: number): TrainerEvent => ({
  type: "phase",
  stage: "ppo",
  update: 0,
  phase: "validate",
  done,
  of: 512,
});

test("without a terminal, a long validation says now and then how far it is", () => {
  const io = testIo();
  let now = 0;
  const screen = new Console(io, () => now);
  expect(screen.isValidating).toBe(false);
  for (let done = 0; done <= 512; done += 64) {
    screen.show(validating(done));
    now += 2000;
  }
  const lines = io.written.err.trim().split("\n");
  expect(lines.map((line) => line.split("validating ")[1])).toEqual(["0/512", "192/512", "384/512"]);
  expect(screen.isValidating).toBe(true);
});

test("a test of SFT is part of its update and no validation", () => {
  const io = testIo();
  const screen = new Console(io, () => 0);
  screen.show({ type: "phase", stage: "warmup", update: 8, phase: "test", done: 3, of: 64 });
  expect(io.written.err).toContain("testing 3/64");
  expect(screen.isValidating).toBe(false);
});

test("on a terminal, every step rewrites the line", () => {
  const io = { ...testIo(), isTty: true };
  const screen = new Console(io, () => 0);
  for (const done of [0, 1, 2]) screen.show(validating(done));
  expect(io.written.err).toMatch(/validating 0\/512.*\r.*validating 1\/512.*\r.*validating 2\/512/s);
});
