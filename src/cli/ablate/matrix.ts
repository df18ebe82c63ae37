// Which runs an ablation consists of: methods under one format, and formats under one method, as in the tables of the
// paper, each with several seeds. Runs of one format and seed start from the same SFT policy.
import type { FormatId } from "../../core/formats.ts";

/** The method under which formats are compared: the paper's table of reasoning strategies. */
export const METHOD_OF_FORMATS = "vagen-base";

/** The format under which methods are compared. */
export const FORMAT_OF_METHODS: FormatId = "grounding_worldmodeling";

/** One row of the result: a method and a format. */
export interface Cell {
  method: string;
  format: FormatId;
}

/** One training run. */
export interface AblationRun extends Cell {
  seed: number;
}

/** Every row once: the row of the base method and the combined format is in both comparisons. */
export function cellsOf(methods: readonly string[], formats: readonly FormatId[]): Cell[] {
  const cells = [
    ...methods.map((method) => ({ method, format: FORMAT_OF_METHODS })),
    ...formats.map((format) => ({ method: METHOD_OF_FORMATS, format })),
  ];
  return cells.filter((cell, i) => cells.findIndex((other) => nameOfCell(other) === nameOfCell(cell)) === i);
}

/** Every run, all rows of one seed before those of the next: a table that is stopped early has whole seeds. */
export const runsOf = (cells: readonly Cell[], seeds: number): AblationRun[] =>
  Array.from({ length: seeds }, (_, seed) => cells.map((cell) => ({ ...cell, seed }))).flat();

export const nameOfCell = ({ method, format }: Cell): string => `${method}-${format}`;

/** The folder of a run. */
export const nameOfRun = (run: AblationRun): string => `${nameOfCell(run)}-seed${run.seed}`;

/** The folder of the SFT run that a run starts from. */
export const nameOfSft = ({ format, seed }: Omit<AblationRun, "method">): string =>
  `warmup-${format}-seed${seed}`;
