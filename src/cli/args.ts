// Options of a command: one table is what is parsed, checked and shown by --help.
import { parseArgs } from "node:util";
import { nearest } from "../config/suggest.ts";

/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

interface Option {
  /** What the value is called in the help; none: a switch. */
  value?: string;
  help: string;
  /** May be given several times. */
  multiple?: boolean;
}
export type Options = Readonly<Record<string, Option>>;

/** Number() would also read other bases, such as 0x10. */
const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Values by option name; switches are true or absent. */
export class Values {
  constructor(
    private readonly given: Readonly<Record<string, unknown>>,
    /** Arguments without a name, of commands that take files. */
    readonly files: readonly string[] = [],
  ) {}

  text(name: string): string | undefined {
    return this.given[name] as string | undefined;
  }
  list(name: string): string[] {
    return (this.given[name] as string[] | undefined) ?? [];
  }
  has(name: string): boolean {
    return this.given[name] !== undefined;
  }
  /** @throws UsageError unless the value is a number of at least `min` and at most `max`. */
  number(name: string, min: number, integer = true, max = Number.MAX_VALUE): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max && (!integer || Number.isSafeInteger(value))) return value;
    const kind = integer ? "a whole number" : "a number";
    const range = max < Number.MAX_VALUE ? `from ${min} to ${max}` : `of at least ${min}`;
    throw new UsageError(`--${name} is "${text}"; expected ${kind} ${range}.`, "");
  }
}

/** Arguments as one would type them into a shell: quoted where they hold more than plain words and paths. */
export const shellWords = (...args: readonly string[]): string =>
  args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(" ");

/** @throws UsageError for an option that does not exist, lacks its value, or has one too many, and for a stray argument. */
export function parseOptions(
  command: string,
  options: Options,
  args: readonly string[],
  takesFiles = false,
): Values {
  const known: Options = { ...options, help: { help: "" } };
  const config = Object.entries(known).map(
    ([name, { value, multiple = false }]) =>
      [name, { type: value ? ("string" as const) : ("boolean" as const), multiple }] as const,
  );
  // Not strict: the parser's own errors name neither the value's kind nor the nearest option.
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options: Object.fromEntries(config),
    strict: false,
    tokens: true,
  });
  for (const token of tokens) if (token.kind === "option") checkOption(command, known, token);
  if (takesFiles || positionals.length === 0) return new Values(values, positionals);
  throw new UsageError(`Unexpected argument '${positionals[0]}'.`, `See: ${command} --help`);
}

interface GivenOption {
  name: string;
  rawName: string;
  value: string | undefined;
  /** Whether the value follows an equals sign. */
  inlineValue: boolean | undefined;
}

/** @throws UsageError */
function checkOption(command: string, known: Options, { name, rawName, value, inlineValue }: GivenOption) {
  const option = Object.hasOwn(known, name) && rawName === `--${name}` ? known[name] : undefined;
  if (!option)
    throw new UsageError(`${command} has no option ${rawName}.`, optionSuggestion(name, Object.keys(known)));
  const help = `See: ${command} --help`;
  if (!option.value && value !== undefined) throw new UsageError(`--${name} takes no value.`, help);
  // A value may be a negative number, but not another option.
  const isMissing = value === undefined || (!inlineValue && /^-[^\d.]/.test(value));
  if (option.value && isMissing)
    throw new UsageError(`--${name} needs a value: --${name} ${option.value}.`, help);
  // As a script passes it whose variable is not set.
  if (value?.trim() === "") throw new UsageError(`--${name} is empty; it needs ${option.value}.`, help);
}

/** Compared without their dashes, which make short names look alike. */
function optionSuggestion(unknown: string, known: readonly string[]): string {
  const name = nearest(unknown, known);
  return name
    ? `Did you mean "--${name}"?`
    : `Known are: ${known.map((option) => `--${option}`).join(", ")}.`;
}

/** The option table as text. */
export function optionHelp(options: Options): string {
  const rows = Object.entries({ ...options, help: { help: "Show this text." } }).map(
    ([name, { value, help }]: [string, Option]) => [`  --${name}${value ? ` ${value}` : ""}`, help] as const,
  );
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, help]) => left.padEnd(width) + help).join("\n");
}

/** @throws UsageError if `option` and one of `others` are both given. `remedy` is a sentence. */
export function refuseTogether(
  values: Values,
  option: string,
  others: readonly string[],
  remedy: string,
): void {
  const other = others.find((name) => values.has(name));
  if (values.has(option) && other !== undefined)
    throw new UsageError(`--${option} and --${other} were both given.`, remedy);
}
