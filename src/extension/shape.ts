// Whether what an extension hands over has the parts that its kind needs; what it leaves out gets a default.
import { ExtensionError } from "../core/errors.ts";
import { NEGATIONS } from "../core/negation.ts";
import { z } from "../core/schema.ts";
import { shown as shownValue } from "../core/short.ts";
import { type Look, SHAPES } from "../envs/own/own.ts";

/** A part that `test` accepts; `expected` says in words what it must be. */
export const part = <T>(expected: string, test: (value: unknown) => boolean) => z.custom<T>(test, expected);

export const ID = part<string>(
  "lower-case letters, digits and underscores, beginning with a letter",
  // Every object has a `constructor`, so nothing could be looked up by that name.
  (value) => typeof value === "string" && /^(?!constructor$)[a-z][a-z0-9_]{0,39}$/.test(value),
);
/** All functions are called in the middle of an update, which waits for nothing. */
export const FUNCTION = part(
  "a function without async",
  (value) => Object.prototype.toString.call(value) === "[object Function]",
);
const LONGEST_TEXT = 1000;
export const text = (usual: string) =>
  part<string>(
    `a text of at most ${LONGEST_TEXT} characters`,
    (value) => typeof value === "string" && value.length <= LONGEST_TEXT,
  ).default(usual);
const LONGEST_LINE = 120;
const LINE = `one line of 1 to ${LONGEST_LINE} characters without angle brackets, and without blanks around it`;
/** For what stands in a list, or in a prompt. */
const isLine = (value: unknown): boolean =>
  typeof value === "string" && value.length <= LONGEST_LINE && /^(?! )[^<>\p{Cc}]+(?<! )$/u.test(value);
/** Empty: the id. */
export const TITLE = part<string>(LINE, (value) => value === "" || isLine(value)).default("");
export const flag = (usual: boolean) => z.boolean("true or false").default(usual);
export const oneOf = (usual: string, ...others: string[]) =>
  z
    .enum([usual, ...others], `one of ${[usual, ...others].map((value) => JSON.stringify(value)).join(", ")}`)
    .default(usual);
/** Two finite numbers in order, or null. */
export const RANGE = part<readonly [number, number] | null>(
  "null or two numbers, the smaller first, e.g. [0, 1]",
  (value) =>
    value === null ||
    (Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1]),
).default(null);

const SIZE = [2, 12] as const;
/** Rows or columns of a board. */
export const SIDE = part<number>(
  `a whole number from ${SIZE[0]} to ${SIZE[1]}`,
  (value) => Number.isInteger(value) && Number(value) >= SIZE[0] && Number(value) <= SIZE[1],
);
const WORD = /^(?=.{1,24}$)[A-Za-z]([A-Za-z0-9_ -]*[A-Za-z0-9_])?$/;
export const isWord = (value: unknown): value is string => typeof value === "string" && WORD.test(value);
/** Names of things, as a judge finds them in a sentence: one word each. */
const NAME = /^(?=.{1,24}$)[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;
/** Words of the sentences about things, and what every board has. */
export const TAKEN: ReadonlySet<string> = new Set([
  ...NEGATIONS,
  "at",
  "row",
  "col",
  "column",
  "and",
  "is",
  "free",
  "edge",
]);
const isName = (value: unknown): value is string =>
  typeof value === "string" && NAME.test(value) && !TAKEN.has(value.toLowerCase()) && !(value in {});
const isUnique = (list: readonly unknown[]): boolean => new Set(list).size === list.length;
/** An extension may change its list after it was checked. */
const copied = <T>(list: readonly T[]): readonly T[] => [...list];
/** Names of things. */
export const NAMES = part<readonly string[]>(
  "a list of different names of things",
  (value) => Array.isArray(value) && value.every(isName) && isUnique(value),
)
  .transform(copied)
  .default([]);

export const COLOR = part<string>(
  'a color such as "#c62f3b"',
  (value) => typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value),
);
export const SHAPE = z.enum(SHAPES, `one of ${SHAPES.map((shape) => `"${shape}"`).join(", ")}`);
const LOOK = z.strictObject(
  {
    color: COLOR,
    shape: SHAPE,
    symbol: part<string>(
      'one visible ASCII character but _ and `, such as "K"',
      (value) => typeof value === "string" && /^[!-^a-~]$/.test(value),
    ),
  },
  'an object such as { color: "#c62f3b", shape: "disc", symbol: "P" }',
);

type Looks = Readonly<Record<string, Pick<Look, "color" | "shape"> & { symbol?: string }>>;
export const MOST_THINGS = 12;

