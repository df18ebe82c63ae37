// One contract for every file system that runs are kept on.
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { CheckpointError, StorageError } from "../core/errors.ts";
import { encodeCheckpoint } from "./checkpoint.ts";
import type { Files } from "./files.ts";
import { memoryFiles } from "./memory-files.ts";
import { nodeFiles } from "./node-files.ts";
import { opfsFiles } from "./opfs-files.ts";
import { type CheckpointStore, checkpointName, openStore } from "./store.ts";
import { type FakeOptions, fakeOpfs } from "./testing/fake-opfs.ts";
import { faultyFiles } from "./testing/faulty-files.ts";
import { sampleCheckpoint } from "./testing/sample-checkpoint.ts";

const onDisk = async () => nodeFiles(await mkdtemp(join(tmpdir(), "store-")));
const inBrowser = (options: FakeOptions) => async () => opfsFiles(fakeOpfs(options));

const kinds: [string, () => Promise<Files>][] = [
  ["files on disk", onDisk],
  ["OPFS in a worker", inBrowser({ move: true })],
  ["memory", async () => memoryFiles()],
  ["OPFS without move", inBrowser({ move: false })],
];

const badName = {
  name: "StorageError",
  code: "invalid_name",
  hint: expect.stringContaining("without slashes"),
};
const bytesOf = (update: number) => encodeCheckpoint(sampleCheckpoint({ update, runId: "a" }));

