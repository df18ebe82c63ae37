import { describe, expect, it } from "vitest";
import { checkedRunConfig, inspectRunConfig } from "../../config/check.ts";
import { RunConfig } from "../../config/run-config.ts";
import { STATE_CRITIC } from "../../config/state-critic.ts";
import type { TrainerEvent } from "../../training/events.ts";
import { applyEvent } from "../store/apply-event.ts";
import { barProgress, numberingText, stageProgress } from "../store/progress.ts";
import {
  controlsFor,
  endingText,
  firstResultText,
  firstValidationText,
  phaseExplains,
  phaseText,
  RUN_FACES,
} from "../store/run-state.ts";
import type { RunState, RunView } from "../store/run-view.ts";
import { emptyView, isActive } from "../store/run-view.ts";
import { lastRates, storedSuccess } from "../store/success.ts";
import { fakeRun } from "../testing/fake-run.ts";
import { factsOf } from "../train/summary.tsx";
import { announcement } from "./announcer.tsx";
import { etaText } from "./run-strip.tsx";

const config = inspectRunConfig({
  sft: { total_updates: 20, one_turn_updates: 5 },
  trainer: { total_updates: 40 },
}).config!;
const events = (upTo: number) => fakeRun("r", config, upTo);
const view = (upTo: number): RunView => events(upTo).reduce(applyEvent, emptyView());
const running = (upTo: number): RunView => ({ ...view(upTo), state: "running" });

describe("run controls", () => {
  it("offer pause or resume, never both, and a stop whenever a run is on", () => {
    for (const state of Object.keys(RUN_FACES) as RunState[]) {
      const can = controlsFor(state);
      expect(can.pause && can.resume, state).toBe(false);
      expect(can.step, state).toBe(can.resume);
      if (!isActive(state)) expect(Object.values(can), state).toEqual([false, false, false, false]);
    }
  });
});

describe("what the run is busy with", () => {
  it("is shown with its progress, where that is counted", () => {
    const phase = { phase: "rollout", update: 1, done: 12, of: 64 } as const;
    expect(phaseText({ phase, stage: "ppo" })).toBe("playing episodes 12 / 64");
    expect(phaseText({ phase: { ...phase, phase: "advantage", done: 0, of: 1 }, stage: "ppo" })).toBe(
      "estimating advantages",
    );
    expect(phaseText({ phase: null, stage: null })).toBe("");
    expect(phaseText({ phase, stage: "warmup" })).toBe("playing demonstrations 12 / 64");
    const ahead = RunConfig.parse({ rollout: { max_head_offpolicyness: 1 } });
    const step = { ...phase, phase: "update", done: 1, of: 2 } as const;
    expect(phaseText({ phase: step, stage: "ppo", config: ahead })).toBe(
      "optimising 1 / 2, playing the next episodes",
    );
    expect(phaseText({ phase: step, stage: "warmup", config: ahead })).toBe("optimising 1 / 2");
    expect(phaseText({ phase, stage: "ppo", config: ahead })).toBe("playing episodes 12 / 64");
  });
});

