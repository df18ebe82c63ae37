// The reply formats: which parts a reply has, in which order. Five are those of VAGEN's paper (`prompt_format`), `wm` and
// `free_wm` those of VAGEN-Lite, which foresees behind the answer, and `boxed` is that of AReaL's geometry example.
import { registry } from "../core/registry.ts";

/** A part of a reply that carries text. */
export type Part = "observation" | "reasoning" | "prediction" | "answer";

/** Names of the formats, as VAGEN's `prompt_format` spells them. */
export type FormatId =
  | "no_think"
  | "free_think"
  | "grounding"
  | "worldmodeling"
  | "grounding_worldmodeling"
  | "wm"
  | "free_wm"
  | "boxed";

/** One reply format. */
export interface ReplyFormat {
  readonly id: FormatId;
  /** Parts in the order in which they are written; one that may be spread over several places is named for each. */
  readonly parts: readonly Part[];
  /** Everything before the answer stands inside `<think>`. */
  readonly think: boolean;
  /** The reasoning has no tag of its own: it is all that `<think>` holds. */
  readonly bareReasoning: boolean;
  /** The reasoning has no tag at all: it is whatever stands between the other parts. */
  readonly freeReasoning: boolean;
  /** The reply may stand anywhere in a longer text. */
  readonly anywhere: boolean;
  /** What stands around the answer. */
  readonly answerTags: readonly [open: string, close: string];
}

const ANSWER = ["<answer>", "</answer>"] as const;
/** What stands around the answer of `boxed`. */
export const BOX = ["\\boxed{", "}"] as const;
/** What stands around a tool call, in the place of the answer. */
export const CALL = ["<tool_call>", "</tool_call>"] as const;

function format(id: FormatId, ...parts: Part[]): ReplyFormat {
  return {
    id,
    parts,
    think: parts.length > 1,
    bareReasoning: id === "free_think",
    freeReasoning: false,
    anywhere: false,
    answerTags: ANSWER,
  };
}

/** VAGEN-Lite's way: nothing around the parts, and found wherever it stands. */
function liteFormat(id: FormatId, ...parts: Part[]): ReplyFormat {
  const freeReasoning = id === "free_wm";
  return {
    ...format(id, ...parts),
    think: false,
    bareReasoning: !freeReasoning,
    freeReasoning,
    anywhere: true,
  };
}

/** The reply formats by id. */
export const formats = registry(
  "reply format",
  format("no_think", "answer"),
  format("free_think", "reasoning", "answer"),
  format("grounding", "observation", "reasoning", "answer"),
  format("worldmodeling", "reasoning", "prediction", "answer"),
  format("grounding_worldmodeling", "observation", "reasoning", "prediction", "answer"),
  liteFormat("wm", "observation", "reasoning", "answer", "prediction"),
  liteFormat("free_wm", "observation", "reasoning", "answer", "reasoning", "prediction"),
  { ...format("boxed", "reasoning", "answer"), bareReasoning: true, answerTags: BOX },
);

/** The form of a reply that calls a tool: the call stands where the answer would. */
export const callFormat = (format: ReplyFormat): ReplyFormat => ({ ...format, answerTags: CALL });

/** Formats whose words every vocabulary has; the other formats' are in the vocabularies of their own tasks. */
export const COMMON_FORMATS: readonly FormatId[] = [
  "no_think",
  "free_think",
  "grounding",
  "worldmodeling",
  "grounding_worldmodeling",
];

/** The words of a format beyond the common ones. */
export const ownWords = (id: FormatId): readonly string[] =>
  COMMON_FORMATS.includes(id) ? [] : [id, ...formats.get(id).answerTags];

/** Every tag that VAGEN's formats use. */
export const TAGS = ["think", "observation", "reasoning", "prediction", "answer"].flatMap((name) => [
  `<${name}>`,
  `</${name}>`,
]);

/**
 * The tags around each part: `before` the part's text and, after the last part, `after`. Neighbouring tags stand
 * together, so `["<think>", "<observation>"]` opens a grounding reply.
 */
export function skeleton(format: ReplyFormat): {
  before: readonly (readonly string[])[];
  after: readonly string[];
} {
  const { parts } = format;
  const isWrapped = format.think && !format.bareReasoning;
  const before = parts.map((part, i) => [
    ...closingTag(parts[i - 1], format),
    ...(isWrapped && i === 0 ? ["<think>"] : []),
    ...(isWrapped && part === "answer" ? ["</think>"] : []),
    ...openingTag(part, format),
  ]);
  return { before, after: closingTag(parts.at(-1), format) };
}

const openingTag = (part: Part, format: ReplyFormat) => tagsAround(part, format).slice(0, 1);
const closingTag = (part: Part | undefined, format: ReplyFormat) =>
  part === undefined ? [] : tagsAround(part, format).slice(1);

/** What stands before and behind a part; nothing where it has no tag of its own. */
function tagsAround(part: Part, format: ReplyFormat): readonly string[] {
  if (part === "answer") return format.answerTags;
  if (part === "reasoning" && format.freeReasoning) return [];
  const name = part === "reasoning" && format.bareReasoning ? "think" : part;
  return [`<${name}>`, `</${name}>`];
}

/**
 * A well-formed reply with the given texts; parts that the format does not have are left out, and one with several
 * places is written in the first.
 */
export function writeFormat(format: ReplyFormat, texts: Readonly<Record<Part, string>>): string {
  const { before, after } = skeleton(format);
  const written = format.parts.map((part, i) => (format.parts.indexOf(part) === i ? texts[part] : ""));
  return written.map((text, i) => before[i].join("") + text).join("") + after.join("");
}
