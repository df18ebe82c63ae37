// Both ends of the protocol over a real MessageChannel, with a supervisor that trains nothing.
import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { checkedRunConfig } from "../config/check.ts";
import { fileChoice } from "../config/init-checkpoint.ts";
import type { RunConfig } from "../config/run-config.ts";
import { endpointOf } from "../core/address.ts";
import { type Deferred, deferred } from "../core/deferred.ts";
import { ConfigError, GpuError, PolicyError, ProtocolError } from "../core/errors.ts";
import type { Trajectory } from "../core/types.ts";
import { envs, loadEnv } from "../envs/index.ts";
import type { ReportLoad } from "../envs/loading.ts";
import { house } from "../envs/navigation/procthor/sample-house.ts";
import { encodeCheckpoint } from "../persistence/checkpoint.ts";
import { memoryFiles } from "../persistence/memory-files.ts";
import { SPARE_BYTES } from "../persistence/retention.ts";
import { type CheckpointStore, openStore } from "../persistence/store.ts";
import { extensionRecords, installExtensions } from "../run/extensions.ts";
import type { JudgeHost } from "../run/judging.ts";
import type { Resumption } from "../supervision/resume.ts";
import type { Notice } from "../supervision/run-reporter.ts";
import { config, FakeRun, fakeTrajectory, TOTAL } from "../supervision/testing/fake-run.ts";
import type { TrainerEvent } from "../training/events.ts";
import type { Supervision } from "./active-run.ts";
import { connect, type TrainingClient } from "./client.ts";
import { trainingHost } from "./commands.ts";
import { type GpuProbe, type ModelFiles, PROTOCOL_VERSION } from "./protocol.ts";
import { type Locks, tabLocks } from "./run-lock.ts";
import { eventSender, type Handlers, reportLoads, serve } from "./serve.ts";
import { fakeLocks } from "./testing/fake-locks.ts";

const noGpu: GpuProbe = { available: false, reason: "none", hint: "get one", device: null };
const warning = (update: number): TrainerEvent => ({ type: "warning", update, code: "w", message: "" });

/** Records its calls and emits what the test wants. */
class FakeSupervisor implements Supervision {
  readonly calls: unknown[] = [];
  private readonly ended: Deferred<void> = deferred();
  readonly done = this.ended.promise;
  startError: Error | null = null;
  hasBegun = true;
  constructor(
    readonly runId: string,
    readonly emit: (event: TrainerEvent) => void,
  ) {}
  async start(...args: unknown[]) {
    this.calls.push(["start", ...args]);
    if (!this.startError) return;
    this.ended.resolve();
    throw this.startError;
  }
  async pause() {
    this.calls.push("pause");
  }
  resume() {
    this.calls.push("resume");
  }
  async step() {
    this.calls.push("step");
  }
  async stop() {
    this.calls.push("stop");
    this.ended.resolve();
  }
  applyChanges(changes: Readonly<Record<string, unknown>>) {
    return Object.keys(changes);
  }
  saveSoon() {
    this.calls.push("saveSoon");
  }
  async saveCheckpoint() {
    return { name: "a.safetensors", bytes: Uint8Array.of(1, 2, 3) };
  }
  warn(notice: Notice) {
    this.emit({ type: "warning", update: 0, code: notice.code, message: notice.message });
  }
  loseDevice() {
    this.calls.push("loseDevice");
  }
  async takeModel(kind: string, file: File) {
    const text = await file.text();
    if (text === "none") throw new PolicyError("wrong_architecture", "no model");
    this.calls.push(["takeModel", kind, text]);
  }
}

/** The file that the page hands over. */
let chosen: Uint8Array;
let channel: MessageChannel;
let client: TrainingClient;
let store: CheckpointStore;
let locks: Locks;
let supervisors: FakeSupervisor[];
let judgeHosts: JudgeHost[];
let modelFiles: ModelFiles[];
/** The notice of the next judge. */
let openingNotice: string;
let nextStartError: Error | null;
/** Whether the next run is stopped before it is built. */
let nextIsStopped: boolean;
/** How many extensions were registered when the worker was confined. */
let confined: number[];
let handlers: Handlers;
let events: [string, TrainerEvent][];
let deaths: ProtocolError[];

