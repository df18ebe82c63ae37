// What becomes of an ablation when one of its runs does not end well, on a real device.
import { mkdtempSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { installExtensions } from "../../run/extensions.ts";
import { main } from "../main.ts";
import { testIo } from "../testing/io.ts";

// The other files of this process train without extensions.
afterAll(() => installExtensions([]));

const settings = [
  "sft.total_updates=1",
  "sft.one_turn_updates=0",
  "sft.train_batch_size=2",
  // By default the test at the end of SFT plays more episodes than the rest of the run.
  "sft.test_levels=2",
  "trainer.test_freq=0",
  "trainer.val_size=2",
  "rollout.max_turns=2",
  "rollout.train_batch_size=2",
  "actor.ppo_mini_batch_size=1",
  "trainer.micro_batch_tokens=512",
  "algorithm.whiten_advantages=false",
  "algorithm.adv_estimator=own",
].flatMap((setting) => ["--set", setting]);

/** Two seeds with an estimator whose function has this body. */
async function ablate(body: string) {
  const folder = mkdtempSync(join(tmpdir(), "ablate-"));
  const [plugin, out] = [join(folder, "own.mjs"), join(folder, "out")];
  writeFileSync(
    plugin,
    `export default ({ estimator }) => estimator({ id: "own", estimate: ({ rewards }) => { ${body} } });`,
  );
  const io = testIo();
  const rows = ["--methods", "vagen-base", "--formats", "none", "--seeds", "2", "--updates", "4"];
  const code = await main(["ablate", ...rows, "--plugin", plugin, "--out", out, ...settings], io);
  return { code, out, printed: io.written.out, err: io.written.err };
}

test("a run that diverges is reported, and the ablation goes on", async () => {
  const { code, err, printed } = await ablate(
    // The returns stay finite: SFT learns from them.
    "return { advantages: Float64Array.from(rewards, () => 1e30), returns: new Float64Array(rewards.length) };",
  );
  expect(err).toContain("VAGEN-Base, grounding_worldmodeling, seed 0 has diverged; the ablation continues");
  expect(err).toContain("2 of 2");
  expect(code).toBe(0);
  expect(printed).toContain("- VAGEN-Base, seed 0: diverged, last validated after update 0 of 4.");
  expect(printed).toContain("- VAGEN-Base, seed 1: diverged,");
}, 300_000);

test("a run that fails otherwise ends the ablation, which says how to go on", async () => {
  const { code, out, err } = await ablate('throw new Error("no such luck");');
  expect(code).toBe(1);
  expect(err).toContain("no such luck");
  expect(err).toContain("The ablation ends here. After the cause is fixed, the same command continues:");
  expect(err).toContain(`--out ${out}`);
  expect(err).not.toContain("2 of 2");
  expect(await readdir(join(out, "runs"))).not.toContain("vagen-base-grounding_worldmodeling-seed1");
}, 300_000);
