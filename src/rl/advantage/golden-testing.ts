// What the reference implementations compute on the same batches (golden/estimators.json says which, and how it was made), for the
// tests of the estimators here and of their kernels.
import type { AdvantageParams, AdvantageTokens } from "./estimator.ts";
import golden from "./golden/estimators.json" with { type: "json" };

export type GoldenBatch = (typeof golden.batches)[number];
type Turns = GoldenBatch["expected"]["no_concat_gae"];

export const goldenBatches: readonly GoldenBatch[] = golden.batches;

/** Batches in the file, so that none is lost silently. */
export const GOLDEN_BATCHES = 20;

/** A run of an estimator: its id, and what else of the parameters decides the numbers. */
interface GoldenCase {
  readonly estimator: string;
  readonly groupStd?: boolean;
  readonly expected: (batch: GoldenBatch) => Expected;
}

/** Numbers at places of the batch axis. Whitened ones are in single precision. */
interface Expected {
  readonly places: readonly number[];
  readonly advantages?: readonly number[];
  readonly returns?: readonly number[];
  readonly whitened?: readonly number[];
}

/** The rows of a batch one after another. */
export function tokensOf({ rows }: GoldenBatch): AdvantageTokens {
  return {
    starts: startsOf(rows),
    rewards: rows.flatMap((row) => row.rewards),
    values: rows.flatMap((row) => row.values),
    gaeMask: rows.flatMap((row) => row.mask),
    turnEndMask: rows.flatMap((row) => row.ends),
    groups: rows.map((row) => row.group),
  };
}

function startsOf(rows: GoldenBatch["rows"]): number[] {
  const starts = [0];
  for (const { mask } of rows) starts.push((starts.at(-1) as number) + mask.length);
  return starts;
}

/** Legacy's plain GAE lets every token take part, and whitens over every token. */
const everyToken = (tokens: AdvantageTokens): AdvantageTokens => ({
  ...tokens,
  gaeMask: Array.from(tokens.gaeMask, () => 1),
});

/** What an estimator reads of a batch. */
export const tokensFor = ({ estimator }: GoldenCase, batch: GoldenBatch): AdvantageTokens =>
  estimator === "gae" ? everyToken(tokensOf(batch)) : tokensOf(batch);

export const paramsFor = ({ groupStd = true }: GoldenCase, batch: GoldenBatch): AdvantageParams => ({
  gamma: batch.gamma,
  lambda: batch.lambda,
  turnGamma: 0.5,
  groupStd,
});

const everywhere = ({ rows }: GoldenBatch): number[] =>
  Array.from({ length: startsOf(rows).at(-1) as number }, (_, i) => i);

const byToken =
  (name: "masked_gae" | "gae") =>
  (batch: GoldenBatch): Expected => {
    const { advantages, returns, whitened } = batch.expected[name];
    return {
      places: everywhere(batch),
      advantages: advantages.flat(),
      returns: returns.flat(),
      whitened: whitened.flat(),
    };
  };

/** One number a row, at each of its tokens that the policy wrote. */
const byRow =
  (name: "grpo" | "grpo_without_std" | "rloo") =>
  (batch: GoldenBatch): Expected => ({
    places: everywhere(batch),
    advantages: batch.rows.flatMap(({ mask }, s) =>
      mask.map((own) => own * (batch.expected[name][s] as number)),
    ),
  });

/** One number a turn, at the token whose value is read. */
const byTurn =
  (name: "no_concat_gae" | "no_concat_gae_last") =>
  ({ rows, expected }: GoldenBatch): Expected => {
    const starts = startsOf(rows);
    const turns: Turns = expected[name];
    return {
      places: turns.map(({ row, at }) => (starts[row] as number) + at),
      advantages: turns.map(({ advantage }) => advantage),
      returns: turns.map((turn) => turn.return),
      whitened: turns.map(({ whitened }) => whitened),
    };
  };

export const goldenCases: Readonly<Record<string, GoldenCase>> = {
  masked_gae: { estimator: "masked_gae", expected: byToken("masked_gae") },
  token_level_gae: { estimator: "token_level_gae", expected: byToken("masked_gae") },
  gae: { estimator: "gae", expected: byToken("gae") },
  grpo: { estimator: "grpo", expected: byRow("grpo") },
  "grpo without std": { estimator: "grpo", groupStd: false, expected: byRow("grpo_without_std") },
  rloo: { estimator: "rloo", expected: byRow("rloo") },
  reinforce_plus_plus: {
    estimator: "reinforce_plus_plus",
    expected: (batch) => {
      const { returns, whitened } = batch.expected.reinforce_plus_plus;
      return { places: everywhere(batch), returns: returns.flat(), whitened: whitened.flat() };
    },
  },
  no_concat_gae: { estimator: "no_concat_gae", expected: byTurn("no_concat_gae") },
  no_concat_gae_last: { estimator: "no_concat_gae_last", expected: byTurn("no_concat_gae_last") },
  // One reward a turn: then the estimator of VAGEN 2026 is the same.
  turn_level_gae: { estimator: "turn_level_gae", expected: byTurn("no_concat_gae") },
};

/**
 * The numbers of a case for a batch.
 * @throws Error if it has none: a test that compares what there is would pass
 */
export function numbersFor(one: GoldenCase, batch: GoldenBatch): Expected {
  const expected = one.expected(batch);
  const { advantages, returns, whitened } = expected;
  if ([advantages, returns, whitened].some((numbers) => numbers && numbers.length > 0)) return expected;
  throw new Error(
    `The case of ${one.estimator} has no numbers: give it advantages, returns or whitened advantages of the reference.`,
  );
}
