import { type ChildProcess, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { encodeCheckpoint } from "../../persistence/checkpoint.ts";
import { nodeFiles } from "../../persistence/node-files.ts";
import { openStore } from "../../persistence/store.ts";
import { sampleCheckpoint } from "../../persistence/testing/sample-checkpoint.ts";
import { UsageError } from "../args.ts";
import { readCheckpoint } from "../checkpoint.ts";
import { main } from "../main.ts";
import { testIo } from "../testing/io.ts";
import { holdFolder, LOCK } from "./held-folder.ts";

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
});

/** A process that does nothing until it is ended. */
function otherProcess(): ChildProcess & { pid: number } {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  children.push(child);
  return child as ChildProcess & { pid: number };
}

/** Ends as a process does that can tidy nothing up. */
const kill9 = (child: ChildProcess) =>
  new Promise((ended) => {
    child.on("exit", ended);
    child.kill("SIGKILL");
  });

const newFolder = () => mkdtempSync(join(tmpdir(), "held-"));

/** Leaves the lock of another process in a folder. */
async function heldBy(pid: number, folder = newFolder()): Promise<string> {
  const held = await holdFolder(folder);
  const lock = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
  expect(lock.pid).toBe(process.pid);
  held.release();
  writeFileSync(join(folder, LOCK), JSON.stringify({ ...lock, pid }));
  return folder;
}

const cli = async (...argv: string[]) => {
  const io = testIo();
  const code = await main(argv, io);
  return { code, err: io.written.err };
};

