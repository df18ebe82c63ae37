// Names and synonyms of entities in free wording.

/** Synonyms of entities. An ambiguous word means the entity that the game has. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  player: ["player", "agent", "you", "i", "me"],
  goal: ["goal", "gift", "destination", "target", "targets"],
  box: ["box", "boxes", "crate", "crates"],
  target: ["target", "targets", "goal", "goals"],
  hole: ["hole", "holes"],
  wall: ["wall", "walls"],
};

/** Plural words: a list with one entry each follows them. */
const PLURALS: ReadonlySet<string> = new Set(["boxes", "crates", "targets", "goals", "holes", "walls"]);

export const isPlural = (word: string): boolean => PLURALS.has(word);

/**
 * The entity that a lower-case word or a key such as `player_position` means, or undefined. `known` are the names that
 * the game has; they come first, so that "target" is the goal where there is no target. Other entities are recognised
 * too, so that claims about them are not attributed to something else.
 */
export function nameOf(word: string, known: readonly string[]): string | undefined {
  const whole = known.find((name) => name.toLowerCase() === word);
  if (whole !== undefined) return whole;
  const named = [...known, ...Object.keys(SYNONYMS).filter((name) => !known.includes(name))];
  const parts = word.split(/[^a-z]+/).filter(Boolean);
  return named.find((name) => (SYNONYMS[name] ?? [name.toLowerCase()]).some((own) => parts.includes(own)));
}
