// What people call the end of an episode that is neither a success nor a failure, such as "Tie".
import type { SceneTruth } from "../../core/types.ts";

/** Most characters of a result: it is shown where "Failed" would be. */
const LONGEST_RESULT = 24;

/** One line with something to see, without characters that turn the direction of the text around it. */
const LINE =
  /^(?!\s)(?=.*[\p{L}\p{N}\p{P}\p{S}])[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+(?<!\s)$/u;

/** What the studio itself calls ends, which would say something else. */
const TAKEN: readonly string[] = ["success", "failed"];

/** Whether a value can be shown as a result. */
export const isResult = (value: unknown): value is string =>
  typeof value === "string" &&
  value.length <= LONGEST_RESULT &&
  LINE.test(value) &&
  !TAKEN.includes(value.toLowerCase());

/** What a result must be, to follow "it must be". */
export const RESULT_FORM = `one line of 1 to ${LONGEST_RESULT} characters without blanks around it, such as "Tie" and neither "Success" nor "Failed", or be left out`;

/** The result that is recorded with a state. Undefined where there is none, or a file has one that cannot be shown. */
export function resultIn({ facts }: SceneTruth): string | undefined {
  const result = facts?.result;
  return isResult(result) ? result : undefined;
}
