// "Did you mean …?" for mistyped names.

/** The known name nearest to the typed one, or null when none is near. After a known section, only the rest is compared. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const section = sectionOf(typed);
  const candidates = known.filter((name) => name.startsWith(section));
  const prefix = candidates.length > 0 ? section : "";
  const rest = typed.slice(prefix.length).toLowerCase();
  const worst = Math.max(1, Math.round(rest.length * 0.4));
  const ranked = (prefix ? candidates : known)
    .map((name) => ({ name, distance: editDistance(rest, name.slice(prefix.length).toLowerCase(), worst) }))
    .filter(({ name, distance }) => distance <= worst || isEndOf(typed, name))
    .sort((a, b) => a.distance - b.distance);
  return ranked[0]?.name ?? null;
}

/** A remedy for an unknown name: the nearest name, else all names; of dotted names only those of the section. */
export function suggestion(typed: string, known: readonly string[]): string {
  const ends = known.filter((name) => isEndOf(typed, name));
  if (ends.length > 1 && !known.includes(typed)) return `Did you mean one of ${ends.join(", ")}?`;
  const name = nearest(typed, known);
  return name ? `Did you mean "${name}"?` : listing(sectionOf(typed), known);
}

function listing(section: string, known: readonly string[]): string {
  const inside = known.filter((name) => section && name.startsWith(section));
  if (inside.length > 0) return `Known are: ${inside.join(", ")}.`;
  const sections = new Set(known.map(sectionOf).filter(Boolean));
  const names = [...known.filter((name) => !sectionOf(name)), ...[...sections].map((start) => `${start}…`)];
  return `Known are: ${names.join(", ")}.`;
}

/** `actor.` of `actor.lr`; empty of a name without sections. */
const sectionOf = (name: string): string => name.slice(0, name.indexOf(".") + 1);

/** `lr` for `actor.lr`, `slippery` for `is_slippery`: the typed text is the last part of a name. */
function isEndOf(typed: string, name: string): boolean {
  const last = typed.split(".").at(-1);
  return name.endsWith(`.${last}`) || name.endsWith(`_${last}`);
}

/**
 * Levenshtein distance: insertions, deletions and replacements of single letters. Infinite where the lengths alone make
 * it larger than `worst`.
 */
function editDistance(a: string, b: string, worst: number): number {
  if (Math.abs(a.length - b.length) > worst) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replace = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replace, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
