// Where levels come from, for environments that can play VAGEN's own.

/**
 * VAGEN plays the level for this seed (`reference`); VAGEN plays it only under PYTHONHASHSEED=0, because it is a retry with a
 * hashed seed (`reference_retry`); the studio's generator drew it (`studio`).
 */
export type LevelSource = "reference" | "reference_retry" | "studio";

/** How many levels come from each source. */
export type LevelCounts = Readonly<Record<LevelSource, number>>;

/** Counts the levels of each source. */
export function countSources(sources: readonly LevelSource[]): LevelCounts {
  const count = (wanted: LevelSource) => sources.filter((source) => source === wanted).length;
  return {
    reference: count("reference"),
    reference_retry: count("reference_retry"),
    studio: count("studio"),
  };
}

/** "218 of 256 levels are VAGEN's, 38 are VAGEN's under PYTHONHASHSEED=0", without a full stop. */
export function levelsText({ reference, reference_retry: retried, studio }: LevelCounts): string {
  const parts = [
    `${reference} of ${reference + retried + studio} levels ${be(reference)} VAGEN's`,
    retried > 0 && `${retried} ${be(retried)} VAGEN's under PYTHONHASHSEED=0`,
    studio > 0 && `${studio} ${be(studio)} the studio's`,
  ];
  return parts.filter(Boolean).join(", ");
}

const be = (count: number) => (count === 1 ? "is" : "are");
