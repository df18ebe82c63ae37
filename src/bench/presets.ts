// `npm run bench -- --presets <updates>`: how long an update of each preset takes on this device, and from that the time to a success
// of 0.74.
import { formatTable } from "../cli/format-progress.ts";
import { applyChanges } from "../config/changes.ts";
import { checkedRunConfig } from "../config/check.ts";
import { getPreset, presets } from "../config/presets.ts";
import { type PresetRun, presetRun } from "./preset-run.ts";
import { spread } from "./stats.ts";

/** Updates before the first that is timed: the first ones compile kernels. */
const UNTIMED = 2;
/** Success, sampled at temperature 1, that the time is projected to. */
const SUCCESS = 0.74;

/** A recorded run of a preset. */
interface Recorded {
  /** PPO updates up to its first validation with `SUCCESS`, which it may have had earlier; 0 if it began with it. */
  readonly updates: number;
  /** Episodes that an update played: with another number the preset needs another number of updates. */
  readonly episodes: number;
}

/** From the validations on seeds 10001 to 10256 of the runs in docs/results.md; seeds 0 to 2 of a preset agree where they were kept. */
export const RECORDED: Readonly<Record<string, Recorded>> = {
  "frozenlake-nano": { updates: 10, episodes: 128 },
  "frozenlake-small": { updates: 10, episodes: 256 },
  "sokoban-nano": { updates: 20, episodes: 128 },
  "sokoban-recipe-nano": { updates: 20, episodes: 128 },
  "sokoban-small": { updates: 0, episodes: 128 },
  "sokoban-long-small": { updates: 0, episodes: 256 },
};

/** The presets of FrozenLake and Sokoban, the tasks whose goal is that success. */
const listed = (): string[] =>
  presets.all
    .filter(({ config }) => ["frozenlake", "sokoban"].includes(config.env.name))
    .filter(({ config }) => Object.keys(config.envs).length === 0)
    .map(({ id }) => id);

async function secondsPerUpdate(run: PresetRun, updates: number): Promise<number[]> {
  const seconds: number[] = [];
  for (let update = 1; update <= UNTIMED + updates; update++) {
    const { "timing_s/step": step = Number.NaN } = await run.advance();
    if (update > UNTIMED) seconds.push(step);
  }
  return seconds;
}

/** Trains a preset for some updates and says how many seconds each took. */
async function timePreset(provider: GPU, id: string, updates: number): Promise<number[]> {
  const config = applyChanges(getPreset(id).config, {
    "trainer.total_updates": UNTIMED + updates,
    "trainer.test_freq": 0,
    "trainer.val_size": 1,
  });
  const run = await presetRun(provider, id, checkedRunConfig(config));
  try {
    return await secondsPerUpdate(run, updates);
  } finally {
    run.dispose();
  }
}

function projection(id: string, median: number): string {
  const { updates } = RECORDED[id]!;
  return updates === 0 ? "at the start" : `at most ${updates} updates, ${(updates * median).toFixed(0)} s`;
}

function row(id: string, seconds: readonly number[] | undefined): string[] {
  if (!seconds) return [id, "–", "–", "not measured"];
  const { median, low, high } = spread(seconds);
  return [id, median.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`, projection(id, median)];
}

/**
 * Every preset of FrozenLake and Sokoban as a row of a table.
 * @param seconds of single updates on this device, by preset; those without a recorded run have none
 */
export function presetTable(seconds: ReadonlyMap<string, readonly number[]>): string {
  const rows = listed().map((id) => row(id, seconds.get(id)));
  return formatTable([["preset", "s per update", "quartiles", `to a success of ${SUCCESS}`], ...rows]);
}

/** Times the presets in `RECORDED` and prints a table. */
export async function presetsCommand(updates: number, print: (text: string) => void): Promise<number> {
  const { requestGpu } = await import("../cli/gpu.ts");
  const provider = await requestGpu();
  const seconds = new Map<string, readonly number[]>();
  for (const id of Object.keys(RECORDED)) seconds.set(id, await timePreset(provider, id, updates));
  print(presetTable(seconds));
  print(
    "\nThe updates are those after which a recorded run was first validated with that success; it may have had it earlier. " +
      "The time leaves out validations and what comes before the first update.",
  );
  return 0;
}
