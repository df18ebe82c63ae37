// One contract for every file system that runs are kept on.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { CheckpointError } from "../core/errors.ts";
import { encodeCheckpoint } from "./checkpoint.ts";
import type { Files } from "./files.ts";
import { memoryFiles } from "./memory-files.ts";
import { nodeFiles } from "./node-files.ts";
import { opfsFiles } from "./opfs-files.ts";
import { type CheckpointStore, openStore } from "./store.ts";
import { type FakeOptions, fakeOpfs } from "./testing/fake-opfs.ts";
import { sampleCheckpoint } from "./testing/sample-checkpoint.ts";

const onDisk = async () => nodeFiles(await mkdtemp(join(tmpdir(), "store-")));
const inBrowser = (options: FakeOptions) => async () => opfsFiles(fakeOpfs(options));

const kinds: [string, () => Promise<Files>][] = [
  ["files on disk", onDisk],
  ["OPFS in a worker", inBrowser({ sync: true, move: true })],
  ["OPFS without synchronous handles", inBrowser({ sync: false, move: true })],
  ["memory", async () => memoryFiles()],
  ["OPFS without move", inBrowser({ sync: true, move: false })],
];

const bytesOf = (update: number) => encodeCheckpoint(sampleCheckpoint({ update, runId: "a" }));

