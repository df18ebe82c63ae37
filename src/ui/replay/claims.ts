// Which of the agent's claims are shown at a moment, and which one is pointed at.

import { isBoard } from "../../core/scene.ts";
import type { Trajectory, Turn, Verdict } from "../../core/types.ts";
import { askedVerdicts, isDenial, NOT_STATED, NOT_THERE } from "../../core/verdict.ts";
import type { Phase, Timeline } from "../../replay/clock.ts";
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
 * null before all of them. A claim is shown once its words have been said, and its verdict once they have been read, that on a prediction
 * after the actions.
 */
export function claimsAt({ timeline, replay }: Playback, phase: number): ShownClaims | null {
  const { turn, kind } = timeline.phases[phase]!;
  const said = saidAt(timeline, phase);
  const shown = replay.trajectory.turns[turn]!;
  const claim = said.has("prediction") ? "prediction" : "observation";
  const beside = said.has("reasoning") && !hasMoved(timeline, phase) ? neighboursAt(shown, kind) : [];
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
 * The parts of a turn whose words have all been said by a phase. Words that are read out have been said once the phase is over; others stand
 * there from its beginning. A part may be in several places of a reply.
 */
function saidAt({ reading, phases }: Timeline, phase: number): ReadonlySet<Phase["kind"]> {
  const { turn } = phases[phase]!;
  const next = reading === "stream" ? phase : phase + 1;
  const kindsIn = (from: number, to?: number) =>
    phases
      .slice(from, to)
      .filter((one) => one.turn === turn)
      .map(({ kind }) => kind);
  const toCome = new Set(kindsIn(next));
  return new Set(kindsIn(0, next).filter((kind) => !toCome.has(kind)));
}

/** Whether a phase is an action of its turn, or comes after one. */
const hasMoved = ({ phases }: Timeline, phase: number): boolean =>
  phases.slice(0, phase + 1).some(({ turn, kind }) => turn === phases[phase]!.turn && kind === "action");

/**
 * What is said of neighbours, until the player moves away from them, with its verdict once it has been read. So it is beside the prediction
 * that follows from it, and a hole that was called free is seen before the agent walks into it.
 */
function neighboursAt(turn: Turn, kind: Phase["kind"]): Ghost[] {
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
