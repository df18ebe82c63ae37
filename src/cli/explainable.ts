// `eval --explainable`: the explained variance that a critic of this policy could reach.
import type { Task } from "../agent/task.ts";
import { VALIDATION_FIRST_SEED } from "../config/run-config.ts";
import type { Evaluation } from "../eval/evaluate.ts";
import { type Explainable, explainableShare } from "../rl/explainable.ts";
import { UsageError, type Values } from "./args.ts";
import { formatTable } from "./format-progress.ts";

/** Levels and episodes of each, unless the command says otherwise. */
export const EXPLAINABLE_SEEDS = `${VALIDATION_FIRST_SEED}-${VALIDATION_FIRST_SEED + 127}`;
export const EXPLAINABLE_SAMPLES = 8;

/** @throws UsageError when every episode of a level would be the same one. */
export function assertRepeats(values: Values, temperature: number, samples: number): void {
  if (!values.has("explainable")) return;
  if (temperature === 0)
    throw new UsageError(
      "--explainable compares several episodes of a level, which are all the same without sampling.",
      "Use --temperature with a number above 0, or leave out --greedy.",
    );
  if (samples < 2)
    throw new UsageError(
      `--samples is ${samples}; --explainable compares several episodes of a level.`,
      `Use --samples ${EXPLAINABLE_SAMPLES}, or leave it out.`,
    );
}

/** @throws UsageError when no state occurred twice or all returns are equal. */
export function explainableOf(
  { trajectories }: Pick<Evaluation, "trajectories">,
  { spec, envConfig }: Pick<Task, "spec" | "envConfig">,
): Explainable {
  const explainable = explainableShare(trajectories, spec.hasChance?.(envConfig));
  if (explainable) return explainable;
  throw new UsageError(
    "The explainable share cannot be estimated: no state occurred twice, or all returns are equal.",
    "Play more levels with --seeds, or more episodes of each with --samples.",
  );
}

const OF_LEVELS = ["level, turn, state", "where it leads"] as const;
const WITH_CHANCE = ["turn, state", "the actions"] as const;
const CHANCE =
  "A level also fixes what nobody can see, such as the cards to come, so one episode of each level counts: play many levels with --seeds.";

/** A table of the two shares with what they were estimated from. */
export function explainableTable(explainable: Explainable): string {
  const { episodes, observations, hasChance, turnStart, turnEnd } = explainable;
  const [start, end] = hasChance ? WITH_CHANCE : OF_LEVELS;
  const row = (title: string, { share, groups, repeated }: Explainable["turnStart"]) => [
    title,
    share.toFixed(2),
    String(groups),
    String(repeated),
  ];
  return [
    `Share of the variance of returns that the state explains (${observations} turns of ${episodes} episodes):`,
    formatTable([
      ["known", "share", "groups", "of two or more"],
      row(`before a reply: ${start}`, turnStart),
      row(`at its end: also ${end}`, turnEnd),
    ]),
    ...(hasChance ? [CHANCE] : []),
  ].join("\n");
}
