// The reply formats (VAGEN, `prompt_format`): which parts a reply has, in which order. The first five are those of the
// paper; `wm` and `free_wm` are those of VAGEN-Lite, which foresees behind the answer.
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
  | "free_wm";

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
}

function format(id: FormatId, ...parts: Part[]): ReplyFormat {
  return {
    id,
    parts,
    think: parts.length > 1,
    bareReasoning: id === "free_think",
    freeReasoning: false,
    anywhere: false,
  };
}

/** VAGEN-Lite's way: nothing around the parts, and found wherever it stands. */
function liteFormat(id: FormatId, ...parts: Part[]): ReplyFormat {
  const freeReasoning = id === "free_wm";
  return { id, parts, think: false, bareReasoning: !freeReasoning, freeReasoning, anywhere: true };
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
);

/** Formats whose words every vocabulary has; the other formats' are in the vocabularies of their own tasks. */
export const COMMON_FORMATS: readonly FormatId[] = [
  "no_think",
  "free_think",
  "grounding",
  "worldmodeling",
  "grounding_worldmodeling",
];

/** Every tag that some format uses. */
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
    ...tagsOf(parts[i - 1], format, "/"),
    ...(isWrapped && i === 0 ? ["<think>"] : []),
    ...(isWrapped && part === "answer" ? ["</think>"] : []),
    ...tagsOf(part, format, ""),
  ]);
  return { before, after: tagsOf(parts.at(-1), format, "/") };
}

/** The tag that opens a part (`slash` empty) or closes it; none where there is no part, or no tag for it. */
function tagsOf(part: Part | undefined, format: ReplyFormat, slash: "" | "/"): string[] {
  if (part === undefined || (part === "reasoning" && format.freeReasoning)) return [];
  return [`<${slash}${part === "reasoning" && format.bareReasoning ? "think" : part}>`];
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