describe("a validation", () => {
  const phase = { phase: "validate", update: 1, done: 92, of: 512 } as const;
  const explained = (trainer: object) => phaseExplains({ phase, config: RunConfig.parse({ trainer }) });
  it("is over when it is reported, and so is an update", () => {
    const at = (event: TrainerEvent) => applyEvent({ ...running(26), phase }, event).phase;
    for (const type of ["metrics", "validation"])
      expect(at(events(60).findLast((event) => event.type === type)!)).toBeNull();
  });
  it("ends without a result at a stop, and is finished before a pause", () => {
    const ending = (state: RunState) => endingText({ state, phase });
    expect(ending("stopping")).toContain("the validation ends without a result");
    expect(ending("pausing")).toContain("the validation in progress is finished");
    expect(ending("running")).toBe("");
    expect(endingText({ state: "stopping", phase: null })).toBe("");
    const test = { ...phase, phase: "test" } as const;
    expect(endingText({ state: "stopping", phase: test })).toContain("the update in progress is finished");
  });
  it("is named where there is no update yet", () => {
    expect(firstResultText({ phase })).toBe("First validation: 92 of 512 episodes. Its result appears here.");
    expect(firstResultText({ phase: { ...phase, phase: "rollout" } })).toContain("The first update is being");
    expect(firstResultText({ phase: null })).toBe("");
  });
  it("moves the line of the run before the first update, and leaves it where it is later", () => {
    const bar = (update: number, of: RunView["phase"]) =>
      barProgress({ phase: of, update, totalUpdates: 60 });
    expect(bar(0, phase)).toEqual({ counted: "episodes", done: 92, of: 512 });
    expect(bar(20, phase)).toEqual({ counted: "updates", done: 20, of: 60 });
    expect(bar(0, { ...phase, phase: "rollout" })).toEqual({ counted: "updates", done: 0, of: 60 });
    expect(bar(0, null)).toEqual({ counted: "updates", done: 0, of: 60 });
    expect(bar(61, null)).toEqual({ counted: "updates", done: 61, of: 61 });
  });
  it("is named after SFT, too, if it is the first", () => {
    expect(firstValidationText({ phase, validations: [] })).toBe("First validation: 92 of 512 episodes.");
    expect(firstValidationText({ phase, validations: view(60).validations })).toBe("");
    expect(firstValidationText({ phase: { ...phase, phase: "test" }, validations: [] })).toBe("");
  });
  it("counts episodes, and says how many each level has", () => {
    expect(phaseText({ phase, stage: "ppo" })).toBe("validation episodes 92 / 512");
    expect(explained({})).toBe(
      "Each validation level is played once with sampled replies and once greedily.",
    );
    expect(explained({ val_n: 4 })).toContain("4 times with sampled replies and once greedily");
    expect(explained({ val_temperature: 0 })).toBe("");
    const val_sets = { wide: { seeds: "1-4", config: {} } };
    expect(explained({ val_sets })).toMatch(/once greedily, in 2 environments and validation sets\.$/);
    expect(phaseExplains({ phase: { ...phase, phase: "rollout" }, config: RunConfig.parse({}) })).toBe("");
  });
});

describe("the time that is left", () => {
  it("is estimated for the stage that runs, after a few updates", () => {
    expect(etaText(running(2))).toBe("estimating…");
    expect(etaText(running(10))).toMatch(/^about .* left in SFT$/);
    expect(etaText(running(30))).toMatch(/left in PPO$/);
    expect(etaText({ ...view(60), state: "finished" })).toBe("");
  });
});

describe("progress", () => {
  it("is counted within the stage, and says how others count", () => {
    expect(stageProgress(running(10))).toEqual({ done: 10, of: 20 });
    expect(stageProgress(running(26))).toEqual({ done: 6, of: 40 });
    expect(numberingText(running(26))).toMatch(/whole run: 1–20 are SFT\.$/);
    expect(numberingText({ stages: [{ stage: "ppo", firstUpdate: 1, lastUpdate: 80 }] })).toBe("");
  });
  it("is complete where the total was set below what is done", () => {
    const stages = running(26).stages.map((span) => ({ ...span, lastUpdate: Math.min(span.lastUpdate, 23) }));
    expect(stageProgress({ ...running(26), stages })).toEqual({ done: 6, of: 6 });
  });
});

describe("what is said aloud", () => {
  const quiet = (from: number, to: number, ms: number) => announcement(running(from), running(to), ms);
  it("is every change of state", () => {
    expect(announcement(running(7), { ...running(7), state: "paused" }, 0)).toBe("Paused at SFT update 7.");
    const phase = { phase: "update", update: 8, done: 1, of: 4 } as const;
    const stopping = { ...running(7), phase, state: "stopping" } as const;
    expect(announcement(running(7), stopping, 0)).toBe(
      "Stopping: the update in progress is finished, then the run is saved.",
    );
    expect(announcement(stopping, { ...running(8), state: "stopped" }, 0)).toBe("Stopped at SFT update 8.");
    const stopped = { ...running(8), runId: "r", state: "stopped" } as const;
    expect(announcement(stopped, emptyView(), 0)).toBe("The run was closed.");
    // A start that was refused brings back what was there.
    expect(announcement({ ...stopped, state: "preparing" }, emptyView(), 0)).toBeNull();
    // A run that rests has no update in progress.
    expect(announcement({ ...running(7), state: "paused" }, { ...stopping, phase: null }, 0)).toBe(
      "Stopping at SFT update 7.",
    );
  });
  it("is every tenth update, but not within 15 seconds (A5)", () => {
    expect(quiet(28, 29, 60_000)).toBeNull();
    expect(quiet(29, 30, 60_000)).toBe("PPO update 10 of 40.");
    expect(quiet(39, 40, 3_000)).toBeNull();
  });
});

