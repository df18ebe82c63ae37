// Parses the replies of a policy. A malformed reply is data with an exact reason, never an exception.
// The whole trimmed reply must match the skeleton, with whitespace between tags allowed, unless the format lets the block be
// anywhere. What a malformed reply still yields depends on the format too (core/formats.ts); what differs between the generations
// of VAGEN is in core/readings.ts.

import { type FormatId, formats, type Part, type ReplyFormat } from "../core/formats.ts";
import { formatRead, type ReadingId, type ReplyReading, readings } from "../core/readings.ts";
import type { ParsedReply, Section, SectionKind } from "../core/types.ts";
import type { AnswerSpelling } from "../envs/env.ts";
import { formatProblem as boxedProblem, boxedSections, readBoxed } from "./boxed.ts";
import { salvage } from "./salvage.ts";
import { CALL, callFormat, skeleton, TAGS, tagsAround, tagsOf } from "./skeleton.ts";
import { SPACE, strip, stripEnd } from "./white-space.ts";

/** What the parser needs of the task. */
export interface ReplyRules {
  format: FormatId;
  /** How replies are read; default: by the studio's own rules. */
  reading?: ReadingId | undefined;
  /** Action names of the environment. Read without regard to case, as VAGEN-Lite does, unless the reading minds it. */
  actions: readonly string[];
  /** Further actions are dropped without a penalty. */
  maxActions: number;
  /** Between actions, `,` by default; null: an answer is one action. */
  separator?: string | null;
  /** Another spelling that is read as well; see `EnvSpec.liteSpelling`. */
  spelling?: AnswerSpelling;
  /** Finds the action of the answer, or else of the whole reply; see `EnvSpec.liteAnswerIn`. */
  answerIn?: (text: string) => string | null;
  /** For actions that can be written in several ways; see `EnvSpec.readAction`. */
  readAction?: (text: string) => string | null;
  /** Why a text means no action; see `EnvSpec.whyUnknown`. */
  whyUnknown?: (text: string) => string;
  /** A reply may call a tool in place of answering. */
  tools?: boolean;
  /** A malformed reply executes nothing, also where its format salvages actions. */
  strict?: boolean;
  /** A malformed reply executes nothing, whatever its format; see `EnvSpec.refusesMalformed`. */
  refusesMalformed?: boolean;
}

/** Markers that are removed from the text of the parts: VAGEN's list and our own control tokens. */
const STRIPPED = /<\/?think>|<\/?answer>|<bos>|<eos>|<user>|<assistant>/g;
const IMAGE = /<image>/g;

/**
 * Reads a reply. `formatOk` says that the skeleton matches, from start to end unless the format allows text around it.
 * `reason` is the first error; it also names an empty answer or an unknown action, which leave the format right but make
 * the turn invalid. Dropped actions affect neither.
 */
export function parseReply(reply: string, rules: ReplyRules): ParsedReply {
  const reading = readings.get(rules.reading ?? "studio");
  const text = reading.dropsImages ? reply.replace(IMAGE, "") : reply;
  const format = asWritten(text, formatRead(rules.format, reading), rules);
  if (rules.tools && text.includes(CALL[0])) return parseCall(reply, text, callFormat(format), reading);
  // AReaL's grammar, which is the same under every reading, removes nothing first.
  if (format.id === "boxed") return parseBoxed(reply, rules);
  const { texts, formatOk } = readBlock(text, format, reading);
  const isStrict = rules.refusesMalformed || (format.malformed === "salvage" && rules.strict);
  const isRefused = !formatOk && isStrict;
  const chosen = chooseActions(isRefused ? "" : answerOf(texts.answer, text, rules), rules);
  return {
    ...texts,
    formatOk,
    reason: formatOk ? chosen.problem : formatProblem(afterThought(text, format), format),
    actions: chosen.actions,
    droppedActions: chosen.dropped,
    sections: sections(reply, format),
  };
}

