// The reply formats: which parts a reply has, in which order. Five are those of VAGEN's paper (`prompt_format`), `wm` and
// `free_wm` those of VAGEN-Lite, which foresees behind the answer, and `boxed` is that of AReaL's geometry example.
import { registry } from "./registry.ts";

/** A part of a reply that carries text. */
export type Part = "observation" | "reasoning" | "prediction" | "answer";

/** What a format is beside its name. */
interface Form {
  /** Parts in the order in which they are written; one that may be spread over several places is named for each. */
  readonly parts: readonly Part[];
  /** Everything before the answer is inside `<think>`. */
  readonly think: boolean;
  /** The reasoning has no tag of its own: it is all that `<think>` holds. */
  readonly bareReasoning: boolean;
  /** The reasoning has no tag at all: it is the text between the other parts. */
  readonly freeReasoning: boolean;
  /** The reply may be anywhere in a longer text. */
  readonly anywhere: boolean;
  /** The observation's tag is `<perception>`, the reply matches as a whole with each tag once, and what does not is salvaged. */
  readonly isOf2026: boolean;
  /** A thought of the model's own may come first; it ends at the last `</think>`. */
  readonly nativeThought: boolean;
  /** The tags around the answer. */
  readonly answerTags: readonly [open: string, close: string];
}

const ANSWER = ["<answer>", "</answer>"] as const;
/** The tags around the answer of `boxed`. */
export const BOX = ["\\boxed{", "}"] as const;

function format<const Id extends string>(id: Id, ...parts: Part[]): Form & { readonly id: Id } {
  return {
    id,
    parts,
    think: parts.length > 1,
    bareReasoning: id === "free_think",
    freeReasoning: false,
    anywhere: false,
    isOf2026: false,
    nativeThought: false,
    answerTags: ANSWER,
  };
}

/** VAGEN-Lite's formats: nothing around the parts, and found anywhere in a text. */
function liteFormat<const Id extends string>(id: Id, ...parts: Part[]) {
  const freeReasoning = id === "free_wm";
  return {
    ...format(id, ...parts),
    think: false,
    bareReasoning: !freeReasoning,
    freeReasoning,
    anywhere: true,
  };
}

/** VAGEN's formats of August 2026 (`response_format.py`): nothing around the parts, and nothing around the reply. */
function formatOf2026<const Id extends string>(id: Id, ...parts: Part[]) {
  return { ...format(id, ...parts), think: false, isOf2026: true, nativeThought: id === "wm_think" };
}

const all = [
  format("no_think", "answer"),
  format("free_think", "reasoning", "answer"),
  format("grounding", "observation", "reasoning", "answer"),
  format("worldmodeling", "reasoning", "prediction", "answer"),
  format("grounding_worldmodeling", "observation", "reasoning", "prediction", "answer"),
  liteFormat("wm", "observation", "reasoning", "answer", "prediction"),
  liteFormat("free_wm", "observation", "reasoning", "answer", "reasoning", "prediction"),
  { ...format("boxed", "reasoning", "answer"), bareReasoning: true, answerTags: BOX },
  formatOf2026("answer", "answer"),
  formatOf2026("wm_2026", "observation", "reasoning", "prediction", "answer"),
  formatOf2026("wm_think", "observation", "reasoning", "prediction", "answer"),
];

/** Names of the formats, as VAGEN's `prompt_format` spells them. */
export type FormatId = (typeof all)[number]["id"];

/** One reply format. */
export interface ReplyFormat extends Form {
  readonly id: FormatId;
}

/** The reply formats by id. */
export const formats = registry<ReplyFormat>("reply format", ...all);

/** Names of the formats in their order. */
export const FORMAT_IDS = all.map(({ id }) => id) as [FormatId, ...FormatId[]];

/** The parts of a format that state where things are, each once. */
export const statingParts = (id: FormatId): Part[] =>
  (["observation", "prediction"] as const).filter((part) => formats.get(id).parts.includes(part));
