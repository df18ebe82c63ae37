// The curves of the findings: mean success over seeds, from the tables of docs/results.md, and two runs of the alarms' tests.
import { readFileSync } from "node:fs";
import { mean } from "../../core/statistics.ts";
import type { Curve } from "../../replay/findings.ts";
import { rounded } from "../../replay/numbers.ts";

const KL = "docs/ablation-frozenlake-nano.csv";
const NO_KL = "docs/ablation-frozenlake-nano-no-kl.csv";
const GOLDEN = "src/rl/alarms/golden";
/** Updates that a point of a training curve is the mean of. */
const WINDOW = 20;

/** The file that holds them. */
export const CURVES_FILE = "src/replay/curves.json";

/** All curves by finding, with the runs in the order in which the findings name them. */
const findingCurves = (): Readonly<Record<string, readonly Curve[]>> => ({
  collapse: [
    validations(NO_KL, "vanilla-ppo", "grounding_worldmodeling"),
    validations(NO_KL, "vagen-base", "grounding_worldmodeling"),
  ],
  "no-think": [
    validations(KL, "vagen-base", "no_think"),
    validations(KL, "vagen-base", "grounding_worldmodeling"),
  ],
  "reward-hacking": [
    training("frozenlake-nano-paid-by-turn", "train/success/frozenlake"),
    training("frozenlake-nano", "train/success/frozenlake"),
  ],
  "base-full": [
    validations(KL, "vagen-base", "grounding_worldmodeling"),
    validations(KL, "vagen-full", "grounding_worldmodeling"),
  ],
});

/** Sampled success on the validation levels, as the mean over the seeds. */
function validations(file: string, method: string, format: string): Curve {
  const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  const rows = lines
    .map((line) => line.split(","))
    .filter(([ofMethod, ofFormat]) => ofMethod === method && ofFormat === format)
    .map(([, , , update, , success]) => ({ update: Number(update), success: Number(success) }));
  const updates = [...new Set(rows.map(({ update }) => update))].sort((a, b) => a - b);
  const at = (update: number) => rows.filter((row) => row.update === update).map(({ success }) => success);
  return { updates, success: updates.map((update) => rounded(mean(at(update)))) };
}

/** Success in training, as the mean over `WINDOW` updates up to each point. */
function training(name: string, metric: string): Curve {
  const { columns } = JSON.parse(readFileSync(`${GOLDEN}/${name}.json`, "utf8")) as {
    columns: Readonly<Record<string, readonly number[]>>;
  };
  const values = columns[metric]!;
  const updates = columns.update!.filter((update) => update % WINDOW === 0);
  return {
    updates,
    success: updates.map((update) => rounded(mean(values.slice(update - WINDOW, update)))),
  };
}

/** The file's text. */
export const curvesText = (): string => `${JSON.stringify(findingCurves())}\n`;
