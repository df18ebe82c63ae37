// Reads directions out of prose: "the box is above and to the left of you", "player is below the goal", "hole up-left".
// A small scanner without a grammar. It leaves out what it does not understand, which never earns anything.

import { NEGATIONS, plainNegations } from "../core/negation.ts";
import { isPlural, nameOf } from "./names.ts";

export type Vertical = "above" | "below" | "same";
export type Horizontal = "left" | "right" | "same";

/** Where something is as seen from the player; null: not stated. */
export interface Offset {
  vertical: Vertical | null;
  horizontal: Horizontal | null;
}

/** An entity and its direction. */
export interface Relation extends Offset {
  name: string;
}

const words = (text: string) => text.split(" ");
const VERTICAL: Readonly<Record<string, Vertical>> = {
  ...Object.fromEntries(words("above up upper upward upwards top north over").map((w) => [w, "above"])),
  ...Object.fromEntries(
    words("below beneath down lower downward downwards bottom south under underneath").map((w) => [
      w,
      "below",
    ]),
  ),
  samerow: "same",
  samecell: "same",
};
const HORIZONTAL: Readonly<Record<string, Horizontal>> = {
  ...Object.fromEntries(words("left west leftward leftwards").map((w) => [w, "left"])),
  ...Object.fromEntries(words("right east rightward rightwards").map((w) => [w, "right"])),
  samecol: "same",
  samecell: "same",
};

/** Allowed between a direction and the thing it is seen from. */
const FILLERS = new Set(words("of the to from than as a side"));
/** Verbs of motion: directions after these are moves, not places. */
const VERBS =
  /^(mov(e|es|ed|ing)|push(es|ed|ing)?|pull(s|ed|ing)?|go(es|ing)?|step(s|ped|ping)?|slid(e|es|ing)|walk(s|ed|ing)?)$/;
/** After these a sentence describes a state again. */
const STATES = new Set(words("is are be will lies stands remains then , . ; \n"));
const ENDS = new Set([".", ";", "\n"]);
/** Directions before these are absolute places on the board. */
const ABSOLUTE = new Set(words("board map grid room lake corner edge screen image picture"));

/** Phrases of several words, each replaced by words of the tables above. */
const PHRASES: readonly (readonly [RegExp, string])[] = [
  [/\bon top of\b|\b(?:at|on|in) the same (?:place|position|cell|tile|spot)\b/g, " samecell "],
  [/\b(?:the )?same row\b|\bhorizontally aligned\b/g, " samerow "],
  [/\b(?:the )?same col(?:umn)?\b|\bvertically aligned\b/g, " samecol "],
  [
    /\b(?:directly|straight|immediately|exactly|right|due)\s+(above|below|up|down|under|beneath|north|south|underneath)\b/g,
    " samecol $1 ",
  ],
  [
    /\b(?:directly|straight|immediately|exactly|due)\s+(?:(?:to|on) (?:the|my|your) )?(left|right|west|east)\b/g,
    " samerow $1 ",
  ],
  [/\b(up|upper|top|down|lower|bottom|north|south)[- ]?(left|right|west|east)/g, "$1 $2"],
];

const none = (): Offset => ({ vertical: null, horizontal: null });
const isEmpty = ({ vertical, horizontal }: Offset) => vertical === null && horizontal === null;
const tokens = (text: string, known: readonly string[]): string[] =>
  (
    PHRASES.reduce(
      (read, [phrase, plain]) => read.replace(phrase, plain),
      plainNegations(text.toLowerCase()),
    ).match(/[a-z_][a-z0-9_]*|[.,;:\n]/g) ?? []
  ).flatMap((token) => wordsIn(token, known));

/** "key2" is one word where something has this name; elsewhere "left2" is "left". */
const wordsIn = (token: string, known: readonly string[]): readonly string[] =>
  !/\d/.test(token) || known.some((name) => name.toLowerCase() === token)
    ? [token]
    : (token.match(/[a-z_]+/g) ?? []);

/** The direction that a phrase names: "up-left", "directly above", "same row, right". */
export function readOffset(text: string): Offset {
  return tokens(text, []).reduce<Offset>(
    (offset, word) => ({
      vertical: offset.vertical ?? VERTICAL[word] ?? null,
      horizontal: offset.horizontal ?? HORIZONTAL[word] ?? null,
    }),
    none(),
  );
}

/** One direction of the open sentence, and the thing it is seen from; null: the player. */
interface Piece extends Offset {
  anchor: string | null;
}

/** The direction as seen from the other end. */
function inverse({ vertical, horizontal }: Offset): Offset {
  return {
    vertical: vertical === "above" ? "below" : vertical === "below" ? "above" : vertical,
    horizontal: horizontal === "left" ? "right" : horizontal === "right" ? "left" : horizontal,
  };
}