beforeEach(() => {
  channel = new MessageChannel();
  store = openStore(memoryFiles());
  supervisors = [];
  judgeHosts = [];
  modelFiles = [];
  openingNotice = "";
  nextStartError = null;
  nextIsStopped = false;
  confined = [];
  locks = fakeLocks();
  const emit = eventSender(channel.port2);
  handlers = trainingHost({
    store,
    locks: tabLocks(locks),
    probe: async () => noGpu,
    readHead: async () => ({ head: chosen, fileBytes: chosen.length }),
    confine: () => void confined.push(extensionRecords(checkedRunConfig({})).length),
    plan: () => ({ total: 5, parts: { weights: 5 }, parameters: 1, largestBuffer: 5, limit: 9 }),
    supervise(runId, judgeHost, models) {
      judgeHosts.push(judgeHost);
      modelFiles.push(models);
      if (openingNotice) judgeHost.notice?.(openingNotice);
      const supervisor = new FakeSupervisor(runId, (event) => emit(runId, event));
      supervisor.startError = nextStartError;
      supervisor.hasBegun = !nextIsStopped;
      supervisors.push(supervisor);
      return supervisor;
    },
  });
  serve(channel.port2, Promise.resolve(handlers));
  const { port1 } = channel;
  client = connect(port1, () => port1.close());
  // Own lists for each test: the ports of the test before may close late.
  const [ownEvents, ownDeaths]: [typeof events, typeof deaths] = [[], []];
  [events, deaths] = [ownEvents, ownDeaths];
  client.onEvent((event, runId) => ownEvents.push([runId, event]));
  client.onDeath((error) => ownDeaths.push(error));
  channel.port1.start();
  channel.port2.start();
});
afterEach(() => {
  channel.port1.close();
  channel.port2.close();
});

const start = (runId = "a") => client.call("start", { runId, config });
/** Messages are delivered in order, so an answer means that everything sent before has arrived. */
const delivered = () => client.call("storedRuns", null);

test("the files of models reach the run that is paid by them, and are not stored", async () => {
  const models = { dino: new File(["a model"], "mine.onnx") };
  await client.call("start", { runId: "a", config, models });
  expect(await modelFiles[0]!.dino!.text()).toBe("a model");
  expect(JSON.stringify(supervisors[0]!.calls)).not.toContain("mine.onnx");
  await store.save("a", 1, await encodeCheckpoint(await new FakeRun("a", config, undefined, {}).save()));
  await client.call("stop", null);
  await client.call("resumeStored", { runId: "a" });
  expect(modelFiles[1]).toEqual({});
  await client.call("stop", null);
  await client.call("resumeStored", { runId: "a", models });
  expect(Object.keys(modelFiles[2]!)).toEqual(["dino"]);
});

test("a run takes another model, warns of it, and refuses a file that is none", async () => {
  const give = (content: string) =>
    client.call("takeModel", { kind: "dino", file: new File([content], "other.onnx") });
  await expect(give("a model")).rejects.toMatchObject({ code: "busy" });
  await start();
  await give("a model");
  expect(supervisors[0]!.calls).toContainEqual(["takeModel", "dino", "a model"]);
  await expect(give("none")).rejects.toThrow("no model");
  await delivered();
  // Node's channels do not keep the names of files.
  const message = expect.stringMatching(/ is the DINOv2 model of the run from now on\.$/);
  expect(events).toMatchObject([["a", { code: "model_replaced", message }]]);
});

