// Which runs an ablation consists of: methods under one format, and formats under one method, as in the tables of the
// paper, or values of one setting, each with several seeds. Runs of one format and seed start from the same SFT policy.
import type { FormatId } from "../../core/formats.ts";
import { nameOfValue } from "../source.ts";

/** The method under which formats are compared: the paper's table of reasoning strategies. */
export const METHOD_OF_FORMATS = "vagen-base";

/** The format under which methods are compared. */
export const FORMAT_OF_METHODS: FormatId = "grounding_worldmodeling";

/** One row of the result: a method and a format, and where one setting is varied its value. */
export interface Cell {
  method: string;
  format: FormatId;
  value?: unknown;
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

/** Every value of a setting under every method. */
export const cellsOfValues = (methods: readonly string[], values: readonly unknown[]): Cell[] =>
  methods.flatMap((method) => values.map((value) => ({ method, format: FORMAT_OF_METHODS, value })));

/** Every run, all rows of one seed before those of the next: a table that is stopped early has whole seeds. */
export const runsOf = (cells: readonly Cell[], seeds: number): AblationRun[] =>
  Array.from({ length: seeds }, (_, seed) => cells.map((cell) => ({ ...cell, seed }))).flat();

/** A value as the end of a file's name; empty without one. */
const suffix = (value: unknown): string =>
  value === undefined ? "" : `-${encodeURIComponent(nameOfValue(value))}`;

export const nameOfCell = ({ method, format, value }: Cell): string => `${method}-${format}${suffix(value)}`;

/** The folder of a run. */
export const nameOfRun = (run: AblationRun): string => `${nameOfCell(run)}-seed${run.seed}`;

/** The folder of the SFT run that a run starts from. @param run with its value only if SFT depends on it */
export const nameOfSft = ({ format, seed, value }: Omit<AblationRun, "method">): string =>
  `warmup-${format}${suffix(value)}-seed${seed}`;
