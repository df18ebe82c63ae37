// The findings of docs/results.md with the curves of the runs behind them. Every number comes from a file: the validations in
// docs/*.csv, and the recorded metrics of two runs that the alarms are tested with. The sentences are filled in from these.
import formats from "#docs/ablation-frozenlake-nano-formats.csv?raw";
import withoutKl from "#docs/ablation-frozenlake-nano-no-kl.csv?raw";
import seeing from "#docs/ablation-frozenlake-nano-sees.csv?raw";
import preset from "../../rl/alarms/golden/frozenlake-nano.json?raw";
import paidByTurn from "../../rl/alarms/golden/frozenlake-nano-paid-by-turn.json?raw";
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
  /** How the curves were made. */
  readonly source: string;
  /** In Bash, what `source` reads and has to be entered before it. */
  readonly setup?: string;
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

/** A recorded metric of one run is a mean over this many updates up to each: one update's episodes are few. */
const WINDOW = 10;

/** The sum of some recorded columns of a run, smoothed. */
export function recordedCurve(json: string, name: string, columns: readonly string[]): Curve {
  const all = (JSON.parse(json) as { columns: Record<string, number[]> }).columns;
  const sums = all.update!.map((_, i) => columns.reduce((sum, column) => sum + all[column]![i]!, 0));
  const points = all.update!.map((update, i) => {
    const value = mean(sums.slice(Math.max(0, i + 1 - WINDOW), i + 1));
    return { update, mean: value, low: value, high: value };
  });
  return { name, points: points.slice(WINDOW - 1) };
}

const first = ({ points }: Curve) => points[0]!.mean;
const last = ({ points }: Curve) => points.at(-1)!.mean;
const lowest = ({ points }: Curve) => points.at(-1)!.low;
const highest = ({ points }: Curve) => points.at(-1)!.high;
/** A share in a sentence. */
const share = (value: number) => unbroken(formatPercent(value));
const OVER_SEEDS =
  "Lines: means over three seeds (runs that differ in their random numbers only), on 256 validation levels, with sampled replies. Bands: from the worst to the best seed.";
const ONE_RUN = `One run each, its training episodes; means over ${WINDOW} updates.`;
const success = (note: string, ...curves: Curve[]): Plot => ({
  title: "Share of levels solved",
  curves,
  note,
  isShare: true,
});

const ABLATE = "npm run ablate -- --env frozenlake --seeds 3";
/** Settings of the preset before its policy saw holes, and how docs/results.md defines them. */
const SHORT = `"\${short[@]}"`;
const SETUP =
  "short=(--set rollout.train_batch_size=32 --set sft.total_updates=900 --set sft.one_turn_updates=400 --set sft.train_batch_size=16 --set sft.random_fraction=0.75 --set sft.target_accuracy=0 --set sft.test_freq=100 --set reward.surroundings_reward_weight=0 --set actor.lr=0.0006 --set actor.lr_schedule=constant --set actor.min_lr_ratio=0 --set actor.ppo_epochs=1 --set actor.ppo_mini_batch_size=16 --set actor.recompute_logprob=true --set actor.kl_loss_coef=0.1 --set trainer.test_freq=20 --set trainer.save_freq=20)";
const SEEING = "npm run ablate -- --from frozenlake-nano-warmup --formats none --updates 30";
/** Said of runs whose policy hardly sees holes. */
const HALF_BLIND =
  "The policy of these runs was trained too briefly before PPO to see most holes, so the level of success is low.";
const FULL = "grounding_worldmodeling";
const sees = validationRows(seeing);
const byFormat = validationRows(formats);
const noKl = validationRows(withoutKl);

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
    source: SEEING,
  };
}

function collapse(): Finding {
  const [plain, base] = [
    successCurve(noKl, "Vanilla PPO", "vanilla-ppo", FULL),
    successCurve(noKl, "VAGEN-Base, with masks", "vagen-base", FULL),
  ];
  return {
    id: "collapse",
    title: "Without masks and a ref policy, PPO collapses",
    text: `Without a KL loss, vanilla PPO (PPO without masks) falls from ${share(first(plain))} to ${share(last(plain))}; with masks the same objective reaches ${share(last(base))}.`,
    meaning: `A KL loss keeps the policy near the ref policy, a frozen copy from before PPO. Without it, training on prompts drags the replies along. ${HALF_BLIND}`,
    plots: [success(OVER_SEEDS, plain, base)],
    source: `${ABLATE} --updates 160 --methods vanilla-ppo,vagen-base --formats none --set actor.use_kl_loss=false ${SHORT}`,
    setup: SETUP,
    study: "collapse",
  };
}

function reasoning(): Finding {
  const [none, free, full] = [
    successCurve(byFormat, "NoThink", "vagen-base", "no_think"),
    successCurve(byFormat, "FreeThink", "vagen-base", "free_think"),
    successCurve(byFormat, "Grounding + WorldModeling", "vagen-base", FULL),
  ];
  return {
    id: "reasoning",
    title: "Reasoning helps",
    text: `Acting at once, the policy reaches ${share(last(none))}; when it reasons first, ${share(last(free))}; when it also says what it sees and expects, ${share(last(full))}.`,
    meaning:
      "The policy has two layers between picture and action, and words are intermediate results that later tokens can read. The paper finds a far larger difference with a model of three billion parameters, as we did with policies that had too little SFT to see holes. The replies in the panel on reasoning formats are from such policies, so the success rates there are lower.",
    plots: [success(OVER_SEEDS, none, free)],
    source:
      "npm run ablate -- --env frozenlake --methods none --updates 40 --set sft.total_updates=3200 --set sft.one_turn_updates=1600 --set trainer.test_freq=10",
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
    source: SEEING,
    study: "base-full",
  };
}

function hacking(): Finding {
  const reach = ["train/success/frozenlake"];
  const judge = ["reward/state_estimation", "reward/transition_modeling"];
  const paid = recordedCurve(paidByTurn, "Claims pay 0.5 a turn", reach);
  const claims = recordedCurve(paidByTurn, "Claims pay 0.5 a turn", judge);
  return {
    id: "hacking",
    title: "When the judge is pleased and the task is not",
    text: `If the true claims of an episode can pay more than the goal, its judge reward rises from ${formatFixed(first(claims), 2)} to ${formatFixed(last(claims), 2)} while success stays near ${share(last(paid))}.`,
    meaning: `Nearly all claims are true, so no judge would notice. The policy describes the world truly and walks elsewhere, because reaching the goal ends the episode and with it the pay for claims. ${HALF_BLIND}`,
    plots: [
      success(ONE_RUN, recordedCurve(preset, "Claims pay 0.1 a turn", reach), paid),
      {
        title: "Judge reward of an episode",
        curves: [recordedCurve(preset, "Claims pay 0.1 a turn", judge), claims],
        note: ONE_RUN,
        isShare: false,
      },
    ],
    source: `npm run train -- --preset frozenlake-nano --from public/checkpoints/case-studies/frozenlake-nano-short.safetensors --seed 0 --updates 160 --set reward.scale_by_turns=false ${SHORT}`,
    setup: SETUP,
    study: "reward-hacking",
  };
}

/** The findings in the order of the page. */
export const findings: readonly Finding[] = [masks(), collapse(), reasoning(), estimators(), hacking()];
