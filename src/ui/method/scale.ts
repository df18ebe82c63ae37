// Vertical scales of the pictures.

/** Maps a number to a vertical position. */
export type Scale = (value: number) => number;

/** Smallest and largest of some numbers, with zero between them. */
export function extentWithZero(...lists: readonly ArrayLike<number>[]): readonly [number, number] {
  let [low, high] = [0, 0];
  for (const list of lists)
    for (let i = 0; i < list.length; i++) {
      low = Math.min(low, list[i] as number);
      high = Math.max(high, list[i] as number);
    }
  return [low, high];
}

/** A linear scale from `high` at `top` to `low` at `bottom`; a range of nothing is drawn in the middle. */
export function linear([low, high]: readonly [number, number], top: number, bottom: number): Scale {
  const range = high - low;
  if (range === 0) return () => (top + bottom) / 2;
  return (value) => bottom - ((value - low) / range) * (bottom - top);
}
