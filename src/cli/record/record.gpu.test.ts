// A recording is made again: the same policy plays the same episode.
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withNewNames } from "../../config/renamed.ts";
import { decodeReplay } from "../../replay/codec.ts";
import type { Replay } from "../../replay/replay.ts";
import { main } from "../main.ts";
import { testIo } from "../testing/io.ts";

const read = (file: string): Replay => decodeReplay(JSON.parse(readFileSync(file, "utf8")));

test("record writes the episode that ships with the studio", async () => {
  const id = "frozenlake-10079-early";
  const out = join(mkdtempSync(join(tmpdir(), "record-")), `${id}.json`);
  const args = [
    "--checkpoint",
    "public/checkpoints/case-studies/frozenlake-nano-short.safetensors",
    "--seed",
    "10079",
    "--out",
    out,
  ];
  const io = testIo();
  expect(await main(["record", ...args], io), io.written.err).toBe(0);
  const [again, bundled] = [read(out), read(`public/replays/${id}.json`)];
  // A recording may be older than some settings, whose defaults keep what it shows.
  expect(again.trajectory.turns).toMatchObject(bundled.trajectory.turns);
  expect(again.config).toMatchObject(withNewNames(bundled.config) as object);
  expect(again.provenance).toMatchObject({ update: 0, temperature: 1 });
  // Another adapter rounds differently.
  expect(again.provenance.success.rate).toBeCloseTo(bundled.provenance.success.rate, 1);
  const [tokens, expected] = [again.trajectory.tokens, bundled.trajectory.tokens];
  expect(tokens.ids).toEqual(expected.ids);
  for (const name of ["values", "advantages", "returns", "entropy", "rolloutLogprobs"] as const) {
    const errors = Array.from(tokens[name], (x, t) => Math.abs(x - expected[name][t]!));
    expect(Math.max(...errors), name).toBeLessThan(1e-3);
  }
});
