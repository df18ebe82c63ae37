import { mkdir, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { applyChanges } from "../../config/changes.ts";
import { checkedRunConfig } from "../../config/check.ts";
import { methods } from "../../config/methods.ts";
import { getPreset } from "../../config/presets.ts";
import { encodeCheckpoint } from "../../persistence/checkpoint.ts";
import { nodeFiles } from "../../persistence/node-files.ts";
import { openStore } from "../../persistence/store.ts";
import { sampleCheckpoint } from "../../persistence/testing/sample-checkpoint.ts";
import { extensionRecords, installExtensions } from "../../run/extensions.ts";
import { main } from "../main.ts";
import { testIo } from "../testing/io.ts";

const NAME = "grpo-grounding_worldmodeling-seed0";

async function ablate(out: string, ...argv: string[]) {
  const io = testIo();
  const rows = ["--methods", "grpo", "--formats", "none", "--seeds", "1"];
  const code = await main(["ablate", ...rows, "--out", out, ...argv], io);
  return { code, out: io.written.out, err: io.written.err };
}

test.each(["/proc/x", "/proc/x/y", import.meta.filename, join(import.meta.filename, "x")])(
  "--out %s, where no folder can be made, is refused by name",
  async (out) => {
    const { code, err } = await ablate(out);
    expect(code).toBe(2);
    expect(err).toMatch(/ cannot be written: .+\.\nGive another path with --out/);
  },
);

/** An ablation's folder with one run of so many updates, and the shares of 100 levels that it solved after some of them. */
async function trained(
  updates: number,
  solved: Readonly<Record<number, number>>,
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const out = await mkdtemp(join(tmpdir(), "ablate-"));
  const runs = join(out, "runs");
  const policy = join(runs, "warmup-grounding_worldmodeling-seed0", "warmup.safetensors");
  await mkdir(join(policy, ".."), { recursive: true });
  await writeFile(policy, "weights");
  const config = applyChanges(getPreset("frozenlake-nano").config, {
    ...methods.get("grpo").changes,
    "trainer.total_updates": updates,
    "trainer.init_checkpoint": policy,
    ...changes,
  });
  const sample = sampleCheckpoint({
    update: updates,
    config,
    counters: { validatedUpdate: updates },
    extensions: extensionRecords(checkedRunConfig({})),
  });
  await openStore(nodeFiles(runs)).save(NAME, updates, await encodeCheckpoint(sample));
  const validations = Object.entries(solved).map(([update, successes]) => ({
    type: "validation",
    report: {
      ...{ update: Number(update), stage: "ppo", temperature: 1, interval: [0, 1] },
      ...{ episodes: 100, successes, metrics: {} },
    },
  }));
  await openStore(nodeFiles(runs)).appendEvents(NAME, validations);
  return out;
}

/** A rate that does not depend on the number of updates, unlike the preset's. */
const CONSTANT = ["--set", "actor.lr_schedule=constant"];
const constant = { "actor.lr_schedule": "constant" };

describe("the same ablation with another number of updates", () => {
  test("fewer: reports the longer run as it was then", async () => {
    const out = await trained(80, { 0: 20, 40: 50, 80: 90 }, constant);
    const { code, err } = await ablate(out, "--updates", "40", ...CONSTANT);
    expect([code, err]).toEqual([0, expect.stringContaining("it is reported as it was after update 40.")]);
    const report = await readFile(join(out, "report.md"), "utf8");
    expect(report).toContain("| GRPO with mask | 0.200 | **0.500** | – | 0.500 |");
    expect(report).not.toContain("ended early");
    expect(await readFile(join(out, "runs.csv"), "utf8")).not.toContain(",80,");
    await ablate(out, "--updates", "80", ...CONSTANT);
    expect(await readFile(join(out, "report.md"), "utf8")).toContain("| 0.200 | **0.900** |");
  });

  test("is refused where the longer run was not validated then", async () => {
    const out = await trained(80, { 0: 20, 40: 50, 80: 90 }, constant);
    const { code, err } = await ablate(out, "--updates", "50", ...CONSTANT);
    expect(code).toBe(2);
    expect(err).toContain("was trained for 80 updates and not validated after update 50.");
    expect(err).toContain(
      "Set --updates to an update after which it was validated (40, 80) or to more than 80,",
    );
  });

  test("is refused where the learning rate depends on it", async () => {
    const out = await trained(80, { 0: 20, 40: 50, 80: 90 }, { "actor.lr_schedule": "linear" });
    const { code, err } = await ablate(out, "--updates", "40", "--set", "actor.lr_schedule=linear");
    expect(code).toBe(2);
    expect(err).toContain(
      "was trained with trainer.total_updates 80, not 40; actor.lr_schedule linear falls over all of them.",
    );
  });
});

describe("--plugin", () => {
  const plugin = "docs/examples/extension.mjs";
  const own = ["--plugin", plugin, "--set", "algorithm.adv_estimator=reward_to_go", ...CONSTANT];
  const changes = { "algorithm.adv_estimator": "reward_to_go", ...constant };
  /** The run with the example was trained to its end. */
  async function withOwn(): Promise<string> {
    await installExtensions([{ name: "extension.mjs", source: await readFile(plugin, "utf8") }]);
    return trained(40, { 0: 20, 20: 30, 40: 50 }, changes);
  }

  test("gives every run an estimator of one's own", async () => {
    const { code, err } = await ablate(await withOwn(), "--updates", "20", ...own);
    expect([code, err]).toEqual([0, expect.stringContaining("it is reported as it was after update 20.")]);
  });

  test("is needed, text for text, to go on", async () => {
    const out = await withOwn();
    const other = join(await mkdtemp(join(tmpdir(), "plugin-")), "extension.mjs");
    await writeFile(other, `${await readFile(plugin, "utf8")}\n`);
    const changed = await ablate(out, "--updates", "20", ...own.with(1, other));
    expect([changed.code, changed.err]).toEqual([
      1,
      expect.stringContaining("extension.mjs is not the one that the run was made with"),
    ]);
    const without = await ablate(out, "--updates", "20");
    expect([without.code, without.err]).toEqual([
      1,
      expect.stringContaining("The run was made with the extension extension.mjs (estimator reward_to_go"),
    ]);
  });

  test("cannot put one estimator under the names of several methods", async () => {
    const { code, err } = await ablate("nowhere", ...own, "--methods", "grpo,vagen-base");
    expect(code).toBe(2);
    expect(err).toContain(
      "--set algorithm.adv_estimator was given; the methods grpo, vagen-base differ in it.",
    );
    expect(err).toContain("--methods grpo --formats none");
  });
});

test.each([
  ["trainer.total_updates=9", "--updates"],
  ["seed=3", "--seeds"],
  ["rollout.prompt_format=no_think", "--formats"],
  ["env.name=sokoban", "--env"],
])("--set %s would undo what an option decides", async (setting, option) => {
  const { code, err } = await ablate("nowhere", "--set", setting);
  expect([code, err]).toEqual([2, expect.stringContaining(`Use ${option}.`)]);
});

test.each([
  [["--vary", "seed=1,2"], "Use --seeds."],
  [["--vary", "rollout.prompt_format=no_think,free_think"], "Use --formats."],
  [["--vary", "actor.lr=1e-4,1e-3", "--set", "actor.lr=1e-4"], "--set and --vary both name actor.lr."],
  [["--vary", "actor.lr=1e-4,1e-3", "--formats", "no_think"], "--vary and --formats were both given."],
  [["--vary", "actor.lr=1e-4,1e-3", "--methods", "none"], "--methods is none, and --vary was given."],
  [
    ["--vary", "algorithm.adv_estimator=opo,rloo", "--methods", "grpo,vagen-base"],
    "--vary algorithm.adv_estimator was given; the methods grpo, vagen-base differ in it.",
  ],
  [["--vary", "actor.loss_mode=gspo,gpso"], "actor.loss_mode"],
  [["--vary", "judge.model=a,b"], "--vary judge.model has no effect under GRPO with mask."],
  [["--vary", "name=a b,c"], "--vary name has no effect under GRPO with mask. It describes a run."],
  [
    ["--vary", "critic.lr=1e-4,1e-3", "--methods", "vagen-base,grpo"],
    "--vary critic.lr has no effect under GRPO with mask.",
  ],
  [["--vary", "trainer.init_checkpoint=a,b"], "Use --from."],
  [["--vary", "trainer.val_temperature=0,1"], "The report has success at temperature 1"],
  [["--vary", "actor.lr=1,2", "--vary", "actor.clip_ratio=0.1,0.2"], "--vary was given twice"],
  [
    ["--vary", "actor.lr=1e-4,1e-3", "--set", "rollout.prompt_format=free_think"],
    "--vary and --set rollout.prompt_format were both given.",
  ],
])("%s is refused before any run begins", async (argv, message) => {
  const { code, err } = await ablate("nowhere", "--methods", "grpo", ...argv);
  expect(code).toBeGreaterThan(0);
  expect(err).toContain(message);
});

test("refuses a policy of another reply format before any run begins, and a policy that is not there", async () => {
  const out = await mkdtemp(join(tmpdir(), "ablate-"));
  // Bundled names are found from the bundled command line only.
  const policy = join(import.meta.dirname, "../../../public/checkpoints/frozenlake-nano-warmup.safetensors");
  const formats = ["--methods", "none", "--formats", "no_think"];
  const other = await ablate(out, "--from", policy, ...formats);
  expect(other.code).toBe(2);
  expect(other.err).toContain("replies as grounding_worldmodeling, and a row of the ablation as no_think");
  const run = join(out, "run");
  const store = openStore(nodeFiles(out));
  await store.save("run", 7, new Uint8Array(await readFile(policy)));
  expect(await ablate(out, "--from", run, ...formats)).toEqual(other);
  const missing = await ablate(out, "--from", "nothing");
  expect(missing.code).toBe(1);
  expect(missing.err).toContain('is "nothing"; there is no such checkpoint');
});
