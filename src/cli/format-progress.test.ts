import { describe, expect, test } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import type { TrainerEvent } from "../training/events.ts";
import {
  emptyProgress,
  foldProgress,
  formatTable,
  progressLine,
  samplingName,
  successLine,
  validationLines,
} from "./format-progress.ts";

const metrics = (stage: "warmup" | "ppo", update: number, seconds: number): TrainerEvent => ({
  type: "metrics",
  stage,
  update,
  values: { "timing_s/step": seconds, "perf/throughput": 1234.4, "train/success/frozenlake": 0.625 },
  tokens: 0,
  episodes: 0,
  wallMs: 0,
});
const config = checkedRunConfig({
  sft: { total_updates: 20, one_turn_updates: 0 },
  trainer: { total_updates: 20 },
});
const started = { type: "run_started", config, update: 0, totalUpdates: 40 } as TrainerEvent;
const stages: TrainerEvent[] = [
  { type: "stage", stage: "warmup", firstUpdate: 1, lastUpdate: 20 },
  { type: "stage", stage: "ppo", firstUpdate: 21, lastUpdate: 40 },
];
const validation = (update: number) =>
  ({
    type: "validation",
    report: {
      update,
      stage: "ppo",
      seconds: 120,
      temperature: 1,
      episodes: 0,
      successes: 0,
      interval: [0, 1],
      metrics: {},
    },
  }) satisfies TrainerEvent;
const progressAfter = (...events: TrainerEvent[]) =>
  [started, ...stages, ...events].reduce(foldProgress, emptyProgress());

describe("the progress line", () => {
  test("of SFT has no success, which would be the demonstrator's", () => {
    expect(progressLine(progressAfter(metrics("warmup", 10, 1)))).toBe(
      "SFT 10/20  [##########----------] 50 %  1234 tokens/s",
    );
  });

  test("estimates the time left in the stage from the median update, after three of them", () => {
    const events = [21, 22, 23, 24].map((update) => metrics("ppo", update, update === 22 ? 100 : 30));
    expect(progressLine(progressAfter(...events.slice(0, 2)))).not.toContain("left");
    expect(progressLine(progressAfter(...events))).toBe(
      "PPO 4/20  [####----------------] 20 %  success 62.5 %  1234 tokens/s  about 8 min left",
    );
  });

  test("counts the validations to come into the time left, each as long as the last one", () => {
    const often = { ...config, trainer: { ...config.trainer, test_freq: 5 } };
    const again = { ...started, config: often } as TrainerEvent;
    const updates = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, i) => metrics("ppo", from + i, 30));
    // 17 updates of 30 s; after 5, 10, 15 and 20 of them two minutes more.
    expect(progressLine(progressAfter(again, validation(20), ...updates(21, 23)))).toContain(
      "about 17 min left",
    );
    expect(progressLine(progressAfter(again, ...updates(21, 23)))).toContain("about 9 min left");
    // The validation that an update is followed by counts until it was made.
    const fifth = progressAfter(again, validation(20), ...updates(21, 25));
    expect(progressLine(fifth)).toContain("about 16 min left");
    expect(progressLine(foldProgress(fifth, validation(25)))).toContain("about 14 min left");
  });

  test("writes the time left in whole seconds, at least one", () => {
    const often = (seconds: number, last: number) =>
      Array.from({ length: last - 20 }, (_, i) => metrics("ppo", 21 + i, seconds));
    expect(progressLine(progressAfter(...often(0.02, 30)))).toMatch(/about 1 s left$/);
    expect(progressLine(progressAfter(...often(0.34, 30)))).toMatch(/about 3 s left$/);
  });

  test("starts its estimate again with each stage", () => {
    const warm = [18, 19, 20].map((update) => metrics("warmup", update, 1));
    expect(progressLine(progressAfter(...warm, metrics("ppo", 21, 30)))).not.toContain("left");
  });

  test("counts within the stage also of a resumed run, which announces none", () => {
    const again = { ...started, update: 24 } as TrainerEvent;
    const progress = [again, metrics("ppo", 25, 1)].reduce(foldProgress, emptyProgress());
    expect(progressLine(progress)).toMatch(/^PPO 5\/20 /);
  });

  test("fits the terminal", () => {
    expect(progressLine(progressAfter(metrics("ppo", 21, 1)), 30)).toHaveLength(30);
  });

  test("counts the episodes of a validation, also before the first update", () => {
    const validating = (stage: "warmup" | "ppo", done: number): TrainerEvent => ({
      type: "phase",
      stage,
      update: 0,
      phase: "validate",
      done,
      of: 512,
    });
    expect(progressLine(progressAfter(validating("ppo", 12)))).toBe(
      "PPO 0/20  [--------------------] 0 %  validating 12/512",
    );
    const rollout = { ...validating("ppo", 0), phase: "rollout" } as TrainerEvent;
    for (const over of [rollout, validation(20)])
      expect(progressLine(progressAfter(validating("ppo", 512), over))).not.toContain("validating");
  });

  test("of a run without updates is that of its validation", () => {
    const trainer = { ...config.trainer, init_checkpoint: "frozenlake-nano-trained", total_updates: 0 };
    const only = { ...started, config: { ...config, trainer }, totalUpdates: 0 } as TrainerEvent;
    const phase = { type: "phase", stage: "ppo", update: 0, phase: "validate" } as const;
    const playing = [only, { ...phase, done: 128, of: 512 }].reduce(foldProgress, emptyProgress());
    expect(progressLine(playing)).toBe("[#####---------------] 25 %  validating 128/512");
    expect(progressLine(foldProgress(playing, validation(0)))).toBe("");
  });

  test("goes back when the run does", () => {
    const lost: TrainerEvent = {
      type: "device_lost",
      update: 30,
      message: "",
      recovering: true,
      resumeFrom: 20,
    };
    expect(progressLine(progressAfter(metrics("ppo", 30, 1), lost))).toContain("PPO 0/20");
  });
});