describe("what a judge needs", () => {
  const recorded = { ...config, judge: { ...config.judge, name: "recorded" as const, recording: "v.jsonl" } };
  const judge = () => ({ recording: new Blob(["a verdict\n"]) });

  test("a key reaches the run's judge, and nothing that is stored", async () => {
    await client.call("start", {
      runId: "a",
      config,
      judge: { endpoint: endpointOf(config.judge), key: "sk-secret" },
    });
    expect(await judgeHosts[0]!.key(config.judge)).toBe("sk-secret");
    expect(JSON.stringify(supervisors[0]!.calls)).not.toContain("sk-secret");
  });

  test("a recording is kept with a run that began, and with no other", async () => {
    nextStartError = new ConfigError("invalid_config", "no");
    await expect(client.call("start", { runId: "a", config: recorded, judge: judge() })).rejects.toThrow(
      "no",
    );
    expect(await store.runs()).toEqual([]);
    nextStartError = null;
    await client.call("start", { runId: "b", config: recorded, judge: judge() });
    expect(await judgeHosts[1]!.readText("v.jsonl")).toBe("a verdict\n");
    expect(await store.hasText("b", "recording.jsonl")).toBe(true);
    await client.call("stop", null);
    const run = new FakeRun("b", recorded, undefined, {});
    await store.save("b", 0, await encodeCheckpoint(await run.save()));
    expect(await client.call("storedRuns", null)).toMatchObject([{ runId: "b", recordingKept: true }]);
    // Resumed after a reload, it needs no file.
    await client.call("resumeStored", { runId: "b" });
    expect(await judgeHosts[2]!.readText("v.jsonl")).toBe("a verdict\n");
  });

  test("a recording that cannot be kept is a warning of the run, which goes on", async () => {
    store.saveText = () => Promise.reject(new Error("the disk is full."));
    expect(await client.call("start", { runId: "a", config: recorded, judge: judge() })).toBeNull();
    const message = "The judge's recording could not be stored with the run: the disk is full.";
    await vi.waitFor(() =>
      expect(events).toMatchObject([["a", { type: "warning", code: "storage_recording", message }]]),
    );
    expect(await client.call("pause", null)).toBeNull();
  });

  test("a run that is stopped before it is built leaves no recording behind, and warns of nothing", async () => {
    [nextIsStopped, openingNotice] = [true, "v.jsonl: 1 line that was cut off is left out"];
    await client.call("start", { runId: "a", config: recorded, judge: judge() });
    await delivered();
    expect(await store.runs()).toEqual([]);
    expect(events).toEqual([]);
  });

  test("a notice about a recording is a warning of the run", async () => {
    openingNotice = "v.jsonl: 1 line that was cut off is left out";
    await client.call("start", { runId: "a", config: recorded, judge: judge() });
    const warning = { type: "warning", update: 0, code: "judge_recording", message: openingNotice };
    await vi.waitFor(() => expect(events).toContainEqual(["a", warning]));
  });

  test("the verdicts of a model can be downloaded", async () => {
    await client.call("start", { runId: "a", config, judge: { key: "sk" } });
    expect(await client.call("verdicts", { runId: "a" })).toBeNull();
    judgeHosts[0]!.record!('{"claim":"observation"}');
    await vi.waitFor(async () => expect(await client.call("verdicts", { runId: "a" })).not.toBeNull());
    const found = (await client.call("verdicts", { runId: "a" }))!;
    expect(found.name).toBe("a-verdicts.jsonl");
    expect(new TextDecoder().decode(found.bytes)).toBe('{"claim":"observation"}\n');
  });
});

describe("extensions", () => {
  const source = `export default ({ estimator }) => estimator({ id: "mine", estimate: () => null });`;
  const own = { name: "own", source };
  const using = { ...config, algorithm: { ...config.algorithm, adv_estimator: "mine" } };
  const set = (...extensions: (typeof own)[]) => client.call("setExtensions", { extensions });
  /** Stores the run as training does, whose checkpoints emit what was registered. */
  async function save(): Promise<void> {
    const checkpoint = await new FakeRun("a", using, undefined, {}).save();
    const meta = { ...checkpoint.meta, extensions: extensionRecords(checkedRunConfig({})) };
    await store.save("a", 1, await encodeCheckpoint({ ...checkpoint, meta }));
  }
  afterEach(() => void installExtensions([]));

  test("are known to the worker once they are sent, and stay while a run is active", async () => {
    await expect(client.call("plan", { config: using })).rejects.toMatchObject({ code: "invalid_config" });
    await set(own);
    expect(await client.call("plan", { config: using })).toMatchObject({ total: 5 });
    await client.call("start", { runId: "a", config: using });
    await expect(set()).rejects.toMatchObject({ code: "busy" });
    await client.call("stop", null);
    await set();
    await expect(set({ name: "bad", source: "export default 3" })).rejects.toMatchObject({
      name: "ExtensionError",
      code: "invalid",
      message: "bad: it exports no function as its default.",
    });
  });

  test("have no network and no storage: the worker is confined before their code is loaded", async () => {
    await set({ name: "houses.json", source: JSON.stringify(house()) });
    expect(confined).toEqual([]);
    await set(own);
    expect(confined).toEqual([0]);
  });

  test("are stored with a run, which is listed without them and resumes only with them", async () => {
    await set(own);
    await client.call("start", { runId: "a", config: using });
    await save();
    await client.call("stop", null);
    await set();
    const [stored] = await client.call("storedRuns", null);
    expect(stored).toMatchObject({
      runId: "a",
      extensions: [own],
      config: { algorithm: { adv_estimator: "mine" } },
    });
    const resume = () => client.call("resumeStored", { runId: "a" });
    await expect(resume()).rejects.toMatchObject({
      name: "ExtensionError",
      code: "missing",
      message: "The run was made with the extension own (estimator mine), which is not registered.",
    });
    await set({ name: "own", source: `${source} // changed` });
    await expect(resume()).rejects.toMatchObject({
      code: "missing",
      message: expect.stringContaining("SHA-256"),
    });
    // Refused before anything is deleted.
    await store.save("a", 3, new Uint8Array(3));
    await expect(client.call("goBack", { runId: "a", update: 1 })).rejects.toMatchObject({ code: "missing" });
    expect(await client.call("storedUpdates", { runId: "a" })).toEqual([3, 1]);
    await set(own);
    await resume();
    expect(supervisors.at(-1)?.calls[0]).toMatchObject([
      "start",
      { algorithm: { adv_estimator: "mine" } },
      {},
    ]);
  });
});

