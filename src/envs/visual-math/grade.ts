// Grading of answers, by the rules of MathRuler, which AReaL's example grades with: equal text, equal whole numbers, or expressions
// that are equal. Whole numbers equal only whole numbers, and fractions must be reduced.

/** The value of an expression for values of its variables; null where it is none. */
export interface Algebra {
  /** Names of the variables; null for a text that is no expression. */
  variables(expression: string): readonly string[] | null;
  evaluate(expression: string, scope: Readonly<Record<string, number>>): number;
}

let algebra: Algebra | null = null;

/** Sets what evaluates expressions. The library for it is loaded with runs, not with the page. */
export function setAlgebra(loaded: Algebra): void {
  algebra = loaded;
}

function loadedAlgebra(): Algebra {
  if (algebra) return algebra;
  throw new Error("No algebra is loaded; call setAlgebra first.");
}

/** Longer texts are no answers; reading them would take time. */
const LONGEST = 120;
const WHOLE = /^[+-]?\d+(?:\.0*)?$/;
const FRACTION = /^-?\d+\/\d+$/;
/** Values of variables at which expressions are compared. */
const SAMPLES = [0.7390851332, 1.6180339887, 2.2360679775, 3.3027756377];

/** An answer in one line of plain text: LaTeX's fractions, roots and signs written out, units and markup left out. */
export function plainAnswer(text: string): string {
  if (text.length > LONGEST) return "";
  const bare = text
    .replace(/\\text\{([^{}]*)\}/g, "$1")
    .replace(/\$|\\left|\\right|\\[!,;: ]|\\%|%/g, "")
    .replace(/\\[dt]frac/g, "\\frac")
    .replace(/ *(?:units?|tiles?) *$/, "")
    .replace(/\\cdot|\\times|[·×]/g, "*")
    .replace(/\\pi|π/g, " pi ")
    .replace(/\\sqrt (\w)|\\sqrt(\d)|√(\w+)/g, "sqrt($1$2$3)")
    .replace(/\\frac(\d)(\d)/g, "$1/$2");
  return withoutBraces(bare)
    .replace(/(?<=\d),(?=\d{3}\b)/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** LaTeX's commands with braces, from the innermost outwards. */
function withoutBraces(text: string): string {
  const once = text
    .replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, (_, a: string, b: string) => `${term(a)}/${term(b)}`)
    .replace(/\\sqrt\{([^{}]*)\}/g, "sqrt($1)")
    .replace(/\^\{([^{}]*)\}/g, "^($1)");
  return once === text ? text : withoutBraces(once);
}

/** In brackets unless it is one number or name. */
const term = (text: string): string => (/^-?\s*\w+\s*$/.test(text) ? text.trim() : `(${text})`);

/** Whether a text is an expression with a value. */
export function isExpression(plain: string): boolean {
  const names = plain === "" ? null : loadedAlgebra().variables(plain);
  return names !== null && Number.isFinite(valueAt(plain, names, 0));
}

/** Whether an answer is the right one; both may be plain text or LaTeX. */
export function isSameAnswer(given: string, truth: string): boolean {
  const [a, b] = [plainAnswer(given), plainAnswer(truth)];
  if (a === "" || bare(a) === bare(b)) return a !== "";
  if (FRACTION.test(a) && FRACTION.test(b)) return false;
  if (WHOLE.test(a) !== WHOLE.test(b)) return false;
  return WHOLE.test(a) ? Number(a) === Number(b) : areEqual(a, b);
}

const bare = (text: string) => text.replaceAll(" ", "");

/** Expressions are equal if their values are, at several values of their variables. */
function areEqual(a: string, b: string): boolean {
  const [own, other] = [a, b].map((text) => loadedAlgebra().variables(text));
  if (!own || !other) return false;
  const names = [...new Set([...own, ...other])].sort();
  return SAMPLES.every((_, i) => isClose(valueAt(a, names, i), valueAt(b, names, i)));
}

const valueAt = (expression: string, names: readonly string[], sample: number): number =>
  loadedAlgebra().evaluate(
    expression,
    Object.fromEntries(names.map((name, i) => [name, SAMPLES[(sample + i) % SAMPLES.length]! + i])),
  );

const isClose = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a));
