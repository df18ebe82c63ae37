// The five reply formats (VAGEN, `prompt_format`): which parts a reply has, in which order.
import { registry } from "../core/registry.ts";

/** A part of a reply that carries text. */
export type Part = "observation" | "reasoning" | "prediction" | "answer";

/** Names of the formats, as VAGEN's `prompt_format` spells them. */
export type FormatId = "no_think" | "free_think" | "grounding" | "worldmodeling" | "grounding_worldmodeling";

/** One reply format. */
export interface ReplyFormat {
  readonly id: FormatId;
  /** Parts in the order in which they are written. */
  readonly parts: readonly Part[];
  /** Everything before the answer stands inside `<think>`. */
  readonly think: boolean;
  /** The reasoning has no tag of its own: it is all that `<think>` holds. */
  readonly bareReasoning: boolean;
}

function format(id: FormatId, ...parts: Part[]): ReplyFormat {
  return { id, parts, think: parts.length > 1, bareReasoning: id === "free_think" };
}

/** The reply formats by id. */
export const formats = registry(
  "reply format",
  format("no_think", "answer"),
  format("free_think", "reasoning", "answer"),
  format("grounding", "observation", "reasoning", "answer"),
  format("worldmodeling", "reasoning", "prediction", "answer"),
  format("grounding_worldmodeling", "observation", "reasoning", "prediction", "answer"),
);

/** Every tag that some format uses. */
export const TAGS = ["think", "observation", "reasoning", "prediction", "answer"].flatMap((name) => [
  `<${name}>`,
  `</${name}>`,
]);

/**
 * The tags around each part: `before` the part's text and, after the last part, `after`. Neighbouring tags stand
 * together, so `["<think>", "<observation>"]` opens a grounding reply.
 */
export function skeleton({ parts, think, bareReasoning }: ReplyFormat): {
  before: readonly (readonly string[])[];
  after: readonly string[];
} {
  const tagOf = (part: Part) => (part === "reasoning" && bareReasoning ? "think" : part);
  const before = parts.map((part, i) => {
    const tags: string[] = [];
    if (i > 0) tags.push(`</${tagOf(parts[i - 1])}>`);
    if (think && !bareReasoning && i === 0) tags.push("<think>");
    if (think && !bareReasoning && part === "answer") tags.push("</think>");
    tags.push(`<${tagOf(part)}>`);
    return tags;
  });
  return { before, after: ["</answer>"] };
}

/** A well-formed reply with the given texts; parts that the format does not have are left out. */
export function writeFormat(format: ReplyFormat, texts: Readonly<Record<Part, string>>): string {
  const { before, after } = skeleton(format);
  return format.parts.map((part, i) => before[i].join("") + texts[part]).join("") + after.join("");
}