describe("a folder that is held", () => {
  test("is refused to everybody else, by whatever path, until it is let go", async () => {
    const folder = newFolder();
    const held = await holdFolder(folder);
    const link = join(newFolder(), "link");
    symlinkSync(folder, link);
    for (const path of [folder, link]) await expect(holdFolder(path)).rejects.toThrow(UsageError);
    held.release();
    (await holdFolder(link)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("is refused by a message with folder, process and remedy", async () => {
    const { pid } = otherProcess();
    const folder = await heldBy(pid);
    await expect(holdFolder(folder)).rejects.toMatchObject({
      message: expect.stringMatching(`^${folder} is in use: process ${pid} .* writes to it`),
      hint: expect.stringMatching(`another --out.*delete ${join(folder, LOCK)}`),
    });
    expect(JSON.parse(readFileSync(join(folder, LOCK), "utf8")).pid).toBe(pid);
  });

  test("is let go when its process ends at once", async () => {
    const before = process.listeners("exit");
    const folder = newFolder();
    const held = await holdFolder(folder);
    const [onExit] = process.listeners("exit").filter((listener) => !before.includes(listener));
    onExit!(130);
    expect(readdirSync(folder)).toEqual([]);
    held.release();
    expect(process.listeners("exit")).toEqual(before);
  });

  test("is not released by a process that no longer holds it", async () => {
    const folder = newFolder();
    const held = await holdFolder(folder);
    const { pid } = otherProcess();
    const lock = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
    writeFileSync(join(folder, LOCK), JSON.stringify({ ...lock, pid }));
    held.release();
    expect(existsSync(join(folder, LOCK))).toBe(true);
  });
});

describe("a lock counts no more", () => {
  test("when its process was killed", async () => {
    const child = otherProcess();
    const folder = await heldBy(child.pid);
    await kill9(child);
    (await holdFolder(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  test("when a process before this one had its number", async () => {
    (await holdFolder(await heldBy(process.pid))).release();
  });

  test("in a copy of the folder", async () => {
    const folder = await heldBy(otherProcess().pid);
    const copy = join(newFolder(), "copy");
    cpSync(folder, copy, { recursive: true });
    (await holdFolder(copy)).release();
  });

  test("on another machine", async () => {
    const folder = await heldBy(otherProcess().pid);
    const lock = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
    writeFileSync(join(folder, LOCK), JSON.stringify({ ...lock, host: `not-${lock.host}` }));
    (await holdFolder(folder)).release();
  });

  test.each(["", '{"pid":'])("when it was cut off: %j", async (text) => {
    const folder = newFolder();
    writeFileSync(join(folder, LOCK), text);
    (await holdFolder(folder)).release();
    expect(readdirSync(folder)).toEqual([]);
  });
});

test("of two that find the remains of one lock at the same time, one has the folder", async () => {
  const dead = otherProcess();
  const folder = await heldBy(dead.pid);
  const lock = JSON.parse(readFileSync(join(folder, LOCK), "utf8"));
  await kill9(dead);
  const held = holdFolder(folder);
  expect(JSON.parse(readFileSync(join(folder, LOCK), "utf8")).pid).toBe(process.pid);
  // The other one takes our lock for the remains.
  const { pid } = otherProcess();
  writeFileSync(join(folder, LOCK), JSON.stringify({ ...lock, pid }));
  await expect(held).rejects.toThrow(`process ${pid} `);
  expect(existsSync(join(folder, LOCK))).toBe(true);
});

describe("what could not begin", () => {
  test("takes its folder away, and never one that was there", async () => {
    const parent = newFolder();
    const [fresh, old] = [join(parent, "a", "fresh"), join(parent, "old")];
    mkdirSync(old);
    writeFileSync(join(old, "notes.txt"), "mine");
    for (const path of [fresh, old]) {
      const held = await holdFolder(path);
      writeFileSync(join(path, "config.yaml"), "seed: 0");
      held.discardIfNew();
      held.release();
    }
    expect(readdirSync(parent)).toEqual(["old"]);
    expect(readdirSync(old).sort()).toEqual(["config.yaml", "notes.txt"]);
  });

  test("leaves no empty folder, and none that has something in it goes", async () => {
    const parent = newFolder();
    const empty = await holdFolder(join(parent, "a", "empty"));
    const full = await holdFolder(join(parent, "full"));
    writeFileSync(join(parent, "full", "config.yaml"), "seed: 0");
    empty.release();
    full.release();
    expect(readdirSync(parent)).toEqual(["full"]);
    expect(readdirSync(join(parent, "full"))).toEqual(["config.yaml"]);
  });
});

describe("while a run trains into a folder", () => {
  /** A run that another process goes on with. */
  async function training() {
    const { pid } = otherProcess();
    const out = join(newFolder(), "run");
    const checkpoint = await encodeCheckpoint(sampleCheckpoint({ update: 7 }));
    await openStore(nodeFiles(join(out, ".."))).save("run", 7, checkpoint);
    return { pid, out: await heldBy(pid, out) };
  }

  test("no other is begun or gone on with there", async () => {
    const { pid, out } = await training();
    const checkpoint = join(out, "checkpoints", "update-000007.safetensors");
    for (const argv of [
      ["--preset", "frozenlake-nano", "--out", out],
      ["--resume", out],
      ["--resume", checkpoint],
    ]) {
      const { code, err } = await cli("train", ...argv);
      expect([code, err]).toEqual([2, expect.stringContaining(`${out} is in use: process ${pid} `)]);
    }
  });

  test("no ablation begins there, and none that trains it", async () => {
    const { pid, out } = await training();
    const { code, err } = await cli("ablate", "--methods", "grpo", "--formats", "none", "--out", out);
    expect([code, err]).toEqual([2, expect.stringContaining(`${out} is in use: process ${pid} `)]);
    expect(existsSync(join(out, "runs"))).toBe(false);
  });

  test("it can be read", async () => {
    const { out } = await training();
    expect((await readCheckpoint(out, "--checkpoint")).meta.update).toBe(7);
  });
});

test("a command whose policy is not there makes no folder", async () => {
  const out = join(newFolder(), "new");
  for (const more of [
    ["eval", "--dump", out],
    ["record", "--seed", "1", "--out", join(out, "episode.json")],
  ])
    expect(await cli(...more, "--checkpoint", "none")).toMatchObject({
      err: expect.stringContaining("no such"),
    });
  expect(existsSync(out)).toBe(false);
});

test("a run that cannot be gone on with leaves neither lock nor folder", async () => {
  const parent = newFolder();
  const there = join(parent, "there");
  mkdirSync(there);
  for (const [out, why] of [
    [join(parent, "nowhere"), "does not exist"],
    [there, "holds no checkpoint"],
    ["package.json", "holds no checkpoint"],
  ] as const)
    expect(await cli("train", "--resume", out)).toEqual({
      code: 2,
      err: expect.stringContaining(`${out} ${why}`),
    });
  expect(readdirSync(parent)).toEqual(["there"]);
  expect(readdirSync(there)).toEqual([]);
});
