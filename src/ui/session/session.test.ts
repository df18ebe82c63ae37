import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { inspectRunConfig } from "../../config/check.ts";
import { fileChoice } from "../../config/init-checkpoint.ts";
import { presets } from "../../config/presets.ts";
import { deferred } from "../../core/deferred.ts";
import { CheckpointError, EnvError, GpuError, ProtocolError } from "../../core/errors.ts";
import type { MemoryPlan, TrainerEvent } from "../../training/events.ts";
import type { StoredRun } from "../../worker/protocol.ts";
import { changedPaths, editField, loadDraft, useDraft } from "../store/draft-store.ts";
import { flush, runStore } from "../store/run-store.ts";
import { emptyView } from "../store/run-view.ts";
import { trainingBlocked, useSession } from "../store/session-store.ts";
import { fakeDevice, fakePlan } from "../testing/fake-run.ts";
import { type FakeTrainer, fakeTrainer, opened, tryHere } from "../testing/fake-trainer.ts";
import { fakeTrajectory } from "../testing/fake-trajectory.ts";
import { halvedRateAfter } from "./continuing.ts";
import { createSession } from "./create-session.ts";
import { pendingPaths, splitPending } from "./draft-changes.ts";

const config = inspectRunConfig({}).config!;
const state = () => {
  flush();
  return runStore.getState().state;
};
const metrics = (update: number): TrainerEvent => ({
  type: "metrics",
  stage: "ppo",
  update,
  values: {},
  tokens: 1,
  episodes: 1,
  wallMs: 1,
});

const saved = (update: number): TrainerEvent => ({ type: "checkpoint", update, bytes: 1, name: "c" });

type Focusable = { focus: () => void };

interface FakePage {
  body: Focusable;
  visibilityState: string;
  activeElement: Focusable;
  strip: Focusable;
  button: Focusable | null;
  querySelector(selector: string): Focusable | null;
  /** What listens for keys and pointers. */
  listeners: ((event: object) => void)[];
  addEventListener(type: string, listener: (event: object) => void): void;
  removeEventListener(): void;
}

/** A page with the focus on nothing, with the run's strip and, once it is set, the button in it that resumes. */
function fakePage(): FakePage {
  const body = { focus: () => {} };
  const page: FakePage = {
    body,
    visibilityState: "visible",
    activeElement: body,
    strip: { focus: () => (page.activeElement = page.strip) },
    button: null,
    querySelector: (selector: string) => (selector.includes("data-goes-on") ? page.button : page.strip),
    listeners: [],
    addEventListener: (_type, listener) => page.listeners.push(listener),
    removeEventListener: () => {},
  };
  return page;
}

/** A worker whose script cannot be loaded. ONNX Runtime's build for Node sets one of Node's, which would fail in a later test. */
class BrokenWorker extends EventTarget {
  postMessage(): void {
    queueMicrotask(() => this.dispatchEvent(new Event("error")));
  }
  terminate(): void {}
}

