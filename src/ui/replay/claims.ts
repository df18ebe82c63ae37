// Which of the agent's claims are shown at a moment, and which one is pointed at.

import { isBoard } from "../../core/scene.ts";
import type { Trajectory, Turn, Verdict } from "../../core/types.ts";
import { askedVerdicts, isDenial, NOT_STATED, NOT_THERE } from "../../core/verdict.ts";
import type { Phase } from "../../replay/clock.ts";
import {
  type FloorClaim,
  floorClaims,
  type Ghost,
  ghostKey,
  ghostsOf,
  joined,
  neighbourGhosts,
  withNeighbours,
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
}

/** Whether an episode states anything whose place could be outlined. */
export const statesBeliefs = ({ turns }: Pick<Trajectory, "turns">): boolean =>
  turns.some(
    (turn) => askedVerdicts(turn).some(({ fields }) => fields.length > 0) || neighbourGhosts(turn).length > 0,
  );

/**
 * The claims that a phase shows: the observation until a prediction is made, then the prediction, and what the reasoning says of neighbours;
 * null before all of them. A verdict is known once the words have been read, that on a prediction after the actions.
 */
export function claimsAt({ timeline, replay }: Playback, phase: number): ShownClaims | null {
  const { turn, kind } = timeline.phases[phase]!;
  const past = timeline.phases.slice(0, phase + 1).filter((one) => one.turn === turn);
  const said = new Set(past.map((one) => one.kind));
  const shown = replay.trajectory.turns[turn]!;
  const claim = said.has("prediction") ? "prediction" : "observation";
  const beside = neighboursAt(shown, kind, said);
  if (!said.has(claim) && beside.length === 0) return null;
  const isDue = claim === "prediction" ? kind === "verdict" : kind !== "observation";
  const game = { envId: replay.trajectory.envId, envConfig: replay.envConfig };
  const ofClaim = said.has(claim) ? ghostsOf(shown, claim, game) : [];
  const claimed = isDue ? ofClaim : unjudged(ofClaim);
  const onFloor = said.has(claim) ? floorClaims(shown, claim) : [];
  return {
    claim,
    // A prediction is about another state than the neighbours, so that the two are never one.
    ghosts: claim === "prediction" ? withNeighbours(claimed, beside) : joined(claimed, beside),
    onFloor: isDue ? onFloor : unjudged(onFloor),
  };
}

/**
 * What is said of neighbours: while that is read, and with its verdict until the player moves away from them. So it is beside the
 * prediction that follows from it, and a hole that was called free is seen before the agent walks into it.
 */
function neighboursAt(turn: Turn, kind: Phase["kind"], said: ReadonlySet<Phase["kind"]>): Ghost[] {
  if (!said.has("reasoning") || said.has("action")) return [];
  const ghosts = neighbourGhosts(turn);
  return kind === "reasoning" ? unjudged(ghosts) : ghosts;
}

const unjudged = <T extends { ok: boolean | null }>(claims: readonly T[]): T[] =>
  claims.map((one) => ({ ...one, ok: null }));

/** The first phase that shows the same claims as this one, and then what it shows. */
export function claimsKey(playback: Playback, phase: number): string {
  const { phases } = playback.timeline;
  const { turn } = phases[phase]!;
  const shown = keyOf(claimsAt(playback, phase));
  let first = phase;
  while (phases[first - 1]?.turn === turn && keyOf(claimsAt(playback, first - 1)) === shown) first--;
  return `${first} ${shown}`;
}

/** The same for the same claims of a turn. */
function keyOf(shown: ShownClaims | null): string {
  if (!shown) return "";
  const ghosts = shown.ghosts.map((ghost) => `${ghostKey(ghost)} ${ghost.label} ${ghost.ok}`);
  return [shown.claim, ...ghosts, ...shown.onFloor.map(({ ok }) => ok)].join();
}
