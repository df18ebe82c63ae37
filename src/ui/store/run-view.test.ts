import { describe, expect, it } from "vitest";
import { RunConfig } from "../../config/run-config.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { applyEvent } from "./apply-event.ts";
import { etaOfStage, pace } from "./progress.ts";
import {
  canGoOn,
  emptyView,
  isActive,
  KEPT_TRAJECTORIES,
  type RunView,
  takesChanges,
  type ViewEvent,
} from "./run-view.ts";

const config = RunConfig.parse({ sft: { total_updates: 10 }, trainer: { total_updates: 20 } });
const device = { vendor: "test", architecture: "", description: "", software: true, features: [] };
const memory = { total: 1, parts: {}, parameters: 1, largestBuffer: 1, limit: 2 };

const started = (update = 0): TrainerEvent => ({
  type: "run_started",
  runId: "r1",
  config,
  device,
  memory,
  update,
  totalUpdates: 30,
  time: 0,
});
const stage = (name: "warmup" | "ppo"): TrainerEvent => ({
  type: "stage",
  stage: name,
  firstUpdate: name === "warmup" ? 1 : 11,
  lastUpdate: name === "warmup" ? 10 : 30,
});
const metrics = (update: number, success: number): TrainerEvent => ({
  type: "metrics",
  stage: "ppo",
  update,
  values: { "train/success/frozenlake": success },
  // Totals since the run began.
  tokens: 100 * update,
  episodes: 10 * update,
  wallMs: 1000 * update,
});
const alarm = (update: number, state: "begun" | "over" = "begun"): TrainerEvent => ({
  type: "alarm",
  alarm: "kl_spike",
  state,
  update,
  began: 14,
  severity: "warning",
  title: "KL spike",
  meaning: "Too far.",
  remedy: "Go slower.",
  evidence: [{ metric: "actor/ppo_kl", title: "approximate KL", now: 0.3, limit: 0.02 }],
});
const phase = (update: number): TrainerEvent => ({
  type: "phase",
  stage: "ppo",
  update,
  phase: "update",
  done: 0,
  of: 1,
});
const fold = (events: readonly ViewEvent[], from: RunView = emptyView()) => events.reduce(applyEvent, from);
const points = (view: RunView) => [...(view.series.get("train/success/frozenlake")?.ys ?? [])];

