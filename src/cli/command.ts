// A command of the command line.
import type { Options, Values } from "./args.ts";
import type { Io } from "./io.ts";

export interface Command {
  summary: string;
  /** Shown below the options. */
  details: string;
  /** What its arguments without a name are called in the help; none: it takes no such. */
  files?: string;
  /** Null: the command reads its arguments itself. */
  options: Options | null;
  /** Resolves to the exit code. */
  run(values: Values, io: Io, args: readonly string[]): Promise<number>;
}
