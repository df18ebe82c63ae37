// The findings of docs/results.md with the curves of the runs behind them. Every number comes from a file: the validations in
// docs/*.csv, and the training metrics of two runs. The sentences are filled in from these.
import formats from "#docs/ablation-frozenlake-nano-formats.csv?raw";
import seeing from "#docs/ablation-frozenlake-nano-sees.csv?raw";
import seeingRooms from "#docs/ablation-sokoban-nano-sees.csv?raw";
import hackingRuns from "#docs/reward-hacking-frozenlake-nano.csv?raw";
import { PAPER_NAMES } from "../../core/formats.ts";
import { formatFixed, formatPercent, formatPercentRange, unbroken } from "../lib/format.ts";

/** A number over updates: its mean over seeds, and the least and the largest of them. */
interface CurvePoint {
  readonly update: number;
  readonly mean: number;
  readonly low: number;
  readonly high: number;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

export interface Plot {
  readonly title: string;
  readonly curves: readonly Curve[];
  /** What lines and bands are. */
  readonly note: string;
  /** A share is drawn from 0 to 1; anything else from 0 to its largest value. */
  readonly isShare: boolean;
}

export interface Finding {
  readonly id: string;
  readonly title: string;
  /** What was found, with numbers. */
  readonly text: string;
  /** What to conclude, and what not to. */
  readonly meaning: string;
  readonly plots: readonly Plot[];
  /** The commands that made the curves. */
  readonly sources: readonly string[];
  /** Id of the case study that shows it; absent where no episode of these runs is recorded. */
  readonly study?: string;
}

interface Row {
  method: string;
  format: string;
  seed: number;
  update: number;
  success: number;
}

/** The rows of a file of validations: method, format, seed, update, levels, success. */
export function validationRows(csv: string): Row[] {
  const [, ...lines] = csv.trim().split(/\r?\n/);
  return lines.map((line) => {
    const [method, format, seed, update, , success] = line.split(",") as string[];
    return { method: method!, format: format!, ...numbersOf({ seed, update, success }) };
  });
}

function numbersOf<K extends string>(texts: Record<K, string | undefined>): Record<K, number> {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, Number(text)])) as Record<
    K,
    number
  >;
}

const mean = (xs: readonly number[]) => xs.reduce((sum, x) => sum + x, 0) / xs.length;

/** Success of a method with a format at every validation, over its seeds. */
export function successCurve(rows: readonly Row[], name: string, method: string, format: string): Curve {
  const own = rows.filter((row) => row.method === method && row.format === format);
  const updates = [...new Set(own.map(({ update }) => update))].sort((a, b) => a - b);
  const points = updates.map((update) => {
    const found = own.filter((row) => row.update === update).map(({ success }) => success);
    return { update, mean: mean(found), low: Math.min(...found), high: Math.max(...found) };
  });
  return { name, points };
}

/** A metric of training is a mean over this many updates up to each: one update's episodes are few. */
const WINDOW = 10;

/**
 * A column of a file of training metrics (run, seed, update, …) at every update, smoothed over the updates before it: the mean over the
 * seeds of `run`, the least and the largest.
 */
export function trainingCurve(csv: string, name: string, run: string, column: string): Curve {
  const [header, ...lines] = csv
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(","));
  const at = header!.indexOf(column);
  const own = lines.filter(([id]) => id === run);
  const seeds = [...new Set(own.map(([, seed]) => seed))].map((seed) =>
    smoothed(own.filter((line) => line[1] === seed).map((line) => Number(line[at]))),
  );
  const points = seeds[0]!.map((_, i) => {
    const found = seeds.map((values) => values[i]!);
    return { update: i + WINDOW, mean: mean(found), low: Math.min(...found), high: Math.max(...found) };
  });
  return { name, points };
}

/** Means of the last `WINDOW` values, as soon as there are so many. */
const smoothed = (values: readonly number[]) =>
  values.slice(WINDOW - 1).map((_, i) => mean(values.slice(i, i + WINDOW)));

const first = ({ points }: Curve) => points[0]!.mean;
const last = ({ points }: Curve) => points.at(-1)!.mean;
const lowest = ({ points }: Curve) => points.at(-1)!.low;
const highest = ({ points }: Curve) => points.at(-1)!.high;
/** A share in a sentence. */
const share = (value: number) => unbroken(formatPercent(value));
const OVER_SEEDS =
  "Lines: means over three seeds (runs that differ in their random numbers only), on 256 validation levels, with sampled replies. Bands: from the worst to the best seed.";
const IN_TRAINING = `Training episodes, means over ${WINDOW} updates; one run where the turns share what claims pay, else the mean of three seeds and a band from the least to the largest.`;
const success = (note: string, ...curves: Curve[]): Plot => ({
  title: "Share of levels solved",
  curves,
  note,
  isShare: true,
});

const SEEING =
  "npm run ablate -- --from frozenlake-nano-warmup --formats none --updates 30 --set reward.turn_cost=0 --methods vanilla-ppo,grpo,turn-ppo,vagen-base,bi-level,vagen-full,bi-level-2026,turn-gspo-2026";
const SEEING_ROOMS = SEEING.replace("--from frozenlake", "--env sokoban --from sokoban");
const SHARED = "npm run train -- --preset frozenlake-nano --seed 0";
const hackedRun = (seed: number) =>
  `npm run train -- --preset frozenlake-nano --seed ${seed} --set reward.scale_by_turns=false`;