test("a success rate comes with its interval", () => {
  expect(successLine({ successes: 190, episodes: 256, interval: [0.6852, 0.7921] })).toBe(
    "190/256 = 74.2 % (95 % interval 68.5 … 79.2 %)",
  );
  expect([samplingName(0), samplingName(0.7)]).toEqual(["greedy", "temperature 0.7"]);
});

test("a validation in several environments has a line for each of them, which fits a terminal", () => {
  const { report } = validation(20);
  const said = (over: object) => validationLines("validation", { ...report, ...over });
  const one = { "val/success/frozenlake": 0.5, "val/score/frozenlake": 1 };
  expect(said({ metrics: one })).toBe(`validation: ${successLine(report)}`);
  const metrics = { "val/success/frozenlake": 0.5, "val/success/sokoban": 0.125, "val/success/wide": 0.3 };
  expect(said({ metrics }).split("\n")).toEqual([
    "validation:",
    `  frozenlake  ${successLine(report)}`,
    "  sokoban     12.5 %",
    "  wide        30.0 %",
  ]);
  const levels = { reference: 6, reference_retry: 0, studio: 2 };
  const sokoban = { successes: 1, episodes: 8, interval: [0.02, 0.47] as const, levels };
  const lines = said({ metrics, further: { sokoban } }).split("\n");
  expect(lines.slice(2)).toEqual([
    `  sokoban     ${successLine(sokoban)}`,
    "              6 of 8 levels are VAGEN's, 2 are the studio's",
    "  wide        30.0 %",
  ]);
  for (const line of lines) expect(line.length).toBeLessThan(80);
  expect(said({ metrics: one, levels })).toBe(
    `validation: ${successLine(report)}\n  6 of 8 levels are VAGEN's, 2 are the studio's`,
  );
});

test("a table lines up", () => {
  expect(
    formatTable([
      ["a", "1"],
      ["long", "22"],
    ]),
  ).toBe("a      1\nlong  22");
});
