// Whether what an extension hands over has the parts that its kind needs; what it leaves out gets a default.
import { ExtensionError } from "../../core/errors.ts";
import { z } from "../../core/schema.ts";
import { shown as shownValue } from "../../core/short.ts";

/** A part that `test` accepts; `expected` says in words what it must be. */
const part = <T>(expected: string, test: (value: unknown) => boolean) => z.custom<T>(test, expected);

export const ID = part<string>(
  "small letters, digits and underscores, beginning with a letter",
  // Every object has a `constructor`, so nothing could be looked up by that name.
  (value) => typeof value === "string" && /^(?!constructor$)[a-z][a-z0-9_]{0,39}$/.test(value),
);
export const FUNCTION = part("a function", (value) => typeof value === "function");
export const text = (usual: string) => z.string("a text").default(usual);
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

/** A copy with every part of the shape. @throws ExtensionError("invalid") that names kind, id, part and value. */
export function shaped<T>(extension: string, kind: string, given: unknown, shape: z.ZodRawShape): T {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw invalid(
      extension,
      `${kind}(…) was given ${shown(given)}; it must be an object.`,
      `Write ${kind}({ id: … }).`,
    );
  const own = given as Readonly<Record<string, unknown>>;
  const what = typeof own.id === "string" ? `the ${kind} "${own.id}"` : `a ${kind}`;
  const { data, error } = z.strictObject(shape).safeParse(own);
  if (!error) return data as T;
  const unknown = error.issues.find((issue) => issue.code === "unrecognized_keys");
  if (unknown)
    throw invalid(
      extension,
      `${what} has a part "${unknown.keys[0]}", which nothing reads.`,
      `Known are: ${Object.keys(shape).join(", ")}.`,
    );
  const [issue] = error.issues;
  const key = String(issue!.path[0]);
  const value = own[key];
  throw invalid(
    extension,
    `${key} of ${what} is ${shown(value)}; it must be ${issue!.message}.`,
    value === undefined ? `Add ${key}.` : `Give it another ${key}.`,
  );
}

/** A value in a message, not longer than a glance. */
export const shown = (value: unknown): string =>
  typeof value === "function" ? "a function" : shownValue(value, 60);

export const invalid = (extension: string, message: string, hint: string): ExtensionError =>
  new ExtensionError("invalid", `${extension}: ${message}`, hint);
