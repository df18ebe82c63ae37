// The words of tool calls and their refusals.
import { CALL } from "./skeleton.ts";

/** Kinds of errors, in the words that a small policy reads. */
export const TOOL_ERRORS = {
  malformed: "bad JSON",
  unknown: "unknown tool",
  arguments: "bad arguments",
  failed: "tool failed",
  limit: "too many calls",
} as const;

/** Words of vocabularies of tasks with tools; those of the calls themselves are the template's. */
export const TOOL_WORDS: readonly string[] = [...CALL, " tool ", "error ", ...Object.values(TOOL_ERRORS)];