const FULL = "grounding_worldmodeling";
const sees = validationRows(seeing);
const byFormat = validationRows(formats);
const seesRooms = validationRows(seeingRooms);

function masks(): Finding {
  const [plain, base] = [
    successCurve(sees, "Vanilla PPO", "vanilla-ppo", FULL),
    successCurve(sees, "VAGEN-Base, with masks", "vagen-base", FULL),
  ];
  return {
    id: "masks",
    title: "Masks make the difference",
    text: `From ${share(first(base))}, PPO with masks reaches ${share(last(base))} success, without them ${share(last(plain))}.`,
    meaning:
      "Vanilla PPO is PPO without masks: the same update also trains on prompts and pictures, which the policy never chose. VAGEN-Base, the paper's simpler method, has masks. The paper finds the same.",
    plots: [success(OVER_SEEDS, plain, base)],
    sources: [SEEING],
  };
}

function collapse(): Finding {
  const [plain, base] = [
    successCurve(seesRooms, "Vanilla PPO", "vanilla-ppo", FULL),
    successCurve(seesRooms, "VAGEN-Base, with masks", "vagen-base", FULL),
  ];
  return {
    id: "collapse",
    title: "Without masks, PPO can unlearn what SFT taught",
    text: `On Sokoban, vanilla PPO falls in all three seeds, on average from ${share(first(plain))} to ${share(last(plain))} success; with masks the same update reaches ${share(last(base))}.`,
    meaning:
      "Prompts and pictures are tokens that the policy never chose. Where they are trained too, replies change with them, and many of them lose their form. A KL loss held these policies near the ref policy, a frozen copy from before PPO; the recorded episode is a bad one of a run without it, in which a quarter of the replies are malformed.",
    plots: [success(OVER_SEEDS, plain, base)],
    sources: [SEEING_ROOMS],
    study: "collapse",
  };
}

function reasoning(): Finding {
  const [none, free, full] = [
    successCurve(byFormat, PAPER_NAMES.no_think, "vagen-base", "no_think"),
    successCurve(byFormat, PAPER_NAMES.free_think, "vagen-base", "free_think"),
    successCurve(byFormat, PAPER_NAMES.grounding_worldmodeling, "vagen-base", FULL),
  ];
  return {
    id: "reasoning",
    title: "Reasoning helps",
    text: `Acting at once (${none.name}), the policy reaches ${share(last(none))}; when it reasons first (${free.name}), ${share(last(free))}; when it also says what it sees and expects (${full.name}), ${share(last(full))}.`,
    meaning:
      "The policy has two layers between picture and action, and words are intermediate results that later tokens can read. The paper finds a far larger difference with a model of three billion parameters, as we did with policies that had too little SFT to see holes. The panel on reasoning formats has replies of other runs with the same settings, one for each format. The formats that reason end so close together that another seed changes their order.",
    plots: [success(OVER_SEEDS, none, free, full)],
    sources: [
      "npm run ablate -- --env frozenlake --methods none --updates 40 --set sft.total_updates=3200 --set sft.one_turn_updates=1600 --set trainer.test_freq=10",
    ],
  };
}

function estimators(): Finding {
  const [base, bi] = [
    successCurve(sees, "Masked GAE", "vagen-base", FULL),
    successCurve(sees, "Bi-Level GAE", "bi-level", FULL),
  ];
  const range = (curve: Curve) => unbroken(formatPercentRange(lowest(curve), highest(curve)));
  const overlap = lowest(bi) <= highest(base) && lowest(base) <= highest(bi);
  return {
    id: "estimators",
    title: overlap ? "Here the estimators cannot be told apart" : "The estimators differ",
    text: `Bi-Level GAE ends at ${share(last(bi))} (${range(bi)} over the seeds), masked GAE at ${share(last(base))} (${range(base)}).`,
    meaning:
      "Episodes of these runs last two or three turns, and their critic predicts almost nothing of the returns. Both estimators then compute nearly the same thing, the return minus an average. Three seeds cannot show a small difference.",
    plots: [success(OVER_SEEDS, base, bi)],
    sources: [SEEING],
  };
}

function hacking(): Finding {
  const curves = (column: string) => [
    trainingCurve(hackingRuns, "Claims pay 0.15 a turn", "shared", column),
    trainingCurve(hackingRuns, "Claims pay 0.75 a turn", "each_turn", column),
  ];
  const reached = curves("success");
  const judged = curves("judge_reward");
  return {
    id: "hacking",
    title: "When the judge is pleased and the task is not",
    text: `If the true claims of an episode can pay more than the goal, its judge reward rises from ${formatFixed(first(judged[1]!), 2)} to ${formatFixed(last(judged[1]!), 2)}, and success ends at ${share(last(reached[1]!))}; where the turns share what claims pay, at ${share(last(reached[0]!))}.`,
    meaning:
      "Nearly all claims are true, so no judge would notice. The policy describes the world truly and walks elsewhere, because reaching the goal ends the episode and with it the pay for claims.",
    plots: [
      success(IN_TRAINING, ...reached),
      { title: "Judge reward of an episode", curves: judged, note: IN_TRAINING, isShare: false },
    ],
    sources: [SHARED, ...[0, 1, 2].map(hackedRun)],
    study: "reward-hacking",
  };
}

/** The findings in the order of the page. */
export const findings: readonly Finding[] = [masks(), collapse(), reasoning(), estimators(), hacking()];
