import { mkdtemp, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inflateSync } from "node:zlib";
import { BinaryReader } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import type { TrainerEvent } from "../../training/events.ts";
import { main } from "../main.ts";
import type { SavedEpisode } from "../run-folder/saved-episodes.ts";
import { testIo } from "../testing/io.ts";
import { dumpFiles } from "./dumps.ts";
import { pngOf } from "./png.ts";
import { csvOf, loggedRows } from "./rows.ts";
import { eventFile, masked } from "./tensorboard.ts";

const validation = (temperature: number, successes: number) =>
  ({
    type: "validation",
    report: { update: 2, temperature, successes, episodes: 4, metrics: { "val/score/lake": 0.5 } },
  }) as unknown as TrainerEvent;
const history = [
  { type: "run_started", time: 1_700_000_000_000 },
  { type: "metrics", update: 1, wallMs: 1500, values: { "actor/loss": 0.25, "critic/loss": Number.NaN } },
  { type: "metrics", update: 2, wallMs: 4000, values: { "actor/loss": -1 } },
  validation(1, 1),
  validation(0, 2),
] as unknown as TrainerEvent[];
const rows = loggedRows(history);

test("a log has a row for each update and each half of a validation, without numbers that are none", () => {
  expect(rows).toEqual([
    { step: 1, seconds: 1_700_000_001.5, values: { "actor/loss": 0.25 } },
    { step: 2, seconds: 1_700_000_004, values: { "actor/loss": -1 } },
    { step: 2, seconds: 1_700_000_004, values: { "val/success": 0.25, "val/score/lake": 0.5 } },
    { step: 2, seconds: 1_700_000_004, values: { "greedy/val/success": 0.5, "greedy/val/score/lake": 0.5 } },
  ]);
});

test("Trackio's file has a line for each step, with step and timestamp first", () => {
  const [head, first, second] = csvOf(rows).split("\n");
  expect(head).toBe(
    "step,timestamp,actor/loss,val/success,val/score/lake,greedy/val/success,greedy/val/score/lake",
  );
  expect(first).toBe("1,2023-11-14T22:13:21.500Z,0.25,,,,");
  expect(second).toBe("2,2023-11-14T22:13:24.000Z,-1,0.25,0.5,0.5,0.5");
});

