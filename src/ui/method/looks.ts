// Colours of tokens by the part of the reply that they belong to.
import type { GroupKind } from "../episode/token-model.ts";
import type { MethodEpisode } from "./episode-tokens.ts";
import { GIVEN } from "./token-axis.tsx";

const RAILS: Readonly<Record<GroupKind, string>> = {
  observation: "var(--observation)",
  reasoning: "var(--reasoning)",
  prediction: "var(--prediction)",
  answer: "var(--action)",
  call: "var(--action)",
  other: "var(--control)",
  environment: GIVEN,
};

/** The fill of a token: the colour of its part, the hatch where the policy was given it. */
export const partFill =
  ({ kinds }: MethodEpisode) =>
  (index: number): string =>
    RAILS[kinds[index]!];

/** What a token says, in quotes; a patch of a picture says nothing. */
export const quoted = ({ texts, isPicture }: MethodEpisode, index: number): string =>
  isPicture[index] ? "a patch of the picture" : `“${texts[index]}”`;

/** The turn of a token, counted from 1. */
export const turnNumber = ({ replay }: MethodEpisode, index: number): number =>
  replay.trajectory.tokens.turnIndex[index]! + 1;

/** First tokens of turns: where the next turn's prompt begins. */
export function turnStarts({ replay, count }: MethodEpisode): number[] {
  const { turnIndex } = replay.trajectory.tokens;
  return Array.from({ length: count }, (_, i) => i).filter(
    (i) => i === 0 || turnIndex[i] !== turnIndex[i - 1],
  );
}
