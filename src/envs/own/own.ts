// What a user's own environment is: a board, and pure functions of a state that is plain data.
import type { Rng } from "../../core/rng.ts";
import type { Cell } from "../../core/types.ts";

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

/** Random numbers of a level. */
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
}

/** The cells of a thing, as [row, col] from the top left; one cell may stand alone. */
type Places = Cell | readonly Cell[];

/** Words of the language in place of those that follow from the board. */
interface OwnWords {
  /** What the agent is to do, in the prompt after the title. */
  readonly aim?: string;
  /** Between a thing and its cell: "at". */
  readonly at?: string;
  /** Between a thing and where it lies as seen from the player: "is". */
  readonly is?: string;
  /** Between what the reasoning states and the actions that follow from it: "so move". */
  readonly decision?: string;
}

/** A user's own environment. Its functions must not change the states that they are given. */
export interface OwnEnvironment<S = unknown> {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly rows: number;
  readonly cols: number;
  readonly actions: readonly string[];
  /** Everything that can lie on the board, the `player` included, in the order in which it is drawn. */
  readonly things: Readonly<Record<string, Look>>;
  /** Things whose cells the agent states besides the player's; each always has exactly one cell. */
  readonly claims: readonly string[];
  /** Absent, or a part of it: the words that every board has. */
  readonly words?: OwnWords;
  /** The first state of a level. */
  start(random: OwnRandom): S;
  step(state: S, action: string): OwnStep<S>;
  /** The cells of all things that are on the board. */
  where(state: S): Readonly<Record<string, Places>>;
  /** A shortest plan to success, or null; absent: the studio searches for one. */
  plan?(state: S): readonly string[] | null;
}
