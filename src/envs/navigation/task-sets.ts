// The task sets by name: their splits, styles and sizes, and where their tasks may begin.

/** Styles of instructions: the five sets of EmbodiedBench that VAGEN evaluates on. */
export const STYLES = [
  "base",
  "common_sense",
  "complex_instruction",
  "visual_appearance",
  "long_horizon",
] as const;
export type Style = (typeof STYLES)[number];

/**
 * The evaluation sets, a training set in each style, one in two styles, on which VAGEN trains, and one in four. VAGEN-Lite has `base_train`,
 * `common_sense_train` and `long_horizon_train`; the others are the studio's.
 */
export const TASK_SETS = [
  ...STYLES,
  "base_train",
  "common_sense_train",
  "complex_instruction_train",
  "visual_appearance_train",
  "long_horizon_train",
  "base_common_train",
  "all_styles_train",
] as const;
export type TaskSet = (typeof TASK_SETS)[number];

export type Split = "train" | "eval";

/** Tasks of each set, as many as VAGEN's sets have. */
export const TASK_COUNTS: Readonly<Record<Split, number>> = { train: 1200, eval: 60 };

export const splitOf = (set: TaskSet): Split => (set.endsWith("_train") ? "train" : "eval");

/** What start poses of a split are like. */
export interface StartRules {
  /** Least and largest distance to the target, in centimetres. */
  least: number;
  most: number;
  /** The agent faces the target and sees it; otherwise it looks anywhere. */
  faces: boolean;
}

/**
 * VAGEN: evaluation tasks begin 2.51 to 3.00 m from the target, training tasks at least 2.0 m, looking anywhere. Those of
 * evaluation face the target here, unless the set is long_horizon.
 */
const STARTS: Readonly<Record<Split, StartRules>> = {
  eval: { least: 251, most: 300, faces: true },
  train: { least: 200, most: Number.POSITIVE_INFINITY, faces: false },
};

/** The rules for start poses of a split. @param facing whether training tasks begin facing the target, too. */
export const rulesFor = (split: Split, facing = false): StartRules =>
  facing ? { ...STARTS[split], faces: true } : STARTS[split];

/** The styles of the sets that have several. `long_horizon` has the words of `base`, and differs in how its tasks begin. */
const MIXED: Partial<Readonly<Record<TaskSet, readonly Style[]>>> = {
  base_common_train: ["base", "common_sense"],
  all_styles_train: ["base", "common_sense", "complex_instruction", "visual_appearance"],
};

/** The styles of a set's instructions. */
export const stylesOf = (set: TaskSet): readonly Style[] =>
  MIXED[set] ?? [set.replace(/_train$/, "") as Style];

/**
 * The style of a task. The tasks of a home have the styles of the set in turn. In `all_styles_train` neighbouring homes begin with different
 * styles, so that every range of seeds has all of them.
 * @param round how often each home has been used before.
 * @param home number of the home.
 */
export function styleOf(set: TaskSet, round: number, home: number): Style {
  const styles = stylesOf(set);
  // Families of homes alternate, so a style lasts for four homes.
  const first = set === "all_styles_train" ? Math.floor(home / 4) : 0;
  return styles[(round + first) % styles.length]!;
}
