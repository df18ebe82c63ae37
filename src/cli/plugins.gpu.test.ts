// --plugin on a real device: the example file trains, a run needs its plugins again, and one that fails ends it safely.
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installExtensions } from "../run/extensions.ts";
import { main } from "./main.ts";
import { testIo } from "./testing/io.ts";

// The other files of this process train without extensions.
afterAll(() => installExtensions([]));

const EXAMPLE = "docs/examples/extension.mjs";
const tiny = [
  "rollout.max_turns=2",
  "rollout.train_batch_size=4",
  "rollout.n_trajectory=2",
  "actor.ppo_mini_batch_size=4",
  "trainer.micro_batch_tokens=512",
  "sft.total_updates=1",
  "sft.one_turn_updates=1",
  "sft.train_batch_size=2",
  // By default the test at the end of SFT plays more episodes than the rest of the run.
  "sft.test_levels=2",
  "trainer.total_updates=1",
  "trainer.test_freq=0",
  "trainer.val_size=2",
  // The test at the end of SFT computes the levels of all of them.
  "trainer.train_seeds=1-500",
].flatMap((setting) => ["--set", setting]);
const folder = mkdtempSync(join(tmpdir(), "plugin-"));

async function cli(...argv: string[]) {
  const io = testIo();
  const code = await main(argv, io);
  return { code, out: io.written.out, err: io.written.err };
}
const train = (out: string, plugin: string, ...set: string[]) =>
  cli(
    "train",
    ...["--preset", "frozenlake-nano", "--scratch", "--out", out, "--plugin", plugin, ...tiny],
    ...set.flatMap((setting) => ["--set", setting]),
  );

test("the example trains, is kept with its run, and is needed to go on and to evaluate", async () => {
  const out = join(folder, "example");
  const settings = [
    "algorithm.adv_estimator=reward_to_go",
    "algorithm.filter=unsettled",
    "reward.weights.shorter=0.1",
  ];
  const trained = await train(out, EXAMPLE, ...settings);
  expect(trained.err).not.toContain("failed");
  expect(trained.code).toBe(0);
  const lines = (await readFile(join(out, "metrics.jsonl"), "utf8"))
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const ppo = lines.at(-1);
  expect(ppo.stage).toBe("ppo");
  expect(ppo["custom_metrics/train/words_per_reply"]).toBeGreaterThan(0);
  expect(ppo["reward/shorter"]).toBeGreaterThan(0);
  expect(ppo["filter/train/unsettled/unsettled_levels"]).toBeGreaterThanOrEqual(0);
  const copy = join(out, "plugins", "extension.mjs");
  expect(readFileSync(copy, "utf8")).toBe(readFileSync(EXAMPLE, "utf8"));

  for (const command of [
    ["train", "--resume", out, "--updates", "2"],
    ["eval", "--checkpoint", out, "--seeds", "10001-10002"],
  ]) {
    const without = await cli(...command);
    expect(without.code).toBe(1);
    expect(without.err).toContain(
      "The run was made with the extension extension.mjs (estimator reward_to_go",
    );
    expect(without.err).toContain(`--plugin ${copy}`);
  }
  const changed = join(folder, "extension.mjs");
  writeFileSync(changed, `${readFileSync(EXAMPLE, "utf8")}\n`);
  const other = await cli("train", "--resume", out, "--updates", "2", "--plugin", changed);
  expect([other.code, other.err]).toEqual([
    1,
    expect.stringContaining("is not the one that the run was made with"),
  ]);

  expect((await cli("train", "--resume", out, "--updates", "2", "--plugin", copy)).code).toBe(0);
  expect((await readdir(join(out, "checkpoints"))).at(-1)).toBe("update-000003.safetensors");
}, 300_000);

test("an estimator that gives NaN ends the run with its last good checkpoint", async () => {
  const [out, plugin] = [join(folder, "nan"), join(folder, "nan.mjs")];
  const text = `export default ({ estimator }) => {
    let calls = 0;
    estimator({ id: "broken", estimate: ({ rewards }) => {
      const numbers = Float64Array.from(rewards, () => 0.5);
      if (++calls === 3) numbers[4] = 0 / 0;
      return { advantages: numbers, returns: numbers };
    } });
  };`;
  writeFileSync(plugin, text);
  const { code, err } = await train(out, plugin, "algorithm.adv_estimator=broken", "trainer.total_updates=3");
  expect(code).toBe(1);
  expect(err).toContain('The estimator "broken" returned NaN as advantages[4]; it must be a finite number.');
  // The same text would fail at the same place again.
  expect(err).toContain("Correct the extension and start a new run.");
  expect(err).not.toContain("--resume");
  // One update of SFT; the first of PPO is not on disk unless a minute had passed.
  expect(await readdir(join(out, "checkpoints"))).toContain("update-000001.safetensors");
}, 300_000);

test.each([
  ["environment", "key_door", 2],
  ["world", "puck", 4],
])("one's own %s trains, and is needed to evaluate", async (name, id, turns) => {
  const out = join(folder, name);
  const own = `docs/examples/${name}.mjs`;
  const settings = [
    ...[`env.name=${id}`, `rollout.max_turns=${turns}`, "rollout.response_length=80"],
    "trainer.micro_batch_tokens=1024",
    // Other words need other kernels, which compile sooner for fewer episodes and a smaller model.
    ...["rollout.train_batch_size=2", "actor.ppo_mini_batch_size=2"],
    ...["model.hidden_size=16", "model.num_hidden_layers=1", "model.intermediate_size=16"],
  ];
  const trained = await train(out, own, ...settings);
  expect(trained.err).not.toContain("failed");
  expect(trained.code).toBe(0);
  const evaluate = ["eval", "--checkpoint", out, "--seeds", "10001-10002", "--baselines", "--json"];
  await installExtensions([]);
  const without = await cli(...evaluate);
  expect(without.code).toBe(1);
  expect(without.err).toContain(`${name}.mjs (environment ${id}), which is not registered`);
  const results = JSON.parse((await cli(...evaluate, "--plugin", own)).out) as {
    policy: string;
    successes: number;
  }[];
  // Two turns are too few for some levels.
  expect(results.find(({ policy }) => policy === "Oracle")?.successes).toBeGreaterThan(0);
});
