// Whether what an extension hands over has the parts that its kind needs; what it leaves out gets a default.
import { ExtensionError } from "../../core/errors.ts";

/** One part: what it must be, in words and as a test, and its default; without one it must be given. */
interface Part {
  readonly expected: string;
  test(value: unknown): boolean;
  readonly usual?: unknown;
}
export type Shape = Readonly<Record<string, Part>>;

const isText = (value: unknown) => typeof value === "string";

export const ID: Part = {
  expected: "small letters, digits and underscores, beginning with a letter",
  // Every object has a `constructor`, so nothing could be looked up by that name.
  test: (value) => isText(value) && /^(?!constructor$)[a-z][a-z0-9_]{0,39}$/.test(value as string),
};
export const FUNCTION: Part = { expected: "a function", test: (value) => typeof value === "function" };
export const text = (usual: string): Part => ({ expected: "a text", test: isText, usual });
export const flag = (usual: boolean): Part => ({
  expected: "true or false",
  test: (value) => typeof value === "boolean",
  usual,
});
export const oneOf = (...values: string[]): Part => ({
  expected: `one of ${values.map((value) => JSON.stringify(value)).join(", ")}`,
  test: (value) => values.includes(value as string),
  usual: values[0],
});
/** Two finite numbers in order, or null. */
export const RANGE: Part = {
  expected: "null or two numbers, the smaller first, e.g. [0, 1]",
  test: (value) =>
    value === null ||
    (Array.isArray(value) && value.length === 2 && value.every(Number.isFinite) && value[0] < value[1]),
  usual: null,
};

/** A copy with every part of the shape. @throws ExtensionError("invalid") that names kind, id, part and value. */
export function shaped<T>(extension: string, kind: string, given: unknown, shape: Shape): T {
  if (typeof given !== "object" || given === null)
    throw invalid(
      extension,
      `${kind}(…) was given ${shown(given)}; it must be an object.`,
      `Write ${kind}({ id: … }).`,
    );
  const own = given as Readonly<Record<string, unknown>>;
  const what = typeof own.id === "string" ? `the ${kind} "${own.id}"` : `a ${kind}`;
  const unknown = Object.keys(own).find((key) => !Object.hasOwn(shape, key));
  if (unknown !== undefined)
    throw invalid(
      extension,
      `${what} has a part "${unknown}", which nothing reads.`,
      `Known are: ${Object.keys(shape).join(", ")}.`,
    );
  const parts = Object.entries(shape).map(([key, part]) => {
    const value = own[key] === undefined ? part.usual : own[key];
    if (part.test(value)) return [key, value];
    throw invalid(
      extension,
      `${key} of ${what} is ${shown(value)}; it must be ${part.expected}.`,
      value === undefined ? `Add ${key}.` : `Give it another ${key}.`,
    );
  });
  return Object.fromEntries(parts) as T;
}

/** A value in a message, not longer than a glance. */
export function shown(value: unknown): string {
  if (value === undefined) return "missing";
  if (typeof value === "function") return "a function";
  if (typeof value === "number") return String(value);
  const json = JSON.stringify(value) ?? String(value);
  return json.length > 60 ? `${json.slice(0, 57)}…` : json;
}

export const invalid = (extension: string, message: string, hint: string): ExtensionError =>
  new ExtensionError("invalid", `${extension}: ${message}`, hint);
