// Which tokens a critic learns from.
import type { AdvantageEstimator, TurnAnchor, ValueTokens } from "./estimator.ts";
import { anchorOf, turnSpans } from "./turns.ts";

/** Tokens whose values an estimator trains when turns are read at `anchor`: where a turn has one value, that is the token. */
export function valueTokensAt(
  { valueTokens, usesTurnAnchor }: AdvantageEstimator,
  anchor: TurnAnchor,
): ValueTokens {
  return usesTurnAnchor && valueTokens === "turn_end" && anchor === "start" ? "turn_start" : valueTokens;
}

/** Masks of one trajectory. */
interface ValueMasks {
  /** 1 = trained on: only these have a prediction whose value can move. */
  readonly lossMask: Uint8Array;
  /** 1 = carries advantage, so only these have a return. */
  readonly gaeMask: Uint8Array;
  readonly turnEndMask: Uint8Array;
}

/** Tokens of one trajectory: 1 = its value can be trained and has a return to learn from. */
export function valueMask(
  which: ValueTokens,
  { lossMask, gaeMask, turnEndMask }: ValueMasks,
): Uint8Array<ArrayBuffer> {
  const mask = new Uint8Array(lossMask.length);
  const both = (i: number) => (lossMask[i] && gaeMask[i] ? 1 : 0);
  if (which === "none") return mask;
  if (which === "trained") return mask.map((_, i) => both(i));
  // The spans that estimators take: returns lie at their anchors.
  for (const span of turnSpans({ gaeMask, turnEndMask }, 0, mask.length)) {
    const anchor = anchorOf(span, which === "turn_start" ? "start" : "end");
    mask[anchor] = both(anchor);
  }
  return mask;
}