describe("a stored run", () => {
  it("reports the policy's success, not the teacher's", () => {
    expect(lastRates(events(20), 20)).toEqual([]);
    expect(lastRates(events(40), 40)).toEqual([["frozenlake", expect.closeTo(0.747, 3)]]);
    expect(lastRates(events(40), 20)).toEqual([]);
  });
  it("reports the last validation that is stored, and one training batch only where there is none", () => {
    const success = (stored: number) =>
      storedSuccess({ config, events: events(45), update: stored }, (update) => `update ${update}`);
    expect(success(45)).toMatch(
      /^success \d+\u00a0% of 256 validation levels \(95\u00a0%:\u00a0\d+\u2060–\u2060\d+\u00a0%\) at update 40, then \d+ % in its last training batch$/,
    );
    expect(success(40)).toMatch(/ at update 40$/);
    expect(success(39)).toMatch(/^success \d+ % in its last training batch$/);
    expect(success(20)).toBe("");
  });
});

describe("a run in several environments", () => {
  const several = checkedRunConfig({ envs: { sokoban: { config: { min_solution_steps: [1, 5] } } } });
  const metrics = (update: number, first: number, further: number): TrainerEvent => ({
    ...({ type: "metrics", stage: "ppo", update, tokens: 9, episodes: 2, wallMs: 9 } as const),
    values: { "train/success/frozenlake": first, "train/success/sokoban": further },
  });
  const validation = {
    type: "validation",
    report: {
      ...({
        update: 2,
        stage: "ppo",
        episodes: 4,
        successes: 2,
        interval: [0.1, 0.9],
        temperature: 1,
      } as const),
      metrics: { "val/success/frozenlake": 0.5, "val/success/sokoban": 0.25, "val/success/unseen": 0 },
    },
  } satisfies TrainerEvent;
  const trained = [metrics(1, 0.25, 0), metrics(2, 0.5, 0.125)];
  const folded = (...all: TrainerEvent[]) =>
    all.reduce<RunView>(applyEvent, { ...emptyView(), config: several, totalUpdates: 2 });
  const said = (...more: TrainerEvent[]) => folded(...trained, ...more);
  const stored = (...more: TrainerEvent[]) =>
    storedSuccess({ config: several, events: [...trained, ...more], update: 2 }, () => "update 2");

  it("names each before it has trained in any", () => {
    const first = { ...validation, report: { ...validation.report, update: 0 } };
    expect(factsOf(folded(first))).toMatchObject({
      text: "No update was completed. Success at update 0:",
      lines: [expect.stringMatching(/^frozenlake 50\u00a0% of 4/), "sokoban 25\u00a0%"],
    });
    expect(storedSuccess({ config: several, events: [first], update: 0 }, () => "update 0")).toMatch(
      /success frozenlake 50\u00a0% of 4 .* at update 0; sokoban 25 %$/,
    );
  });
  it("reports the success of each", () => {
    expect(stored()).toBe("success frozenlake 50 %, sokoban 13 % in its last training batch");
    expect(stored(validation)).toMatch(
      /^success frozenlake 50\u00a0% of 4 validation levels .* at update 2; sokoban 25 %$/,
    );
    expect(factsOf(said())).toMatchObject({
      text: expect.stringContaining("It was never validated. Success in single training batches:"),
      lines: ["frozenlake 25 % in the first, 50 % in the last", "sokoban 0 % in the first, 13 % in the last"],
    });
  });
  it("says of which environment each success of two validations is", () => {
    const first = {
      ...validation.report,
      ...{ update: 1, successes: 1 },
      metrics: { "val/success/frozenlake": 0.25, "val/success/sokoban": 0 },
    };
    const greedy = { ...validation.report, temperature: 0, successes: 3 };
    const reports = [first, validation.report, greedy].map((report) => ({ ...validation, report }));
    expect(factsOf(said(...reports))).toMatchObject({
      text: expect.stringMatching(/validations not counted\. Success at update 2:$/),
      lines: [
        expect.stringMatching(
          /^frozenlake sampled 50\u00a0% of 4 .*, greedy 75\u00a0%; at the first validation 25\u00a0%$/,
        ),
        "sokoban sampled 25\u00a0%, greedy 25\u00a0%; at the first validation 0\u00a0%",
      ],
    });
  });
  it("names the validation sets of a run in one environment", () => {
    const metrics = { ...validation.report.metrics, "val/success/unseen": 0.25 };
    const further = { unseen: { episodes: 8, successes: 2, interval: [0.07, 0.59] as const } };
    const report = { ...validation, report: { ...validation.report, metrics, further } };
    const alone = checkedRunConfig({ trainer: { val_sets: { unseen: { seeds: "1-8" } } } });
    const view = [...trained, report].reduce<RunView>(applyEvent, { ...emptyView(), config: alone });
    expect(factsOf(view)).toMatchObject({
      text: expect.stringMatching(/Success at update 2:$/),
      lines: [
        expect.stringMatching(/^frozenlake 50\u00a0% of 4/),
        expect.stringMatching(/^unseen \(validation set\) 25\u00a0% of 8/),
      ],
    });
  });
  it("gives each its own interval and greedy success", () => {
    const further = { sokoban: { episodes: 8, successes: 2, interval: [0.07, 0.59] as const } };
    const sampled = { ...validation.report, further };
    const greedy = {
      ...{ ...validation.report, temperature: 0, successes: 3 },
      metrics: { "val/success/frozenlake": 0.75, "val/success/sokoban": 0.5 },
    };
    const reports = [sampled, greedy].map((report) => ({ ...validation, report }));
    expect(factsOf(said(...reports)).lines).toEqual([
      expect.stringMatching(/^frozenlake sampled 50\u00a0% of 4 .*, greedy 75\u00a0%$/),
      expect.stringMatching(
        /^sokoban sampled 25\u00a0% of 8 .*95\u00a0%:\u00a07\u2060–\u206059\u00a0%\), greedy 50\u00a0%$/,
      ),
    ]);
  });
});