describe("a session", () => {
  beforeEach(() => {
    runStore.setState(emptyView(), true);
    useSession.setState(useSession.getInitialState(), true);
    useDraft.setState(useDraft.getInitialState(), true);
    loadDraft(config, "test");
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("starts a run and follows it", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    expect(state()).toBe("preparing");
    const start = trainer.calls.find((call) => call.command === "start")!;
    const { runId } = start.arg as { runId: string };
    expect(runId).toMatch(/^run-\d{8}T\d{6}$/);
    trainer.emit(runId, metrics(1));
    expect(state()).toBe("running");
    trainer.emit("another-run", metrics(9));
    flush();
    expect(runStore.getState().update).toBe(1);
  });

  it("does not start with a wrong draft, without a GPU, or twice", async () => {
    const none = fakeTrainer({
      probe: () => ({ available: false, reason: "no", hint: "", device: null }),
    });
    await (await opened(() => none)).startRun();
    expect(none.calls.map((call) => call.command)).not.toContain("start");

    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    useDraft.setState({ problems: [{ path: "actor.lr", value: 0, expected: "", hint: "" }] });
    await session.startRun();
    useDraft.setState({ problems: [] });
    await session.startRun();
    await session.startRun();
    expect(trainer.calls.filter((call) => call.command === "start")).toHaveLength(1);
  });

  it("closes a run at rest, and no other one", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    trainer.emit(runId, metrics(1));
    flush();
    const { runId: tied } = useDraft.getState();
    await session.closeRun();
    expect(state()).toBe("running");
    expect(useDraft.getState().runId).toBe(tied);
    trainer.emit(runId, saved(1), { type: "run_finished", update: 1, reason: "stopped" });
    flush();
    await session.closeRun();
    expect(runStore.getState()).toMatchObject({ state: "idle", runId: null, update: 0 });
    expect(trainer.calls.at(-1)!.command).toBe("storedRuns");
    // What the worker still says of it comes too late.
    trainer.emit(runId, metrics(2));
    expect(state()).toBe("idle");
    await session.startRun();
    expect(state()).toBe("preparing");
  });

  it("shows a pause at once, and reverts it when it is refused", async () => {
    let refuse = () => {};
    const trainer = fakeTrainer({
      pause: () => new Promise((_, reject) => (refuse = () => reject(new ProtocolError("busy", "busy")))),
    });
    const session = await opened(() => trainer);
    await session.startRun();
    trainer.emit(runStore.getState().runId!, metrics(1));
    flush();
    const pausing = session.pauseRun();
    expect(state()).toBe("pausing");
    refuse();
    await pausing;
    expect(state()).toBe("running");
    expect(useSession.getState().refused).toMatchObject({ code: "busy" });
  });

  it("pauses, steps and resumes", async () => {
    let held = () => {};
    const trainer = fakeTrainer({ step: () => new Promise((resolve) => (held = () => resolve(null))) });
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    trainer.emit(runId, metrics(1));
    flush();
    await session.pauseRun();
    expect(state()).toBe("paused");
    const stepping = session.stepRun();
    expect(state()).toBe("stepping");
    trainer.emit(runId, metrics(2));
    held();
    await stepping;
    expect(state()).toBe("paused");
    await session.resumeRun();
    expect(state()).toBe("running");
  });

  it("shows why a start failed", async () => {
    const trainer = fakeTrainer({
      start: () => Promise.reject(new GpuError("out_of_memory", "no room", "Use a smaller preset.")),
    });
    const session = await opened(() => trainer);
    await session.startRun();
    expect(state()).toBe("failed");
    expect(runStore.getState().error).toMatchObject({ code: "out_of_memory", hint: "Use a smaller preset." });
  });

  it("keeps the run on screen when another cannot begin", async () => {
    let problem: Error | null = null;
    const start = () => (problem ? Promise.reject(problem) : null);
    const trainer = fakeTrainer({ start });
    const session = await opened(() => trainer);
    await session.startRun();
    const { runId } = runStore.getState();
    trainer.emit(runId!, metrics(1), { type: "run_finished", update: 1, reason: "completed" });
    flush();
    problem = new CheckpointError("foreign", "x is no checkpoint.");
    await session.startRun();
    expect(state()).toBe("finished");
    expect(runStore.getState()).toMatchObject({ runId, update: 1 });
    expect(useSession.getState().refused).toMatchObject({ message: "x is no checkpoint." });
  });

  it("refuses a file that is no checkpoint, but not for a worker that is gone", async () => {
    let error: Error = new CheckpointError("foreign", "x is no checkpoint.");
    const trainer = fakeTrainer({ checkCheckpoint: () => Promise.reject(error) });
    const session = await opened(() => trainer);
    expect(await session.checkpointProblem("blob:x#x")).toMatchObject({ message: "x is no checkpoint." });
    error = new ProtocolError("worker_died", "gone");
    expect(await session.checkpointProblem("blob:x#x")).toBeNull();
  });

  it("explains a worker that does not answer", async () => {
    const trainer = fakeTrainer({ probe: () => Promise.reject(new ProtocolError("worker_died", "gone")) });
    await opened(() => trainer);
    expect(useSession.getState().probe).toMatchObject({ state: "ready", gpu: { available: false } });
  });

  it("outlives its worker: the run has failed, and a new worker is started (T9)", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const workers: ReturnType<typeof fakeTrainer>[] = [];
    const start = () => {
      workers.push(fakeTrainer());
      return workers.at(-1)!;
    };
    const session = await opened(start);
    await session.startRun();
    vi.advanceTimersByTime(60_000);
    workers[0]!.die(new ProtocolError("worker_died", "gone"));
    expect([state(), workers.length]).toEqual(["failed", 2]);
    await vi.waitFor(() => expect(workers[1]!.calls.map((call) => call.command)).toEqual(["storedRuns"]));
    // A worker that dies at once is not replaced.
    workers[1]!.die(new ProtocolError("worker_died", "gone"));
    expect(workers).toHaveLength(2);
    expect(useSession.getState().probe).toMatchObject({ gpu: { available: false } });
  });

  it("offers to end a worker that does not answer, and does not resume its run by itself", async () => {
    vi.useFakeTimers();
    const answer = deferred<null>();
    let held: string | null = null;
    const workers: ReturnType<typeof fakeTrainer>[] = [];
    const session = await opened(() => {
      const isFirst = workers.length === 0;
      workers.push(
        fakeTrainer({
          ping: () => (isFirst ? answer.promise : null),
          pause: () => answer.promise,
          trainedElsewhere: () => held,
        }),
      );
      return workers.at(-1)!;
    });
    await session.startRun();
    held = runStore.getState().runId;
    workers[0]!.emit(runStore.getState().runId!, metrics(1), saved(1));
    const { isUnresponsive } = useSession.getState();
    void session.pauseRun();
    await vi.advanceTimersByTimeAsync(29_000);
    expect([isUnresponsive, useSession.getState().isUnresponsive]).toEqual([false, false]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(useSession.getState().isUnresponsive).toBe(true);
    session.abandonWorker();
    answer.reject(new ProtocolError("worker_died", "ended"));
    // The browser still holds the run for the worker that was ended.
    await vi.advanceTimersByTimeAsync(500);
    expect([state(), useSession.getState().isUnresponsive]).toEqual(["failed", false]);
    expect(workers[1]!.calls).toEqual([]);
    // The lock with its id is released first.
    held = "";
    await vi.advanceTimersByTimeAsync(500);
    expect(workers[1]!.calls).toEqual([]);
    held = null;
    await vi.advanceTimersByTimeAsync(500);
    expect(workers[1]!.calls.map(({ command }) => command)).toEqual(["storedRuns"]);
    expect([state(), useSession.getState().refused]).toEqual(["failed", null]);
  });

  it("waits for the release of a run whose start hangs, and not for one that another tab trains", async () => {
    vi.useFakeTimers();
    const never = deferred<null>();
    let held: string | null = null;
    const workers: ReturnType<typeof fakeTrainer>[] = [];
    const session = await opened(() => {
      workers.push(fakeTrainer({ start: () => never.promise, trainedElsewhere: () => held }));
      return workers.at(-1)!;
    });
    void session.startRun();
    await vi.advanceTimersByTimeAsync(60_000);
    const { runId } = runStore.getState();
    held = runId;
    session.abandonWorker();
    never.reject(new ProtocolError("worker_died", "ended"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect([state(), useSession.getState().elsewhere, workers[1]!.calls]).toEqual(["failed", null, []]);
    held = null;
    await vi.advanceTimersByTimeAsync(500);
    expect(workers[1]!.calls.map(({ command }) => command)).toContain("storedRuns");

    held = "another";
    runStore.setState({ state: "elsewhere", runId: "another" });
    await vi.advanceTimersByTimeAsync(60_000);
    workers[1]!.die(new ProtocolError("worker_died", "gone"));
    await vi.advanceTimersByTimeAsync(0);
    expect(workers[2]!.calls.map(({ command }) => command)).toContain("storedRuns");
  });

  it("resumes a run that trained when its worker has died, but not repeatedly", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const workers: ReturnType<typeof fakeTrainer>[] = [];
    const session = await opened(() => {
      workers.push(fakeTrainer());
      return workers.at(-1)!;
    });
    await session.startRun();
    const runId = runStore.getState().runId!;
    workers[0]!.emit(runId, metrics(1), { type: "checkpoint", update: 1, bytes: 1, name: "c" });
    vi.advanceTimersByTime(130_000);
    workers[0]!.die(new ProtocolError("worker_died", "gone"));
    await vi.waitFor(() =>
      expect(workers[1]!.calls.at(-1)).toEqual({ command: "resumeStored", arg: { runId, changes: {} } }),
    );
    expect(state()).toBe("preparing");
    expect(runStore.getState().notices[0]).toMatchObject({ title: "gone" });
    workers[1]!.emit(runId, metrics(2));
    flush();
    vi.advanceTimersByTime(60_000);
    workers[1]!.die(new ProtocolError("worker_died", "gone"));
    await vi.waitFor(() => expect(workers[2]!.calls.map(({ command }) => command)).toEqual(["storedRuns"]));
    expect(state()).toBe("failed");
  });

  const storedRun = {
    runId: "old",
    name: "old",
    update: 2,
    totalUpdates: 9,
    savedAt: 0,
    config: { ...config, seed: 5 },
    elsewhere: false,
    recordingKept: false,
    events: [metrics(1), metrics(2)],
  };
  const trajectory = fakeTrajectory({ id: "t", seed: 1, skill: 1 });
  const storedTrajectories = () => [{ type: "trajectory", update: 2, source: "train", trajectory } as const];

  it("resumes a stored run with its own configuration and its traces", async () => {
    const trainer = fakeTrainer({ storedRuns: () => [storedRun], storedTrajectories });
    const session = await opened(() => trainer);
    expect(useSession.getState().stored).toHaveLength(1);
    await session.resumeStored(storedRun);
    expect([state(), runStore.getState().update, useDraft.getState().draft?.seed]).toEqual([
      "preparing",
      2,
      5,
    ]);
    expect(runStore.getState().trajectories.map(({ key }) => key)).toEqual(["t"]);
    trainer.emit("old", metrics(2), metrics(3));
    expect(state()).toBe("running");
  });

  it("offers the stored runs once the form has its draft, even if it gets none", async () => {
    const drafted = deferred();
    const trainer = fakeTrainer({ storedRuns: () => [storedRun] });
    const opening = createSession(() => trainer, tryHere).openSession(drafted.promise);
    await vi.waitFor(() => expect(useSession.getState().probe.state).toBe("ready"));
    await new Promise((resolve) => setImmediate(resolve));
    expect(trainer.calls).toEqual([]);
    drafted.reject(new Error("the presets could not be loaded"));
    await opening;
    expect(useSession.getState().stored).toEqual([storedRun]);
  });

  it("notices when another tab releases a run", async () => {
    vi.useFakeTimers();
    let elsewhere = true;
    const trainer = fakeTrainer({ storedRuns: () => [{ ...storedRun, elsewhere }] });
    await opened(() => trainer);
    await vi.advanceTimersByTimeAsync(3000);
    expect(useSession.getState().stored[0]).toMatchObject({ elsewhere: true });
    elsewhere = false;
    await vi.advanceTimersByTimeAsync(9000);
    expect(useSession.getState().stored[0]).toMatchObject({ elsewhere: false });
    expect(trainer.calls).toHaveLength(3);
  });

  it("starts nothing while another tab trains a run that is not stored yet, and can start once it has ended", async () => {
    vi.useFakeTimers();
    let elsewhere: string | null = "lake-1";
    const trainer = fakeTrainer({ trainedElsewhere: () => elsewhere });
    const session = await opened(() => trainer);
    expect(trainingBlocked(useSession.getState())).toMatch("Another tab is training the run lake-1");
    await session.startRun();
    expect([state(), trainer.calls.some(({ command }) => command === "start")]).toEqual(["idle", false]);
    elsewhere = null;
    await vi.advanceTimersByTimeAsync(3000);
    expect(trainingBlocked(useSession.getState())).toBe("");
    elsewhere = "lake-2";
    await vi.advanceTimersByTimeAsync(3000);
    expect(trainingBlocked(useSession.getState())).toMatch("lake-2");
  });

  it("shows a run that another tab trains as it was saved, and as that tab left it once it is released", async () => {
    vi.useFakeTimers();
    let elsewhere = true;
    let { events, update } = storedRun;
    const trainer = fakeTrainer({ storedRuns: () => [{ ...storedRun, events, update, elsewhere }] });
    const session = await opened(() => trainer);
    await session.openStored(useSession.getState().stored[0]!);
    editField("actor.lr", 1e-4);
    expect([state(), useSession.getState().stored.length]).toEqual(["elsewhere", 1]);
    await session.startRun();
    await session.continueRun();
    expect(trainer.calls.map(({ command }) => command)).toEqual(["storedRuns", "storedTrajectories"]);
    [elsewhere, events, update] = [false, [...events, metrics(3)], 3];
    await vi.advanceTimersByTimeAsync(3000);
    expect([state(), runStore.getState().update]).toEqual(["stopped", 3]);
    expect(useDraft.getState().draft).toMatchObject({ seed: 5, actor: { lr: 1e-4 } });
  });

  it("keeps the edits in the draft of a run that is resumed after a reload, and what they are counted from", async () => {
    const session = await opened(() => fakeTrainer({ storedRuns: () => [storedRun] }));
    const edited = { ...storedRun.config, actor: { ...config.actor, lr: 1e-4 } };
    loadDraft(config, "test");
    useDraft.setState({ draft: edited, runId: storedRun.runId });
    await session.resumeStored(storedRun);
    const { draft, base, presetId } = useDraft.getState();
    expect([draft, base, presetId]).toEqual([edited, config, "test"]);
    expect(pendingPaths(runStore.getState().config, draft)).toEqual(["actor.lr"]);
  });

  it("ties a draft to the run that starts with it, and to no run that cannot start", async () => {
    let problem: Error | null = null;
    const trainer = fakeTrainer({ start: () => (problem ? Promise.reject(problem) : null) });
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    expect(useDraft.getState().runId).toBe(runId);
    trainer.emit(runId, metrics(1), { type: "run_finished", update: 1, reason: "completed" });
    flush();
    problem = new CheckpointError("foreign", "x is no checkpoint.");
    await session.startRun();
    expect(useDraft.getState().runId).toBe(runId);
  });

  it("leaves the file that a run started from in its draft, which a reload drops", async () => {
    const session = await opened(() => fakeTrainer({ storedRuns: () => [storedRun] }));
    const trainer = { ...config.trainer, init_checkpoint: fileChoice("blob:http://x/1", "mine.safetensors") };
    useDraft.setState({ runId: "old" });
    await session.resumeStored({ ...storedRun, config: { ...config, trainer } });
    expect(pendingPaths(runStore.getState().config, useDraft.getState().draft)).toEqual([]);
  });

  it("says of which preset a stored run is, also of a changed one", async () => {
    const { config } = presets.all[0]!;
    const session = await opened(() => fakeTrainer({ storedRuns: () => [] }));
    const open = async (runId: string, changed: typeof config) => {
      await session.openStored({ ...storedRun, runId, config: changed });
      await vi.dynamicImportSettled();
      const { presetId, source } = useDraft.getState();
      return [presetId, source];
    };
    expect(await open("as-it-came", config)).toEqual([presets.all[0]!.id, ""]);
    const changed = { ...config, seed: 7 };
    expect(await open("changed", changed)).toEqual([presets.all[0]!.id, ""]);
    expect(changedPaths(useDraft.getState().base!, useDraft.getState().draft!)).toEqual(["seed"]);
    const own = { ...config, name: "Mine" };
    expect(await open("own", own)).toEqual([null, `the run ${storedRun.name}`]);
  });

  it("opens a stored run to read it, without training", async () => {
    const trainer = fakeTrainer({ storedRuns: () => [storedRun], storedTrajectories });
    const session = await opened(() => trainer);
    await session.openStored(storedRun);
    expect([state(), runStore.getState().update, runStore.getState().trajectories.length]).toEqual([
      "stopped",
      2,
      1,
    ]);
    expect(trainer.calls.map(({ command }) => command)).toEqual(["storedRuns", "storedTrajectories"]);
  });

  it("offers a stored run again when it could not be resumed", async () => {
    const trainer = fakeTrainer({
      storedRuns: () => [storedRun],
      resumeStored: () => Promise.reject(new ProtocolError("busy", "open elsewhere")),
    });
    const session = await opened(() => trainer);
    await session.resumeStored(storedRun);
    expect([state(), useSession.getState().stored.length]).toEqual(["failed", 1]);
  });

  it("changes one setting of the run that is on, and in a draft that has its value", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    editField("actor.clip_ratio", 0.3);
    await session.changeSetting("actor.lr", 1e-4);
    expect(trainer.calls.at(-1)).toEqual({ command: "applyChanges", arg: { changes: { "actor.lr": 1e-4 } } });
    expect(useDraft.getState().draft!.actor).toMatchObject({ lr: 1e-4, clip_ratio: 0.3 });
    editField("actor.lr", 2e-4);
    await session.changeSetting("actor.lr", 3e-4);
    expect(useDraft.getState().draft!.actor.lr).toBe(2e-4);
  });

  it("applies what needs no restart to the run that is on (T4, T5)", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    trainer.emit(runStore.getState().runId!, metrics(1));
    flush();
    editField("actor.lr", 1e-4);
    editField("seed", 9);
    await session.applyPending();
    expect(trainer.calls.at(-1)).toEqual({ command: "applyChanges", arg: { changes: { "actor.lr": 1e-4 } } });
    const { config: running } = runStore.getState();
    expect(splitPending(pendingPaths(running, useDraft.getState().draft))).toEqual({
      live: ["actor.lr"],
      restart: ["seed"],
    });
  });

  it("applies nothing before the run is built, and says why", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    editField("actor.lr", 1e-4);
    await session.applyPending();
    expect(trainer.calls.some(({ command }) => command === "applyChanges")).toBe(false);
    expect(useSession.getState().refused?.message).toContain("The run is still being prepared");
    trainer.emit(runStore.getState().runId!, metrics(1));
    flush();
    await session.applyPending();
    expect(trainer.calls.at(-1)!.command).toBe("applyChanges");
    const lost = {
      type: "device_lost",
      update: 1,
      message: "reset",
      recovering: false,
      resumeFrom: 0,
    } as const;
    trainer.emit(runStore.getState().runId!, lost);
    flush();
    await session.applyPending();
    expect(trainer.calls.filter(({ command }) => command === "applyChanges")).toHaveLength(1);
    expect(useSession.getState().refused?.message).toContain("The run has lost its graphics device");
  });

  it("does not offer to take back what the run has changed itself", () => {
    const path = "sft.total_updates";
    const run = { ...config, sft: { ...config.sft, total_updates: 4 } };
    const automatic = [{ path, from: config.sft.total_updates, to: 4 }];
    expect(pendingPaths(run, config, automatic)).toEqual([]);
    const edited = { ...config, sft: { ...config.sft, total_updates: 5 } };
    expect(pendingPaths(run, edited, automatic)).toEqual([path]);
  });

  it("restarts: stops, waits for the end, starts again", async () => {
    const trainer = fakeTrainer({
      stop: () => {
        queueMicrotask(() => {
          trainer.emit(runStore.getState().runId!, { type: "run_finished", update: 1, reason: "stopped" });
          flush();
        });
        return null;
      },
    });
    const session = await opened(() => trainer);
    await session.startRun();
    trainer.emit(runStore.getState().runId!, metrics(1));
    flush();
    await session.restartWithDraft();
    expect(trainer.calls.map((call) => call.command)).toEqual([
      "storedRuns",
      "start",
      "plan",
      "stop",
      "storedRuns",
      "start",
    ]);
    expect(state()).toBe("preparing");
  });

  it("downloads a checkpoint of a run that trains, and the stored one of a run that has ended", async () => {
    const links: { download?: string; click: () => void }[] = [];
    vi.stubGlobal("document", {
      createElement: () => links[links.push({ click: () => {} }) - 1],
    });
    vi.stubGlobal("requestAnimationFrame", () => 0);
    const bytes = new ArrayBuffer(3);
    const trainer = fakeTrainer({
      saveCheckpoint: () => ({ name: "now.safetensors", bytes }),
      storedCheckpoint: ({ runId }) => ({ name: `${runId}.safetensors`, bytes }),
    });
    const session = await opened(() => trainer);
    await session.downloadCheckpoint();
    await session.startRun();
    const runId = runStore.getState().runId!;
    await session.downloadCheckpoint();
    trainer.emit(runId, { type: "run_finished", update: 1, reason: "stopped" });
    flush();
    await session.downloadCheckpoint();
    expect(links.map((link) => link.download)).toEqual(["now.safetensors", `${runId}.safetensors`]);
    expect(useSession.getState().saving).toBe(false);
  });

  it("says of a download that it failed, and why", async () => {
    const gone = new CheckpointError("not_found", "no checkpoint any more");
    const answer = { storedCheckpoint: (): never => Promise.reject(gone) as never };
    const { session } = await ended("failed", answer);
    expect([await session.downloadCheckpoint(), await session.downloadOnnx()]).toEqual([false, false]);
    expect(useSession.getState()).toMatchObject({ saving: false, refused: { message: gone.message } });
    // It is read, and no policy can be made of it: the worker that should do so cannot be loaded.
    vi.stubGlobal("Worker", BrokenWorker);
    answer.storedCheckpoint = (() => ({ name: "c.safetensors", bytes: new ArrayBuffer(3) })) as never;
    const unreadable = await ended("failed", answer);
    useSession.setState({ refused: null });
    expect(await unreadable.session.downloadOnnx()).toBe(false);
    const message = "The worker that plays the policy has stopped.";
    expect(useSession.getState()).toMatchObject({ saving: false, refused: { message } });
  });

  it("continues a finished run for longer, and the draft with it", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    await session.continueRun(5);
    trainer.emit(runId, metrics(1), saved(1), { type: "run_finished", update: 1, reason: "completed" });
    flush();
    await session.continueRun(5);
    const longer = config.trainer.total_updates + 5;
    expect(trainer.calls.filter(({ command }) => command === "resumeStored")).toEqual([
      { command: "resumeStored", arg: { runId, changes: { "trainer.total_updates": longer } } },
    ]);
    expect([state(), useDraft.getState().draft!.trainer.total_updates]).toEqual(["preparing", longer]);
    trainer.emit(runId, metrics(2));
    expect(state()).toBe("running");
    expect([...runStore.getState().axes.tokens.xs]).toEqual([1, 2]);
  });

  it("counts more updates from what is done where the total was set below it", async () => {
    const trainer = fakeTrainer();
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    const [sft, ppo] = [
      { ...config.sft, total_updates: 6 },
      { ...config.trainer, total_updates: 10 },
    ];
    runStore.setState({ config: { ...config, sft, trainer: { ...ppo, init_checkpoint: "" } } });
    trainer.emit(runId, metrics(106), saved(106), { type: "run_finished", update: 106, reason: "completed" });
    flush();
    await session.continueRun(40);
    const resumed = trainer.calls.findLast(({ command }) => command === "resumeStored");
    expect(resumed).toMatchObject({ arg: { changes: { "trainer.total_updates": 140 } } });
  });

  it("leaves the draft as it is when the run is stopped before it has the change", async () => {
    const trainer: FakeTrainer = fakeTrainer({
      resumeStored: ({ runId }) => {
        trainer.emit(runId, { type: "run_finished", update: 1, reason: "stopped" });
        return null;
      },
    });
    const session = await opened(() => trainer);
    await session.startRun();
    const { runId } = runStore.getState();
    trainer.emit(runId!, metrics(1), saved(1), { type: "run_finished", update: 1, reason: "completed" });
    flush();
    await session.continueRun(5);
    expect([state(), useDraft.getState().draft!.trainer.total_updates]).toEqual([
      "stopped",
      config.trainer.total_updates,
    ]);
  });

  it("keeps a stopped run on screen when it cannot be continued", async () => {
    const trainer = fakeTrainer({
      resumeStored: () => Promise.reject(new ProtocolError("busy", "The run is open in another tab.")),
    });
    const session = await opened(() => trainer);
    await session.startRun();
    runStore.setState({ totalUpdates: 9 });
    trainer.emit(runStore.getState().runId!, saved(1), {
      type: "run_finished",
      update: 1,
      reason: "stopped",
    });
    flush();
    await session.continueRun();
    expect(state()).toBe("stopped");
    expect(useSession.getState().refused).toMatchObject({ message: "The run is open in another tab." });
  });

  const error = { name: "PolicyError", code: "non_finite", message: "not finite", hint: "halve" };
  async function ended(reason: "diverged" | "failed", answers = {}) {
    const trainer = fakeTrainer(answers);
    const session = await opened(() => trainer);
    await session.startRun();
    const runId = runStore.getState().runId!;
    const checkpoint: TrainerEvent = { type: "checkpoint", update: 1, bytes: 1, name: "c" };
    trainer.emit(runId, metrics(1), checkpoint, metrics(2));
    trainer.emit(runId, { type: "run_finished", update: 2, reason, error });
    flush();
    return { session, trainer, runId };
  }

  it("leads a diverged run back to its checkpoint with half the learning rate, and the draft with it", async () => {
    const { session, trainer, runId } = await ended("diverged");
    runStore.setState({ config: { ...config, sft: { ...config.sft, total_updates: 0 } } });
    await session.continueWithHalvedRate();
    const changes = { "actor.lr": config.actor.lr / 2 };
    expect(trainer.calls.at(-1)).toEqual({ command: "resumeStored", arg: { runId, changes } });
    expect([state(), useDraft.getState().draft!.actor.lr]).toEqual(["preparing", config.actor.lr / 2]);
    trainer.emit(runId, { type: "rewound", update: 1, from: 2 }, metrics(2));
    expect(state()).toBe("running");
    expect([...runStore.getState().axes.tokens.xs]).toEqual([1, 2]);
    expect(halvedRateAfter(config, 2)).toEqual({ "sft.lr": config.sft.lr / 2 });
  });

  describe("going back to an earlier checkpoint", () => {
    const faster = { ...config, actor: { ...config.actor, lr: 1e-2 } };
    const runStarted = (runId: string): TrainerEvent => ({
      ...{ type: "run_started", runId, config, update: 1, totalUpdates: 9, time: 0 },
      ...{ memory: fakePlan, device: fakeDevice },
    });
    const lostDevice: TrainerEvent = {
      ...{ type: "device_lost", update: 1, message: "no room", recovering: true, resumeFrom: 1 },
    };

    async function running(
      goBack: (trainer: FakeTrainer, runId: string) => Promise<null>,
      storedRuns: () => StoredRun[] = () => [],
    ) {
      const trainer: FakeTrainer = fakeTrainer({
        storedRuns,
        goBack: ({ runId }) => goBack(trainer, runId),
        storedUpdates: () => [2, 1],
      });
      runStore.setState(emptyView(), true);
      const session = await opened(() => trainer);
      await session.startRun();
      const runId = runStore.getState().runId!;
      trainer.emit(runId, metrics(1), metrics(2));
      runStore.setState({ config: faster });
      loadDraft(faster, "test");
      flush();
      return { session, trainer, runId };
    }

    it("ends the run, and shows it waiting there, with the settings of then", async () => {
      const seen: string[] = [];
      const { session, trainer, runId } = await running(async (trainer, runId) => {
        seen.push(state());
        await Promise.resolve();
        trainer.emit(runId, { type: "run_finished", update: 2, reason: "stopped" });
        flush();
        await vi.waitFor(() => expect(state()).toBe("preparing"));
        trainer.emit(runId, { type: "rewound", update: 1, from: 2 }, runStarted(runId));
        trainer.emit(runId, { type: "paused", update: 1 });
        return null;
      });
      expect(await session.storedUpdates(runId)).toEqual([2, 1]);
      await session.goBackTo(1);
      expect(trainer.calls.findLast(({ command }) => command === "goBack")!.arg).toEqual({
        runId,
        update: 1,
      });
      expect([...seen, state()]).toEqual(["running", "paused"]);
      expect([...runStore.getState().axes.tokens.xs]).toEqual([1]);
      expect(runStore.getState().config!.actor.lr).toBe(config.actor.lr);
      expect(useDraft.getState().draft!.actor.lr).toBe(config.actor.lr);
    });

    const noRoom = new GpuError("out_of_memory", "no room");
    it.each([
      ["is stopped before it is built", null],
      ["cannot be built", noRoom],
    ])("has the settings of then also if it %s, and so has its draft", async (_how, problem) => {
      const left: StoredRun[] = [];
      const { session, trainer, runId } = await running(
        async (trainer, runId) => {
          trainer.emit(runId, { type: "run_finished", update: 2, reason: "stopped" });
          flush();
          await vi.waitFor(() => expect(state()).toBe("preparing"));
          left.push({ ...storedRun, runId, config, totalUpdates: 30 });
          if (problem) trainer.emit(runId, lostDevice);
          trainer.emit(runId, { type: "rewound", update: 1, from: 2 }, saved(1));
          trainer.emit(runId, { type: "run_finished", update: 1, reason: "stopped" });
          if (problem) throw problem;
          return null;
        },
        () => left,
      );
      trainer.emit(runId, { type: "stage", stage: "ppo", firstUpdate: 1, lastUpdate: 50 });
      await session.goBackTo(1);
      flush();
      const { config: shown, totalUpdates, stages, notices } = runStore.getState();
      expect([state(), shown!.actor.lr, totalUpdates]).toEqual(["stopped", config.actor.lr, 30]);
      expect(stages).toEqual([{ stage: "ppo", firstUpdate: 1, lastUpdate: 30 }]);
      expect(pendingPaths(shown, useDraft.getState().draft)).toEqual([]);
      expect(useSession.getState().refused?.message).toBe(problem?.message);
      // No notice promises a new device any more.
      expect(notices).toEqual([]);
    });

    it("leaves the settings of a run that has not gone back as they are", async () => {
      const gone = new CheckpointError("not_found", "no checkpoint any more");
      const left: StoredRun[] = [];
      const { session, trainer, runId } = await running(
        () => Promise.reject(gone),
        () => left,
      );
      left.push({ ...storedRun, runId, config });
      trainer.emit(runId, { type: "run_finished", update: 2, reason: "diverged" });
      await session.goBackTo(1);
      expect([state(), runStore.getState().config]).toEqual(["diverged", faster]);
      expect(useDraft.getState().draft).toEqual(faster);
    });

    it("has the focus on Resume when it waits, if the question's button has taken the focus with it", async () => {
      const page = fakePage();
      vi.stubGlobal("document", page);
      vi.stubGlobal("requestAnimationFrame", (work: () => void) => queueMicrotask(work));
      const { session, trainer, runId } = await running(async (trainer, runId) => {
        await vi.waitFor(() => expect(page.activeElement).toBe(page.strip));
        trainer.emit(runId, { type: "run_finished", update: 2, reason: "stopped" });
        return null;
      });
      await session.goBackTo(1);
      page.button = { focus: () => (page.activeElement = page.button!) };
      trainer.emit(runId, { type: "paused", update: 1 });
      await vi.waitFor(() => expect(page.activeElement).toBe(page.button));
    });

    it("leaves the focus where it is for a reader who used the page meanwhile", async () => {
      const page = fakePage();
      vi.stubGlobal("document", page);
      vi.stubGlobal("requestAnimationFrame", (work: () => void) => work());
      const { session, trainer, runId } = await running(async (trainer, runId) => {
        trainer.emit(runId, { type: "run_finished", update: 2, reason: "stopped" });
        return null;
      });
      await session.goBackTo(1);
      page.button = { focus: () => (page.activeElement = page.button!) };
      page.activeElement = page.body;
      for (const press of page.listeners) press({});
      trainer.emit(runId, { type: "paused", update: 1 });
      expect(state()).toBe("paused");
      await Promise.resolve();
      expect(page.activeElement).toBe(page.body);
    });

    it("says why it cannot, and shows the run as it was then", async () => {
      const gone = new CheckpointError("not_found", "no checkpoint any more");
      const before = await running(() => Promise.reject(gone));
      await before.session.goBackTo(1);
      expect([state(), useSession.getState().refused?.message]).toEqual(["running", gone.message]);
      const after = await running(async (trainer, runId) => {
        trainer.emit(runId, { type: "run_finished", update: 2, reason: "stopped" });
        throw new GpuError("out_of_memory", "no room");
      });
      await after.session.goBackTo(1);
      expect([state(), useSession.getState().refused?.message]).toEqual(["stopped", "no room"]);
    });
  });

  it("has the focus on what goes on once a continued run waits or trains, because Continue is gone", async () => {
    const page = fakePage();
    vi.stubGlobal("document", page);
    vi.stubGlobal("requestAnimationFrame", (work: () => void) => queueMicrotask(work));
    const { session, trainer, runId } = await ended("failed");
    await session.continueRun();
    await vi.waitFor(() => expect(page.activeElement).toBe(page.strip));
    page.button = { focus: () => (page.activeElement = page.button!) };
    trainer.emit(runId, { type: "paused", update: 2 });
    await vi.waitFor(() => expect(page.activeElement).toBe(page.button));
  });

  it("retries a failed run as it was, and says so when that fails too", async () => {
    const refuse = { resumeStored: () => Promise.reject(new ProtocolError("busy", "no")) };
    const { session, trainer, runId } = await ended("failed", refuse);
    await session.continueRun();
    expect(trainer.calls.at(-1)).toEqual({ command: "resumeStored", arg: { runId, changes: {} } });
    expect(state()).toBe("failed");
    expect(runStore.getState().error).toEqual(error);
    expect(useSession.getState().refused).toMatchObject({ message: "no" });
  });

  it("neither starts nor stops anything for a draft that cannot run, and says why", async () => {
    const plan = () => Promise.reject(new EnvError("unsolvable_level", "No such level.", "Use [1, 12]."));
    const trainer = fakeTrainer({ plan });
    const session = await opened(() => trainer);
    await session.estimateSize(config);
    await session.startRun();
    expect(trainer.calls.map((call) => call.command)).not.toContain("start");
    expect(useSession.getState().refused).toMatchObject({ message: "No such level.", hint: "Use [1, 12]." });

    useSession.setState({ size: { state: "unknown" }, refused: null });
    await session.startRun();
    await session.restartWithDraft();
    expect(trainer.calls.map((call) => call.command)).not.toContain("stop");
    expect(state()).toBe("preparing");
    expect(useSession.getState().refused).toMatchObject({ message: "No such level." });
  });

  it("does not hold a question that the worker could not answer against the draft", async () => {
    const trainer = fakeTrainer({ plan: () => Promise.reject(new ProtocolError("worker_died", "gone")) });
    const session = await opened(() => trainer);
    await session.estimateSize(config);
    await session.startRun();
    expect(trainer.calls.map((call) => call.command)).toContain("start");
  });

  it("does not show the size of the draft before for long while the worker is busy", async () => {
    let answer = (_: MemoryPlan) => {};
    const trainer = fakeTrainer({ plan: () => new Promise((resolve) => (answer = resolve)) });
    const session = await opened(() => trainer);
    useSession.setState({ size: { state: "known", plan: { ...fakePlan, total: 1 } } });
    const estimated = session.estimateSize(config);
    await vi.waitFor(() => expect(useSession.getState().size).toEqual({ state: "measuring" }));
    answer(fakePlan);
    await estimated;
    expect(useSession.getState().size).toEqual({ state: "known", plan: fakePlan });
  });

  it("keeps only the newest estimate of the draft's size", async () => {
    const answers: ((bytes: number) => void)[] = [];
    const trainer = fakeTrainer({
      plan: () =>
        new Promise((resolve) =>
          answers.push((total) => resolve({ total, parts: {}, parameters: 1, largestBuffer: 1, limit: 2 })),
        ),
    });
    const session = await opened(() => trainer);
    const [first, second] = [session.estimateSize(config), session.estimateSize(config)];
    answers[1]!(222);
    answers[0]!(111);
    await Promise.all([first, second]);
    expect(useSession.getState().size).toMatchObject({ state: "known", plan: { total: 222 } });
  });
});
