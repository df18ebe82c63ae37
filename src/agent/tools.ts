// Tool calls: parse strictly, run, answer. Errors are answers too; nothing that a policy writes makes this throw.

import { CONTROL_TOKENS } from "../core/control-tokens.ts";
import { z } from "../core/schema.ts";
import type { ToolUse } from "../core/types.ts";
import type { Tool } from "../envs/env.ts";
import { cutText } from "./cut-text.ts";
import { TOOL_ERRORS } from "./tool-words.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** Tokens of an observation that a tool's answer may take; a longer one is cut. */
export const TOOL_ANSWER_TOKENS = 16;

const Call = z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()) });

/** Runs a call, given as the JSON text between its tags. `made`: earlier calls of the episode. */
export function callTool(
  call: string,
  tools: readonly Tool[],
  { made, limit }: { made: number; limit: number },
): ToolUse {
  if (made >= limit) return failure(call, "", "limit", `An episode may make ${limit} calls.`);
  const read = readCall(call);
  if (typeof read === "string") return failure(call, "", "malformed", read);
  const tool = tools.find(({ name }) => name === read.name);
  if (!tool) {
    const known = tools.map(({ name }) => name).join(", ");
    return failure(call, read.name, "unknown", `There is no tool "${read.name}"; the tools are ${known}.`);
  }
  return run(call, tool, read.arguments);
}

/** The call, or why the text is not a call. */
function readCall(text: string): z.output<typeof Call> | string {
  const form = 'A call is {"name": "…", "arguments": {…}}';
  try {
    const read = Call.safeParse(JSON.parse(text));
    return read.success ? read.data : `${form}; ${problems(read.error)}.`;
  } catch (error) {
    return `${form}; ${messageOf(error)}.`;
  }
}

function run(call: string, tool: Tool, given: Record<string, unknown>): ToolUse {
  const args = tool.args.safeParse(given);
  if (!args.success) return failure(call, tool.name, "arguments", `${problems(args.error)}.`);
  try {
    return { call, name: tool.name, ok: true, result: tool.run(args.data), detail: "" };
  } catch (error) {
    return failure(call, tool.name, "failed", messageOf(error));
  }
}

const failure = (call: string, name: string, kind: keyof typeof TOOL_ERRORS, detail: string): ToolUse => ({
  call,
  name,
  ok: false,
  result: TOOL_ERRORS[kind],
  detail,
});

const problems = ({ issues }: z.ZodError): string =>
  issues.map(({ path, message }) => `${path.join(".") || "the call"}: ${message}`).join("; ");

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** A tool must not be able to end a turn or to show a picture that does not exist. */
const CONTROL = new RegExp(CONTROL_TOKENS.join("|"), "g");

/** Repeats, because removing one token may join the text around it to another. */
function withoutControl(text: string): string {
  const left = text.replace(CONTROL, "");
  return left === text ? left : withoutControl(left);
}

/**
 * What the next observation says: the answer alone, or the kind of error. With a vocabulary it is cut to
 * `TOOL_ANSWER_TOKENS` tokens.
 */
export function toolNews({ ok, result }: ToolUse, vocabulary?: Vocabulary): string {
  const text = withoutControl(ok ? result : `error ${result}`);
  return vocabulary ? cutText(text, vocabulary, TOOL_ANSWER_TOKENS) : text;
}
