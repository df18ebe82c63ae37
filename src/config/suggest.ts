// "Did you mean …?" for mistyped names.
import { isSynonym } from "./synonyms.ts";

/** The known name nearest to the typed one, or null when none is near. After a known section, only the rest is compared. */
export function nearest(typed: string, known: readonly string[]): string | null {
  return byDistance(typed, likely(typed, known))[0]?.name ?? null;
}

/**
 * A remedy for an unknown name: the names that were probably meant, else all of `listed`; of dotted names only those of the
 * section.
 */
export function suggestion(typed: string, known: readonly string[], listed = known): string {
  const names = likely(typed, known);
  if (names.length > 1) return `Did you mean one of ${names.join(", ")}?`;
  return names[0] !== undefined ? `Did you mean "${names[0]}"?` : listing(sectionOf(typed), listed);
}

/** Longer texts are no misspelt names, and would take long to compare. */
const LONGEST = 100;

/** The names that were probably meant: those that are like the typed one in the first of these ways in which any is. */
function likely(typed: string, known: readonly string[]): string[] {
  if (typed.length > LONGEST) return [];
  const section = sectionFor(typed, known);
  const inside = known.filter((name) => name.startsWith(section));
  const last = lastOf(typed);
  const rest = section ? typed.slice(sectionOf(typed).length) : typed;
  const isSame = (name: string) => isSynonym(last, lastOf(name));
  const isEnd = (name: string) => name.endsWith(`_${last}`);
  const kinds = [
    () => inside.filter(isSame),
    () => inside.filter(isEnd),
    () => known.filter(isSame),
    () =>
      near(rest, inside, (name) => name.slice(section.length), Math.max(1, Math.round(rest.length * 0.4))),
    () => known.filter(isEnd),
    () => near(last, known, lastOf, Math.floor(last.length * 0.25)),
  ];
  for (const kind of kinds) {
    const names = kind();
    if (names.length > 0) return names;
  }
  return [];
}

/** The one name, if any, of which a part is at most `worst` letters from the typed one. */
function near(
  typed: string,
  known: readonly string[],
  partOf: (name: string) => string,
  worst: number,
): string[] {
  const [best] = byDistance(typed, known, partOf);
  return best && best.distance <= worst ? [best.name] : [];
}

const byDistance = (typed: string, known: readonly string[], partOf = (name: string) => name) =>
  known
    .map((name) => ({ name, distance: editDistance(typed.toLowerCase(), partOf(name).toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);

function listing(section: string, known: readonly string[]): string {
  const inside = known.filter((name) => section && name.startsWith(section));
  if (inside.length > 0) return `Known are: ${inside.join(", ")}.`;
  const sections = new Set(known.map(sectionOf).filter(Boolean));
  const names = [...known.filter((name) => !sectionOf(name)), ...[...sections].map((start) => `${start}…`)];
  return `Known are: ${names.join(", ")}.`;
}

/** `actor.` of `actor.lr`; empty of a name without sections. */
const sectionOf = (name: string): string => name.slice(0, name.indexOf(".") + 1);

/** The known section that the typed name begins with, perhaps misspelt; else empty. */
function sectionFor(typed: string, known: readonly string[]): string {
  const section = sectionOf(typed);
  const sections = [...new Set(known.map(sectionOf).filter(Boolean))];
  return near(section, sections, (name) => name, Math.floor(section.length * 0.25))[0] ?? "";
}

/** `lr` of `actor.lr`. */
const lastOf = (name: string): string => name.slice(name.lastIndexOf(".") + 1);

/** Levenshtein distance: insertions, deletions and replacements of single letters. */
function editDistance(a: string, b: string): number {
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
