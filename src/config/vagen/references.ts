// `${a.b}`: values that stand for other keys' values. OmegaConf looks them up when they are used, so after every file and
// override: https://omegaconf.readthedocs.io/en/latest/usage.html#variable-interpolation
import type { Refused } from "./findings.ts";
import type { Pair } from "./overrides-list.ts";
import type { Generation } from "./row.ts";
import { linesFor } from "./table.ts";

export interface Resolved {
  /** Every key once, with the last of its values; what refers to no key of the files is left as it is. */
  readonly pairs: readonly Pair[];
  /** The keys whose references never come to a value, with the way that they take. */
  readonly loops: ReadonlyMap<string, readonly string[]>;
}

const REFERENCE = /\$\{\s*(\.*\w[\w.]*)\s*\}/g;
const ONLY_A_REFERENCE = new RegExp(`^${REFERENCE.source}$`);

/** Follows every reference to its end, be it over several keys. A value keeps its type, one inside of a text becomes text. */
export function withoutReferences(pairs: readonly Pair[]): Resolved {
  const given = new Map(pairs.map(({ key, value }) => [key, value]));
  const loops = new Map<string, readonly string[]>();
  const followed = [...given].map(([key, value]) => {
    const end = follow(given, [key]);
    if (!(end instanceof Loop)) return { key, value: end };
    loops.set(key, end.way);
    return { key, value };
  });
  return { pairs: followed, loops };
}

/** What to say about a key of a loop. */
export function endless({ key, value }: Pair, way: readonly string[], generation: Generation): Refused {
  const path = linesFor(key, { part: "trainer", generation })[0]?.path ?? key;
  const message = `${key} stands for a value that never comes: ${way.join(" → ")}.`;
  return { kind: "refused", key, value, path, ours: value, message, hint: "Write one of these values out." };
}

class Loop {
  constructor(readonly way: readonly string[]) {}
}

/** The value of the last key of a way, or the way itself as soon as it comes back to one of its keys. */
function follow(given: ReadonlyMap<string, unknown>, way: readonly string[]): unknown {
  const key = way.at(-1)!;
  const value = given.get(key);
  if (typeof value !== "string") return value;
  const next = (name: string, text: string): unknown => {
    const other = absolute(name, key);
    if (!given.has(other)) return text;
    return way.includes(other) ? new Loop([...way, other]) : follow(given, [...way, other]);
  };
  const only = ONLY_A_REFERENCE.exec(value);
  if (only) return next(only[1]!, value);
  const ends = [...value.matchAll(REFERENCE)].map(([text, name]) => next(name!, text));
  return ends.find((end) => end instanceof Loop) ?? value.replace(REFERENCE, () => String(ends.shift()));
}

/** One dot in front means the section of the key, each further one the section around. */
function absolute(name: string, key: string): string {
  const [dots] = /^\.*/.exec(name)!;
  if (dots === "") return name;
  return [...key.split(".").slice(0, -dots.length), name.slice(dots.length)].join(".");
}