/** Things by name, of which each is a `look`; what is wrong with a name is found first. */
export const thingsOf = <L extends z.ZodType>(look: L, taken: ReadonlySet<string>, example: string) =>
  z
    .unknown()
    .superRefine(reported((value) => problemOfNames(value, taken)))
    .pipe(
      z
        .record(z.string(), look, `a plain object, such as ${example}`)
        .superRefine(reported((value) => problemOfLooks(value as Looks))),
    );

/** A check that gives the end of the sentence "things of the environment …", or null. */
export const reported =
  (problemOf: (value: unknown) => string | null) =>
  (value: unknown, { addIssue }: z.RefinementCtx): void => {
    const message = problemOf(value);
    if (message !== null) addIssue({ code: "custom", message, params: SENTENCE });
  };
/** Marks an issue whose message says what was found, not only what it must be. */
const SENTENCE = { isSentence: true };

function problemOfNames(value: unknown, taken: ReadonlySet<string>): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `are ${shown(value)}; they must be an object with things by name`;
  const names = Object.keys(value);
  if (!names.includes("player"))
    return `have ${names.map((name) => JSON.stringify(name)).join(", ") || "nothing"}; there must also be "player"`;
  if (names.length > MOST_THINGS) return `are ${names.length}; there must be at most ${MOST_THINGS}`;
  const unusable = names.find((name) => !isName(name) || taken.has(name.toLowerCase()));
  if (unusable !== undefined)
    return `have a thing named ${JSON.stringify(unusable)}; a name must be one word of at most 24 letters, digits and single underscores that begins with a letter, and not one of ${[...taken].join(", ")} or a part of every object (constructor)`;
  const twins = firstPair(names, (name) => name.toLowerCase());
  return twins && `have ${twins.join(" and ")}; names must differ in more than their case`;
}

function problemOfLooks(looks: Looks): string | null {
  const names = Object.keys(looks);
  const alike = firstPair(names, (name) => `${looks[name]!.color.toLowerCase()} ${looks[name]!.shape}`);
  if (alike)
    return `give ${alike.join(" and ")} one color and one shape; no two things may be alike in color and shape`;
  const same = firstPair(names, (name) => looks[name]!.symbol ?? name);
  return same && `give ${same.join(" and ")} one symbol; each must have its own`;
}

/** The first two that have the same key, quoted; null if there are none. */
export function firstPair(names: readonly string[], keyOf: (name: string) => string): string[] | null {
  const keys = names.map(keyOf);
  const at = keys.findIndex((key, i) => keys.indexOf(key) < i);
  return at < 0 ? null : [names[keys.indexOf(keys[at]!)]!, names[at]!].map((name) => JSON.stringify(name));
}

/** How things of a board look, by name. */
export const THINGS = thingsOf(LOOK, TAKEN, '{ player: { color: "#c62f3b", shape: "disc", symbol: "P" } }');

/** A part of the language: a phrase of whole words. */
const phrase = (longest: number) =>
  part<string>(
    `1 to ${longest} letters in words with one blank between them`,
    (value) => typeof value === "string" && value.length <= longest && /^[A-Za-z]+( [A-Za-z]+)*$/.test(value),
  ).optional();
/** Words of the language in place of those that every board has. */
export const WORDS = z
  .strictObject(
    {
      aim: part<string>(LINE, isLine).optional(),
      at: phrase(24),
      is: phrase(24),
      decision: phrase(40),
    },
    'an object such as { aim: "Fetch the key", at: "at", is: "is", decision: "so move" }',
  )
  .optional();
const MOST_INSTRUCTIONS = 100;
const LONGEST_INSTRUCTION = 120;
const MOST_INSTRUCTION_WORDS = 200;
const INSTRUCTION = /^[A-Za-z0-9'-]+( [A-Za-z0-9'-]+)*$/;
/** Whether a value can be an instruction: every word of it is a token. */
export const isInstruction = (value: unknown): value is string =>
  typeof value === "string" && value.length <= LONGEST_INSTRUCTION && INSTRUCTION.test(value);
/** Sentences that levels may give the agent as its task. */
export const INSTRUCTIONS = z
  .unknown()
  .superRefine(reported(problemOfInstructions))
  .transform((list) => copied(list as readonly string[]))
  .optional();