describe.each(kinds)("a store on %s", (_, open) => {
  let files: Files;
  let store: CheckpointStore;
  beforeEach(async () => {
    files = await open();
    store = openStore(files);
  });
  const save = async (update: number) => store.save("a", update, await bytesOf(update));
  const damage = async (update: number) => {
    const bytes = await bytesOf(update);
    bytes[bytes.length - 1]! ^= 1;
    await store.save("a", update, bytes);
  };

  test("is empty at first", async () => {
    expect(await store.runs()).toEqual([]);
    expect(await store.list("a")).toEqual([]);
    expect(await store.loadLatestGood("a")).toBeNull();
    expect(await store.describe("a")).toBeNull();
    expect(await store.loadEvents("a")).toEqual([]);
  });

  test("gives the newest checkpoint back", async () => {
    await save(2);
    const entry = await save(10);
    const good = await store.loadLatestGood("a");
    expect(good).toMatchObject({ entry, skipped: [] });
    expect(good!.checkpoint.meta.update).toBe(10);
    expect(good!.checkpoint.tensors.get("param.embed")!.data[3]).toBe(10);
    expect((await store.describe("a"))!.meta).toEqual(good!.checkpoint.meta);
  });

  test("keeps the last three of a run", async () => {
    for (const update of [5, 10, 15, 20, 100]) await save(update);
    expect((await store.list("a")).map((entry) => entry.update)).toEqual([100, 20, 15]);
  });

  test("saving an update again replaces it", async () => {
    await damage(4);
    await save(4);
    expect(await store.list("a")).toHaveLength(1);
    expect((await store.loadLatestGood("a"))!.skipped).toEqual([]);
  });

  test("falls back to the checkpoint before a damaged one, and says so", async () => {
    await save(10);
    await damage(20);
    await damage(30);
    const good = await store.loadLatestGood("a");
    expect(good!.checkpoint.meta.update).toBe(10);
    expect(good!.skipped.map((error) => [error.code, error.message.split(" ")[0]])).toEqual([
      ["corrupt", "update-000030.safetensors"],
      ["corrupt", "update-000020.safetensors"],
    ]);
  });

  test("throws when every checkpoint is bad, rather than start from nothing", async () => {
    await damage(20);
    await expect(store.loadLatestGood("a")).rejects.toThrow(CheckpointError);
  });

  test("a part that a crash left behind is no checkpoint", async () => {
    await save(10);
    await files.append("a/checkpoints/update-000020.safetensors.part", Uint8Array.of(1, 2, 3));
    expect((await store.list("a")).map((entry) => entry.update)).toEqual([10]);
  });

  test("the description skips a checkpoint whose header is cut off", async () => {
    await save(10);
    await store.save("a", 20, (await bytesOf(20)).slice(0, 40));
    expect((await store.describe("a"))!.meta.update).toBe(10);
  });

  test("loads one checkpoint by name", async () => {
    const { name } = await save(10);
    expect(await store.load("a", name)).toEqual(await bytesOf(10));
    await expect(store.load("a", "update-000011.safetensors")).rejects.toMatchObject({ code: "not_found" });
  });

  test("events come back in order, over several appends", async () => {
    await store.appendEvents("a", [{ n: 1 }, { n: 2 }]);
    await store.appendEvents("a", []);
    await store.appendEvents("a", [{ n: 3, text: "ä\n" }]);
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }, { n: 2 }, { n: 3, text: "ä\n" }]);
  });

  test("events are replaced by others, and go on after them", async () => {
    await store.appendEvents("a", [{ n: 1 }, { n: 2 }]);
    await store.replaceEvents("a", [{ n: 1 }]);
    await store.appendEvents("a", [{ n: 3 }]);
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test("half an event at the end is dropped", async () => {
    await store.appendEvents("a", [{ n: 1 }]);
    await files.append("a/events.jsonl", new TextEncoder().encode('{"n":'));
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }]);
  });

  test("keeps the trajectories written last", async () => {
    expect(await store.loadTrajectories("a")).toEqual([]);
    await store.saveTrajectories("a", [{ id: "t1" }, { id: "t2" }]);
    const kept = [{ id: "t3", ids: Int32Array.of(1, 2), image: new Uint8ClampedArray([7]) }];
    await store.saveTrajectories("a", kept);
    expect(await store.loadTrajectories("a")).toEqual(kept);
    await store.discard("a");
    expect(await store.loadTrajectories("a")).toEqual([]);
  });

  test("keeps texts beside a run, and forgets them with it", async () => {
    expect(await store.loadText("a", "verdicts.jsonl")).toBeNull();
    expect(await store.hasText("a", "verdicts.jsonl")).toBe(false);
    await store.appendText("a", "verdicts.jsonl", "eins\n");
    await store.appendText("a", "verdicts.jsonl", "zwölf\n");
    expect(await store.loadText("a", "verdicts.jsonl")).toBe("eins\nzwölf\n");
    await store.saveText("a", "verdicts.jsonl", "");
    expect(await store.loadText("a", "verdicts.jsonl")).toBe("");
    expect(await store.hasText("a", "verdicts.jsonl")).toBe(true);
    await store.discard("a");
    expect(await store.hasText("a", "verdicts.jsonl")).toBe(false);
    expect(() => store.saveText("a", "../b", "")).toThrow(RangeError);
  });

  test("gives no trajectories rather than damaged ones", async () => {
    await store.saveTrajectories("a", [{ id: "t1" }]);
    await files.replace("a/trajectories.packed", Uint8Array.of(1, 2, 3));
    expect(await store.loadTrajectories("a")).toEqual([]);
    expect(await store.list("a")).toEqual([]);
  });

  test("lists runs, keeps them apart and forgets one", async () => {
    await save(1);
    await store.appendEvents("b", [{ n: 1 }]);
    expect(await store.runs()).toEqual(["a", "b"]);
    await store.discard("a");
    await store.discard("never there");
    expect(await store.runs()).toEqual(["b"]);
    expect(await store.list("a")).toEqual([]);
  });

  test.each(["", "..", "a/b", ".hidden"])("refuses the run id %j", async (runId) => {
    await expect(async () => store.save(runId, 1, await bytesOf(1))).rejects.toThrow(RangeError);
  });
});

describe("a crash while saving", () => {
  test.each([true, false])("leaves the previous checkpoint (synchronous handles: %s)", async (sync) => {
    const options: FakeOptions = { sync, move: true };
    const store = openStore(opfsFiles(fakeOpfs(options)));
    await store.save("a", 10, await bytesOf(10));
    options.failAfter = 100;
    await expect(store.save("a", 10, await bytesOf(10))).rejects.toThrow("full");
    await expect(store.save("a", 20, await bytesOf(20))).rejects.toThrow("full");
    const good = await store.loadLatestGood("a");
    expect(good).toMatchObject({ entry: { update: 10 }, skipped: [] });
  });
});
