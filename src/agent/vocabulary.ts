// The tokenizer of our small policies: a closed list of phrases, one token each, and half bytes for everything else.
// A tiny network pays for every token and every vocabulary entry, so words that always occur together are one token, and the
// fallback that makes any text writable costs 16 entries (two tokens per byte) rather than 256.

import { CONTROL_TOKENS } from "../core/control-tokens.ts";
import { CheckpointError, PolicyError } from "../core/errors.ts";
import { type FormatId, formats } from "../core/formats.ts";
import type { EnvSpec } from "../envs/env.ts";
import { printedCell } from "../envs/grid.ts";
import { fromNibbles, toNibbles } from "./bytes.ts";
import { isTextBoard, textCellsOf } from "./env-options.ts";
import { PIVOT_WORDS } from "./pivot-words.ts";
import { ownWords, TAGS } from "./skeleton.ts";
import { BOARD_SYMBOLS, PRINTED_SYMBOLS, type StateFormatId, stateFormats } from "./states.ts";
import { SUMMARY_WORDS } from "./summary-words.ts";
import { studioTemplates, templates } from "./templates/index.ts";
import type { Template } from "./templates/template.ts";
import { TOOL_WORDS } from "./tool-words.ts";

// The trace needs the markup that has no angle brackets.
export { BOX } from "../core/formats.ts";
export { CALL } from "./skeleton.ts";

/** Increased when stored vocabularies would be read differently. */
const VOCABULARY_VERSION = 1;

// Ids 0 … 4, then the half bytes; both places are part of version 1.
const FIRST_NIBBLE = CONTROL_TOKENS.length;
const FIRST_WORD = FIRST_NIBBLE + 16;
/** Matrix kernels need a vocabulary of whole tiles. */
const PADDING = 16;

/** A vocabulary as plain data, for checkpoints. `surfaces[id]` is the text of a token. */
interface VocabularyJson {
  version: number;
  hash: string;
  surfaces: readonly string[];
}

/** Text to ids and back. */
export interface Vocabulary {
  /** Entries, a multiple of 16. */
  readonly size: number;
  /** Identity of the contents: 16 hexadecimal digits. */
  readonly hash: string;
  /** Start of a conversation. */
  readonly bos: number;
  /** End of a turn. */
  readonly eos: number;
  /** Placeholder that a patch of a picture fills. */
  readonly image: number;
  /** Opens an observation. */
  readonly user: number;
  /** Opens a reply. */
  readonly assistant: number;
  /** Greedy longest match; what no phrase covers is spelled in half bytes. */
  encode(text: string): Int32Array;
  /** The surfaces in a row. Inverse of `encode` for every well-formed text. @throws PolicyError("unknown_token") */
  decode(ids: Iterable<number>): string;
  /** The text of one token; a half byte shows as `<0xA>`. @throws PolicyError("unknown_token") */
  surface(id: number): string;
  toJSON(): VocabularyJson;
}

/** The requirements on a vocabulary. */
interface VocabularyOptions {
  /** Boards of up to this many rows and columns have one token per row and column. Default 6. */
  side?: number;
  /** Turns with a token of their own. Default 5. */
  turns?: number;
  /** Tokens for boards written as text. Default off. */
  textBoards?: boolean;
  /** Words of the representation of states. Default natural, which needs none. */
  stateFormat?: StateFormatId;
  /** A format whose words must be tokens. Default: those of the common vocabulary. */
  format?: FormatId;
  /** Words that only this task needs, after all others. */
  own?: readonly string[];
}

