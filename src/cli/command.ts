// A command of the command line.
import type { RunConfig } from "../config/run-config.ts";
import type { Options, Values } from "./args.ts";
import type { Io } from "./io.ts";

export interface Command {
  summary: string;
  /** Shown below the options. */
  details: string;
  /** How the help names positional arguments; absent if the command takes none. */
  files?: string;
  /** Null if the command reads its arguments itself. */
  options: Options | null;
  /** The configuration that is played, of commands that play levels; null where the options name none. */
  plays?(values: Values): Promise<RunConfig | null>;
  /** Resolves to the exit code. */
  run(values: Values, io: Io, args: readonly string[]): Promise<number>;
}
