// The task sets by name.

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
 * The evaluation sets, a training set in each style, and one in two styles, on which VAGEN trains. VAGEN-Lite has `base_train`,
 * `common_sense_train` and `long_horizon_train`; the other two styles are the studio's.
 */
export const TASK_SETS = [
  ...STYLES,
  "base_train",
  "common_sense_train",
  "complex_instruction_train",
  "visual_appearance_train",
  "long_horizon_train",
  "base_common_train",
] as const;
export type TaskSet = (typeof TASK_SETS)[number];

export type Split = "train" | "eval";

/** Tasks of each set, as many as VAGEN's sets have. */
export const TASK_COUNTS: Readonly<Record<Split, number>> = { train: 1200, eval: 60 };

export const splitOf = (set: TaskSet): Split => (set.endsWith("_train") ? "train" : "eval");

/** The styles of a set's instructions; the tasks of a home take them in turn. */
export const stylesOf = (set: TaskSet): readonly [Style, ...Style[]] =>
  set === "base_common_train" ? ["base", "common_sense"] : [set.replace(/_train$/, "") as Style];
