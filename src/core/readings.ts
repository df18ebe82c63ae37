// How replies are read and graded: by the studio's own rules, or exactly as a generation of VAGEN does it.
import { type FormatId, formats, type ReplyFormat } from "./formats.ts";
import { registry } from "./registry.ts";
import type { ExecutedAction, ParsedReply, Turn } from "./types.ts";

/** What a turn came to, as far as it decides whether its actions are valid and its format is paid. */
interface Graded {
  parsed: Pick<ParsedReply, "formatOk" | "actions">;
  executed: readonly Pick<ExecutedAction, "valid">[];
  /** Every parsed action is one of the game's, those included that came after its end. */
  areKnown: boolean;
  /** How VAGEN-Lite's game differs; absent: as its grids. */
  lite?: LiteGrading | undefined;
}

/** Where a game of VAGEN-Lite grades turns by other rules than its grids. */
export interface LiteGrading {
  /** One valid action makes the turn valid. By default all must be. */
  readonly isValidIfAny?: true;
  /** The format is paid only if all actions are valid. By default one is enough. */
  readonly isPaidIfAll?: true;
  /** One valid action makes the turn effective, whatever it changes. */
  readonly isEffectiveIfAny?: true;
}

/** One way to read replies. */
export interface ReplyReading {
  readonly id: string;
  readonly title: string;
  /** `<image>` is removed before anything is read. */
  readonly dropsImages: boolean;
  /** Texts that are removed from the parts one after another; null: the studio's markers. */
  readonly stripped: readonly string[] | null;
  /** Whether the block may stand anywhere in a longer reply. */
  anywhere(format: ReplyFormat): boolean;
  /** A reply that holds the block several times is read where it first stands, also if it is one block as a whole. */
  readonly readsFirst: boolean;
  /** "up" is not "Up". */
  readonly minds: "case" | "nothing";
  /** Between texts of one part that were written in several places. */
  readonly joiner: string;
  /** The turn metric `action_is_valid`. */
  isValid(turn: Graded): boolean;
  /** Whether the format reward is paid; absent: if the form is right and the actions are valid. */
  earnsFormat?(turn: Graded): boolean;
  /** The turn metric `action_is_effective`, where it does not follow from what changed. */
  isEffective?(turn: Graded): boolean | undefined;
}

/** At least one action, and all that the game looked at are known. */
const lookedAtKnown = ({ parsed, executed }: Graded) =>
  parsed.actions.length > 0 && executed.every(({ valid }) => valid);

const isAnyValid = ({ executed }: Graded) => executed.some(({ valid }) => valid);

const studio: ReplyReading = {
  id: "studio",
  title: "The studio's own",
  dropsImages: true,
  stripped: null,
  anywhere: ({ anywhere }) => anywhere,
  readsFirst: false,
  minds: "nothing",
  joiner: "\n",
  isValid: ({ parsed, areKnown }) => parsed.actions.length > 0 && areKnown,
};

/** VAGEN's legacy release (`parse_utils.py`, 787c7e2). */
const legacy: ReplyReading = {
  id: "legacy",
  title: "VAGEN, legacy",
  dropsImages: true,
  stripped: ["<think>", "</think>", "<answer>", "</answer>"],
  anywhere: () => false,
  readsFirst: true,
  minds: "case",
  joiner: " ",
  isValid: lookedAtKnown,
};

/** VAGEN-Lite (`parse_response` of its games, 2936322). */
const lite: ReplyReading = {
  id: "lite",
  title: "VAGEN-Lite",
  dropsImages: false,
  stripped: [],
  // A lone action is the whole reply; its lenient sibling is eval_mode.
  anywhere: ({ id }) => id !== "no_think",
  readsFirst: true,
  minds: "nothing",
  joiner: " ",
  isValid: (turn) => turn.parsed.formatOk && (turn.lite?.isValidIfAny ? isAnyValid : lookedAtKnown)(turn),
  earnsFormat: (turn) => turn.parsed.formatOk && (turn.lite?.isPaidIfAll ? lookedAtKnown : isAnyValid)(turn),
  isEffective: (turn) => (turn.lite?.isEffectiveIfAny ? isAnyValid(turn) : undefined),
};

const all = [studio, legacy, lite] as const;

/** The readings by id. */
export const readings = registry<ReplyReading>("reading of replies", ...all);

/** Titles of the readings by id. */
export const READING_TITLES = { studio: studio.title, legacy: legacy.title, lite: lite.title } as const;
export type ReadingId = keyof typeof READING_TITLES;

/** A format as a reading sees it. */
export const formatRead = (id: FormatId, reading: ReplyReading): ReplyFormat => {
  const format = formats.get(id);
  return { ...format, anywhere: !format.isExact && reading.anywhere(format) };
};

/**
 * Whether a turn earns the format reward, and with it the judge's attention: the form is right and the actions are valid, unless
 * its reading decided otherwise. AReaL pays for the form alone.
 */
export const earnsFormat = ({
  formatEarned,
  parsed,
  actionIsValid,
}: Pick<Turn, "formatEarned" | "parsed" | "actionIsValid">): boolean =>
  formatEarned ?? (parsed.formatOk && (actionIsValid || parsed.answersFreely === true));
