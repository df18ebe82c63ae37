// `${a.b}` interpolations. OmegaConf resolves them when a value is read, that is after all files and overrides are merged:
// https://omegaconf.readthedocs.io/en/latest/usage.html#variable-interpolation
import type { KeyValue } from "./overrides.ts";

export interface Interpolated {
  /** Every key once, with its last value. A reference to a key that the files do not have is kept as text. */
  readonly values: ReadonlyMap<string, unknown>;
  /** By key, why its references cannot be resolved. */
  readonly unresolved: ReadonlyMap<string, string>;
}

const REFERENCE = /\$\{\s*(\.*\w[\w.]*)\s*\}/g;
const ONLY_A_REFERENCE = new RegExp(`^${REFERENCE.source}$`);
/** A text with two references to another such text doubles with each key: 22 lines expand to megabytes. */
const MAX_LENGTH = 4096;
/** The longest chain of keys that refer to one another. */
const MAX_STEPS = 32;

/** Resolves every reference, also over several keys. A value that is one reference keeps its type; in a longer text it becomes text. */
export function interpolate(keys: readonly KeyValue[]): Interpolated {
  const given = merged(keys);
  const resolver = new Resolver(given);
  const values = new Map<string, unknown>();
  const unresolved = new Map<string, string>();
  for (const [key, value] of given) {
    const result = resolver.resolve([key]);
    values.set(key, result instanceof Unresolved ? value : result);
    if (result instanceof Unresolved) unresolved.set(key, result.why);
  }
  return { values, unresolved };
}

/**
 * Every key once, with its last value, as OmegaConf merges: null takes the place of a whole section, and so does its deletion; a key of a
 * section takes the place of its null.
 */
function merged(keys: readonly KeyValue[]): Map<string, unknown> {
  const given = new Map<string, unknown>();
  for (const { key, value, isDeleted } of keys) {
    if (isDeleted || value === null)
      for (const other of [...given.keys()]) if (`${other}.`.startsWith(`${key}.`)) given.delete(other);
    if (isDeleted) continue;
    for (const section of sectionsOf(key)) if (given.get(section) === null) given.delete(section);
    given.set(key, value);
  }
  return given;
}

/** The sections that a key is in: `a` and `a.b` of `a.b.c`. */
const sectionsOf = (key: string): string[] =>
  key.split(".").flatMap((_, i, names) => (i > 0 ? names.slice(0, i).join(".") : []));

class Unresolved {
  constructor(readonly why: string) {}
}

/** Caches results, so that each key is resolved once. */
class Resolver {
  private readonly results = new Map<string, unknown>();

  constructor(private readonly given: ReadonlyMap<string, unknown>) {}

  /** The value of the last key of a chain of references. */
  resolve(chain: readonly string[]): unknown {
    const key = chain.at(-1)!;
    if (this.results.has(key)) return this.results.get(key);
    const result = this.expand(chain, key, this.given.get(key));
    // The message depends on where the cycle is entered, so it is not cached.
    if (!(result instanceof Unresolved)) this.results.set(key, result);
    return result;
  }

  private expand(chain: readonly string[], key: string, value: unknown): unknown {
    if (typeof value !== "string") return value;
    const only = ONLY_A_REFERENCE.exec(value);
    if (only) return this.follow(chain, absolute(only[1]!, key), value);
    let [text, from] = ["", 0];
    for (const { 0: reference, 1: name, index } of value.matchAll(REFERENCE)) {
      const result = this.follow(chain, absolute(name!, key), reference);
      if (result instanceof Unresolved) return result;
      text += value.slice(from, index) + asText(result);
      from = index + reference.length;
      if (text.length > MAX_LENGTH) return new Unresolved(`a text of more than ${MAX_LENGTH} characters`);
    }
    return text + value.slice(from);
  }

  /** The value of another key; a reference to a key that the files do not have stays as it is. */
  private follow(chain: readonly string[], other: string, reference: string): unknown {
    if (!this.given.has(other)) return reference;
    const next = [...chain, other];
    if (chain.includes(other)) return new Unresolved(`a cycle of references: ${next.join(" → ")}`);
    if (chain.length >= MAX_STEPS) return new Unresolved(`a value more than ${MAX_STEPS} references away`);
    return this.resolve(next);
  }
}

/** Lists and maps as JSON: `String` would call a method that the file may have replaced. */
const asText = (value: unknown): string =>
  typeof value === "object" ? JSON.stringify(value) : String(value);

/** One dot in front means the section of the key, each further one the section around. */
function absolute(name: string, key: string): string {
  const [dots] = /^\.*/.exec(name)!;
  if (dots === "") return name;
  return [...key.split(".").slice(0, -dots.length), name.slice(dots.length)].join(".");
}