describe("the fold over events", () => {
  it("shows a stored run without taking it up: finished, or stopped where it was left", () => {
    const open = (events: TrainerEvent[]) =>
      fold([
        {
          type: "stored_run_opened",
          runId: "r1",
          config,
          events,
          update: 30,
          resuming: false,
          elsewhere: false,
        },
      ]);
    const events = [started(), stage("ppo"), metrics(29, 0.5), metrics(30, 0.6)];
    expect(open(events)).toMatchObject({ state: "stopped", update: 30 });
    const end: TrainerEvent = { type: "run_finished", update: 30, reason: "completed" };
    expect(open([...events, end])).toMatchObject({ state: "finished", update: 30 });
    expect(points(open(events))).toEqual([0.5, 0.6]);
  });

  it("lets a run go on only if it was saved: one that is stopped while it is built is not", () => {
    const stopped: TrainerEvent = { type: "run_finished", update: 0, reason: "stopped" };
    const requested: ViewEvent = { type: "start_requested", runId: "r1", config };
    const unbuilt = fold([requested, stopped]);
    expect([unbuilt.state, canGoOn(unbuilt)]).toEqual(["stopped", false]);
    const saved: TrainerEvent = { type: "checkpoint", update: 1, bytes: 1, name: "c" };
    expect(canGoOn(fold([requested, started(), metrics(1, 0.5), saved, { ...stopped, update: 1 }]))).toBe(
      true,
    );
    // A stored run was saved, also where its log was lost.
    const opened = { type: "stored_run_opened", runId: "r1", config, events: [], update: 3 } as const;
    const withoutLog = fold([{ ...opened, resuming: false, elsewhere: false }]);
    expect([canGoOn(withoutLog), withoutLog.checkpoint?.update]).toEqual([true, 3]);
  });

  it("does not say that a run has stopped which another tab trains, nor that it can be continued here", () => {
    const events = [started(), metrics(1, 0.5), { type: "checkpoint", update: 1, bytes: 1, name: "c" }];
    const opened = { type: "stored_run_opened", runId: "r1", config, events, update: 1, resuming: false };
    const seen = fold([{ ...opened, elsewhere: true } as ViewEvent]);
    expect([seen.state, canGoOn(seen), isActive(seen.state)]).toEqual(["elsewhere", false, false]);
    const taken = fold([
      { ...opened, elsewhere: false } as ViewEvent,
      { type: "taken_elsewhere", runId: "another" },
      { type: "taken_elsewhere", runId: "r1" },
    ]);
    expect([taken.state, points(taken)]).toEqual(["elsewhere", [0.5]]);
  });

  it("puts trajectories of an earlier session behind those of this one", () => {
    const played = (id: string, update: number, source: "train" | "validation" = "train") =>
      ({
        type: "trajectory",
        update,
        source,
        trajectory: fakeTrajectory({ id, seed: 1, skill: 1 }),
      }) as const;
    const events = [played("a", 5), played("b", 12), played("b", 12, "validation"), played("c", 13)];
    const before = fold([started(), stage("warmup"), stage("ppo"), played("c", 13), played("d", 14)]);
    const view = fold([{ type: "trajectories_restored", runId: "r1", events }], before);
    expect(view.trajectories.map(({ key, source }) => `${key} ${source}`)).toEqual([
      "d train",
      "c train",
      "b@12 validation",
      "b train",
      "a demonstration",
    ]);
    expect(view.finishedEpisodes).toBe(2);
    // Of a run that is no longer on screen: dropped.
    expect(fold([{ type: "trajectories_restored", runId: "r0", events }], before)).toBe(before);
  });

  it("draws a run that is continued for longer as one line, to its new end", () => {
    const ended = fold([
      started(),
      stage("warmup"),
      stage("ppo"),
      metrics(29, 0.5),
      metrics(30, 0.6),
      { type: "run_finished", update: 30, reason: "completed" },
      { type: "continue", status: "sent" },
    ]);
    expect(ended).toMatchObject({ state: "preparing", update: 30 });
    const view = fold(
      [
        { type: "config_changed", update: 30, path: "trainer.total_updates", from: 20, to: 25 },
        { ...started(30), totalUpdates: 35 } as TrainerEvent,
        { ...stage("ppo"), lastUpdate: 35 } as TrainerEvent,
        metrics(31, 0.7),
      ],
      ended,
    );
    expect(view).toMatchObject({ state: "running", update: 31, totalUpdates: 35 });
    expect(view.stages.at(-1)).toMatchObject({ firstUpdate: 11, lastUpdate: 35 });
    expect(points(view)).toEqual([0.5, 0.6, 0.7]);
    expect(view.marks.map((mark) => mark.text)).toEqual(["“PPO updates”: 20 → 25", "Resumed from update 30"]);
  });

  it("goes idle → preparing → running → finished", () => {
    const states: string[] = [];
    let view = emptyView();
    for (const event of [
      { type: "start_requested", runId: "r1", config },
      { type: "prepare", steps: [{ step: "compile", done: 1, of: 9, detail: "" }] },
      started(),
      stage("warmup"),
      { type: "phase", stage: "warmup", update: 1, phase: "update", done: 0, of: 1 },
      metrics(1, 0.1),
      { type: "run_finished", update: 30, reason: "completed" },
    ] as ViewEvent[]) {
      view = applyEvent(view, event);
      states.push(view.state);
    }
    expect(states).toEqual([
      "preparing",
      "preparing",
      "preparing",
      "preparing",
      "running",
      "running",
      "finished",
    ]);
  });

  it("replaces the point of an update that is replayed, and continues its totals", () => {
    const view = fold([started(), metrics(1, 0.1), metrics(2, 0.2), metrics(3, 0.3), metrics(2, 0.25)]);
    expect(points(view)).toEqual([0.1, 0.25, 0.3]);
    expect([...view.axes.tokens.ys]).toEqual([100, 200, 300]);
  });

  it("rebuilds a stored run from its events and takes it up again without doubling anything", () => {
    const events = [started(), stage("warmup"), metrics(1, 0.1), metrics(2, 0.2)];
    const opened = fold([
      { type: "stored_run_opened", runId: "r1", config, events, update: 1, resuming: true, elsewhere: false },
    ]);
    // The second update was reported, but not saved.
    expect([opened.state, opened.update, points(opened)]).toEqual(["preparing", 1, [0.1, 0.2]]);
    const running = fold([started(1), stage("warmup"), metrics(2, 0.2), metrics(3, 0.3)], opened);
    expect([running.state, running.update, points(running)]).toEqual(["running", 3, [0.1, 0.2, 0.3]]);
    expect(running.marks).toContainEqual({
      update: 1,
      kind: "resumed",
      text: "Resumed from update 1",
    });
    expect(running.stages).toHaveLength(1);
  });

  it("shows the newest checkpoint, and marks only those that are kept", () => {
    const saved = (update: number): TrainerEvent => ({
      type: "checkpoint",
      update,
      bytes: 1,
      name: `c${update}`,
    });
    const temporary = (update: number) => ({ ...saved(update), temporary: true }) as TrainerEvent;
    const view = fold([started(), saved(1), temporary(2), temporary(3)]);
    expect(view.checkpoint).toMatchObject({ update: 3 });
    expect(view.marks).toMatchObject([{ kind: "checkpoint", update: 1 }]);
  });

  it("forgets what is reported again when a run goes back to a checkpoint", () => {
    const diverged = fold([
      started(),
      stage("ppo"),
      metrics(11, 0.1),
      { type: "checkpoint", update: 11, bytes: 1, name: "c" },
      { ...metrics(12, 0.2), values: { "train/success/frozenlake": 0.2, late: 1 } } as TrainerEvent,
      { type: "config_changed", update: 12, path: "actor.lr", from: 4e-4, to: 1e-3 },
      { type: "trajectory", update: 12, source: "train", trajectory: fakeTrajectory({ id: "t" }) },
      { type: "run_finished", update: 12, reason: "diverged" },
    ]);
    expect(canGoOn(diverged)).toBe(true);
    const view = fold(
      [
        { type: "continue", status: "sent" },
        { type: "rewound", update: 11, from: 12 },
      ],
      diverged,
    );
    expect(view).toMatchObject({
      state: "preparing",
      update: 11,
      trajectories: [],
      checkpoint: { name: "c" },
    });
    expect([points(view), [...view.axes.tokens.xs], view.series.get("late")]).toEqual([
      [0.1],
      [11],
      undefined,
    ]);
    expect(view.marks.map((mark) => mark.text)).toEqual([
      "Checkpoint c",
      "Went back from update 12 to update 11",
    ]);
    expect(points(fold([metrics(12, 0.3)], view))).toEqual([0.1, 0.3]);
  });

  it("can go on from the checkpoint that it went back to, although it has saved nothing since", () => {
    const diverged = { type: "run_finished", update: 12, reason: "diverged" } as const;
    const again = fold([
      ...[started(), stage("ppo"), metrics(11, 0.1), metrics(12, 0.2)],
      // It is deleted when the run diverges, and the run goes back to an older one of which its log may know nothing any more.
      { type: "checkpoint", update: 12, bytes: 1, name: "c12", temporary: true },
      ...[diverged, { type: "continue", status: "sent" } as const],
      ...[{ type: "rewound", update: 10, from: 12 } as const, started(10), metrics(11, 0.2), diverged],
    ]);
    expect([again.state, again.checkpoint?.update, canGoOn(again)]).toEqual(["diverged", 10, true]);
  });

  it("forgets the settings that were changed after the checkpoint that a run goes back to, and keeps those in it", () => {
    const saved = (update: number) => ({ type: "checkpoint", update, bytes: 1, name: `c${update}` }) as const;
    const changed = (path: string, update = 11) =>
      ({ type: "config_changed", update, path, from: 1, to: 2 }) as const;
    const before = fold([
      started(),
      stage("ppo"),
      changed("actor.ppo_epochs", 10),
      metrics(11, 0.1),
      saved(11),
      changed("critic.lr"),
      { ...saved(11), temporary: true },
      // While update 12 is computed, so no checkpoint of update 11 has it.
      changed("actor.lr"),
      metrics(12, 0.2),
      saved(12),
    ]);
    const back = fold([{ type: "rewound", update: 11, from: 12 }], before);
    expect(back.marks.flatMap(({ change }) => change?.path ?? [])).toEqual(["actor.ppo_epochs", "critic.lr"]);
    const alarmed = fold([metrics(12, 0.2), { ...alarm(13), began: 13 } as TrainerEvent], back);
    expect(alarmed.notices[0]!.changes!.map(({ path }) => path)).toEqual(["critic.lr", "actor.ppo_epochs"]);
  });

  it("is as long again as it was at the checkpoint that it goes back to", () => {
    const longer = { type: "config_changed", update: 12, path: "trainer.total_updates", from: 20, to: 50 };
    const view = fold([
      ...[started(), stage("warmup"), stage("ppo"), metrics(12, 0.1), longer as TrainerEvent],
      ...[metrics(13, 0.1), { type: "rewound", update: 12, from: 13 } as TrainerEvent, started(12)],
    ]);
    expect([view.totalUpdates, view.stages]).toEqual([
      30,
      [
        { stage: "warmup", firstUpdate: 1, lastUpdate: 10 },
        { stage: "ppo", firstUpdate: 11, lastUpdate: 30 },
      ],
    ]);
  });

  it("says that it was resumed once it works, and not while it waits where it went back to", () => {
    const waiting = fold([
      ...[started(), stage("ppo"), metrics(11, 0.1), metrics(12, 0.1)],
      { type: "rewound", update: 11, from: 12 },
      started(11),
      { type: "paused", update: 11 },
    ]);
    expect([waiting.state, waiting.marks.map(({ kind }) => kind)]).toEqual(["paused", ["went_back"]]);
    const resumed = { type: "command", command: "resume", status: "sent" } as const;
    const on = fold([resumed, phase(12), metrics(12, 0.2), phase(13)], waiting);
    expect(on.marks.map(({ kind, update }) => `${kind} ${update}`)).toEqual(["went_back 11", "resumed 11"]);
  });

  it("shows a stored run that ended badly as it ended, with its reason", () => {
    const error = { name: "PolicyError", code: "non_finite", message: "no", hint: "halve" };
    const events = [
      started(),
      metrics(1, 0.5),
      { type: "run_finished", update: 1, reason: "diverged", error } as TrainerEvent,
    ];
    const open = (resuming: boolean) =>
      fold([
        { type: "stored_run_opened", runId: "r1", config, events, update: 1, resuming, elsewhere: false },
      ]);
    expect(open(false)).toMatchObject({ state: "diverged", error });
    expect(open(true)).toMatchObject({ state: "preparing", error: null });
  });

  it("says of a weight that came or went what it is or was", () => {
    const path = "reward.weights.shorter";
    const view = fold([
      started(),
      { type: "config_changed", update: 3, path, from: undefined, to: 0.5 },
      { type: "config_changed", update: 4, path, from: 0.5, to: 0.25 },
      { type: "config_changed", update: 5, path, from: 0.25, to: undefined },
    ]);
    expect(view.marks.map(({ text }) => text)).toEqual([
      "“shorter”: set to 0.5",
      "“shorter”: 0.5 → 0.25",
      "“shorter”: 0.25 removed",
    ]);
  });

  it("starts a clean screen for another run", () => {
    const view = fold([started(), metrics(1, 0.1), { ...started(), runId: "r2" } as TrainerEvent]);
    expect([view.runId, points(view), view.marks]).toEqual(["r2", [], []]);
  });

  it("answers a pause at once and is paused when the worker says so", () => {
    let view = fold([started(), metrics(1, 0.1), { type: "command", command: "pause", status: "sent" }]);
    expect(view.state).toBe("pausing");
    view = fold(
      [{ type: "phase", stage: "warmup", update: 2, phase: "update", done: 1, of: 2 }, metrics(2, 0.2)],
      view,
    );
    expect(view.state).toBe("pausing");
    view = fold([{ type: "command", command: "pause", status: "done" }], view);
    expect(view.state).toBe("paused");
  });

  it("keeps the latest command when an earlier one is answered later", () => {
    const command = (name: "pause" | "resume" | "step", status: "sent" | "done" | "refused") =>
      ({ type: "command", command: name, status }) as const;
    const paused = fold([started(), metrics(1, 0.1), command("pause", "sent"), command("pause", "done")]);
    const held = [command("resume", "sent"), command("pause", "sent")];
    const states = (...events: ViewEvent[]) => fold(events, paused).state;
    expect(states(...held, command("resume", "done"))).toBe("pausing");
    expect(states(...held, command("resume", "done"), command("pause", "done"))).toBe("paused");
    expect(states(...held, command("resume", "refused"), command("pause", "done"))).toBe("paused");
    const goesOn = [command("step", "sent"), metrics(2, 0.2), command("resume", "sent")];
    expect(states(...goesOn, command("step", "done"), command("resume", "done"))).toBe("running");
    expect(states(command("resume", "sent"), command("resume", "refused"))).toBe("paused");
    expect(states(command("step", "sent"), command("step", "refused"))).toBe("paused");
  });

  it("is paused again after one step", () => {
    const view = fold([
      started(),
      metrics(1, 0.1),
      { type: "command", command: "pause", status: "sent" },
      { type: "command", command: "pause", status: "done" },
      { type: "command", command: "step", status: "sent" },
      { type: "command", command: "step", status: "done" },
      metrics(2, 0.2),
    ]);
    expect([view.state, view.update]).toEqual(["paused", 2]);
  });

  it("ignores the late answer to a command of a run that has ended", () => {
    const view = fold([
      started(),
      metrics(1, 0.1),
      { type: "command", command: "stop", status: "sent" },
      { type: "run_finished", update: 1, reason: "stopped" },
      { type: "command", command: "stop", status: "done" },
    ]);
    expect(view.state).toBe("stopped");
  });

  it("says after a lost device from which update training resumes", () => {
    const lost = {
      type: "device_lost",
      update: 7,
      message: "reset",
      recovering: true,
      resumeFrom: 5,
    } as const;
    const view = fold([started(), metrics(7, 0.1), lost]);
    expect([view.state, view.update]).toEqual(["recovering", 5]);
    expect(view.notices[0]?.body).toContain("saved at update 5");
    // Reported updates are computed again without metrics; their phases show that the run continues.
    const again = fold([phase(7)], view);
    expect([again.state, again.update]).toEqual(["running", 6]);
    const absent = fold([{ type: "warning", update: 5, code: "device_absent", message: "none" }], view);
    expect([absent.state, absent.notices.map(({ id, title }) => `${id}: ${title}`)]).toEqual([
      "paused",
      ["device_lost: Training is paused"],
    ]);
    const twice = fold([{ ...lost, recovering: false }], view);
    expect([twice.state, twice.notices.length]).toEqual(["paused", 1]);
    const advice = {
      type: "warning",
      update: 5,
      code: "device_unstable",
      message: "lost",
      hint: "Use a faster GPU.",
    };
    const advised = fold([advice as TrainerEvent], twice);
    expect(advised.notices.map(({ id, hint }) => `${id}: ${hint}`)).toEqual([
      "device_lost: Use a faster GPU.",
    ]);
    // A run that ends before it is rebuilt resumes on no device; advice stays.
    const ends: ViewEvent[] = [
      { type: "run_finished", update: 5, reason: "stopped" },
      {
        type: "run_failed",
        error: { name: "GpuError", code: "out_of_memory", message: "no room", hint: "" },
      },
    ];
    for (const end of ends) expect(fold([end], view).notices).toEqual([]);
    expect(fold([ends[0]!], advised).notices).toEqual(advised.notices);
    expect(fold([ends[0]!], again).notices).toEqual(again.notices);
  });

  it("takes changes only while it has a device", () => {
    const lost = { type: "device_lost", update: 7, message: "reset", resumeFrom: 5 } as const;
    const trains = fold([started(), metrics(7, 0.1)]);
    expect(takesChanges(trains)).toBe(true);
    const recovering = fold([{ ...lost, recovering: true }], trains);
    const absent = fold([{ type: "warning", update: 5, code: "device_absent", message: "none" }], recovering);
    const unstable = fold([{ ...lost, recovering: false }], trains);
    const retried = fold([{ type: "command", command: "resume", status: "sent" }], absent);
    expect([absent.state, unstable.state, retried.state]).toEqual(["paused", "paused", "running"]);
    expect([recovering, absent, unstable, retried].map(takesChanges)).toEqual([false, false, false, false]);
    const again: ViewEvent[] = [phase(6), metrics(6, 0.1), { type: "paused", update: 5 }];
    for (const event of again) expect(takesChanges(fold([event], retried))).toBe(true);
    expect(takesChanges(fold([started(5), phase(6)], absent))).toBe(true);
  });

  it("shows a run that was lost while paused as paused again, whichever event says so", () => {
    const lost = {
      type: "device_lost",
      update: 7,
      message: "reset",
      recovering: true,
      resumeFrom: 5,
    } as const;
    const recovering = fold([started(), metrics(7, 0.1), lost]);
    const paused = fold([{ type: "paused", update: 5 }], recovering);
    expect([paused.state, paused.update]).toEqual(["paused", 5]);
    expect(fold([{ type: "command", command: "pause", status: "done" }], recovering).state).toBe("paused");
    const stopping = fold([{ type: "command", command: "stop", status: "sent" }], recovering);
    expect(fold([{ type: "paused", update: 5 }], stopping).state).toBe("stopping");
  });

  it("keeps validations in order, one for each update and temperature", () => {
    const report = (update: number, successes: number, temperature = 1): TrainerEvent => ({
      type: "validation",
      report: {
        update,
        stage: "ppo",
        episodes: 100,
        successes,
        interval: [0, 1],
        temperature,
        metrics: { "val/success/frozenlake": successes / 100 },
      },
    });
    const view = fold([started(), report(20, 50), report(10, 30), report(20, 60), report(20, 70, 0)]);
    expect(view.validations.map((r) => [r.update, r.successes, r.temperature])).toEqual([
      [10, 30, 1],
      [20, 60, 1],
      [20, 70, 0],
    ]);
    expect(view.series.get("val/success/frozenlake")?.at(20)).toBe(0.6);
    expect(view.greedy.get("val/success/frozenlake")?.at(20)).toBe(0.7);
    // As an object for each validation the same numbers take many times the room.
    expect(view.validations.some((kept) => "metrics" in kept)).toBe(false);
    const back = fold([{ type: "rewound", update: 15, from: 20 }], view);
    expect([back.validations.length, back.greedy.keys]).toEqual([1, []]);
  });

  it("forgets what it warned of in updates that are trained again, and nothing else", () => {
    const warning = (code: string) =>
      ({ type: "warning", update: 18, code, message: code, hint: "" }) as const;
    const warned = fold([started(), warning("replies_cut"), warning("storage")]);
    const left = fold([{ type: "rewound", update: 15, from: 20 }], warned);
    expect(left.notices.map(({ id }) => id)).toEqual(["warning:storage"]);
  });

  it("does not draw what the teacher does and sees as the policy's", () => {
    const of = metrics(1, 0.4) as Extract<TrainerEvent, { type: "metrics" }>;
    const seen = { "surroundings_accuracy/all": 1, "surroundings_miss/hole": 0, "sft/loss": 2 };
    const warm: TrainerEvent = { ...of, stage: "warmup", values: { ...of.values, ...seen } };
    const shown = { type: "trajectory", update: 1, source: "train", trajectory: fakeTrajectory() } as const;
    const view = fold([started(), stage("warmup"), stage("ppo"), warm, shown]);
    expect(view.series.keys).toEqual([
      "demonstrations/train/success/frozenlake",
      "demonstrations/surroundings_accuracy/all",
      "demonstrations/surroundings_miss/hole",
      "sft/loss",
    ]);
    expect(view.trajectories[0]?.source).toBe("demonstration");
    expect(fold([{ ...shown, update: 11 }], view).trajectories[0]?.source).toBe("train");
  });

  it("says why SFT ended in place of the settings that changed with it, and lists those of an old run", () => {
    const path = "sft.total_updates";
    const change: TrainerEvent = { type: "config_changed", update: 4, path, from: 10, to: 4 };
    const text = "SFT ended after 4 updates: 98.4 % of the facts are right (target 98.0 %).";
    const before = fold([started(), stage("warmup"), stage("ppo")]);
    const view = fold(
      [
        { type: "sft_ended", update: 4, message: text },
        { ...change, automatic: true },
      ],
      before,
    );
    expect(view.marks).toEqual([{ update: 4, kind: "stage", text }]);
    expect([view.stages[0]!.lastUpdate, view.totalUpdates]).toEqual([4, before.totalUpdates - 6]);
    const old = fold([change], before);
    expect(old.marks).toMatchObject([{ update: 4, kind: "config" }]);
    expect(old.stages).toEqual(view.stages);
  });

  it("knows its stage from the work, not from the announcement of all stages", () => {
    const view = fold([started(), stage("warmup"), stage("ppo")]);
    expect([view.stage, view.stages.length]).toEqual([null, 2]);
    expect(fold([phase(11)], view).stage).toBe("ppo");
  });

  it("applies a changed value to the run's configuration and its length", () => {
    const view = fold([
      started(),
      { type: "config_changed", update: 3, path: "actor.lr", from: 4e-4, to: 1e-4 },
      { type: "config_changed", update: 3, path: "trainer.total_updates", from: 20, to: 50 },
    ]);
    expect([view.config?.actor.lr, view.totalUpdates, view.marks.length]).toEqual([1e-4, 60, 2]);
    expect(config.actor.lr).toBe(4e-4);
  });

  it("keeps a bounded list of trajectories, newest first, each once", () => {
    const many = Array.from(
      { length: KEPT_TRAJECTORIES + 5 },
      (_, i): TrainerEvent => ({
        type: "trajectory",
        update: 1,
        source: "train",
        trajectory: fakeTrajectory({ id: `t${i}` }),
      }),
    );
    const view = fold([started(), ...many, many.at(-1)!]);
    expect(view.trajectories).toHaveLength(KEPT_TRAJECTORIES);
    expect(view.trajectories[0]?.trajectory.id).toBe(`t${KEPT_TRAJECTORIES + 4}`);
    expect(view.trajectories[1]?.trajectory.id).toBe(`t${KEPT_TRAJECTORIES + 3}`);
  });

  it("keeps the error of a run that failed", () => {
    const error = { name: "GpuError", code: "out_of_memory", message: "no", hint: "smaller" };
    expect(fold([started(), { type: "run_failed", error }])).toMatchObject({ state: "failed", error });
  });
});

