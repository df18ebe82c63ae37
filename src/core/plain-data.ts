// Questions about parsed JSON or YAML that must not recurse: a hostile file nests deeper than the stack.

/** Whether lists and maps nest more than `limit` levels deep. */
export function isDeeperThan(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    level = level.flatMap((inner) =>
      typeof inner === "object" && inner !== null ? Object.values(inner) : [],
    );
    if (depth >= limit) return level.length > 0;
  }
  return false;
}