/** Every relation to the player that a text states, in its order. Relations to other things are left out. */
export function readRelations(text: string, known: readonly string[]): Relation[] {
  const scan = new Scanner(known);
  for (const word of tokens(text, known)) scan.read(word);
  scan.close();
  return scan.relations;
}

/** Reads word by word; holds the current sentence. */
class Scanner {
  readonly relations: Relation[] = [];
  private subject: string | null = null;
  private listing = false;
  private pieces: Piece[] = [];
  /** Only fillers followed the last direction: the next name is the thing it is seen from. */
  private adjacent = false;
  private filled = false;
  private moving = false;
  private negated = false;
  /** The direction came first ("above you is a box"), so the next one belongs to something else. */
  private inverted = false;

  constructor(private readonly known: readonly string[]) {}

  read(word: string): void {
    if (VERBS.test(word)) this.moving = true;
    else if (STATES.has(word)) this.moving = false;
    if (NEGATIONS.has(word)) this.negate();
    else if (VERTICAL[word] || HORIZONTAL[word]) this.direction(word);
    else if (ENDS.has(word)) this.close();
    else if (word === "," || word === "and") this.separate();
    else if (ABSOLUTE.has(word)) this.pieces.pop();
    else if (FILLERS.has(word)) this.filled = true;
    else if (word === "another" || word === "other") this.another();
    else this.other(word);
  }

  /** Ends the sentence and keeps its relations. */
  close(): void {
    const { subject, pieces } = this;
    if (subject !== null && !this.negated) this.keep(subject, pieces);
    this.subject = null;
    this.pieces = [];
    this.adjacent = this.negated = this.listing = this.inverted = false;
  }

  private negate(): void {
    // "there is no hole …" begins something new; earlier statements stay.
    if (this.pieces.length > 0) this.close();
    this.negated = true;
  }

  private direction(word: string): void {
    if (this.moving) return;
    if (this.inverted) this.close();
    const [vertical, horizontal] = [VERTICAL[word] ?? null, HORIZONTAL[word] ?? null];
    const last = this.pieces.at(-1);
    const fits =
      last && last.anchor === null && (!vertical || !last.vertical) && (!horizontal || !last.horizontal);
    if (!fits) this.pieces.push({ vertical, horizontal, anchor: null });
    else
      Object.assign(last, { vertical: last.vertical ?? vertical, horizontal: last.horizontal ?? horizontal });
    this.adjacent = true;
    this.filled = false;
  }

  private separate(): void {
    this.adjacent = false;
    if (this.listing && this.pieces.length > 0) this.pieces.push({ ...none(), anchor: null });
  }

  /** "a hole on the left and another one below": two of a kind. */
  private another(): void {
    this.listing = true;
    this.separate();
  }

  private other(word: string): void {
    const name = nameOf(word, this.known);
    if (name === undefined) this.adjacent = false;
    else this.mention(name, word);
  }

  private mention(name: string, word: string): void {
    const isAnchor = this.adjacent && (this.subject !== null || this.filled || name === "player");
    this.adjacent = false;
    if (isAnchor) this.pieces.at(-1)!.anchor = name;
    else if (this.subject === null && this.pieces.length > 0) this.begin(name, word, true);
    else {
      const { negated, subject } = this;
      this.close();
      // A "no" before the first name belongs to it.
      this.negated = negated && subject === null;
      this.begin(name, word, false);
    }
  }

  private begin(name: string, word: string, inverted: boolean): void {
    this.subject = name;
    this.listing = isPlural(word);
    this.inverted = inverted;
  }

  private keep(subject: string, pieces: readonly Piece[]): void {
    const said = pieces.filter((piece) => !isEmpty(piece));
    if (subject === "player") {
      for (const { anchor, ...offset } of said)
        if (anchor !== null && anchor !== "player") this.relations.push({ name: anchor, ...inverse(offset) });
      return;
    }
    const own = said.filter(({ anchor }) => anchor === null || anchor === "player");
    const joined = this.listing ? own : joinPieces(own);
    this.relations.push(
      ...joined.map(({ vertical, horizontal }) => ({ name: subject, vertical, horizontal })),
    );
  }
}

/** "above you and to the left" describes one place; a second "above" describes another. */
export function joinPieces(pieces: readonly Offset[]): Offset[] {
  const joined: Offset[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    const fits =
      last && !(last.vertical && piece.vertical) && !(last.horizontal && piece.horizontal) ? last : null;
    if (!fits) joined.push({ ...piece });
    else {
      fits.vertical ??= piece.vertical;
      fits.horizontal ??= piece.horizontal;
    }
  }
  return joined;
}
