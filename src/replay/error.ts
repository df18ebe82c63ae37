// The error of a file that is no replay, damaged or not there.
import { StudioError } from "../core/errors.ts";

/** The file of a recorded episode cannot be used. */
export class ReplayError extends StudioError<"corrupt" | "foreign" | "missing"> {
  override readonly name = "ReplayError";
}
