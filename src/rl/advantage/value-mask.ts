// Which tokens a critic learns from.
import type { AdvantageEstimator, TurnAnchor, ValueTokens } from "./estimator.ts";

/** Tokens whose values an estimator trains when turns are read at `anchor`: where a turn has one value, that is the token. */
export function valueTokensAt(
  { valueTokens, usesTurnAnchor }: AdvantageEstimator,
  anchor: TurnAnchor,
): ValueTokens {
  return usesTurnAnchor && valueTokens === "turn_end" && anchor === "start" ? "turn_start" : valueTokens;
}

/** Tokens of one trajectory: 1 = its value has a return to learn from. `policy` is the mask of trained tokens itself. */
export function valueMask(
  which: ValueTokens,
  trained: Uint8Array,
  { lossMask, turnEndMask }: { lossMask: Uint8Array; turnEndMask: Uint8Array },
): Uint8Array {
  const isStart = (i: number) => !lossMask[i - 1] || turnEndMask[i - 1] === 1;
  switch (which) {
    case "policy":
      return trained;
    case "turn_end":
      return turnEndMask;
    case "turn_start":
      return lossMask.map((own, i) => (own && isStart(i) ? 1 : 0));
    case "none":
      return new Uint8Array(trained.length);
  }
}
