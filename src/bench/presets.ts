// `npm run bench -- --presets <updates>`: how long an update of each preset takes on this device, and from that the time to a success
// of 0.74.
import { formatTable } from "../cli/format-progress.ts";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { getPreset } from "../config/presets.ts";
import { type PresetRun, presetRun } from "./preset-run.ts";
import { spread } from "./stats.ts";

/** Updates before the measurement: the first ones compile kernels. */
const UNTIMED = 2;
/** Success, sampled at temperature 1, that the time is projected to. */
const SUCCESS = 0.74;
/**
 * PPO updates up to the first validation with that success, in the runs that made the bundled policies (docs/results.md). FrozenLake
 * small played 128 episodes an update then; with 256 it is as good in fewer updates.
 */
const REACHED: Readonly<Record<string, number>> = {
  "frozenlake-nano": 10,
  "frozenlake-small": 20,
  "sokoban-nano": 20,
};

async function secondsPerUpdate(run: PresetRun, updates: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let update = 1; update <= UNTIMED + updates; update++) {
    const { "timing_s/step": step = Number.NaN } = await run.advance();
    if (update > UNTIMED) seconds.push(step);
  }
  return seconds;
}

function row(id: string, seconds: readonly number[], needed: number): string[] {
  const { median, low, high } = spread(seconds);
  const time = `${needed} updates, ${(needed * median).toFixed(0)} s`;
  return [id, median.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`, time];
}

/** Measures the presets in `REACHED` and prints a table. */
export async function presetsCommand(updates: number, print: (text: string) => void): Promise<number> {
  const { requestGpu } = await import("../cli/gpu.ts");
  const provider = await requestGpu();
  const rows: string[][] = [];
  for (const [id, needed] of Object.entries(REACHED)) {
    const config = applyChanges(getPreset(id).config, {
      "trainer.total_updates": UNTIMED + updates,
      "trainer.test_freq": 0,
      "trainer.val_size": 1,
    });
    const run = await presetRun(provider, id, checkedRunConfig(config));
    try {
      rows.push(row(id, await secondsPerUpdate(run, updates), needed));
    } finally {
      run.dispose();
    }
  }
  print(formatTable([["preset", "s per update", "quartiles", `to a success of ${SUCCESS}`], ...rows]));
  print("\nThe projection leaves out validations and the time before the first update.");
  return 0;
}
