import { ConfigError } from "./errors.ts";

/** A closed list of named things of one kind (environments, estimators, reward terms, …). */
export interface Registry<T> {
  readonly all: readonly T[];
  readonly ids: readonly string[];
  /** @throws ConfigError("unknown_id") naming the id and listing what exists. */
  get(id: string): T;
}

/** The only framework we have: a list whose items are looked up by `id`. */
export function registry<T extends { readonly id: string }>(kind: string, ...all: T[]): Registry<T> {
  const byId = new Map(all.map((item) => [item.id, item]));
  if (byId.size !== all.length) throw new ConfigError("unknown_id", `two ${kind}s share an id`);
  const ids = [...byId.keys()];
  return {
    all,
    ids,
    get(id) {
      const item = byId.get(id);
      if (!item)
        throw new ConfigError("unknown_id", `There is no ${kind} "${id}".`, `Use one of: ${ids.join(", ")}.`);
      return item;
    },
  };
}