describe("the summary", () => {
  it("of a run without updates does not miss any", () => {
    const validated = { ...view(60), update: 0, totalUpdates: 0 };
    const first = { ...view(60).validations[0]!, update: 0 };
    expect(factsOf({ ...validated, validations: [first] }).text).toMatch(
      /^This run only validates\. Success at /,
    );
  });
  it("of a run that was stopped within its first validation has no numbers", () => {
    const stopped = applyEvent(
      { ...view(0), config },
      { type: "run_finished", update: 0, reason: "stopped" },
    );
    expect(factsOf(stopped).text).toBe("No update was completed, and no validation was finished.");
  });
  it("says what was reached", () => {
    expect(factsOf(view(60)).text).toMatch(
      /^20 SFT and 40 PPO updates in .* of training, validations not counted\. Success at PPO update 40: sampled \d+\u00a0% of 256 validation levels \(95\u00a0%:\u00a0.*\), greedy \d+\u00a0%; at the first validation sampled \d+\u00a0%, greedy \d+\u00a0%\.$/,
    );
    expect(factsOf(view(30)).text).toMatch(/in single training batches: .* it was never validated\.$/);
  });
  it("names a critic that read the simulator's state", () => {
    const changed = { ...config, critic: { ...config.critic, asymmetric: true } };
    const said = factsOf({ ...view(60), config: changed });
    expect(said).toEqual({ ...factsOf(view(60)), rest: STATE_CRITIC });
  });
  it("reports of a stored run what it is stored with, not what came after", () => {
    const opened = (upTo: number, update: number) =>
      applyEvent(emptyView(), {
        type: "stored_run_opened",
        runId: "r",
        config,
        events: events(upTo),
        update,
        resuming: false,
        elsewhere: false,
      });
    expect(factsOf(opened(45, 24))).toEqual(factsOf(view(24)));
    expect(factsOf(opened(60, 45))).toEqual(factsOf(view(45)));
  });
});