/** What actions are read from: the answer, unless it holds none and the game looks for them in the whole reply. */
const answerOf = (answer: string, reply: string, { answerIn }: ReplyRules): string =>
  answerIn?.(answer) ?? answerIn?.(reply) ?? answer;

/** The format with the tags of this reply: others around the answer, and no first one in a thought that a chat template opened. */
function asWritten(text: string, format: ReplyFormat, { spelling }: ReplyRules): ReplyFormat {
  const otherTags = format.isExact ? undefined : spelling?.answerTags;
  const isBegun = format.opening === "optional" && !text.includes("<think>") && text.includes(THOUGHT_END);
  return {
    ...format,
    ...(otherTags && text.includes(otherTags[0]) && { answerTags: otherTags }),
    ...(isBegun && { opening: "absent" }),
  };
}

/** The texts of a reply, empty where nothing is taken from it, and whether its form is right. */
function readBlock(text: string, format: ReplyFormat, reading: ReplyReading) {
  const body = afterThought(text, format);
  const strict = repeats(body, format) ? null : match(body, format, reading, !format.anywhere);
  if (!strict) return { texts: RESCUES[format.malformed](body, format, reading), formatOk: false };
  const first = reading.readsFirst ? match(body, format, reading, false) : null;
  return { texts: first ?? strict, formatOk: true };
}

/** Whether a format whose tags may occur once has one of them twice. */
const repeats = (text: string, format: ReplyFormat): boolean =>
  format.isExact && tagsOf(format).some((tag) => text.split(tag).length > 2);

/** What is read of a malformed reply. */
const RESCUES: Readonly<
  Record<
    ReplyFormat["malformed"],
    (text: string, format: ReplyFormat, reading: ReplyReading) => Readonly<Record<Part, string>>
  >
> = {
  nothing: () => NOTHING,
  block: (text, format, reading) => match(text, format, reading, false) ?? NOTHING,
  salvage,
};

const THOUGHT_END = "</think>";

/** The reply without a thought of the model's own, which ends at the last `</think>` before the body. */
function afterThought(text: string, format: ReplyFormat): string {
  const last = format.nativeThought ? text.lastIndexOf(THOUGHT_END, bodyStart(text, format)) : -1;
  return last < 0 ? text : text.slice(last + THOUGHT_END.length);
}

/**
 * Where the body begins: at its first tag after a thought; without one at the start, if the reply begins with that tag; else at its last
 * opening tag; at the end of a text without any.
 */
function bodyStart(text: string, format: ReplyFormat): number {
  const opening = format.parts.map((part) => tagsAround(part, format)[0]!);
  const afterOne = [...text.matchAll(new RegExp(`${THOUGHT_END}${SPACE}*${opening[0]}`, "g"))].at(-1);
  if (afterOne) return afterOne.index;
  if (strip(text).startsWith(opening[0]!)) return 0;
  const last = Math.max(...opening.map((tag) => text.lastIndexOf(tag)));
  return last < 0 ? stripEnd(text).length - THOUGHT_END.length - 1 : last;
}

/** A reply that calls a tool. The call of a malformed one is not guessed. */
function parseCall(reply: string, text: string, format: ReplyFormat, reading: ReplyReading): ParsedReply {
  const found = match(text, format, reading, true);
  const texts = found ?? NOTHING;
  return {
    ...texts,
    answer: "",
    call: texts.answer,
    formatOk: found !== null,
    reason: found ? "" : formatProblem(text, format),
    actions: [],
    droppedActions: [],
    sections: sections(reply, format),
  };
}

/** A reply of AReaL's form: the box may be anywhere. */
function parseBoxed(reply: string, rules: ReplyRules): ParsedReply {
  const { reasoning, answer } = readBoxed(reply);
  const chosen = chooseActions(answer, rules);
  const problem = boxedProblem(reply);
  return {
    ...NOTHING,
    reasoning,
    answer,
    formatOk: problem === "",
    answersFreely: true,
    reason: problem || chosen.problem,
    actions: chosen.actions,
    droppedActions: chosen.dropped,
    sections: boxedSections(reply),
  };
}