describe.each(kinds)("a store on %s", (_, open) => {
  let files: Files;
  let store: CheckpointStore;
  beforeEach(async () => {
    files = await open();
    store = openStore(files);
  });
  const save = async (update: number) => store.save("a", update, await bytesOf(update), 10);
  const damage = async (update: number) => {
    const bytes = await bytesOf(update);
    bytes[bytes.length - 1]! ^= 1;
    await store.save("a", update, bytes, 10);
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

  test.each([undefined, 50])(
    "keeps what was just saved when newer ones are damaged (milestones: %s)",
    async (every) => {
      await save(50);
      for (const update of [98, 99, 100])
        await files.write(`a/checkpoints/${checkpointName(update)}`, new Uint8Array(9));
      await store.save("a", 51, await bytesOf(51), every);
      expect((await store.loadLatestGood("a"))?.entry.update).toBe(51);
    },
  );

  test("keeps the newest two, two milestones and others of a run that is saved often", async () => {
    for (let update = 1; update <= 23; update++) await store.save("a", update, await bytesOf(update), 5);
    expect((await store.list("a")).map((entry) => entry.update)).toEqual([23, 22, 21, 20, 17, 15, 7, 1]);
    await store.removeAfter("a", 20);
    expect((await store.list("a")).map((entry) => entry.update)).toEqual([20, 17, 15, 7, 1]);
  });

  test("saving an update again replaces it", async () => {
    await damage(4);
    await save(4);
    expect(await store.list("a")).toHaveLength(1);
    expect((await store.loadLatestGood("a"))!.skipped).toEqual([]);
  });

  test("falls back to the checkpoint before a damaged one, and reports it", async () => {
    await save(10);
    await damage(25);
    await damage(30);
    const good = await store.loadLatestGood("a");
    expect(good!.checkpoint.meta.update).toBe(10);
    expect(good!.skipped.map((error) => [error.code, error.message.split(" ")[0]])).toEqual([
      ["corrupt", "update-000030.safetensors"],
      ["corrupt", "update-000025.safetensors"],
    ]);
  });

  test("falls back to the checkpoint before one with a NaN", async () => {
    await save(10);
    const sample = sampleCheckpoint({ update: 20, runId: "a" });
    sample.tensors.get("param.head")!.data[0] = Number.NaN;
    await store.save("a", 20, await encodeCheckpoint(sample));
    const good = await store.loadLatestGood("a");
    expect(good!.checkpoint.meta.update).toBe(10);
    expect(good!.skipped.map(({ code }) => code)).toEqual(["non_finite"]);
  });

  test("throws when every checkpoint is bad, rather than start from nothing", async () => {
    await damage(20);
    await expect(store.loadLatestGood("a")).rejects.toThrow(CheckpointError);
  });

  test("an incomplete file left by a crash is not a checkpoint, and the next save removes it", async () => {
    await save(10);
    await files.append("a/checkpoints/update-000020.safetensors.part", Uint8Array.of(1, 2, 3));
    expect((await store.list("a")).map((entry) => entry.update)).toEqual([10]);
    await save(30);
    expect((await files.list("a/checkpoints")).sort()).toEqual([
      "update-000010.safetensors",
      "update-000030.safetensors",
    ]);
  });

  test("describe() skips a checkpoint with a truncated header", async () => {
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

  test("events are replaced, and later ones are appended", async () => {
    await store.appendEvents("a", [{ n: 1 }, { n: 2 }]);
    await store.replaceEvents("a", [{ n: 1 }]);
    await store.appendEvents("a", [{ n: 3 }]);
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }, { n: 3 }]);
  });

  test("an incomplete event at the end is dropped", async () => {
    await store.appendEvents("a", [{ n: 1 }]);
    await files.append("a/events.jsonl", new TextEncoder().encode('{"n":'));
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }]);
  });

  test("lines after an incomplete line are kept", async () => {
    await store.appendEvents("a", [{ n: 1 }]);
    await files.append("a/events.jsonl", new TextEncoder().encode('{"n":'));
    await store.appendEvents("a", [{ n: 3 }, { n: 4 }]);
    expect(await store.loadEvents("a")).toEqual([{ n: 1 }, { n: 3 }, { n: 4 }]);
  });

  test("a file is read from any byte, and appended after any byte", async () => {
    await files.write("a/x", Uint8Array.of(1, 2, 3, 4));
    expect(await files.read("a/x", 3, 1)).toEqual(Uint8Array.of(2, 3));
    expect(await files.read("a/x", undefined, 3)).toEqual(Uint8Array.of(4));
    await files.append("a/x", Uint8Array.of(9), 2);
    await files.append("a/x", Uint8Array.of(8));
    expect(await files.read("a/x")).toEqual(Uint8Array.of(1, 2, 9, 8));
    await files.write("a/y", Uint8Array.of(5));
    await files.move("a/y", "a/x");
    expect(await files.read("a/x")).toEqual(Uint8Array.of(5));
    expect(await files.list("a")).toEqual(["x"]);
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

  test("stores texts with a run, and deletes them with it", async () => {
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
    await expect(async () => store.saveText("a", "../b", "")).rejects.toMatchObject(badName);
  });

  test("gives no trajectories rather than damaged ones", async () => {
    await store.saveTrajectories("a", [{ id: "t1" }]);
    await files.write("a/trajectories.packed", Uint8Array.of(1, 2, 3));
    expect(await store.loadTrajectories("a")).toEqual([]);
    expect(await store.list("a")).toEqual([]);
  });

  test("lists runs separately and deletes one", async () => {
    await save(1);
    await store.appendEvents("b", [{ n: 1 }]);
    expect(await store.runs()).toEqual(["a", "b"]);
    await store.discard("a");
    await store.discard("never there");
    expect(await store.runs()).toEqual(["b"]);
    expect(await store.list("a")).toEqual([]);
  });

  test.each(["", "..", "a/b", ".hidden"])("refuses the run id %j", async (runId) => {
    await expect(async () => store.save(runId, 1, await bytesOf(1))).rejects.toMatchObject(badName);
  });
});

describe("a crash while saving", () => {
  test("leaves the previous checkpoint", async () => {
    const options: FakeOptions = { move: true };
    const store = openStore(opfsFiles(fakeOpfs(options)));
    await store.save("a", 10, await bytesOf(10));
    options.failAfter = 100;
    const full = { name: "StorageError", code: "full", hint: expect.stringContaining("Free some space") };
    await expect(store.save("a", 10, await bytesOf(10))).rejects.toMatchObject(full);
    await expect(store.save("a", 20, await bytesOf(20))).rejects.toMatchObject(full);
    const good = await store.loadLatestGood("a");
    expect(good).toMatchObject({ entry: { update: 10 }, skipped: [] });
  });
});