describe("calls", () => {
  test("hello reports whether training is possible", async () => {
    expect(await client.hello()).toEqual(noGpu);
  });

  test("hello refuses a worker of another version", async () => {
    handlers.hello = async () => ({ version: PROTOCOL_VERSION + 1, gpu: noGpu });
    await expect(client.hello()).rejects.toMatchObject({ code: "version", hint: "Reload the page." });
  });

  test("results come back to the call that asked", async () => {
    const [plan, stored] = await Promise.all([
      client.call("plan", { config }),
      client.call("storedRuns", null),
    ]);
    expect(plan.total).toBe(5);
    expect(stored).toEqual([]);
  });

  test("a file that is no checkpoint is refused when it is chosen", async () => {
    const choice = fileChoice("blob:x", "mine.safetensors");
    chosen = Uint8Array.from({ length: 3000 }, (_, i) => (i * 37) % 251);
    await expect(client.call("checkCheckpoint", { choice })).rejects.toMatchObject({
      code: "foreign",
      message: expect.stringContaining("mine.safetensors"),
    });
    chosen = await encodeCheckpoint(await new FakeRun("a", config, undefined, {}).save());
    expect(await client.call("checkCheckpoint", { choice })).toBeNull();
  });

  test("reports to the page how far an environment has loaded", async () => {
    const { load: _, ...blackjack } = envs.get("blackjack");
    const progress = { what: "cards", bytes: 1, of: 2 };
    const load = async (report?: ReportLoad) => report?.(progress);
    const ends = [envs.add({ ...blackjack, id: "slow_cards", load }), reportLoads(channel.port2)];
    const told: unknown[] = [];
    client.onLoad((...about) => told.push(about));
    await loadEnv("slow_cards");
    await client.call("trainedElsewhere", null);
    for (const end of ends) end();
    expect(told).toEqual([
      ["slow_cards", { state: "loading", progress: { what: blackjack.title, bytes: 0, of: null } }],
      ["slow_cards", { state: "loading", progress }],
      ["slow_cards", { state: "ready" }],
    ]);
  });

  test("a level is drawn without a GPU; one that does not exist gives a reason", async () => {
    const env = { name: "frozenlake", config: { size: 5 } };
    const level = await client.call("preview", { env, seed: 3 });
    expect(level).toMatchObject({
      title: "FrozenLake",
      seed: 3,
      truth: { rows: 5 },
      text: "",
      moves: expect.any(Number),
    });
    const read = { name: "frozenlake", config: { size: 5, render_mode: "text" } };
    expect((await client.call("preview", { env: read, seed: 3 })).text).toMatch(/^turn 1\n(\S{5}\n?){5}$/);
    expect([level.frame, ...level.further, ...level.seen].map(({ width }) => width)).toEqual([320, 40]);
    const figure = { env: { name: "visual-math", config: {} }, seed: 3 };
    expect((await client.call("preview", figure)).frame.height).toBeGreaterThan(0);
    const preview = (config: object) =>
      client.call("preview", { env: { name: "sokoban", config: { ...config } }, seed: 3 });
    await expect(preview({ num_boxes: 20 })).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining("env.config.num_boxes is 20"),
      hint: expect.stringContaining("Use 1 to 4 boxes"),
    });
    await expect(preview({ min_solution_steps: [9, 9], reset_seed_max_tries: 2 })).rejects.toMatchObject({
      name: "EnvError",
      code: "unsolvable_level",
      hint: "Use 10000, the default.",
    });
  });

  test("an error arrives with class, code, message and hint", async () => {
    const bad = structuredClone(config);
    bad.actor.lr = -1;
    const error = await client.call("start", { runId: "a", config: bad }).catch((e) => e);
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({
      code: "invalid_config",
      message: expect.stringContaining("actor.lr is -1"),
      hint: expect.stringContaining("0.0004"),
    });
  });

  test("an unexpected error keeps its message", async () => {
    nextStartError = new TypeError("x is undefined");
    await expect(start()).rejects.toMatchObject({ name: "InternalError", message: "x is undefined" });
  });

  test("an unknown command is refused", async () => {
    await expect(client.call("dance" as "stop", null)).rejects.toMatchObject({ code: "version" });
  });

  test("every command reaches the run", async () => {
    await start();
    for (const command of ["pause", "resume", "step", "loseDevice", "stop"] as const)
      expect(await client.call(command, null)).toBeNull();
    expect(supervisors[0]!.calls.slice(1)).toEqual(["pause", "resume", "step", "loseDevice", "stop"]);
  });

  test("changes and checkpoints come back", async () => {
    await start();
    expect(await client.call("applyChanges", { changes: { "actor.lr": 1e-3 } })).toEqual(["actor.lr"]);
    const { name, bytes } = await client.call("saveCheckpoint", null);
    expect([name, ...new Uint8Array(bytes)]).toEqual(["a.safetensors", 1, 2, 3]);
  });
});

