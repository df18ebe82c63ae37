import { expect, test } from "vitest";
import { ConfigError } from "../core/errors.ts";
import { fuzz, type Target } from "./fuzz.ts";
import { fuzzers } from "./index.ts";

const RUNS: Readonly<Record<string, number>> = {
  ...{ replies: 200, configs: 40, vagen: 25, checkpoints: 80, houses: 100, extensions: 60, folders: 30 },
};
/** Milliseconds of the processor for one input. */
const SLOW_MS = 2000;

test.each(Object.entries(fuzzers))(
  "%s: named errors only",
  async (name, fuzzer) => {
    const { crashes, slowest, accepted, refused, runs } = await fuzzer(1, RUNS[name]!);
    expect(crashes).toEqual([]);
    expect(accepted + refused).toBe(runs);
    expect(slowest!.ms).toBeLessThan(SLOW_MS);
  },
  120_000,
);

const target: Target<number> = {
  name: "numbers",
  make: (random) => random.int(3),
  read(input) {
    if (input === 1) throw new ConfigError("invalid_config", "one");
    if (input === 2) throw new TypeError("two");
  },
  show: String,
};

test("inputs are accepted, refused or crash, and are the same again", async () => {
  const report = await fuzz(target, 5, 60);
  const { accepted, refused, crashes } = report;
  expect([accepted > 0, refused > 0, accepted + refused + crashes.length]).toEqual([true, true, 60]);
  expect(crashes[0]).toMatchObject({ input: "2", error: expect.stringContaining("TypeError: two") });
  const { index } = crashes[0]!;
  const again = await fuzz(target, 5, 1, index);
  expect(again.crashes).toMatchObject([{ index, input: "2" }]);
});
