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
  /** Null as long as that is not known. */
  ok: boolean | null;
  /** It is a statement about a cell beside the player, not about a thing. */
  isBeside?: true;
  /** What is written in place of the name. */
  label?: string;
  /** Another claim outlines its place already. */
  hasNoOutline?: true;
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
  const verdict = turn.verdicts[claim];
  const about = claim === "observation" ? turn.before : turn.after;
  return (verdict?.fields ?? []).flatMap(({ name, predicted, ok: isRight, cells, outline }) => {
    const ok = wasJudged(verdict!) ? isRight : null;
    if (!isBoard(about)) {
      const hung = hungOutline({ name, words: predicted }, about, game);
      const shown = hung === undefined ? outline : hung;
      return shown ? [{ name, ok, box: scaled(shown, rasterOf(about)) }] : [];
    }
    return (cells ?? cellsIn(predicted)).map(([y, x]) => ({ name, ok, box: { x, y, width: 1, height: 1 } }));
  });
}

const DIRECTIONS = Object.keys(deltas) as Direction[];

/** What never moves and the picture shows plainly, in the words of all environments; an environment of the user's own may have walls, too. */
const PLAIN: ReadonlySet<string> = new Set(["free", "edge", "wall"]);

/** A right statement of that kind would be there in nearly every turn and say nothing new. */
const isPlain = ({ predicted, ok }: Verdict["fields"][number]) => ok && PLAIN.has(predicted);

/**
 * What the reasoning of a turn says about the cells beside the player, apart from those of which it rightly says what is plain, and those
 * beyond the board's edge.
 */
export function neighbourGhosts({ before, verdicts }: Turn): Ghost[] {
  const verdict = verdicts[SURROUNDINGS];
  if (!verdict || verdict.fields.length === 0 || !isBoard(before) || !before.player) return [];
  const { player } = before;
  return DIRECTIONS.flatMap((direction): Ghost | Ghost[] => {
    const cell = neighbour(player, direction);
    const field = verdict.fields.find(({ name }) => name === direction.toLowerCase());
    if (!field || field.predicted === NOT_STATED || isPlain(field) || !onBoard(cell, before)) return [];
    const [y, x] = cell;
    const ok = wasJudged(verdict) ? field.ok : null;
    return { name: field.predicted, ok, box: { x, y, width: 1, height: 1 }, isBeside: true };
  });
}

/** All that a turn says about the state before it. */
export const ghostsBefore = (turn: Turn, game: EpisodeGame): Ghost[] =>
  joined(ghostsOf(turn, "observation", game), neighbourGhosts(turn));

/** An observation and what is said of neighbours in the same state: what says the same of a cell is there once. */
export function joined(observed: readonly Ghost[], beside: readonly Ghost[]): Ghost[] {
  const ghosts = observed.map((ghost) => {
    const same = beside.find((one) => saysSame(one, ghost));
    return same ? asOne(ghost, same) : ghost;
  });
  const further = beside.filter((one) => !observed.some((ghost) => saysSame(one, ghost)));
  return withNeighbours(ghosts, further);
}

/** Claims and what is said of neighbours: a cell has one outline, that of the claim, which can be pointed at. */
export const withNeighbours = (claimed: readonly Ghost[], beside: readonly Ghost[]): Ghost[] => [
  ...beside.map((one) =>
    claimed.some((ghost) => isSamePlace(one, ghost)) ? { ...one, hasNoOutline: true as const } : one,
  ),
  ...claimed,
];

const isSamePlace = ({ box: a }: Ghost, { box: b }: Ghost): boolean => a.x === b.x && a.y === b.y;

/** A "stuck box" is a "box", too. Where only "stuck" is wrong, the two differ. */
function saysSame(beside: Ghost, observed: Ghost): boolean {
  if (!isSamePlace(beside, observed)) return false;
  if (beside.name === observed.name) return true;
  return beside.name.endsWith(` ${observed.name}`) && (beside.ok === true || beside.ok === observed.ok);
}

/** The verdict on a neighbour is about this very cell; the observation of a box may be wrong because of another box. */
const asOne = (observed: Ghost, beside: Ghost): Ghost => ({
  ...observed,
  ok: beside.ok ?? observed.ok,
  ...(beside.name !== observed.name && { label: beside.name }),
});

/** Differs for any two ghosts of a picture. */
export const ghostKey = ({ name, box, isBeside }: Ghost): string =>
  `${name} ${box.x} ${box.y}${isBeside ? " beside" : ""}`;

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