function problemOfInstructions(value: unknown): string | null {
  if (!Array.isArray(value) || value.length < 2 || value.length > MOST_INSTRUCTIONS)
    return `is ${shown(value)}; it must be a list of 2 to ${MOST_INSTRUCTIONS} sentences`;
  const wrong = value.findIndex((sentence) => !isInstruction(sentence));
  if (wrong >= 0) return `has ${shown(value[wrong])} at index ${wrong}; ${whyNoInstruction(value[wrong])}`;
  const twins = firstPair(value, (sentence) => sentence);
  if (twins) return `has ${twins[0]} twice; each sentence must be there once`;
  const words = new Set(value.flatMap((sentence) => sentence.split(" "))).size;
  return words > MOST_INSTRUCTION_WORDS
    ? `has ${words} different words; it must have at most ${MOST_INSTRUCTION_WORDS}`
    : null;
}

function whyNoInstruction(given: unknown): string {
  if (typeof given !== "string") return "it must be a text";
  if (given.length > LONGEST_INSTRUCTION)
    return `it has ${given.length} characters and must have at most ${LONGEST_INSTRUCTION}`;
  const unusable = /[^A-Za-z0-9' -]/u.exec(given)?.[0];
  return `${unusable === undefined ? "" : `${JSON.stringify(unusable)} is not allowed: `}write words of letters, digits, hyphens and apostrophes with one blank between them`;
}

export const OPTIONAL_FUNCTION = FUNCTION.optional();

/** A copy with every part of the shape. @throws ExtensionError("invalid") that names kind, id, part and value. */
export function shaped<T>(extension: string, kind: string, given: unknown, shape: z.ZodRawShape): T {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid(
      extension,
      given === undefined
        ? `${kind}() was called without an object.`
        : `${kind}(…) was given ${shown(given)}; it must be an object.`,
      `Write ${kind}({ id: … }).`,
    );
  const own = given as Readonly<Record<string, unknown>>;
  const what =
    typeof own.id === "string"
      ? `the ${nounOf(kind)} ${shown(own.id)}`
      : `${/^[aeiou]/.test(kind) ? "an" : "a"} ${nounOf(kind)}`;
  const { data, error } = z.strictObject(shape).safeParse(partsOf(own, shape));
  if (!error) return data as T;
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown)
    throw invalid(
      extension,
      `${what} has a part "${[...unknown.path, unknown.keys[0]].join(".")}", which nothing reads.`,
      `Known are: ${partsAt(shape, unknown.path).join(", ")}.`,
    );
  const issue = error.issues[0]!;
  const key = issue.path.join(".");
  const value = issue.path.reduce<unknown>((of, name) => (of as Record<PropertyKey, unknown>)[name], own);
  const found =
    issue.code === "custom" && issue.params?.isSentence
      ? issue.message
      : `is ${shown(value)}; it must be ${issue.message}`;
  throw invalid(
    extension,
    `${key} of ${what} ${found}.`,
    value === undefined ? `Add ${key}.` : `Correct ${key}.`,
  );
}

/** "reward term" of the kind `rewardTerm`. */
export const nounOf = (kind: string): string => kind.replace("rewardTerm", "reward term");

/** The parts that have a value, those of a class included: one that is undefined is left out. */
const partsOf = (own: Readonly<Record<string, unknown>>, shape: z.ZodRawShape): object =>
  Object.fromEntries(
    [...new Set([...Object.keys(shape), ...Object.keys(own)])].flatMap((key) =>
      own[key] === undefined ? [] : [[key, own[key]]],
    ),
  );

/** The parts that a shape has at the path of a part. */
function partsAt(shape: z.ZodRawShape, path: readonly PropertyKey[]): string[] {
  const at = path.reduce<z.core.$ZodType>((of, name) => innerOf(of, name), z.object(shape));
  return Object.keys((bare(at) as z.ZodObject).shape);
}

/** What an object, a list or a record has under a name. */
function innerOf(schema: z.core.$ZodType, name: PropertyKey): z.core.$ZodType {
  const of = bare(schema);
  if (of instanceof z.ZodArray) return of.element;
  if (of instanceof z.ZodRecord) return of.valueType;
  return (of as z.ZodObject).shape[name as string]!;
}

/** A schema without what says that it may be left out, or what is checked before it. */
function bare(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return bare(schema.unwrap());
  return schema instanceof z.ZodPipe ? bare(schema.out) : schema;
}

/** A value in a message, not longer than a glance. */
export const shown = (value: unknown): string => shownValue(value, 60);

export const invalid = (extension: string, message: string, hint: string): ExtensionError =>
  new ExtensionError("invalid", `${extension}: ${message}`, hint);
