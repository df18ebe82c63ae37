// What a game of one's own takes place on: a board or a plane.
import type { Frame, SceneTruth } from "../../core/types.ts";
import type { TextCells } from "../options.ts";
import type { Places } from "./places.ts";

/**
 * What a truth of one's own environment says besides places: the whole state, which its language goes on from, and the instruction and the
 * result, if it has them.
 */
export type OwnFacts = Readonly<{ state: string; done: boolean; instruction?: string; result?: string }>;

export interface OwnField {
  truth(places: Places, facts: OwnFacts): SceneTruth;
  /** The picture of a state, `patchPx` pixels a patch. Runs no code of the environment. */
  draw(truth: SceneTruth, patchPx: number): Frame;
  /** The state as text. */
  text(truth: SceneTruth, style?: TextCells): string;
  /** Names of things that never move within a level. */
  readonly fixed: readonly string[];
}
