// What the agent claimed, as places in the picture.
import { isBoard } from "../../core/scene.ts";
import type { Cell, Outline, SceneTruth, Turn, Verdict, WorldTruth } from "../../core/types.ts";
import { NOT_STATED, SURROUNDINGS, wasJudged } from "../../core/verdict.ts";
import type { ClaimedField } from "../../envs/env.ts";
import { type Direction, deltas, neighbour, onBoard } from "../../envs/grid.ts";
import { envs } from "../../envs/registry.ts";

export interface Ghost {
  /** The thing that the claim is about. */
  name: string;
  /** Where it is claimed to be, in units of `rasterOf`. */
  box: Outline;
  ok: boolean;
  /** It is a statement about a cell beside the player, not about a thing. */
  isBeside?: true;
}

/**
 * Rows and columns that a picture of a state is measured in: the cells of a board, or parts of another picture, of which the longer side
 * has eight.
 */
export function rasterOf(truth: SceneTruth): { rows: number; cols: number } {
  if (isBoard(truth)) return truth;
  const [width, height] = truth.size ?? [1, 1];
  const longer = Math.max(width, height);
  return { rows: (PARTS * height) / longer, cols: (PARTS * width) / longer };
}

const PARTS = 8;

/** The environment of an episode and its options, as the run's configuration has them. */
interface EpisodeGame {
  envId: string;
  envConfig: unknown;
}

/** The claimed places of an observation or a prediction; empty when nothing could be read. */
export function ghostsOf(turn: Turn, claim: "observation" | "prediction", game: EpisodeGame): Ghost[] {
  const fields = turn.verdicts[claim]?.fields ?? [];
  const about = claim === "observation" ? turn.before : turn.after;
  return fields.flatMap(({ name, predicted, ok, cells, outline }) => {
    if (!isBoard(about)) {
      const hung = hungOutline({ name, words: predicted }, about, game);
      const shown = hung === undefined ? outline : hung;
      return shown ? [{ name, ok, box: scaled(shown, rasterOf(about)) }] : [];
    }
    return (cells ?? cellsIn(predicted)).map(([y, x]) => ({ name, ok, box: { x, y, width: 1, height: 1 } }));
  });
}

const DIRECTIONS = Object.keys(deltas) as Direction[];

/** A right "free" says nothing that the picture does not show. */
const isPlain = ({ predicted, ok }: Verdict["fields"][number]) => ok && predicted === "free";

/**
 * What the reasoning of a turn says about the cells beside the player, apart from those that it rightly calls free and those beyond the
 * board's edge.
 */
export function neighbourGhosts({ before, verdicts }: Turn): Ghost[] {
  const { fields = [] } = verdicts[SURROUNDINGS] ?? {};
  if (fields.length === 0 || !isBoard(before) || !before.player) return [];
  const { player } = before;
  return DIRECTIONS.flatMap((direction) => {
    const cell = neighbour(player, direction);
    const field = fields.find(({ name }) => name === direction.toLowerCase());
    if (!field || field.predicted === NOT_STATED || isPlain(field) || !onBoard(cell, before)) return [];
    const [y, x] = cell;
    return { name: field.predicted, ok: field.ok, box: { x, y, width: 1, height: 1 }, isBeside: true };
  });
}

/** All that a turn says about the state before it. What two of its statements have in common is there once. */
export function ghostsBefore(turn: Turn, game: EpisodeGame): Ghost[] {
  const observed = ghostsOf(turn, "observation", game);
  const known = new Set(observed.map(ghostKey));
  return [...observed, ...neighbourGhosts(turn).filter((ghost) => !known.has(ghostKey(ghost)))];
}

/** Differs for any two ghosts of a picture. */
export const ghostKey = ({ name, box }: Ghost): string => `${name} ${box.x} ${box.y}`;

/** See `EnvSpec.hungAt`; undefined for an environment or options that are not known here. */
function hungOutline(claim: ClaimedField, about: WorldTruth, { envId, envConfig }: EpisodeGame) {
  const spec = envs.all.find(({ id }) => id === envId);
  const options = spec?.config.safeParse(envConfig ?? {});
  // A recording may come from anywhere.
  return about.facts && options?.success ? spec?.hungAt?.(claim, about, options.data) : undefined;
}

const scaled = ({ x, y, width, height }: Outline, { rows, cols }: ReturnType<typeof rasterOf>): Outline => ({
  x: x * cols,
  y: y * rows,
  width: width * cols,
  height: height * rows,
});

/** A claim in the words that the judge compared, for a map of a floor, which also shows what is out of view. */
export interface FloorClaim {
  claim: "observation" | "prediction";
  name: string;
  words: string;
  /** The state that the words are about: they count from where the agent is in it. */
  about: WorldTruth;
  /** Null as long as that is not known. */
  ok: boolean | null;
}

/** The claims of a turn about the state before it, or about the one after it. */
export function floorClaims(turn: Turn, claim: FloorClaim["claim"]): FloorClaim[] {
  const about = claim === "observation" ? turn.before : turn.after;
  const verdict = turn.verdicts[claim];
  // A recording may come from anywhere.
  if (!verdict || isBoard(about) || !about.facts) return [];
  const isJudged = wasJudged(verdict);
  return verdict.fields.map(({ name, predicted, ok }) => ({
    ...{ claim, name, about },
    words: predicted,
    ok: isJudged ? ok : null,
  }));
}

/** What is claimed about the state before a turn: predicted by the turn before, if there was one, and observed by this one. */
export const claimsBefore = (turn: Turn, previous: Turn | undefined): FloorClaim[] => [
  ...(previous ? floorClaims(previous, "prediction") : []),
  ...floorClaims(turn, "observation"),
];

/** Every "row 1 col 2" in a field: runs of earlier versions store cells in words only. */
export function cellsIn(text: string): Cell[] {
  return [...text.matchAll(/row (\d+) col (\d+)/g)].map(
    (found) => [Number(found[1]), Number(found[2])] as const,
  );
}
