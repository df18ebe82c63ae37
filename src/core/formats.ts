// The reply formats: which parts a reply has, in which order. Five are those of VAGEN's paper (`prompt_format`), `wm`,
// `free_wm` and `eval_mode` those of VAGEN-Lite, which foresees behind the answer, and `boxed` is that of AReaL's geometry example.
import { registry } from "./registry.ts";

/** A part of a reply that carries text. */
export type Part = "observation" | "reasoning" | "prediction" | "answer";

/** The tags around a part. */
type Tags = readonly [open: string, close: string];

/** The tags around the answer of `boxed`. */
export const BOX = ["\\boxed{", "}"] as const;

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
  /** Under every reading, a well-formed reply is nothing but the block, with each tag once. */
  readonly isExact: boolean;
  /** What is read of a malformed reply: nothing, the first block in it, or whatever `salvage` still finds. */
  readonly malformed: "nothing" | "block" | "salvage";
  /** A thought of the model's own may come first; it ends at the last `</think>`. */
  readonly nativeThought: boolean;
  /** The first tag: in every reply, or only where a chat template has not opened the thought; then a reply begins inside it (`absent`). */
  readonly opening: "required" | "optional" | "absent";
  /** Its words are in every vocabulary, so that ordinary runs share their ids. */
  readonly isCommon: boolean;
  readonly observationTags: Tags;
  readonly answerTags: Tags;
}

const USUAL: Form = {
  parts: [],
  think: false,
  bareReasoning: false,
  freeReasoning: false,
  anywhere: false,
  isExact: false,
  malformed: "nothing",
  nativeThought: false,
  opening: "required",
  isCommon: false,
  observationTags: ["<observation>", "</observation>"],
  answerTags: ["<answer>", "</answer>"],
};

function format<const Id extends string>(
  id: Id,
  parts: readonly Part[],
  more: Partial<Form>,
): Form & { readonly id: Id } {
  return { ...USUAL, ...more, id, parts };
}

/** A format of the paper with parts of its own inside `<think>`; its block is read wherever it is. */
const named = { think: true, malformed: "block", isCommon: true } as const;
/** VAGEN-Lite's formats: nothing around the parts, and found anywhere in a text. */
const lite = { anywhere: true } as const;
/** VAGEN's formats of August 2026 (`response_format.py`). */
const of2026 = {
  isExact: true,
  malformed: "salvage",
  observationTags: ["<perception>", "</perception>"],
} as const;

const all = [
  format("no_think", ["answer"], { isCommon: true }),
  format("free_think", ["reasoning", "answer"], { think: true, bareReasoning: true, isCommon: true }),
  format("grounding", ["observation", "reasoning", "answer"], named),
  format("worldmodeling", ["reasoning", "prediction", "answer"], named),
  format("grounding_worldmodeling", ["observation", "reasoning", "prediction", "answer"], named),
  format("wm", ["observation", "reasoning", "answer", "prediction"], { ...lite, bareReasoning: true }),
  format("free_wm", ["observation", "reasoning", "answer", "reasoning", "prediction"], {
    ...lite,
    freeReasoning: true,
  }),
  format("eval_mode", ["answer"], lite),
  format("boxed", ["reasoning", "answer"], { think: true, bareReasoning: true, answerTags: BOX }),
  format("answer", ["answer"], of2026),
  format("free_think_2026", ["reasoning", "answer"], { ...of2026, bareReasoning: true, opening: "optional" }),
  format("wm_2026", ["observation", "reasoning", "prediction", "answer"], of2026),
  format("wm_think", ["observation", "reasoning", "prediction", "answer"], {
    ...of2026,
    nativeThought: true,
  }),
];

/** Names of the formats, as VAGEN's `prompt_format` spells them. */
export type FormatId = (typeof all)[number]["id"];

/** What the paper calls its five formats, from the plainest to the one with everything; `worldmodeling` is not its WorldModeling. */
export const PAPER_NAMES = {
  no_think: "NoThink",
  free_think: "FreeThink",
  grounding: "StateEstimation",
  worldmodeling: "TransitionModeling",
  grounding_worldmodeling: "WorldModeling",
} as const satisfies Partial<Record<FormatId, string>>;

/** A format that the paper names. */
export type PaperFormatId = keyof typeof PAPER_NAMES;

/** One reply format. */
export interface ReplyFormat extends Form {
  readonly id: FormatId;
}

/** The reply formats by id. */
export const formats = registry<ReplyFormat>("reply format", ...all);

/** Names of the formats in their order. */
export const FORMAT_IDS = all.map(({ id }) => id) as [FormatId, ...FormatId[]];

/** The parts of a format that state where things are, each once. */
export const statingParts = (id: FormatId): ("observation" | "prediction")[] =>
  (["observation", "prediction"] as const).filter((part) => formats.get(id).parts.includes(part));