describe("pace", () => {
  it("estimates the rest of the stage as a range, after three updates", () => {
    const two = fold([
      started(),
      { ...stage("ppo"), firstUpdate: 1, lastUpdate: 10 } as TrainerEvent,
      metrics(1, 0),
      metrics(2, 0),
    ]);
    expect(etaOfStage(two)).toBeNull();
    const three = fold([metrics(3, 0)], two);
    expect(etaOfStage(three)).toMatchObject({ low: 7000, high: 7000 });
    expect(pace(three.costs)).toEqual({ tokens: 100, episodes: 10 });
  });
  it("counts the validations to come, each as long as the last one", () => {
    const validation = (update: number, seconds?: number): TrainerEvent => {
      const found = { episodes: 10, successes: 5, interval: [0, 1] as const, temperature: 1, metrics: {} };
      return {
        type: "validation",
        report: { update, stage: "ppo", ...found, ...(seconds ? { seconds } : {}) },
      };
    };
    const updates = Array.from({ length: 18 }, (_, i) => metrics(11 + i, 0));
    const before = [started(), stage("warmup"), stage("ppo")];
    const view = fold([...before, validation(10, 4), ...updates]);
    // Two updates of 1 s, and the one validation at the end.
    expect(etaOfStage(view)).toMatchObject({ low: 6000, high: 6000 });
    const last = fold([metrics(29, 0), metrics(30, 0)], view);
    expect(etaOfStage(last)).toMatchObject({ low: 4000, high: 4000 });
    // It falls with the episodes that are played.
    const validating = (done: number, view: RunView, update: number) =>
      fold([{ ...phase(update), phase: "validate", done, of: 8 } as TrainerEvent], view);
    expect(etaOfStage(validating(0, last, 30))).toMatchObject({ low: 4000, high: 4000 });
    expect(etaOfStage(validating(6, last, 30))).toMatchObject({ low: 1000, high: 1000 });
    expect(etaOfStage(validating(8, last, 30))).toBeNull();
    expect(etaOfStage(fold([validation(30, 4)], last))).toBeNull();
    const untimed = fold([...before, validation(10), ...updates]);
    expect(etaOfStage(untimed)).toMatchObject({ low: 2000, high: 2000 });
  });
  it("starts again in another stage", () => {
    const warm = [1, 2, 3].map((u) => ({ ...metrics(u, 0), stage: "warmup" }) as TrainerEvent);
    const view = fold([started(), stage("warmup"), stage("ppo"), ...warm]);
    expect(etaOfStage(view)).not.toBeNull();
    expect(etaOfStage(fold([phase(4)], view))).toBeNull();
  });
});