/** The vocabulary for all environments that have a template. Same options, same ids. */
export function createVocabulary({
  side = 6,
  turns = 5,
  textBoards = false,
  stateFormat = "natural",
  format = "no_think",
  own = [],
}: VocabularyOptions = {}): Vocabulary {
  const common = studioTemplates.all.filter((template) => !template.own);
  const words = new Set([
    ...TAGS,
    ...formats.all.filter(({ isCommon }) => isCommon).map(({ id }) => id),
    ...Array.from({ length: turns }, (_, i) => `turn ${i + 1}`),
    " after ",
    "nothing",
    ...common.flatMap((template) => [...template.actions, ...template.words(side)]),
    ...(textBoards ? BOARD_SYMBOLS : []),
    ...stateFormats.get(stateFormat).words(common, side),
    ...ownWords(format),
    ...own,
  ]);
  const nibbles = Array.from({ length: 16 }, (_, i) => `<0x${i.toString(16).toUpperCase()}>`);
  return fromSurfaces(padded([...CONTROL_TOKENS, ...nibbles, ...words]));
}

/** An environment with its options. */
interface Game {
  spec: EnvSpec;
  config: unknown;
}

/**
 * The vocabulary of a run: the common one, extended only if the size of the board, the number of turns, a text board, the
 * reply format, the environment itself, the feedback to a wrong answer (one token), the words about lost games (`pivot`) or those of
 * `summaries` need it, so that ordinary runs of the grid worlds share their ids. `others` are the further environments of the run.
 */
export function vocabularyFor(
  spec: EnvSpec,
  config: unknown,
  maxTurns: number,
  {
    feedback = [],
    pivot = false,
    summaries = false,
    others = [],
    ...reply
  }: Pick<VocabularyOptions, "format" | "stateFormat"> & {
    feedback?: readonly string[];
    pivot?: boolean;
    summaries?: boolean;
    others?: readonly Game[];
  } = {},
): Vocabulary {
  const games = [{ spec, config }, ...others];
  const sides = games.flatMap((game) => Object.values(game.spec.patches(game.config)));
  const [side, turns] = [Math.max(6, ...sides), Math.max(5, maxTurns)];
  const said = [...feedback, ...(pivot ? PIVOT_WORDS : []), ...(summaries ? SUMMARY_WORDS : [])];
  const { stateFormat = "natural" } = reply;
  const ofGames = games.flatMap((game) => [
    ...ownWordsOf(game, side, stateFormat),
    ...cellWords(game.config),
  ]);
  const textBoards = games.some((game) => isTextBoard(game.config));
  return createVocabulary({ side, turns, textBoards, ...reply, own: [...ofGames, ...said] });
}

/** The cells of a text board that VAGEN's blanks surround, one token each. */
function cellWords(config: unknown): string[] {
  const print = printedCell[textCellsOf(config)];
  return print && isTextBoard(config) ? PRINTED_SYMBOLS.map(print) : [];
}

/** Words of the environment's tools, and of its template if this is not part of the common vocabulary. */
function ownWordsOf({ spec, config }: Game, side: number, stateFormat: StateFormatId): string[] {
  const template = templates.all.find(({ id }) => id === spec.id);
  const words = template?.own
    ? [
        ...template.words(side),
        ...(isTextBoard(config) ? symbolsOf(template, config) : []),
        ...stateFormats.get(stateFormat).words([template], side),
      ]
    : [];
  return spec.hasTools?.(config) ? [...words, ...TOOL_WORDS] : words;
}

/** The symbols of a template, and those with the blanks of VAGEN's generations, so that boards of one size have as many tokens. */
function symbolsOf({ symbols = [] }: Template, config: unknown): string[] {
  const print = printedCell[textCellsOf(config)];
  return print ? [...symbols, ...symbols.map(print)] : [...symbols];
}

/**
 * Whether a vocabulary numbers all words of `stored` as that does. It may have words of its own where `stored` has unused entries,
 * so that a checkpoint fits runs that append a few words.
 */
export const extendsVocabulary = (vocabulary: Vocabulary, stored: Vocabulary): boolean =>
  vocabulary.hash === stored.hash ||
  (vocabulary.size === stored.size &&
    stored.toJSON().surfaces.every((text, id) => text === unused(id) || text === vocabulary.surface(id)));

