// Why fields have no effect now, as the form shows it.
import type { ConfigField } from "../../config/describe.ts";
import { whyIdle } from "../../config/rules/idle.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { formText } from "./words.ts";

/** Why a field has no effect right now; empty when it has. */
export const idleReason = (path: string, draft: RunConfig): string => formText(whyIdle(path, draft));

interface FieldWithReason {
  field: ConfigField;
  idle: string;
  /** The reason once, above this field and those that follow with the same one. */
  note: string;
  /** A note above has the reason. */
  isNoted: boolean;
}

/** From this many fields in a row on, one note gives their common reason. */
const MANY = 3;

/** Fields with why they have no effect now. */
export function withReasons(fields: readonly ConfigField[], draft: RunConfig): FieldWithReason[] {
  const reasons = fields.map(({ path }) => idleReason(path, draft));
  const startOf = (i: number): number => (i > 0 && reasons[i - 1] === reasons[i] ? startOf(i - 1) : i);
  const lengthFrom = (start: number): number => {
    const end = reasons.findIndex((reason, i) => i > start && reason !== reasons[start]);
    return (end < 0 ? reasons.length : end) - start;
  };
  return fields.map((field, i) => {
    const idle = reasons[i]!;
    const count = lengthFrom(startOf(i));
    const isNoted = idle !== "" && count >= MANY;
    return {
      field,
      idle,
      isNoted,
      note: isNoted && startOf(i) === i ? `The next ${count} have no effect now. ${idle}` : "",
    };
  });
}
