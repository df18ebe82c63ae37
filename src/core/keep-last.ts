// Results that are kept for as long as they are among the last ones.

/**
 * A function that returns the kept result of a key, or computes it. It keeps the `most` results that were computed last. Callers share a
 * result, so it must not be changed. What throws is computed again the next time.
 */
export function keepLast<T>(most: number): (key: string, compute: () => T) => T {
  const kept = new Map<string, T>();
  return (key, compute) => {
    if (kept.has(key)) return kept.get(key)!;
    const result = compute();
    if (kept.size >= most) kept.delete(kept.keys().next().value!);
    kept.set(key, result);
    return result;
  };
}
