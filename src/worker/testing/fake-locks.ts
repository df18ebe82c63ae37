// The browser's lock manager, as far as run-lock.ts uses it.
import type { Locks } from "../run-lock.ts";

/** An empty lock manager; locks are never waited for. */
export function fakeLocks(): Locks {
  const held = new Set<string>();
  const request = async (
    name: string,
    _options: LockOptions,
    work: (lock: Lock | null) => Promise<unknown>,
  ) => {
    if (held.has(name)) return work(null);
    held.add(name);
    try {
      return await work({ name, mode: "exclusive" });
    } finally {
      held.delete(name);
    }
  };
  return {
    request: request as Locks["request"],
    query: async () => ({
      held: [...held].map((name) => ({ name, mode: "exclusive" as const })),
      pending: [],
    }),
  };
}
