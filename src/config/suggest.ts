// "Did you mean …?" for mistyped names.
import { isSameWord, isSynonym } from "./synonyms.ts";

/** The known name nearest to the typed one, or null when none is near. After a known section, only the rest is compared. */
export function nearest(typed: string, known: readonly string[]): string | null {
  const names = likely(typed, known);
  return names.length > 1 ? closest(typed, names, whole) : (names[0] ?? null);
}

/**
 * A remedy for an unknown name: the names that were probably meant, else all of `listed`; of dotted names only those of the
 * section.
 */
export function suggestion(typed: string, known: readonly string[], listed = known): string {
  const ofSection = listed.some((name) => name.startsWith(`${typed}.`));
  const names = ofSection ? [] : likely(typed, known);
  if (names.length > 1) return `Did you mean one of ${names.join(", ")}?`;
  if (names[0] !== undefined) return `Did you mean "${names[0]}"?`;
  return listing(ofSection ? `${typed}.` : sectionOf(typed), listed);
}

/** Longer texts are no misspelt names, and would take long to compare. */
const LONGEST = 100;
/** Shorter words are the end of too many names, and near too many. */
const TELLING = 6;

/** The names that were probably meant: those that are like the typed one in the first of these ways in which any is. */
function likely(typed: string, known: readonly string[]): string[] {
  if (typed.length > LONGEST) return [];
  const section = sectionFor(typed, known);
  const last = lastOf(typed);
  const ways = [
    () => known.filter((name) => isSameWord(typed, lastOf(name))),
    ...(section ? waysWithin(section, typed, known) : []),
    () => known.filter((name) => isSynonym(last, lastOf(name))),
    ...(section ? [() => nearWithin(section, typed, known, FAR)] : waysAnywhere(typed, known)),
    () => (last.length < TELLING ? [] : near(last, known, lastOf, CLOSE)),
    () => abbreviated(typed, known),
  ];
  return ways.map((namesBy) => namesBy()).find((names) => names.length > 0) ?? [];
}

/** The share of a word's letters in which a misspelt one may differ: where little else could be meant, and anywhere. */
const FAR = 0.4;
const CLOSE = 0.2;

/** What a name below a known section may mean there. */
function waysWithin(section: string, typed: string, known: readonly string[]): (() => string[])[] {
  const inside = known.filter((name) => name.startsWith(section));
  const last = lastOf(typed);
  return [
    () => inside.filter((name) => isSynonym(last, lastOf(name))),
    () => inside.filter((name) => name.endsWith(`_${last}`) || name.startsWith(`${section}${last}_`)),
    () => nearWithin(section, typed, known, CLOSE),
  ];
}

/** What a name without a known section may mean. */
function waysAnywhere(typed: string, known: readonly string[]): (() => string[])[] {
  const plain = known.filter((name) => !sectionOf(name));
  const last = lastOf(typed);
  return [
    () => near(typed, plain, whole, FAR),
    () => (last.length < TELLING ? [] : known.filter((name) => name.endsWith(`_${last}`))),
  ];
}

function nearWithin(section: string, typed: string, known: readonly string[], share: number): string[] {
  const inside = known.filter((name) => name.startsWith(section));
  return near(typed.slice(sectionOf(typed).length), inside, (name) => name.slice(section.length), share);
}

/** The names without sections whose words begin with those that were typed: `nav-small` is short for `navigation-small-trained`. */
function abbreviated(typed: string, known: readonly string[]): string[] {
  if (typed.length < SHORTEST) return [];
  const words = wordsOf(typed);
  return known.filter((name) => {
    const others = sectionOf(name) ? [] : wordsOf(name);
    return words.every((word, i) => others[i]?.startsWith(word));
  });
}

/** Shorter texts begin too many names. */
const SHORTEST = 3;

const wordsOf = (name: string): string[] => name.toLowerCase().split(/[-_]/);

const whole = (name: string): string => name;

/** The one name, if any, of which a part differs from the typed one in at most this share of its letters, or in one. */
function near(
  typed: string,
  known: readonly string[],
  partOf: (name: string) => string,
  share: number,
): string[] {
  const most = Math.max(1, Math.round(typed.length * share));
  // Where the lengths alone differ by more, there is no need to compare.
  const ofLength = known.filter((name) => Math.abs(partOf(name).length - typed.length) <= most);
  const best = closest(typed, ofLength, partOf);
  return best !== null && distance(typed, partOf(best)) <= most ? [best] : [];
}

/** The first of the names of which a part has the smallest distance. */
function closest(typed: string, names: readonly string[], partOf: (name: string) => string): string | null {
  let best: { name: string; away: number } | null = null;
  for (const name of names) {
    const away = distance(typed, partOf(name));
    if (!best || away < best.away) best = { name, away };
  }
  return best?.name ?? null;
}

const distance = (a: string, b: string): number => editDistance(a.toLowerCase(), b.toLowerCase());

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
  return section ? (near(section, sections, whole, CLOSE)[0] ?? "") : "";
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
