// Why fields have no effect now, as the form shows it.
import type { ConfigField } from "../../config/describe.ts";
import { partlyIdle, whyIdle } from "../../config/rules/idle.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { listed, message } from "../../core/message.ts";
import { formText } from "./words.ts";

/** Why a field has no effect right now; empty when it has. */
export const idleReason = (path: string, draft: RunConfig): string => formText(whyIdle(path, draft));

/** In which environments of a run a field has no effect that has one elsewhere, and why; empty when there are none. */
export function partlyIdleReason(path: string, draft: RunConfig): string {
  const part = partlyIdle(path, draft);
  return part ? formText(message`No effect in ${listed(part.names)}. ${part.why}`) : "";
}

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
  const groups: { idle: string; fields: ConfigField[] }[] = [];
  for (const field of fields) {
    const idle = idleReason(field.path, draft);
    if (groups.at(-1)?.idle !== idle) groups.push({ idle, fields: [] });
    groups.at(-1)!.fields.push(field);
  }
  return groups.flatMap(({ idle, fields: group }) => {
    const isNoted = idle !== "" && group.length >= MANY;
    const note = isNoted ? `The next ${group.length} have no effect now. ${aboutMany(idle)}` : "";
    return group.map((field, i) => ({ field, idle, isNoted, note: i === 0 ? note : "" }));
  });
}

/** A field's reason, "Used only by …", as a sentence about several fields. */
const aboutMany = (idle: string): string => idle.replace(/^Used /, "They are used ");
