// What the checks of a configuration report.

/** What is wrong with one value. */
export interface ConfigProblem {
  /** Dotted path of the value. */
  path: string;
  value: unknown;
  /** Path, value and what was expected. */
  message: string;
  /** What to do about it. */
  hint: string;
  /** The smallest change that does it, where there is one: not always of this value. */
  fix?: ConfigFix;
}

/** A value for one setting that solves a problem. */
export interface ConfigFix {
  path: string;
  value: unknown;
}