const NOTHING: Readonly<Record<Part, string>> = {
  observation: "",
  reasoning: "",
  prediction: "",
  answer: "",
};

/**
 * The texts of the parts, or null. Looks for each group of tags from left to right and takes the first occurrence:
 * the same result as a regular expression with lazy groups, in linear time whatever the policy writes.
 */
function match(
  text: string,
  format: ReplyFormat,
  reading: ReplyReading,
  strict: boolean,
): Record<Part, string> | null {
  const texts = { ...NOTHING };
  const { before, after } = skeleton(format);
  let from = 0;
  for (let i = 0; i <= before.length; i++) {
    const last = i === before.length;
    const pattern = (last ? after : before[i]).join(`${SPACE}*`);
    const found = search(text, from, strict && i === 0 ? `^${SPACE}*${pattern}` : pattern, strict && last);
    if (!found) return null;
    if (i > 0) addText(texts, format.parts[i - 1], clean(text.slice(from, found.at), reading), reading);
    from = found.end;
  }
  return texts;
}

/** Adds text to a part. */
function addText(texts: Record<Part, string>, part: Part, text: string, { joiner }: ReplyReading): void {
  texts[part] = [texts[part], text].filter((piece) => piece !== "").join(joiner);
}

/** First occurrence of the pattern from `from` on; with `atEnd` the one that closes the text. */
function search(text: string, from: number, pattern: string, atEnd: boolean) {
  if (atEnd) {
    const end = stripEnd(text);
    const at = end.length - pattern.length;
    return at >= from && end.endsWith(pattern) ? { at, end: text.length } : null;
  }
  const regex = new RegExp(pattern, "g");
  regex.lastIndex = from;
  const found = regex.exec(text);
  return found && { at: found.index, end: regex.lastIndex };
}

/** VAGEN removes its tokens one after another, so that removing one may complete the next. */
const clean = (text: string, { stripped: removed }: ReplyReading) =>
  strip(removed?.reduce((rest, token) => rest.replaceAll(token, ""), text) ?? text.replace(STRIPPED, ""));

/** Every action of the answer in the environment's spelling; unknown ones as written. */
function readActions(
  answer: string,
  { actions, separator = ",", spelling, readAction, reading }: ReplyRules,
): string[] {
  const spelled = spelling?.respell(answer) ?? answer;
  const parts = separator === null ? [spelled] : spelled.split(separator);
  if (readAction) return parts.map((part) => readAction(part) ?? strip(part)).filter((name) => name !== "");
  const named = parts.map(strip);
  if (readings.get(reading ?? "studio").minds === "case") return named.filter((name) => name !== "");
  const canonical = new Map(actions.map((name) => [name.toLowerCase(), name]));
  return named.filter((name) => name !== "").map((name) => canonical.get(name.toLowerCase()) ?? name);
}

/** The actions of an answer: those that count, what is wrong with them, and those beyond the limit. */
function chooseActions(answer: string, rules: ReplyRules) {
  const named = readActions(answer, rules);
  const actions = named.slice(0, rules.maxActions);
  return { actions, problem: actionProblem(actions, rules), dropped: named.slice(rules.maxActions) };
}

/** Whether an action is one of the game's; it can have more than it lists. */
export const isKnown = (name: string, { actions, readAction }: Pick<ReplyRules, "actions" | "readAction">) =>
  actions.includes(name) || (readAction !== undefined && readAction(name) !== null);

function actionProblem(named: readonly string[], rules: ReplyRules): string {
  if (named.length === 0) return "the answer is empty";
  const unknown = named.find((name) => !isKnown(name, rules));
  return unknown === undefined ? "" : unknownAction(unknown, rules);
}

/** What is wrong with an action that the game does not know. */
export const unknownAction = (name: string, { whyUnknown }: Pick<ReplyRules, "whyUnknown">): string =>
  whyUnknown?.(name) || `unknown action "${name}"`;

