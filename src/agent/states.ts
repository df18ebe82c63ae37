// How a reply writes a state down (VAGEN's `_structured` and `_symbolic` formats): in words, as a dictionary of cells, as a list
// of relations to the player, or as the board drawn with the game's own symbols. The state of a world can be a dictionary of places. An observation gives everything. A prediction is judged by what actions
// can move, so a dictionary lists only that, and the rest of a drawn board earns nothing; a list of relations gives everything.
import { ConfigError } from "../core/errors.ts";
import { message, setting, value } from "../core/message.ts";
import { registry } from "../core/registry.ts";
import type { Cell, GroundTruth, SceneTruth } from "../core/types.ts";
import { cellsOf } from "../envs/grid.ts";
import { COMMA, inReadingOrder } from "./templates/grid.ts";
import type { GridTemplate, Template } from "./templates/template.ts";

type Vertical = "above" | "below" | "same";
type Horizontal = "left" | "right" | "same";

/** Names of the representations. */
export type StateFormatId = "natural" | "structured" | "relations" | "symbolic";

/** One representation. */
interface StateFormat {
  readonly id: StateFormatId;
  /** Tokens that the common vocabulary lacks, for boards of up to `side` rows and columns. */
  words(templates: readonly Template[], side: number): readonly string[];
  /** The observation. */
  describe(template: Template, truth: SceneTruth): string;
  /** The prediction, from the predicted state. */
  predict(template: Template, truth: SceneTruth): string;
  /** Entities that an observation has to give, of those that the environment claims. */
  claims(template: Template, claimed: readonly string[]): readonly string[];
}

/** Symbols of text boards, those of all games. */
export const BOARD_SYMBOLS = ["P", "_", "O", "G", "X", "√", "#", "S", "\n"];

/** Symbols of boards as VAGEN prints them; `V` is Lite's player on the goal. */
export const PRINTED_SYMBOLS = [...BOARD_SYMBOLS.filter((symbol) => symbol !== "\n"), "V"];

/** All representations. */
export const stateFormats = registry<StateFormat>(
  "state format",
  {
    id: "natural",
    words: () => [],
    describe: (template, truth) => template.describe(truth),
    predict: (template, truth) => template.predict(truth),
    claims: (_book, claimed) => claimed,
  },
  {
    id: "structured",
    words: (templates, side) => [
      ...templates.flatMap((template) => template.grid?.entities.map(entry) ?? []),
      ...Array.from({ length: side }, (_, i) => [`[${i}, `, `${i}]`]).flat(),
      "[",
      "]",
      "}",
      ...templates.flatMap((template) => template.dictionary?.words ?? []),
    ],
    describe: (template, truth) =>
      template.dictionary?.write(truth) ?? dictionary(gridOf(template).entities, onBoard(truth)),
    predict: (template, truth) =>
      template.dictionary?.write(truth) ?? dictionary(template.predicts, onBoard(truth)),
    claims: (_book, claimed) => claimed,
  },
  {
    id: "relations",
    words: (templates) => [
      ...templates.flatMap((template) => related(template).map(recordStart)),
      ...(["above", "below", "same"] as const).map(recordMiddle),
      ...(["left", "right", "same"] as const).map(recordEnd),
      "[",
      "]",
    ],
    describe: (template, truth) => relationList(template, onBoard(truth)),
    predict: (template, truth) => relationList(template, onBoard(truth)),
    claims: (template) => related(template),
  },
  {
    id: "symbolic",
    words: () => BOARD_SYMBOLS,
    describe: (template, truth) => board(gridOf(template), onBoard(truth)),
    predict: (template, truth) => board(gridOf(template), onBoard(truth)),
    claims: (template) => gridOf(template).drawn,
  },
);

const PATH = "rollout.state_format";

/** @throws ConfigError("invalid_config") for an environment whose state is not a grid. */
function gridOf({ grid, name }: Template): GridTemplate {
  if (grid) return grid;
  throw new ConfigError(
    "invalid_config",
    message`${setting(PATH)} can only be ${value(PATH, "natural")} for ${name}, whose state is not a grid.`,
    message`Set ${setting(PATH)} to ${value(PATH, "natural")}.`,
  );
}

/** The truth of a grid world, which has a player: `gridOf` rejects others. */
const onBoard = (truth: SceneTruth) => truth as GroundTruth;

/** The key of an entity with the text before it: the player comes first. */
const entry = (name: string): string => `${name === "player" ? "{" : COMMA}"${name}": `;

/** `{"player": [1, 0], "goal": [2, 1]}`; several cells of one entity are a list of cells. */
function dictionary(entities: readonly string[], truth: GroundTruth): string {
  const all = (name: string) => (name === "player" ? [truth.player] : inReadingOrder(cellsOf(truth, name)));
  return `${entities.map((name) => entry(name) + cellList(all(name))).join("")}}`;
}

/** The kinds of a list of relations: all that a board shows but the player and what always stays, such as walls. */
const related = (template: Template): readonly string[] =>
  template.grid?.drawn.filter((name) => name !== "player") ?? [];

const recordStart = (name: string): string => `{"object_id": "${name}", "vertical_relation": "`;
const recordMiddle = (vertical: Vertical): string => `${vertical}", "horizontal_relation": "`;
const recordEnd = (horizontal: Horizontal): string => `${horizontal}"}`;

/** VAGEN's list of records (`grounding_worldmodeling_structured` of its Sokoban): where each thing lies as seen from the player. */
function relationList(template: Template, truth: GroundTruth): string {
  gridOf(template);
  const records = related(template).flatMap((name) =>
    inReadingOrder(cellsOf(truth, name)).map((cell) => {
      const { vertical, horizontal } = directionTo(truth.player, cell);
      return recordStart(name) + recordMiddle(vertical) + recordEnd(horizontal);
    }),
  );
  return `[${records.join(COMMA)}]`;
}

function directionTo([row, col]: Cell, [r, c]: Cell): { vertical: Vertical; horizontal: Horizontal } {
  return {
    vertical: r < row ? "above" : r > row ? "below" : "same",
    horizontal: c < col ? "left" : c > col ? "right" : "same",
  };
}

function cellList(cells: readonly Cell[]): string {
  const pairs = cells.map(([row, col]) => `[${row}, ${col}]`);
  return pairs.length === 1 ? pairs[0] : `[${pairs.join(COMMA)}]`;
}

/** The board, one line per row, without spaces, each of which would be a token. */
function board({ symbol }: GridTemplate, truth: GroundTruth): string {
  const line = (row: number) =>
    Array.from({ length: truth.cols }, (_, col) => symbol(truth, [row, col])).join("");
  return Array.from({ length: truth.rows }, (_, row) => line(row)).join("\n");
}