describe("one run at a time", () => {
  test("a second start is refused until the first has ended", async () => {
    await start();
    await expect(start("b")).rejects.toMatchObject({ code: "busy", message: "The run a is active." });
    await expect(client.call("discardStored", { runId: "a" })).rejects.toMatchObject({ code: "busy" });
    await client.call("stop", null);
    await start("b");
  });

  test("a start that failed leaves the place free", async () => {
    nextStartError = new GpuError("no_adapter", "none");
    await expect(start()).rejects.toBeInstanceOf(GpuError);
    nextStartError = null;
    await start();
  });

  test("a run that another tab trains can be neither resumed, sent back nor deleted, and is marked in the list", async () => {
    const run = new FakeRun("a", config, undefined, {});
    for (const update of [4, 8]) await store.save("a", update, await encodeCheckpoint(await run.save()));
    const release = await tabLocks(locks).hold("a");
    const refusal = { code: "busy", message: "The run a is open in another tab." };
    await expect(client.call("resumeStored", { runId: "a" })).rejects.toMatchObject(refusal);
    await expect(client.call("goBack", { runId: "a", update: 4 })).rejects.toMatchObject(refusal);
    expect(await client.call("storedUpdates", { runId: "a" })).toEqual([8, 4]);
    await expect(client.call("discardStored", { runId: "a" })).rejects.toMatchObject(refusal);
    await expect(start("b")).rejects.toThrow("Another tab is training the run a");
    expect(await client.call("trainedElsewhere", null)).toBe("a");
    expect(await client.call("storedRuns", null)).toMatchObject([{ runId: "a", elsewhere: true }]);
    release();
    await client.call("resumeStored", { runId: "a" });
    expect(await client.call("storedRuns", null)).toMatchObject([{ runId: "a", elsewhere: false }]);
    expect(await client.call("trainedElsewhere", null)).toBeNull();
  });

  test("a run that another tab trains is known before it is stored", async () => {
    expect(await client.call("trainedElsewhere", null)).toBeNull();
    await tabLocks(locks).hold("never stored");
    expect(await client.call("trainedElsewhere", null)).toBe("never stored");
  });

  test("a run is held while it lasts, and not when it could not begin", async () => {
    nextStartError = new GpuError("no_adapter", "none");
    await expect(start("a")).rejects.toBeInstanceOf(GpuError);
    nextStartError = null;
    const both = await Promise.allSettled([start("b"), start("c")]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    await expect(tabLocks(locks).hold("d")).rejects.toMatchObject({ code: "busy" });
    await client.call("stop", null);
    (await tabLocks(locks).hold("d"))();
  });

  test("without a run, commands are refused; stop has nothing to do", async () => {
    await expect(client.call("pause", null)).rejects.toBeInstanceOf(ProtocolError);
    expect(await client.call("stop", null)).toBeNull();
  });
});

describe("stored runs", () => {
  const save = async (runId: string, update: number, milestoneEvery?: number) => {
    const run = new FakeRun(runId, config, undefined, {});
    run.update = update;
    await store.save(runId, update, await encodeCheckpoint(await run.save()), milestoneEvery);
  };

  test("are listed with their events and can be discarded", async () => {
    await save("a", 4);
    await store.appendEvents("a", [warning(3)]);
    await store.appendEvents("without-checkpoint", [warning(1)]);
    const [stored, ...others] = await client.call("storedRuns", null);
    expect(others).toEqual([]);
    expect(stored).toMatchObject({ runId: "a", name: "fake", update: 4, totalUpdates: TOTAL, config });
    expect(stored!.events).toEqual([warning(3)]);
    await client.call("discardStored", { runId: "a" });
    expect(await client.call("storedRuns", null)).toEqual([]);
  });

  test("a run whose files are damaged hides no other", async () => {
    await save("a", 4);
    await save("b", 4);
    await save("c", 4);
    await store.appendText("a", "events.jsonl", 'null\n{"type":"metrics"}\n{"type":"toString"}\n');
    await store.appendEvents("a", [warning(3)]);
    const { describe: describeRun } = store;
    store.describe = (runId) => (runId === "b" ? Promise.reject(new Error("EIO")) : describeRun(runId));
    const stored = await client.call("storedRuns", null);
    expect(stored.map(({ runId }) => runId).sort()).toEqual(["a", "c"]);
    expect(stored.find(({ runId }) => runId === "a")!.events).toEqual([warning(3)]);
  });

  test("a run whose settings no longer exist is not offered", async () => {
    const run = new FakeRun("old", { ...config, gone: 1 } as never, undefined, {});
    await store.save("old", 0, await encodeCheckpoint(await run.save()));
    expect(await client.call("storedRuns", null)).toEqual([]);
  });

  test("resume from their last good checkpoint", async () => {
    await save("a", 4);
    await store.save("a", 8, new Uint8Array(3));
    await client.call("resumeStored", { runId: "a" });
    const [, given, resumption] = supervisors[0]!.calls[0] as [string, unknown, { good: { entry: object } }];
    expect(given).toEqual(config);
    expect(resumption.good).toMatchObject({ entry: { update: 4 }, skipped: [{ code: "truncated" }] });
  });

  describe("that trains", () => {
    const goBack = (update: number) => client.call("goBack", { runId: "a", update });
    const stored = () => client.call("storedUpdates", { runId: "a" });

    beforeEach(async () => {
      for (const update of [4, 6]) await save("a", update);
      await store.appendEvents("a", [warning(3), warning(5)]);
      expect(await stored()).toEqual([6, 4]);
      await start();
    });

    test("is ended and goes back to an earlier checkpoint, even if its end displaces that", async () => {
      const { stop } = supervisors[0]!;
      supervisors[0]!.stop = async function () {
        await save("a", 7);
        // A damaged one, so large that it leaves no room for others.
        await store.save("a", 8, new Uint8Array(SPARE_BYTES), 100);
        expect(await stored()).not.toContain(4);
        return stop.call(this);
      };
      await goBack(4);
      expect(await stored()).toEqual([4]);
      const [, given, resumption] = supervisors[1]!.calls[0] as [string, unknown, Resumption];
      expect(given).toEqual(config);
      expect(resumption).toMatchObject({ goesBack: true, good: { entry: { update: 4 } } });
      expect(resumption.history).toEqual([warning(3), warning(5)]);
    });

    test("keeps its milestones when it goes back to a checkpoint that its end has displaced", async () => {
      const every = config.trainer.save_freq;
      const milestones = [2 * every, 3 * every];
      for (const update of milestones) await save("a", update, every);
      const target = 3 * every + 1;
      await save("a", target, every);
      const { stop } = supervisors[0]!;
      supervisors[0]!.stop = async function () {
        for (let later = target + 1; later < 4 * every; later++) await save("a", later, every);
        // One so large leaves no room for others.
        await store.save("a", 4 * every + 1, new Uint8Array(SPARE_BYTES), every);
        expect(await stored()).not.toContain(target);
        expect(await stored()).toEqual(expect.arrayContaining(milestones));
        return stop.call(this);
      };
      await goBack(target);
      expect(await stored()).toEqual(expect.arrayContaining([target, ...milestones]));
    });

    test("trains on where there is no such checkpoint, or a damaged one", async () => {
      await expect(goBack(3)).rejects.toMatchObject({
        code: "not_found",
        message: "The run a has no checkpoint of update 3 any more.",
      });
      await store.save("a", 6, new Uint8Array(3));
      await expect(goBack(6)).rejects.toMatchObject({ code: "truncated" });
      expect(supervisors[0]!.calls).not.toContain("stop");
      await expect(client.call("goBack", { runId: "b", update: 4 })).rejects.toMatchObject({ code: "busy" });
    });
  });

  test("go back only while no other run begins, which goes on", async () => {
    for (const update of [4, 6]) await save("a", update);
    const [back] = await Promise.allSettled([client.call("goBack", { runId: "a", update: 4 }), start("b")]);
    expect(back).toMatchObject({ status: "rejected", reason: { code: "busy" } });
    expect(supervisors.map(({ runId, calls }) => [runId, calls.includes("stop")])).toEqual([["b", false]]);
    expect(await client.call("storedUpdates", { runId: "a" })).toEqual([6, 4]);
  });

  test("can be extended, but not changed where a new run is needed", async () => {
    await save("a", 4);
    await client.call("resumeStored", { runId: "a", changes: { "trainer.total_updates": 30 } });
    const [, given] = supervisors[0]!.calls[0] as [string, RunConfig];
    expect(given).toEqual({ ...config, trainer: { ...config.trainer, total_updates: 30 } });
    await client.call("stop", null);
    await expect(client.call("resumeStored", { runId: "a", changes: { seed: 7 } })).rejects.toMatchObject({
      code: "invalid_config",
      message: "seed cannot become 7 in a run that continues.",
    });
    // A refusal leaves the place free.
    await start("b");
  });

  describe("while one is read", () => {
    let read: Deferred<void>;
    /** Reading the checkpoint takes until `read`, as that of a large one takes seconds. */
    const resumeSlowly = () => {
      const load = store.loadLatestGood.bind(store);
      read = deferred();
      vi.spyOn(store, "loadLatestGood").mockImplementation((runId) => read.promise.then(() => load(runId)));
      return client.call("resumeStored", { runId: "a" });
    };

    test("commands reach it once it is present, in order", async () => {
      await save("a", 4);
      const resumed = resumeSlowly();
      const asked = (["pause", "resume", "step", "stop"] as const).map((command) =>
        client.call(command, null),
      );
      await client.hello();
      expect(supervisors).toEqual([]);
      read.resolve();
      expect(await Promise.all([resumed, ...asked])).toEqual([null, null, null, null, null]);
      expect(supervisors[0]!.calls.slice(1)).toEqual(["pause", "resume", "step", "stop"]);
    });

    test("no other run can start; a run that cannot be read rejects its commands and leaves the place free", async () => {
      await save("a", 4);
      const [resumed, stopped, paused] = [
        resumeSlowly(),
        client.call("stop", null),
        client.call("pause", null),
      ];
      await expect(start("b")).rejects.toMatchObject({ code: "busy", message: "The run a is active." });
      await expect(client.call("discardStored", { runId: "a" })).rejects.toMatchObject({ code: "busy" });
      expect(await client.call("storedRuns", null)).toMatchObject([{ runId: "a", elsewhere: false }]);
      read.reject(new GpuError("no_adapter", "none"));
      const outcomes = await Promise.allSettled([resumed, stopped, paused]);
      expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "rejected"]);
      await start("b");
    });
  });

  test("return their trajectories without being resumed", async () => {
    const trajectory = fakeTrajectory("t");
    const event: TrainerEvent = { type: "trajectory", update: 1, source: "train", trajectory };
    await store.saveTrajectories("a", [event]);
    expect(await client.call("storedTrajectories", { runId: "a" })).toEqual([event]);
    expect(await client.call("storedTrajectories", { runId: "b" })).toEqual([]);
    expect(supervisors).toEqual([]);
  });

  test("hand over their newest whole checkpoint", async () => {
    await save("a", 4);
    await save("a", 6);
    await store.save("a", 8, new Uint8Array(3));
    const { name, bytes } = await client.call("storedCheckpoint", { runId: "a" });
    expect(name).toBe("a-update-000006.safetensors");
    expect(new Uint8Array(bytes)).toEqual(await store.load("a", "update-000006.safetensors"));
    await expect(client.call("storedCheckpoint", { runId: "b" })).rejects.toMatchObject({
      code: "not_found",
      message: "The run b has no checkpoint.",
    });
  });

  test("a run that was never saved cannot be resumed", async () => {
    await expect(client.call("resumeStored", { runId: "b" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("events", () => {
  test("arrive in order, as they were", async () => {
    await start();
    const data = new Uint8ClampedArray([1, 2, 3, 4]);
    const frame = { width: 1, height: 1, data };
    const trajectory = { id: "t", turns: [{ observation: { text: "", images: [frame, frame] } }] };
    const sent: TrainerEvent[] = [
      warning(1),
      { type: "trajectory", update: 1, source: "train", trajectory: trajectory as unknown as Trajectory },
    ];
    for (const event of sent) supervisors[0]!.emit(event);
    await delivered();
    expect(events).toEqual(sent.map((event) => ["a", event]));
    // The trainer still needs its pictures.
    expect(data.byteLength).toBe(4);
  });

  test("of a run that is started again arrive again", async () => {
    await start("a");
    supervisors[0]!.emit(warning(1));
    await client.call("stop", null);
    await start("a");
    supervisors[1]!.emit(warning(2));
    await delivered();
    expect(events).toHaveLength(2);
  });

  test("listeners can leave", async () => {
    const listener = vi.fn();
    const leave = client.onEvent(listener);
    await start();
    leave();
    supervisors[0]!.emit(warning(1));
    await delivered();
    expect(listener).not.toHaveBeenCalled();
  });
});

describe("the worker's death", () => {
  test("rejects pending calls, notifies the page once, and rejects later calls", async () => {
    handlers.pause = () => new Promise(() => {});
    const pending = client.call("pause", null);
    channel.port2.close();
    await expect(pending).rejects.toMatchObject({ name: "ProtocolError", code: "worker_died" });
    expect(deaths).toHaveLength(1);
    await expect(start()).rejects.toMatchObject({ code: "worker_died" });
  });

  test("an error event of a worker is its death, with the reason", async () => {
    const listeners = new Map<string, (event: Event) => void>();
    const ended = vi.fn();
    const port = {
      postMessage() {},
      addEventListener: (type: string, listener: (event: Event) => void) =>
        void listeners.set(type, listener),
    };
    const other = connect(port, ended);
    const onDeath = vi.fn();
    other.onDeath(onDeath);
    const pending = other.call("storedRuns", null);
    listeners.get("error")!(Object.assign(new Event("error"), { message: "out of memory" }));
    await expect(pending).rejects.toThrow("The training worker has stopped: out of memory");
    expect(onDeath).toHaveBeenCalledOnce();
    expect(ended).toHaveBeenCalledOnce();
  });

  test("a worker that does not answer is ended as if it had died", async () => {
    handlers.pause = () => new Promise(() => {});
    const pending = client.call("pause", null);
    client.abandon();
    await expect(pending).rejects.toThrow("The training worker has stopped: it did not answer");
    expect(deaths).toHaveLength(1);
    await expect(client.call("ping", null)).rejects.toMatchObject({ code: "worker_died" });
  });
});

test("docs/protocol.md names every command and every event", () => {
  const doc = readFileSync("docs/protocol.md", "utf8");
  const eventTypes = [...readFileSync("src/training/events.ts", "utf8").matchAll(/type: "(\w+)"/g)].map(
    (m) => m[1],
  );
  for (const name of [...Object.keys(handlers), ...eventTypes]) expect(doc).toContain(`\`${name}\``);
});