/** @throws CheckpointError("foreign") for another version, CheckpointError("corrupt") when the hash does not fit. */
export function vocabularyFromJson({ version, hash, surfaces }: VocabularyJson): Vocabulary {
  if (version !== VOCABULARY_VERSION)
    throw new CheckpointError(
      "foreign",
      `The vocabulary has version ${version}, this program reads ${VOCABULARY_VERSION}.`,
      "Open the checkpoint with the version of the studio that saved it, or choose another one.",
    );
  const vocabulary = fromSurfaces(surfaces);
  if (vocabulary.hash !== hash)
    throw new CheckpointError(
      "corrupt",
      `The vocabulary hashes to ${vocabulary.hash}, not to ${hash}.`,
      "Copy or download the checkpoint again, or choose another one.",
    );
  return vocabulary;
}

function fromSurfaces(surfaces: readonly string[]): Vocabulary {
  const hash = contentHash(surfaces);
  const longestMatch = matcher(surfaces);
  const surface = (id: number) => {
    const text = surfaces[id];
    if (text === undefined)
      throw new PolicyError("unknown_token", `Token ${id} is not in the vocabulary of ${surfaces.length}.`);
    return text;
  };
  return {
    size: surfaces.length,
    hash,
    bos: surfaces.indexOf("<bos>"),
    eos: surfaces.indexOf("<eos>"),
    image: surfaces.indexOf("<image>"),
    user: surfaces.indexOf("<user>"),
    assistant: surfaces.indexOf("<assistant>"),
    encode: (text) => encode(text, longestMatch, surfaces),
    decode: (ids) => decode(ids, surface),
    surface,
    toJSON: () => ({ version: VOCABULARY_VERSION, hash, surfaces }),
  };
}

type Matcher = (text: string, from: number) => number;

function encode(text: string, longestMatch: Matcher, surfaces: readonly string[]): Int32Array {
  const ids: number[] = [];
  for (let from = 0; from < text.length; ) {
    const id = longestMatch(text, from);
    if (id >= 0) {
      ids.push(id);
      from += surfaces[id].length;
      continue;
    }
    const char = String.fromCodePoint(text.codePointAt(from) ?? 0);
    ids.push(...toNibbles(char).map((nibble) => FIRST_NIBBLE + nibble));
    from += char.length;
  }
  return Int32Array.from(ids);
}

function decode(ids: Iterable<number>, surface: (id: number) => string): string {
  let text = "";
  let spelled: number[] = [];
  const flush = () => {
    text += fromNibbles(spelled);
    spelled = [];
  };
  for (const id of ids) {
    if (isNibble(id)) spelled.push(id - FIRST_NIBBLE);
    else {
      flush();
      text += surface(id);
    }
  }
  flush();
  return text;
}

const isNibble = (id: number) => id >= FIRST_NIBBLE && id < FIRST_WORD;

/** Finds the longest surface at a place, or −1. Half bytes have no surface in a text. */
function matcher(surfaces: readonly string[]): Matcher {
  const byFirst = new Map<string, { text: string; id: number }[]>();
  for (const [id, text] of surfaces.entries()) {
    if (isNibble(id)) continue;
    const sameStart = byFirst.get(text[0]) ?? [];
    sameStart.push({ text, id });
    byFirst.set(text[0], sameStart);
  }
  for (const list of byFirst.values()) list.sort((a, b) => b.text.length - a.text.length);
  return (text, from) => byFirst.get(text[from])?.find((word) => text.startsWith(word.text, from))?.id ?? -1;
}

function padded(surfaces: readonly string[]): string[] {
  const size = Math.ceil(surfaces.length / PADDING) * PADDING;
  return Array.from({ length: size }, (_, id) => surfaces[id] ?? unused(id));
}

const unused = (id: number): string => `<unused ${id}>`;

/** FNV-1a, 64 bits, over the UTF-8 form of the list. */
function contentHash(surfaces: readonly string[]): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(JSON.stringify([VOCABULARY_VERSION, surfaces])))
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  return hash.toString(16).padStart(16, "0");
}
