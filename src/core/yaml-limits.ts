// Checks YAML from elsewhere before it is parsed. The parser needs cubic time for keys that are collections, and
// quadratic time for many keys: 944 bytes of "? " kept it busy for 65 s. Splitting a text into tokens takes linear time.
import { CST, Lexer } from "yaml";
import { formatInteger } from "./format.ts";

/** Of a configuration, in YAML or in a script. */
export const MAX_CHARACTERS = 2 ** 18;
/** A configuration with a comment above each of its values has some 2,000. */
const MAX_TOKENS = 15_000;
/** Keys, and commas in brackets: `{a, b}` has two keys. */
const MAX_KEYS = 2000;
const MAX_ALIASES = 20;
/** Of nested brackets, and of indicators such as "- - -" on one line. */
const MAX_NESTING = 32;
/** Columns before the first word of a line. Each level of nesting takes at least one. */
const MAX_INDENT = 128;
/** Only one is valid; the parser itself reports the second. */
const MAX_DOCUMENTS = 2;

/** Why a text is not parsed, and what to do about it. */
interface YamlProblem {
  what: string;
  hint: string;
}

const TOO_LARGE = "Check that this is the right file: a configuration has some hundred lines.";

/** What makes a text too costly to parse; null when nothing does. Takes less than 50 ms for any text. */
export function yamlProblem(text: string): YamlProblem | null {
  if (text.length > MAX_CHARACTERS) {
    const what = `it has ${text.length} characters, more than the ${MAX_CHARACTERS} that are read`;
    return { what, hint: TOO_LARGE };
  }
  const scan = new Scan();
  for (const token of new Lexer().lex(text)) {
    const problem = scan.add(token);
    if (problem) return { ...problem, what: `line ${scan.line}, column ${scan.column + 1}: ${problem.what}` };
  }
  return null;
}

/** The tokens of a text so far. */
class Scan {
  line = 1;
  column = 0;
  private tokens = 0;
  private keys = 0;
  private aliases = 0;
  private documents = 0;
  private brackets = 0;
  /** Since the last line break. */
  private indicators = 0;
  /** The last token would not be a plain word if a colon made it a key. */
  private keyless = false;
  private isLineStart = true;

  add(token: string): YamlProblem | null {
    const type = CST.tokenType(token);
    const problem = this.problemOf(type);
    if (!problem) this.move(token);
    return problem;
  }

  private problemOf(type: CST.TokenType | null): YamlProblem | null {
    if (++this.tokens > MAX_TOKENS) return tooMany("words and signs", MAX_TOKENS);
    if (type === "space" || type === "comment" || type === "newline") {
      if (type === "newline") this.indicators = 0;
      return null;
    }
    if (this.indentsTooFar()) return tooDeep(`it is indented by more than ${MAX_INDENT} columns`);
    const keyless = this.keyless;
    this.keyless = type === "flow-map-end" || type === "flow-seq-end" || type === "alias";
    switch (type) {
      case "explicit-key-ind":
        return NO_PLAIN_KEY;
      case "map-value-ind":
        return keyless ? NO_PLAIN_KEY : (this.key() ?? this.indicator());
      case "comma":
        return this.key();
      case "seq-item-ind":
        return this.indicator();
      case "flow-map-start":
      case "flow-seq-start":
        return ++this.brackets > MAX_NESTING ? tooDeep(`more than ${MAX_NESTING} brackets are open`) : null;
      case "flow-map-end":
      case "flow-seq-end":
        this.brackets = Math.max(0, this.brackets - 1);
        return null;
      case "alias":
        return ++this.aliases > MAX_ALIASES ? tooMany("references (*name)", MAX_ALIASES) : null;
      case "doc-start":
        return ++this.documents > MAX_DOCUMENTS ? tooMany("documents", 1) : null;
      default:
        return null;
    }
  }

  private indentsTooFar(): boolean {
    return this.brackets === 0 && this.indicators === 0 && this.column > MAX_INDENT && this.isLineStart;
  }

  /** Outside of brackets each of these opens a level. */
  private indicator(): YamlProblem | null {
    if (this.brackets > 0 || ++this.indicators <= MAX_NESTING) return null;
    return tooDeep(`more than ${MAX_NESTING} levels begin on one line`);
  }

  private key(): YamlProblem | null {
    return ++this.keys > MAX_KEYS ? tooMany("keys and commas", MAX_KEYS) : null;
  }

  private move(token: string): void {
    if (MARKERS.has(token)) return;
    const lines = token.split("\n");
    this.line += lines.length - 1;
    this.column = lines.length > 1 ? lines.at(-1)!.length : this.column + token.length;
    this.isLineStart = (lines.length > 1 || this.isLineStart) && lines.at(-1)!.trim() === "";
  }
}

/** The lexer announces a document, a scalar and an error with characters that are not in the text. */
const MARKERS: ReadonlySet<string> = new Set([CST.DOCUMENT, CST.FLOW_END, CST.SCALAR]);

const NO_PLAIN_KEY: YamlProblem = {
  what: "a key is not a plain word",
  hint: 'Write every key as a word before a colon, e.g. "seed: 7", without "?", brackets or references.',
};

const tooDeep = (what: string): YamlProblem => ({ what, hint: "Configurations nest a few levels deep." });

function tooMany(of: string, limit: number): YamlProblem {
  return { what: `more than ${formatInteger(limit)} ${of} are in the text`, hint: TOO_LARGE };
}
