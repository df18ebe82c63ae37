// What a user's own environment is: a board or a plane, and pure functions of a state that is plain data.
import type { Point } from "../../core/image.ts";
import type { Rng } from "../../core/rng.ts";
import type { Cell } from "../../core/types.ts";
import type { ArgumentValues, OwnAction } from "./actions.ts";

/** Shapes of things in a picture. */
export const SHAPES = ["square", "disc", "diamond", "ring", "cross", "triangle"] as const;

/** How a thing looks. */
export interface Look {
  /** `#rrggbb`. */
  readonly color: string;
  readonly shape: (typeof SHAPES)[number];
  /** One letter, for boards as text. */
  readonly symbol: string;
}

/** Width and height in units, or one number for both. */
export type Extent = number | readonly [width: number, height: number];

/** How a thing of a plane looks, and what is known of it. */
export interface PlaneLook extends Pick<Look, "color" | "shape"> {
  readonly size: Extent;
  /** It never moves within a level, so predictions may leave it out. */
  readonly fixed: boolean;
  /** How many of it there are at most. */
  readonly most: number;
}

/** A shape that is drawn below all things, the same in every state. */
interface Scenery extends Pick<Look, "color" | "shape"> {
  /** Its middle. */
  readonly at: Point;
  readonly size: Extent;
}

/** Random numbers of a level, or of an action. */
export type OwnRandom = Pick<Rng, "float" | "int" | "pick" | "shuffle">;

/** The result of an action. What is left out is 0, false or empty. */
interface OwnStep<S> {
  readonly state: S;
  /** Besides `success_reward`, which success pays. */
  readonly reward?: number;
  /** The episode is over. */
  readonly done?: boolean;
  /** It is over, and solved. */
  readonly success?: boolean;
  /** For people: why nothing happened, or how the episode was lost. */
  readonly note?: string;
  /** What people call an end without success that is no failure: "Tie". Left out, such an end is a failure. */
  readonly result?: string;
}

/** Words of the language in place of those that every board or plane has. */
interface OwnWords {
  /** What the agent is to do, in the prompt after the title. */
  readonly aim?: string;
  /** Between a thing and its place: "at". */
  readonly at?: string;
  /** Between a thing and where it lies as seen from the player: "is". */
  readonly is?: string;
  /** Between what the reasoning states and the actions that follow from it: "so move". */
  readonly decision?: string;
}

/** What boards and planes have in common. The functions must not change the states that they are given. */
export interface OwnRules<S> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly actions: readonly OwnAction[];
  /** Things whose places the agent states besides the player's; each always has exactly one place. */
  readonly claims: readonly string[];
  /** Absent, or a part of it: the words that every board or plane has. */
  readonly words?: OwnWords;
  /** Whether `step` draws random numbers, so that an action may have several results. */
  readonly chance: boolean;
  /** Every instruction that a level may give the agent; absent: levels give none. */
  readonly instructions?: readonly string[];
  /** The first state of a level. */
  start(random: OwnRandom): S;
  /**
   * @param values of the action's arguments, by name; of an action without arguments: none
   * @param random random numbers of this action; only with `chance`
   */
  step(state: S, action: string, values: ArgumentValues, random: OwnRandom): OwnStep<S>;
  /** The places of all things that are there: cells of a board, or points of a plane; one place may stand alone. */
  where(state: S): Readonly<Record<string, Cell | readonly Cell[]>>;
  /** The instruction of a level: one of `instructions`, the same in all states of an episode. */
  instruction?(state: S): string;
  /** A shortest plan to success, its actions as they are written, or null; absent: the studio searches for one. With `chance` it is needed. */
  plan?(state: S): readonly string[] | null;
}

/** An environment on a board. */
export interface OwnBoard<S = unknown> extends OwnRules<S> {
  readonly rows: number;
  readonly cols: number;
  /** Everything that can lie on the board, the `player` included, in the order in which it is drawn. */
  readonly things: Readonly<Record<string, Look>>;
}

/** An environment on a plane with coordinates: x to the right and y down from the top left corner, in units. */
export interface OwnPlane<S = unknown> extends OwnRules<S> {
  /** Width and height in units, multiples of 8; a unit is a pixel of the agent's picture. */
  readonly size: readonly [width: number, height: number];
  /** Everything that can be on the plane, the `player` included, in the order in which it is drawn. */
  readonly things: Readonly<Record<string, PlaneLook>>;
  /** `#rrggbb`. */
  readonly background: string;
  readonly scenery: readonly Scenery[];
  /** A stated place is right if it is at most this many units away. */
  readonly near: number;
}

/** A user's own environment. */
export type OwnEnvironment<S = unknown> = OwnBoard<S> | OwnPlane<S>;

export const isPlane = <S>(own: OwnEnvironment<S>): own is OwnPlane<S> => "size" in own;