describe("alarms", () => {
  const before = fold([started(), stage("ppo"), metrics(14, 0.5), metrics(15, 0.5), metrics(16, 0.5)]);

  it("are a notice, and a mark at the update at which they began", () => {
    const view = fold([alarm(16)], before);
    expect(view.notices).toMatchObject([
      { id: "alarm:kl_spike", tone: "warning", title: "KL spike, since update 14", alarm: "KL spike" },
    ]);
    expect(view.notices[0]!.body).toBe("Approximate KL 0.3, above 0.02.");
    expect(view.notices[0]!.hint).toBe("Too far. Go slower.");
    expect(view.marks).toEqual([
      {
        update: 14,
        kind: "alarm",
        text: "KL spike began (approximate KL 0.3, above 0.02)",
        knownAt: 16,
        severity: "warning",
      },
    ]);
  });

  it("count updates within their stage, as the run strip does", () => {
    const both = fold([stage("warmup")], before);
    const [notice] = fold([alarm(16)], both).notices;
    expect(notice!.title).toBe("KL spike, since PPO update 4");
    const over = { ...alarm(16), state: "over", update: 17 } as TrainerEvent;
    expect(fold([alarm(16), over], both).notices[0]!.body).toMatch(
      /^It began at PPO update 4 .* and was over at PPO update 7\.$/,
    );
  });

  it("are there from the start where the first validation shows them", () => {
    const atStart = { ...alarm(0), began: 0 } as TrainerEvent;
    const start = fold([started(), stage("ppo")]);
    expect(fold([atStart], start).notices[0]!.title).toBe("KL spike, from the start");
    const over = { ...atStart, state: "over", update: 20 } as TrainerEvent;
    expect(fold([atStart, over], start).notices[0]!.body).toMatch(/^It began before the first update \(/);
  });

  it("name the settings that were changed shortly before, of each the last change", () => {
    const changed = (update: number, path: string, from: number, to: number): TrainerEvent => ({
      ...({ type: "config_changed", update } as const),
      ...{ path, from, to },
    });
    const view = fold(
      [
        changed(2, "actor.ppo_epochs", 1, 2),
        changed(11, "actor.lr", 1e-3, 1e-2),
        changed(12, "actor.kl_loss_coef", 0.02, 0),
        changed(13, "actor.lr", 1e-2, 0.1),
        changed(14, "actor.max_grad_norm", 1, 5),
        alarm(16),
      ],
      before,
    );
    expect(view.notices[0]!.changes).toEqual([
      { update: 13, path: "actor.lr", from: 1e-2, to: 0.1 },
      { update: 12, path: "actor.kl_loss_coef", from: 0.02, to: 0 },
    ]);
  });

  it("say that they are over in the same place", () => {
    const view = fold([alarm(16), alarm(21, "over")], before);
    expect(view.notices).toMatchObject([{ id: "alarm:kl_spike", tone: "info", title: "Over: KL spike" }]);
    expect(view.marks.at(-1)).toMatchObject({ update: 21, kind: "alarm_over" });
  });

  it("do not come back as notices once dismissed, but as marks", () => {
    const dismissed = fold([alarm(16), { type: "notice_dismissed", id: "alarm:kl_spike" }], before);
    const again = { ...alarm(26), began: 25 } as TrainerEvent;
    const view = fold([alarm(21, "over"), again], dismissed);
    expect(view.notices).toEqual([]);
    expect(view.marks.map(({ update, kind }) => [update, kind])).toEqual([
      [14, "alarm"],
      [21, "alarm_over"],
      [25, "alarm"],
    ]);
  });

  it("come back with a stored run as marks, and their notices do not", () => {
    const events = [started(), stage("ppo"), metrics(16, 0.5), alarm(16)];
    const view = fold([
      {
        type: "stored_run_opened",
        runId: "r1",
        config,
        events,
        update: 16,
        resuming: false,
        elsewhere: false,
      },
    ]);
    expect(view.notices).toEqual([]);
    expect(view.marks).toMatchObject([{ update: 14, kind: "alarm" }]);
  });

  it("go with the updates that a run goes back before, also when they began earlier", () => {
    const view = fold([alarm(16), { type: "rewound", update: 15, from: 16 }], before);
    expect(view.notices).toEqual([]);
    expect(view.marks.map(({ kind }) => kind)).toEqual(["went_back"]);
    const kept = fold([alarm(16), metrics(17, 0.5), { type: "rewound", update: 16, from: 17 }], before);
    expect(kept.notices).toHaveLength(1);
  });
});
