// Which of the agent's claims are shown at a moment, and which one is pointed at.

import { isBoard } from "../../core/scene.ts";
import type { Trajectory, Verdict } from "../../core/types.ts";
import {
  askedVerdicts,
  isDenial,
  NOT_STATED,
  NOT_THERE,
  SURROUNDINGS,
  wasJudged,
} from "../../core/verdict.ts";
import type { Phase } from "../../replay/clock.ts";
import {
  type FloorClaim,
  floorClaims,
  type Ghost,
  ghostsBefore,
  ghostsOf,
  neighbourGhosts,
} from "../episode/beliefs.ts";
import type { Playback } from "./playback.ts";

export type Claim = "observation" | "prediction";

/** A claim that the pointer or the focus is on. */
export interface Lit {
  turn: number;
  claim: Claim;
  name: string;
}

export const sameLit = (a: Lit | null, b: Lit): boolean =>
  a !== null && a.turn === b.turn && a.claim === b.claim && a.name === b.name;

/** What is wrong about a field of a claim: "bin: claimed 3 ahead, correct: 2 ahead". */
export function mistakeIn({ name, predicted, truth }: Verdict["fields"][number]): string {
  if (truth === NOT_THERE)
    return `${name}: claimed ${predicted}, ${isDenial(predicted) ? "wrongly" : "not there"}`;
  return `${name}: ${predicted === NOT_STATED ? predicted : `claimed ${predicted}`}, correct: ${truth}`;
}

/**
 * What the judge checks, as a sentence: on boards not the statements about neighbours, where no verdict is about them; worlds have no
 * neighbours. Empty where all is judged, and where no places are.
 */
export function judgeScope(episodes: readonly Pick<Trajectory, "turns">[]): string {
  const verdicts = episodes.flatMap(({ turns }) => turns.map((turn) => turn.verdicts));
  if (verdicts.some((of) => of.surroundings !== undefined)) return "";
  const names = new Set(
    verdicts.flatMap(({ observation }) => observation?.fields.map(({ name }) => name) ?? []),
  );
  if (names.size === 0) return "";
  if (episodes.some(({ turns }) => turns.some(({ before }) => !isBoard(before))))
    return "The judge checks where things are.";
  const list = [...names].join(", ").replace(/, (?=[^,]*$)/, " and ");
  return `The judge checks positions only (${list}), not statements about neighbours.`;
}

interface ShownClaims {
  claim: Claim;
  ghosts: readonly Ghost[];
  /** The same for a map. */
  onFloor: readonly FloorClaim[];
  /** Whether the verdict is known at this moment: of an observation once it is said, of a prediction after the actions. */
  isJudged: boolean;
}

/** Whether an episode states anything whose place could be outlined. */
export const statesBeliefs = ({ turns }: Pick<Trajectory, "turns">): boolean =>
  turns.some(
    (turn) => askedVerdicts(turn).some(({ fields }) => fields.length > 0) || neighbourGhosts(turn).length > 0,
  );

/**
 * The claims that a phase shows: the observation, and what the reasoning says of neighbours, until a prediction is made; then the
 * prediction; null before all of them.
 */
export function claimsAt({ timeline, replay }: Playback, phase: number): ShownClaims | null {
  const { turn, kind } = timeline.phases[phase]!;
  const said = timeline.phases.slice(0, phase + 1).filter((past) => past.turn === turn);
  const hasSaid = (part: Phase["kind"]) => said.some((past) => past.kind === part);
  const shown = replay.trajectory.turns[turn]!;
  const hasReasoned = hasSaid("reasoning") && neighbourGhosts(shown).length > 0;
  if (!hasSaid("prediction") && !hasSaid("observation") && !hasReasoned) return null;
  const claim = hasSaid("prediction") ? "prediction" : "observation";
  const verdict = shown.verdicts[claim] ?? shown.verdicts[SURROUNDINGS];
  const game = { envId: replay.trajectory.envId, envConfig: replay.envConfig };
  const isAboutBefore = claim === "observation" && hasReasoned;
  const isDue = claim === "prediction" ? kind === "verdict" : kind !== "observation";
  const isJudged = isDue && verdict !== undefined && wasJudged(verdict);
  const onFloor = floorClaims(shown, claim);
  return {
    claim,
    ghosts: isAboutBefore ? ghostsBefore(shown, game) : ghostsOf(shown, claim, game),
    onFloor: isJudged ? onFloor : onFloor.map((one) => ({ ...one, ok: null })),
    isJudged,
  };
}
