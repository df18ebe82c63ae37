// Which checkpoints of a run stay. A run is saved as often as before; only what is removed afterwards is decided here.

/** What retention knows of a checkpoint. */
interface Kept {
  readonly update: number;
  readonly bytes: number;
}

/** How many of a run's newest checkpoints stay, and how many of its newest milestones. */
const NEWEST = 2;

/** The most checkpoints of a run. */
export const MOST_CHECKPOINTS = 8;

/** Checkpoints beside the newest ones and the newest milestones stay only while all of a run's take no more than this many bytes. */
export const SPARE_BYTES = 128 * 2 ** 20;

/**
 * The checkpoints of a run to remove. The newest two stay, and the newest two milestones, from which a run that diverges starts again.
 * Beside them stay older ones to go back to, at distances from the newest that grow by about the same factor: as long as there are too
 * many, the one goes whose neighbours are closest to each other, as the ratio of their distances. There are too many if they are more
 * than `MOST_CHECKPOINTS` or take more than `SPARE_BYTES`.
 *
 * The choice depends on nothing but the checkpoints that are there, so one that has been removed is never missed by a later choice.
 * @param entries newest first.
 * @param milestoneEvery an update that this divides is a milestone.
 */
export function outdated<T extends Kept>(entries: readonly T[], milestoneEvery: number): T[] {
  const milestones = entries.filter(({ update }) => update % milestoneEvery === 0).slice(0, NEWEST);
  const needed = new Set([...entries.slice(0, NEWEST), ...milestones]);
  const kept = [...entries];
  const removed: T[] = [];
  while (areTooMany(kept)) {
    const least = leastMissed(kept, needed);
    if (!least) break;
    removed.push(...kept.splice(kept.indexOf(least), 1));
  }
  return removed;
}

const areTooMany = (kept: readonly Kept[]): boolean =>
  kept.length > MOST_CHECKPOINTS || kept.reduce((sum, { bytes }) => sum + bytes, 0) > SPARE_BYTES;

/** The checkpoint whose neighbours are closest to each other, among those that are not needed; undefined if all are. */
function leastMissed<T extends Kept>(kept: readonly T[], needed: ReadonlySet<T>): T | undefined {
  const distance = (i: number) => kept[0]!.update - kept[i]!.update + 1;
  // The oldest has no older neighbour, and goes last.
  const gap = (i: number) =>
    i + 1 < kept.length ? distance(i + 1) / distance(i - 1) : Number.POSITIVE_INFINITY;
  const removable = [...kept.keys()].filter((i) => !needed.has(kept[i]!));
  const [first] = removable;
  if (first === undefined) return undefined;
  return kept[removable.reduce((least, i) => (gap(i) < gap(least) ? i : least), first)];
}