describe("a browser that writes less than it was given", () => {
  test.each(["negative", "NaN"] as const)(
    "and returns a %s number: nothing is lost, and nothing half written stays",
    async (half) => {
      const options: FakeOptions = { move: true };
      const files = opfsFiles(fakeOpfs(options));
      const store = openStore(files);
      await store.save("a", 10, await bytesOf(10));
      await store.appendEvents("a", [{ n: 1 }]);
      options.half = half;
      await expect(store.save("a", 20, await bytesOf(20))).rejects.toThrow(StorageError);
      await expect(store.appendEvents("a", [{ n: 2 }, { n: 3 }])).rejects.toThrow(StorageError);
      expect(await store.loadLatestGood("a")).toMatchObject({ entry: { update: 10 }, skipped: [] });
      expect(await files.list("a/checkpoints")).toEqual(["update-000010.safetensors"]);
      delete options.half;
      await store.appendEvents("a", [{ n: 2 }, { n: 3 }]);
      expect(await store.loadEvents("a")).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
    },
  );

  test("is asked for the rest", async () => {
    const store = openStore(opfsFiles(fakeOpfs({ move: true, half: "short" })));
    await store.save("a", 10, await bytesOf(10));
    expect(await store.load("a", "update-000010.safetensors")).toEqual(await bytesOf(10));
  });
});

describe.each(["fail", "short", "lost", "full"] as const)(
  "a disk on which a write goes wrong (%s)",
  (fault) => {
    /** Tries a few times, as the next update would. */
    const again = async (work: () => Promise<unknown>) => {
      for (let tries = 1; ; tries++)
        try {
          return await work();
        } catch (error) {
          if (tries === 3) throw error;
        }
    };

    test("keeps a valid checkpoint after every write, and each line once", async () => {
      for (let at = 1; at <= 12; at++) {
        const memory = memoryFiles();
        const good = openStore(memory);
        await good.save("a", 1, await bytesOf(1));
        const store = openStore(faultyFiles(memory, { fault, at }));
        for (const update of [1, 2, 3, 4]) {
          await again(async () => {
            try {
              await store.save("a", update, await bytesOf(update));
            } finally {
              expect(await good.loadLatestGood("a")).toMatchObject({ skipped: [] });
            }
          });
          await again(() => store.appendEvents("a", [{ update }, { also: update }]));
        }
        expect((await good.loadLatestGood("a"))!.entry.update).toBe(4);
        const lines = [1, 2, 3, 4].flatMap((update) => [{ update }, { also: update }]);
        expect(await good.loadEvents("a")).toEqual(lines);
        expect((await memory.list("a/checkpoints")).filter((name) => name.endsWith(".part"))).toEqual([]);
      }
    });
  },
);

describe("a full disk", () => {
  test("removes older checkpoints to make room, but never the newest valid one", async () => {
    const memory = memoryFiles();
    const good = openStore(memory);
    for (const update of [1, 2]) await good.save("a", update, await bytesOf(update));
    const damaged = await bytesOf(3);
    damaged[damaged.length - 1]! ^= 1;
    await good.save("a", 3, damaged);
    // The first attempt finds no room, the second does.
    const once = openStore(faultyFiles(memory, { fault: "full", at: 1 }));
    await once.save("a", 4, await bytesOf(4));
    expect((await good.list("a")).map(({ update }) => update)).toEqual([4, 2]);
    const never = openStore(faultyFiles(memory, { fault: "full", at: 1, times: Number.POSITIVE_INFINITY }));
    for (const update of [4, 5]) {
      await expect(never.save("a", update, await bytesOf(update))).rejects.toMatchObject({ code: "full" });
      expect((await good.loadLatestGood("a"))!.entry.update).toBe(4);
    }
  });
});
