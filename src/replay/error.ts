// The error of a file that is no replay, or a damaged one.
import { StudioError } from "../core/errors.ts";

/** The file of a recorded episode cannot be used. */
export class ReplayError extends StudioError<"corrupt" | "foreign"> {
  override readonly name = "ReplayError";
}
