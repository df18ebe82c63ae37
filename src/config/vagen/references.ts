// `${a.b}`: values that stand for other keys' values. OmegaConf looks them up when they are used, so after every file and
// override: https://omegaconf.readthedocs.io/en/latest/usage.html#variable-interpolation
import type { Refused } from "./findings.ts";
import type { Pair } from "./overrides-list.ts";
import type { Generation } from "./row.ts";
import { linesFor } from "./table.ts";

export interface Resolved {
  /** Every key once, with the last of its values; what refers to no key of the files is left as it is. */
  readonly pairs: readonly Pair[];
  /** Why the references of a key never come to a value, by key. */
  readonly endless: ReadonlyMap<string, string>;
}

const REFERENCE = /\$\{\s*(\.*\w[\w.]*)\s*\}/g;
const ONLY_A_REFERENCE = new RegExp(`^${REFERENCE.source}$`);
/** A text that refers to another one twice doubles with each key: 22 such lines expand to megabytes. */
const MAX_LENGTH = 4096;
/** The longest chain of keys that refer to one another. */
const MAX_STEPS = 32;

/** Follows every reference to its end, be it over several keys. A value keeps its type, one inside of a text becomes text. */
export function withoutReferences(pairs: readonly Pair[]): Resolved {
  const follower = new Follower(new Map(pairs.map(({ key, value }) => [key, value])));
  const endless = new Map<string, string>();
  const followed = [...follower.given].map(([key, value]) => {
    const end = follower.follow([key]);
    if (!(end instanceof NoEnd)) return { key, value: end };
    endless.set(key, end.why);
    return { key, value };
  });
  return { pairs: followed, endless };
}

/** What to say about a key whose references come to no value. */
export function withoutEnd({ key, value }: Pair, why: string, generation: Generation): Refused {
  const path = linesFor(key, { part: "trainer", generation })[0]?.path ?? key;
  const message = `${key} refers to ${why}.`;
  return { kind: "refused", key, value, path, ours: value, message, hint: "Write one of these values out." };
}

class NoEnd {
  constructor(readonly why: string) {}
}

/** Remembers the ends that it has found, so that each key is followed once. */
class Follower {
  private readonly ends = new Map<string, unknown>();

  constructor(readonly given: ReadonlyMap<string, unknown>) {}

  /** The value of the last key of a way, or why there is none. */
  follow(way: readonly string[]): unknown {
    const key = way.at(-1)!;
    if (this.ends.has(key)) return this.ends.get(key);
    const end = this.end(way, key, this.given.get(key));
    // The message depends on where the cycle is entered, so it is not cached.
    if (!(end instanceof NoEnd)) this.ends.set(key, end);
    return end;
  }

  private end(way: readonly string[], key: string, value: unknown): unknown {
    if (typeof value !== "string") return value;
    const only = ONLY_A_REFERENCE.exec(value);
    if (only) return this.step(way, absolute(only[1]!, key), value);
    let [text, from] = ["", 0];
    for (const { 0: reference, 1: name, index } of value.matchAll(REFERENCE)) {
      const end = this.step(way, absolute(name!, key), reference);
      if (end instanceof NoEnd) return end;
      text += value.slice(from, index) + asText(end);
      from = index + reference.length;
      if (text.length > MAX_LENGTH) return new NoEnd(`a text of more than ${MAX_LENGTH} characters`);
    }
    return text + value.slice(from);
  }

  /** The value of another key; a reference that the files do not resolve stays as it is. */
  private step(way: readonly string[], other: string, reference: string): unknown {
    if (!this.given.has(other)) return reference;
    const next = [...way, other];
    if (way.includes(other)) return new NoEnd(`a cycle of references: ${next.join(" → ")}`);
    if (way.length >= MAX_STEPS) return new NoEnd(`a value more than ${MAX_STEPS} references away`);
    return this.follow(next);
  }
}

/** A list or a map inside of a text: `String` would call a method that the file may have replaced. */
const asText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** One dot in front means the section of the key, each further one the section around. */
function absolute(name: string, key: string): string {
  const [dots] = /^\.*/.exec(name)!;
  if (dots === "") return name;
  return [...key.split(".").slice(0, -dots.length), name.slice(dots.length)].join(".");
}
