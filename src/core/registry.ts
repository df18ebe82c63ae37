import { ConfigError } from "./errors.ts";

/** A list of named things of one kind (environments, estimators, reward terms, …). */
export interface Registry<T> {
  readonly all: readonly T[];
  readonly ids: readonly string[];
  /** The member with this id or alias. @throws ConfigError("unknown_id") naming the id and listing what exists. */
  get(id: string): T;
}

/** A registry that accepts more members while the program runs. Lists that it has returned do not change. */
interface OpenRegistry<T> extends Registry<T> {
  /** Members that were added, in order. */
  readonly added: readonly T[];
  /** The id that an alias means; any other text unchanged. */
  idOf(name: string): string;
  /**
   * Adds a member, and returns the way to take it out again.
   * @throws ConfigError("unknown_id") for an id that is taken or reserved.
   */
  add(item: T): () => void;
}

/** The only framework we have: a list whose items are looked up by `id`. */
export function registry<T extends { readonly id: string }>(kind: string, ...all: T[]): Registry<T> {
  const { get, ids } = openRegistry(kind, ...all);
  return { all, ids, get };
}

/** What a registry that can be added to holds. */
interface Kind {
  readonly kind: string;
  /** Ids that no member may have: something else is logged under them. */
  readonly reserved?: readonly string[];
  /** Ids by other names that `get` takes; no member may have such a name. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/** A registry that begins with `own` and can be added to. */
export function openRegistry<T extends { readonly id: string }>(
  of: string | Kind,
  ...own: T[]
): OpenRegistry<T> {
  const { kind, reserved = [], aliases = {} }: Kind = typeof of === "string" ? { kind: of } : of;
  if (new Set(own.map(({ id }) => id)).size !== own.length)
    throw new ConfigError("unknown_id", `two ${kind}s share an id`);
  let added: readonly T[] = [];
  const open: OpenRegistry<T> = {
    get all() {
      return [...own, ...added];
    },
    get ids() {
      return open.all.map(({ id }) => id);
    },
    get added() {
      return added;
    },
    idOf: (name) => (Object.hasOwn(aliases, name) ? (aliases[name] as string) : name),
    get(name) {
      const id = open.idOf(name);
      const item = open.all.find((known) => known.id === id);
      if (item) return item;
      throw new ConfigError(
        "unknown_id",
        `There is no ${kind} "${id}".`,
        `Use one of: ${open.ids.join(", ")}.`,
      );
    },
    add(item) {
      if (open.ids.includes(item.id) || Object.hasOwn(aliases, item.id))
        throw new ConfigError(
          "unknown_id",
          `The studio has the ${kind} "${item.id}" already.`,
          "Choose another id.",
        );
      if (reserved.includes(item.id))
        throw new ConfigError(
          "unknown_id",
          `The studio itself logs a ${kind} "${item.id}".`,
          "Choose another id.",
        );
      added = [...added, item];
      return () => {
        added = added.filter((known) => known !== item);
      };
    },
  };
  return open;
}