/** Why the skeleton does not match; only called when it does not. */
function formatProblem(text: string, format: ReplyFormat): string {
  const { before, after } = skeleton(format);
  const groups = [...before, after];
  const tags = groups.flat();
  if (strip(text) === "") return "the reply is empty";
  const missing = tags.find((tag) => !text.includes(tag));
  if (missing) return `missing ${missing}`;
  const at: number[] = [];
  for (const [i, tag] of tags.entries()) {
    const found = text.indexOf(tag, i === 0 ? 0 : at[i - 1] + tags[i - 1].length);
    if (found < 0) return `wrong order: ${tag} comes before ${tags[i - 1]}`;
    at.push(found);
  }
  return strayText(text, tags, at, groups, format.anywhere);
}

/** All tags are present and in order, so text is where the format allows none. */
function strayText(
  text: string,
  tags: readonly string[],
  at: readonly number[],
  groups: readonly (readonly string[])[],
  anywhere: boolean,
) {
  if (!anywhere && strip(text.slice(0, at[0])) !== "") return `text before ${tags[0]}`;
  const opensPart = new Set(groups.map((_, i) => groups.slice(0, i + 1).flat().length - 1));
  for (let i = 0; i + 1 < tags.length; i++) {
    const between = text.slice(at[i] + tags[i].length, at[i + 1]);
    if (!opensPart.has(i) && strip(between) !== "") return `text between ${tags[i]} and ${tags[i + 1]}`;
  }
  const twice = tags.find((tag) => text.split(tag).length > 2);
  if (twice && stripEnd(text).endsWith(tags[tags.length - 1])) return `${twice} is there twice`;
  return `text after ${tags[tags.length - 1]}`;
}

/** Every format's tags are markup in every reply, also where they are out of place. */
const ANY_TAG = [...new Set([...TAGS, ...formats.all.flatMap(({ observationTags }) => observationTags)])];
const TAG = new RegExp(ANY_TAG.join("|"), "g");

/** The markup of a reply. */
const markup = ({ answerTags }: ReplyFormat): RegExp =>
  ANY_TAG.includes(answerTags[0]) ? TAG : new RegExp([...ANY_TAG, ...answerTags].join("|"), "g");

/** Labelled spans that cover the reply without gaps, for a coloured display of good and bad replies alike. */
function sections(reply: string, format: ReplyFormat): Section[] {
  const spans: Section[] = [];
  let kind: SectionKind = format.opening === "absent" ? "reasoning" : "other";
  let from = 0;
  for (const found of reply.matchAll(markup(format))) {
    addSpan(spans, reply, kind, from, found.index);
    from = found.index + found[0].length;
    addSpan(spans, reply, "tag", found.index, from);
    kind = kindAfter(found[0], format);
  }
  addSpan(spans, reply, kind, from, reply.length);
  return spans;
}

const FREE_AFTER = new Set(["</observation>", "</answer>", "<think>", "</think>", "<reasoning>"]);

/** The kind of the text after a tag: a part if the tag opens one, otherwise text that the format does not expect. */
function kindAfter(tag: string, format: ReplyFormat): SectionKind {
  if (tag === CALL[0]) return "call";
  // Between the parts, and after its own markup if it has any.
  if (format.freeReasoning && FREE_AFTER.has(tag)) return "reasoning";
  // An answer is shown as one also where a call takes its place.
  if (tag === "<answer>") return "answer";
  return format.parts.find((part) => tagsAround(part, format)[0] === tag) ?? "other";
}

/** Whitespace between tags counts as markup, not as stray text. */
function addSpan(spans: Section[], reply: string, kind: SectionKind, from: number, to: number): void {
  if (from === to) return;
  const real = kind === "other" && strip(reply.slice(from, to)) === "" ? "tag" : kind;
  spans.push({ kind: real, from, to });
}
