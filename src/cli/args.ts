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
    const value = text.trim() === "" ? Number.NaN : Number(text);
    if (value >= min && value <= max && (!integer || Number.isSafeInteger(value))) return value;
    const kind = integer ? "a whole number" : "a number";
    const range = max < Number.MAX_VALUE ? `from ${min} to ${max}` : `of at least ${min}`;
    throw new UsageError(`--${name} is "${text}"; expected ${kind} ${range}.`, "");
  }
}

/** Arguments as one would type them into a shell: quoted where they hold more than plain words and paths. */
export const shellWords = (...args: readonly string[]): string =>
  args.map((arg) => (/^[\w@%+=:,./-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`)).join(" ");

/** @throws UsageError for an option that does not exist, lacks its value, or has one too many. */
export function parseOptions(
  command: string,
  options: Options,
  args: readonly string[],
  takesFiles = false,
): Values {
  const config = Object.fromEntries(
    Object.entries({ ...options, help: { help: "" } }).map(
      ([name, { value, multiple = false }]: [string, Option]) => [
        name,
        { type: value ? ("string" as const) : ("boolean" as const), multiple },
      ],
    ),
  );
  try {
    const { values, positionals } = parseArgs({
      args: joined(args, options),
      options: config,
      strict: true,
      allowPositionals: takesFiles,
    });
    return new Values(values, positionals);
  } catch (error) {
    throw usageError(command, options, error as Error);
  }
}

/** `--updates -3` as `--updates=-3`: the parser would take a negative number for another option. */
function joined(args: readonly string[], options: Options): string[] {
  const out: string[] = [];
  for (const arg of args) {
    const before = out.at(-1) ?? "";
    if (/^-\.?\d/.test(arg) && before.startsWith("--") && options[before.slice(2)]?.value)
      out[out.length - 1] = `${before}=${arg}`;
    else out.push(arg);
  }
  return out;
}

function usageError(command: string, options: Options, { message }: Error): UsageError {
  const known = Object.keys(options);
  const unknown = /Unknown option '--?([^']+)'/.exec(message)?.[1];
  if (unknown)
    return new UsageError(`${command} has no option --${unknown}.`, optionSuggestion(unknown, known));
  const empty = /'--([^\s']+).*(?:missing|ambiguous)/.exec(message)?.[1];
  if (empty)
    return new UsageError(
      `--${empty} needs a value: --${empty} ${options[empty]?.value ?? ""}.`,
      `See: ${command} --help`,
    );
  return new UsageError(message.split(". ")[0]!.replace(/\.?$/, "."), `See: ${command} --help`);
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
