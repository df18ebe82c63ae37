// Places in steps ahead and to the right, in words: how claims write them, in any order, with any blanks, and one part alone.
import { GAP, NUMBER, numberOf } from "../../core/claim-words.ts";

/** The four ways, which name nothing. */
export const WAYS = ["ahead", "right", "back", "left"] as const;

type Way = (typeof WAYS)[number];

const COUNTS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");
const COUNT = `(?:${NUMBER}|\\b(?:${COUNTS.join("|")})(?=\\s))`;
const STEPS = "\\s*(?:steps?\\s+)?";

/** "to the", "on my". */
const ON = "(?:(?:to|on)\\s+(?:the|my)\\s+)?";
/** How a way is written. "In front" and "behind" are ways only as seen from the agent. */
const WRITTEN: Readonly<Record<Way, string>> = {
  ahead: "(?:straight\\s+)?ahead|in\\s+front\\s+of\\s+me",
  right: `${ON}right`,
  back: "back|behind\\s+me",
  left: `${ON}left`,
};
/** After a way: "ahead of me", but not "left of the sofa", which is no place as seen from the agent. */
const FROM_ME = "(?:\\s+of\\s+me)?(?![\\p{L}\\p{N}_]|\\s+of\\s)";
const WAY = `(?:${WAYS.map((way) => WRITTEN[way]).join("|")})${FROM_ME}`;
const PART = `${COUNT}${STEPS}${WAY}`;

/** "a little to the left": a part without a number. */
const VAGUE = `(?:(?:a\\s+(?:little|bit)|slightly|somewhat|far|well|more)\\s+)+${WAY}`;

/** Between two parts. Those on both sides of "/" may also be alternatives: along one axis they contradict each other. */
const BETWEEN_PARTS = `(?:${GAP}|\\s*/\\s*)`;

/**
 * "3 ahead 1 left", "1 left, 3 ahead", "three steps ahead of me and 1 to the left", "3 ahead"; also with parts that contradict each other
 * or have no number. For patterns with the flag u.
 */
export const OFFSET = `${PART}(?:${BETWEEN_PARTS}(?:${PART}|${VAGUE}))*`;

const METRES = "\\s*(?:m|met(?:re|er)s?)(?![\\p{L}\\p{N}_])";
const LENGTH = `${COUNT}${METRES}`;
const LENGTH_PART = `${LENGTH}[\\s,]*(?:away[\\s,]*)?${WAY}`;
const AT_LENGTH = `${WAY}[\\s,:]*(?:at\\s+)?(?:(?:a\\s+)?distance\\s*(?:of\\s+|:\\s*)?)?(?:about\\s+)?${LENGTH}`;

/**
 * A place in metres: "2.1 m ahead and 0.6 m to the right"; or only the way and the distance, as VAGEN's states have them: "2.55 m ahead",
 * "ahead of me at a distance of 2.55 metres". For patterns with the flag u.
 */
export const LENGTHS = `(?:${LENGTH_PART}(?:${BETWEEN_PARTS}${LENGTH_PART})*|${AT_LENGTH})`;

const PARTS = new RegExp(`(${COUNT})${STEPS}(${WAY})`, "gu");
const HAS_VAGUE = new RegExp(VAGUE, "u");

/** Steps ahead and to the right that such words give; null if they give none, not all of them in numbers, or several along one axis. */
export function readOffset(words: string): readonly [ahead: number, right: number] | null {
  if (HAS_VAGUE.test(words)) return null;
  return alongAxes([...words.matchAll(PARTS)].map(([, count, way]) => [wayIn(way!), countIn(count!)]));
}

/** How far ahead and to the right parts lead; null if there are none, or several along one axis. */
function alongAxes(
  parts: readonly (readonly [Way, number])[],
): readonly [ahead: number, right: number] | null {
  const along = (way: Way, opposite: Way): number | null => {
    const own = parts.filter(([said]) => said === way || said === opposite);
    if (own.length !== 1) return own.length === 0 ? 0 : null;
    const [said, steps] = own[0]!;
    // Plus 0: -0 is 0.
    return steps * (said === opposite ? -1 : 1) + 0;
  };
  const [ahead, right] = [along("ahead", "back"), along("right", "left")];
  return parts.length > 0 && Number.isFinite(ahead) && Number.isFinite(right) ? [ahead!, right!] : null;
}

const LENGTHS_IN = new RegExp(`(${COUNT})${METRES}[\\s,]*(?:away[\\s,]*)?(${WAY})`, "gu");
const AT_LENGTH_IN = new RegExp(`^(${WAY}).*?(${COUNT})${METRES}$`, "u");

/**
 * What words of `LENGTHS` give, in metres: how far ahead and to the right, or the way and the distance. Null if they give none, or several
 * lengths along one axis.
 */
export function readLengths(
  words: string,
): { offset: readonly [ahead: number, right: number] } | { way: Way; distance: number } | null {
  const [, first, length] = AT_LENGTH_IN.exec(words) ?? [];
  const parts: [Way, number][] =
    first === undefined
      ? [...words.matchAll(LENGTHS_IN)].map(([, count, way]) => [wayIn(way!), countIn(count!)])
      : [[wayIn(first), countIn(length!)]];
  const offset = alongAxes(parts);
  if (offset === null) return null;
  const [way, distance] = parts[0]!;
  return parts.length > 1 ? { offset } : { way, distance };
}

/** How far a place, ahead and to the right, is from the nearest place that lies in a way's quarter at a distance. */
export function beyondQuarter(
  [ahead, right]: readonly [number, number],
  { way, distance }: { way: Way; distance: number },
): number {
  const turns = WAYS.indexOf(way);
  // As seen from an agent that looks that way.
  const [along, across] = [
    [ahead, right],
    [right, -ahead],
    [-ahead, -right],
    [-right, ahead],
  ][turns] as [number, number];
  if (Math.abs(across) <= along) return Math.abs(Math.sqrt(along ** 2 + across ** 2) - distance);
  const edge = distance / Math.sqrt(2);
  return Math.sqrt((along - edge) ** 2 + (Math.abs(across) - edge) ** 2);
}

const PATTERNS = WAYS.map((way) => [way, new RegExp(`^(?:${WRITTEN[way]})\\b`, "u")] as const);

const wayIn = (written: string): Way => PATTERNS.find(([, pattern]) => pattern.test(written))![0];

/** "3" and "three" are 3. */
const countIn = (written: string): number =>
  COUNTS.includes(written) ? COUNTS.indexOf(written) : numberOf(written);
