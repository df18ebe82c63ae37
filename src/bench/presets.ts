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

/** From the validations of the runs in docs/benchmarks.md, of several tasks the update after which each has that success. */
export const RECORDED: Readonly<Record<string, Recorded>> = {
  "frozenlake-nano": { updates: 10, episodes: 128 },
  "frozenlake-small": { updates: 10, episodes: 256 },
  "sokoban-nano": { updates: 20, episodes: 128 },
  "sokoban-recipe-nano": { updates: 20, episodes: 128 },
  "sokoban-small": { updates: 0, episodes: 128 },
  "sokoban-long-small": { updates: 0, episodes: 256 },
  "frozenlake-base": { updates: 100, episodes: 128 },
  "visual-math-nano": { updates: 80, episodes: 32 },
  "visual-math-areal-nano": { updates: 80, episodes: 32 },
  "primitive-skill-small": { updates: 11, episodes: 128 },
  "primitive-skill-nano": { updates: 40, episodes: 128 },
  "spatial-gym-map-small": { updates: 30, episodes: 256 },
  "three-tasks-small": { updates: 60, episodes: 128 },
};

const NO_RUN = "no run was recorded to the end";

/** Why no recorded run of a preset has `SUCCESS`; success is sampled. */
export const REASONS: Readonly<Record<string, string>> = {
  "frozenlake-large": NO_RUN,
  "frozenlake-critic-small": NO_RUN,
  "sokoban-base": NO_RUN,
  "navigation-small": "not reached: 0.63 after 280 updates",
  "navigation-base": NO_RUN,
  "navigation-text-nano": "not reached: 0.66 after 60 updates",
  "navigation-text-small": "not reached: 0.53 after 150 updates",
  "primitive-skill-base": NO_RUN,
  "svg-small": "not reached: 0.59 after 50 updates",
  "svg-nano": "not reached: 0.53 after 60 updates",
  "svg-base": NO_RUN,
  "spatial-gym-small": "not reached: 0.738 after 30 updates",
  "spatial-gym-text-nano": "not reached: 0.65 after 60 updates",
  "spatial-gym-rooms-text-nano": "not reached: 0.56 after 60 updates",
  "spatial-gym-base": NO_RUN,
  "blackjack-nano": "out of reach: the best play wins 0.43 of the hands",
};

/** A preset without a policy to start from first has its SFT, and its updates of PPO cannot be timed without it. */
const isTimed = (id: string): boolean => getPreset(id).config.trainer.init_checkpoint !== "";

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

function projection({ updates }: Recorded, median: number): string {
  return updates === 0 ? "at the start" : `at most ${updates} updates, ${(updates * median).toFixed(0)} s`;
}

function row(id: string, seconds: readonly number[] | undefined): string[] {
  const recorded = RECORDED[id];
  if (!recorded) return [id, "–", "–", REASONS[id] ?? NO_RUN];
  if (!seconds) return [id, "–", "–", `at most ${recorded.updates} updates after SFT, not timed`];
  const { median, low, high } = spread(seconds);
  return [id, median.toFixed(2), `${low.toFixed(2)}–${high.toFixed(2)}`, projection(recorded, median)];
}

/**
 * Every preset as a row of a table.
 * @param seconds of single updates on this device, by preset; those that are not timed have none
 */
export function presetTable(seconds: ReadonlyMap<string, readonly number[]>): string {
  const rows = presets.ids.map((id) => row(id, seconds.get(id)));
  return formatTable([["preset", "s per update", "quartiles", `to a success of ${SUCCESS}`], ...rows]);
}

/** The presets that are timed: those with a recorded run and a policy to start from. */
export const timedPresets = (): string[] => Object.keys(RECORDED).filter(isTimed);

/** Times presets and prints a table of all. */
export async function presetsCommand(updates: number, print: (text: string) => void): Promise<number> {
  const { requestGpu } = await import("../cli/gpu.ts");
  const provider = await requestGpu();
  const seconds = new Map<string, readonly number[]>();
  for (const id of timedPresets()) seconds.set(id, await timePreset(provider, id, updates));
  print(presetTable(seconds));
  print(
    "\nThe updates are those after which a recorded run was first validated with that success; it may have had it earlier. " +
      "The time leaves out validations and what comes before the first update. A preset is not timed where it has no SFT policy to start from.",
  );
  return 0;
}