describe("TensorBoard's file", () => {
  test("has checksums of CRC-32C", () => {
    // The check value of the polynomial, 0xe3069283, rotated by 15 bits and offset.
    const crc = 0xe3069283;
    const expected = (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
    expect(masked(Buffer.from("123456789"))).toBe(expected);
  });

  /** The messages of a file; every checksum is verified. */
  function messagesOf(file: Buffer): Buffer[] {
    const messages: Buffer[] = [];
    for (let at = 0; at < file.length; ) {
      const length = Number(file.readBigUInt64LE(at));
      const data = file.subarray(at + 12, at + 12 + length);
      expect(file.readUInt32LE(at + 8)).toBe(masked(file.subarray(at, at + 8)));
      expect(file.readUInt32LE(at + 12 + length)).toBe(masked(data));
      messages.push(data);
      at += length + 16;
    }
    return messages;
  }

  /** Fields of a message by number. */
  function fields(data: Uint8Array): [number, unknown][] {
    const reader = new BinaryReader(data);
    const found: [number, unknown][] = [];
    while (reader.pos < reader.len) {
      const [field, wire] = reader.tag();
      const read = {
        0: () => reader.int64(),
        1: () => reader.double(),
        2: () => reader.bytes(),
        5: () => reader.float(),
      };
      found.push([field, read[wire as 0 | 1 | 2 | 5]()]);
    }
    return found;
  }

  test("begins with its version and has every number as a scalar", () => {
    const [version, ...events] = messagesOf(eventFile(rows));
    expect(Buffer.from(fields(version!)[1]![1] as Uint8Array).toString()).toBe("brain.Event:2");
    expect(events).toHaveLength(rows.length);
    const [time, step, summary] = fields(events[2]!);
    expect([time, [step![0], Number(step![1])]]).toEqual([
      [1, 1_700_000_004],
      [2, 2],
    ]);
    const scalars = fields(summary![1] as Uint8Array).map(([, value]) => {
      const [tag, number] = fields(value as Uint8Array);
      return [Buffer.from(tag![1] as Uint8Array).toString(), number![1]];
    });
    expect(scalars).toEqual([
      ["val/success", 0.25],
      ["val/score/lake", 0.5],
    ]);
  });
});

const frame = { width: 2, height: 3, data: Uint8ClampedArray.from({ length: 24 }, (_, i) => i * 10) };

test("a picture is a PNG with the same pixels", () => {
  const png = pngOf(frame);
  expect([...png.subarray(0, 8)]).toEqual([137, 80, 78, 71, 13, 10, 26, 10]);
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([2, 3]);
  const at = png.indexOf("IDAT");
  const rows = inflateSync(png.subarray(at + 4, at + 4 + png.readUInt32BE(at - 4)));
  const pixels = [0, 1, 2].flatMap((y) => [...rows.subarray(y * 9 + 1, y * 9 + 9)]);
  expect(pixels).toEqual([...frame.data]);
  // The well-known last chunk.
  expect(png.subarray(-12).toString("hex")).toBe("0000000049454e44ae426082");
});

test("episodes are dumped by update and split, with their pictures on request", () => {
  const turn = (text: string, reply: string) => ({
    observation: { text, images: [frame] },
    reply,
    reward: 0.5,
    before: {},
  });
  const episode = (source: string, update: number) =>
    ({
      source,
      update,
      id: `${source}-${update}`,
      turns: [turn("<image> look", "Up"), turn("moved", "Down")],
    }) as unknown as SavedEpisode;
  const episodes = [episode("train", 1), episode("train", 2), episode("validation", 2)];
  const files = dumpFiles(episodes, true);
  expect(files.map(({ path }) => path)).toEqual([
    "rollout_data/1.jsonl",
    "rollout_data/image_1/images_0/0.png",
    "rollout_data/image_1/images_0/1.png",
    "rollout_data/2.jsonl",
    "rollout_data/image_2/images_0/0.png",
    "rollout_data/image_2/images_0/1.png",
    "validation/2.jsonl",
    "validation/image_2/images_0/0.png",
    "validation/image_2/images_0/1.png",
  ]);
  expect(JSON.parse(String(files[0]!.content))).toEqual({
    input: "user\n<image> look\nassistant\n",
    output: "Up\nuser\nmoved\nassistant\nDown",
    gts: null,
    score: 1,
    step: 1,
    num_turns: 2,
    uid: "train-1",
  });
  expect(dumpFiles(episodes, false).map(({ path }) => path)).toEqual([
    "rollout_data/1.jsonl",
    "rollout_data/2.jsonl",
    "validation/2.jsonl",
  ]);
});

describe("the command", () => {
  const run = async (...argv: string[]) => {
    const io = testIo();
    const code = await main(["logs", ...argv], io);
    return { code, ...io.written };
  };
  test.each([
    [[], "folder of one run"],
    [["a", "b", "--as", "trackio"], "folder of one run"],
    [["a"], "needs --as"],
    [["a", "--as", "csv"], '--as is "csv"'],
    [["a", "--as", "trackio", "--images"], "--images has no effect"],
  ])("refuses %j", async (argv, words) => {
    const { code, err } = await run(...argv);
    expect(code).toBe(2);
    expect(err).toContain(words);
  });
  test("writes nothing for a folder without a log", async () => {
    const folder = await mkdtemp(join(tmpdir(), "vagen-"));
    const { code, err } = await run(folder, "--as", "tensorboard");
    expect(code).not.toBe(0);
    expect(err).toContain("has no log of a run");
    const episodes = await run(folder, "--as", "episodes");
    expect(episodes.code).not.toBe(0);
    expect(episodes.err).toContain(`${folder} has no episodes in trajectories.jsonl.`);
    expect(await readdir(folder)).toEqual([]);
  });
});
