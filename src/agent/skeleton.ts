// The skeleton of a reply: the tags of its format, in order, and the text between them.
import { type FormatId, formats, type Part, type ReplyFormat } from "../core/formats.ts";

/** The tags around a tool call, which takes the place of the answer. */
export const CALL = ["<tool_call>", "</tool_call>"] as const;

/** The format of a reply with a tool call in place of the answer. */
export const callFormat = (format: ReplyFormat): ReplyFormat => ({ ...format, answerTags: CALL });

/** Every tag that the formats of VAGEN's paper and of Lite use. All vocabularies have them. */
export const TAGS = ["think", "observation", "reasoning", "prediction", "answer"].flatMap((name) => [
  `<${name}>`,
  `</${name}>`,
]);

/** The words of a format that the common vocabulary lacks: its name, and tags of its own. */
export function ownWords(id: FormatId): readonly string[] {
  const format = formats.get(id);
  return format.isCommon ? [] : [id, ...tagsOf(format).filter((tag) => !TAGS.includes(tag))];
}

/** Every tag of a well-formed reply, in order. */
export function tagsOf(format: ReplyFormat): readonly string[] {
  const { before, after } = skeleton(format);
  return [...before, after].flat();
}

/**
 * The tags before the text of each part, and the tags after the last part. Neighbouring tags are grouped, so
 * `["<think>", "<observation>"]` opens a grounding reply.
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
    ...(i === 0 && format.opening === "absent" ? [] : openingTag(part, format)),
  ]);
  return { before, after: closingTag(parts.at(-1), format) };
}

const openingTag = (part: Part, format: ReplyFormat) => tagsAround(part, format).slice(0, 1);
const closingTag = (part: Part | undefined, format: ReplyFormat) =>
  part === undefined ? [] : tagsAround(part, format).slice(1);

/** The tags around a part; none if it has no tag of its own. */
export function tagsAround(part: Part, format: ReplyFormat): readonly string[] {
  if (part === "answer") return format.answerTags;
  if (part === "observation") return format.observationTags;
  if (part === "reasoning" && format.freeReasoning) return [];
  const name = part === "reasoning" && format.bareReasoning ? "think" : part;
  return [`<${name}>`, `</${name}>`];
}

/**
 * A well-formed reply with the given texts. Parts that the format lacks are left out; a part with several places is
 * written in the first.
 */
export function writeFormat(format: ReplyFormat, texts: Readonly<Record<Part, string>>): string {
  const { before, after } = skeleton(format);
  const written = format.parts.map((part, i) => (format.parts.indexOf(part) === i ? texts[part] : ""));
  return written.map((text, i) => before[i].join("") + text).join("") + after.join("");
}
