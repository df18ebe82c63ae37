// A shell script → its commands, as far as an import needs them: words, quotes, comments, line continuations, and variables
// that the script itself sets. Nothing is executed; what only a running shell knows stays as text.

/** One command: its words, without quotes. */
export type ShellCommand = readonly string[];

/**
 * The commands of a script, in order. What `tmux send-keys` types into another terminal is read as a script of its own, with
 * the variables of this one already filled in.
 */
export function shellCommands(text: string, depth = 0): ShellCommand[] {
  const commands = new ShellReader(text.replaceAll("\r\n", "\n")).read();
  return commands.flatMap((words) => {
    const typed = depth < MAX_DEPTH ? typedText(words) : undefined;
    return typed === undefined ? [words] : shellCommands(typed, depth + 1);
  });
}

/** Terminals that type into terminals, and defaults that contain defaults. */
const MAX_DEPTH = 8;
/** A variable that contains itself twice doubles with each line. */
const MAX_VALUE = 4096;
/** How far the closing bracket of an expansion is looked for. */
const MAX_EXPANSION = 2000;

const ASSIGNMENT = /^([A-Za-z_]\w*)=(.*)$/s;
const DECLARING = new Set(["export", "local", "readonly", "declare"]);
const SEPARATORS = new Set(["\n", ";", "&", "|"]);

/** The text that `tmux send-keys -t session "text" C-m` types; undefined for other commands. */
function typedText(words: ShellCommand): string | undefined {
  if (words[0] !== "tmux" || !["send-keys", "send"].includes(words[1] ?? "")) return undefined;
  const keys = words.slice(2).filter((word, i, all) => word !== "-t" && all[i - 1] !== "-t");
  return keys.filter((key) => !["C-m", "Enter"].includes(key)).join(" ");
}

class ShellReader {
  private at = 0;
  private word: string | undefined;
  private words: string[] = [];
  private readonly commands: string[][] = [];
  private readonly variables = new Map<string, string>();

  constructor(private readonly text: string) {}

  read(): string[][] {
    while (this.at < this.text.length) this.step();
    this.endCommand();
    return this.commands;
  }

  private step(): void {
    const char = this.text[this.at]!;
    if (char === "\\" && this.text[this.at + 1] === "\n") this.endWord(2);
    else if (char === "\\") this.add(this.text[this.at + 1] ?? "", 2);
    else if (SEPARATORS.has(char)) this.endCommand(1);
    else if (/\s/.test(char)) this.endWord(1);
    else if (char === "#" && this.word === undefined) this.skipComment();
    else if (char === "'") this.single();
    else if (char === '"') this.double();
    else if (char === "$") this.add(...this.expansion());
    else this.add(char, 1);
  }

  private add(text: string, length: number): void {
    this.word = (this.word ?? "") + text;
    this.at += length;
  }

  private skipComment(): void {
    const end = this.text.indexOf("\n", this.at);
    this.at = end < 0 ? this.text.length : end;
  }

  private single(): void {
    const end = this.text.indexOf("'", this.at + 1);
    const to = end < 0 ? this.text.length : end;
    this.add(this.text.slice(this.at + 1, to), to + 1 - this.at);
  }

  /** In double quotes a backslash protects only a few characters, and variables are filled in. */
  private double(): void {
    this.add("", 1);
    while (this.at < this.text.length && this.text[this.at] !== '"') {
      const [char, next] = [this.text[this.at]!, this.text[this.at + 1] ?? ""];
      if (char === "\\" && next === "\n") this.at += 2;
      else if (char === "\\" && '"\\$`'.includes(next)) this.add(next, 2);
      else if (char === "$") this.add(...this.expansion());
      else this.add(char, 1);
    }
    this.at++;
  }

  /** What the `$` at this place becomes, and the length of the text that it replaces. */
  private expansion(): [text: string, length: number] {
    const from = this.at;
    const opening = this.text[from + 1];
    if (opening === "(" || opening === "{") {
      const end = closing(this.text, from + 1);
      if (end < 0) return ["$", 1];
      const source = this.text.slice(from, end + 1);
      return [opening === "{" ? this.expand(source.slice(2, -1), source) : source, source.length];
    }
    const [name] = /^[A-Za-z_]\w*/.exec(this.text.slice(from + 1, from + 100)) ?? [];
    return name ? [this.variables.get(name) ?? `$${name}`, name.length + 1] : ["$", 1];
  }

  /** `NAME`, `NAME:-default` and `NAME:+other`; anything else stays as it is written. */
  private expand(inner: string, source: string, depth = 0): string {
    const [, name, operator, rest = ""] = /^([A-Za-z_]\w*)(?:(:?[-+])(.*))?$/s.exec(inner) ?? [];
    if (name === undefined) return source;
    const value = this.variables.get(name);
    if (operator === undefined) return value ?? source;
    const isSet = value !== undefined && (value !== "" || !operator.startsWith(":"));
    if (operator.endsWith("-")) return isSet ? value : this.filled(rest, depth);
    return isSet ? this.filled(rest, depth) : "";
  }

  /** A default with its own variables filled in. */
  private filled(text: string, depth: number): string {
    if (depth >= MAX_DEPTH) return text;
    const plain = text.replace(/\$([A-Za-z_]\w*)/g, (all, name) => this.variables.get(name) ?? all);
    const at = plain.indexOf("${");
    const end = at < 0 ? -1 : closing(plain, at + 1);
    if (end < 0) return plain;
    const source = plain.slice(at, end + 1);
    return (
      plain.slice(0, at) +
      this.expand(source.slice(2, -1), source, depth + 1) +
      plain.slice(end + 1)
    ).slice(0, MAX_VALUE);
  }

  private endWord(length: number): void {
    this.at += length;
    if (this.word === undefined) return;
    const [, name, value] = ASSIGNMENT.exec(this.word) ?? [];
    const isAssignment = this.words.length === 0 || DECLARING.has(this.words[0]!);
    if (name !== undefined && isAssignment) this.variables.set(name, value!.slice(0, MAX_VALUE));
    else this.words.push(this.word);
    this.word = undefined;
  }

  private endCommand(length = 0): void {
    this.endWord(length);
    if (this.words.length > 0) this.commands.push(this.words);
    this.words = [];
  }
}

/** The index of the bracket that closes the one at `from`; -1 where there is none nearby. */
function closing(text: string, from: number): number {
  const [open, close] = text[from] === "(" ? "()" : "{}";
  let depth = 0;
  for (let i = from; i < Math.min(text.length, from + MAX_EXPANSION); i++) {
    if (text[i] === open) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return -1;
}
