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
const inSteps = (count: string, way: string): string => `${count}${STEPS}${way}`;
const PART = inSteps(COUNT, WAY);

/** "a little to the left": a part without a number. */
const VAGUE = `(?:(?:a\\s+(?:little|bit)|slightly|somewhat|far|well|more)\\s+)+${WAY}`;

/** Between two parts. Those on both sides of "/" may also be alternatives: along one axis they contradict each other. */
const BETWEEN_PARTS = `(?:${GAP}|\\s*/\\s*)`;

const METRES = "\\s*(?:m|met(?:re|er)s?)(?![\\p{L}\\p{N}_])";
const AT_DISTANCE = "(?:(?:a\\s+)?distance\\s*(?:of\\s+|:\\s*)?)?(?:about\\s+)?";
const inMetres = (count: string, way: string): string => `${count}${METRES}[\\s,]*(?:away[\\s,]*)?${way}`;
const wayFirst = (way: string, count: string): string =>
  `${way}[\\s,:]*(?:at\\s+)?${AT_DISTANCE}${count}${METRES}`;
const NUMBERED = `(?:${PART}|${AT_DISTANCE}${inMetres(COUNT, WAY)}|${wayFirst(WAY, COUNT)})`;

/**
 * "3 ahead 1 left", "1 left, 3 ahead", "three steps ahead of me and 1 to the left", "3 ahead"; also with parts that contradict each other
 * or have no number. For patterns with the flag u.
 */
export const OFFSET = `${PART}(?:${BETWEEN_PARTS}(?:${PART}|${VAGUE}))*`;

/**
 * The same, also in metres: "2.1 m ahead and 0.6 m to the right", "2.55 m ahead", "ahead of me at a distance of 2.55 metres"; and with parts
 * that mix steps and metres.
 */
export const PLACE = `${NUMBERED}(?:${BETWEEN_PARTS}(?:${NUMBERED}|${VAGUE}))*`;

const group = (name: string, pattern: string): string => `(?<${name}>${pattern})`;
const PARTS = new RegExp(
  [
    inMetres(group("m1", COUNT), group("w1", WAY)),
    wayFirst(group("w2", WAY), group("m2", COUNT)),
    inSteps(group("s3", COUNT), group("w3", WAY)),
  ].join("|"),
  "gu",
);
const HAS_VAGUE = new RegExp(VAGUE, "u");

interface OffsetPart {
  way: Way;
  count: number;
  isMetres: boolean;
}

const partsIn = (words: string): OffsetPart[] =>
  [...words.matchAll(PARTS)].map(({ groups: { m1, w1, m2, w2, s3, w3 } = {} }) => ({
    way: wayIn((w1 ?? w2 ?? w3)!),
    count: countIn((m1 ?? m2 ?? s3)!),
    isMetres: s3 === undefined,
  }));

/** Steps ahead and to the right that words of `OFFSET` give; null if they give none, not all of them in numbers, or several along one axis. */
export function readOffset(words: string): readonly [ahead: number, right: number] | null {
  const read = readPlace(words);
  return read?.unit === "step" ? read.offset : null;
}

/**
 * What words of `PLACE` give: a place in steps or in metres ahead and to the right; or, where there is one part in metres, the way and the
 * distance, as VAGEN's states have them. Null if they give none, not all of it in numbers of one unit, or several numbers along one axis.
 */
export function readPlace(
  words: string,
):
  | { unit: "step" | "metre"; offset: readonly [ahead: number, right: number] }
  | { unit: "quarter"; way: Way; distance: number }
  | null {
  const parts = partsIn(words);
  const [first] = parts;
  if (!first || HAS_VAGUE.test(words) || parts.some(({ isMetres }) => isMetres !== first.isMetres))
    return null;
  const offset = alongAxes(parts);
  if (!offset) return null;
  if (first.isMetres && parts.length === 1) return { unit: "quarter", way: first.way, distance: first.count };
  return { unit: first.isMetres ? "metre" : "step", offset };
}

/** How far ahead and to the right parts lead; null if there are several along one axis. */
function alongAxes(parts: readonly OffsetPart[]): readonly [ahead: number, right: number] | null {
  const along = (way: Way, opposite: Way): number | null => {
    const own = parts.filter((part) => part.way === way || part.way === opposite);
    if (own.length !== 1) return own.length === 0 ? 0 : null;
    // Plus 0: -0 is 0.
    return own[0]!.count * (own[0]!.way === opposite ? -1 : 1) + 0;
  };
  const [ahead, right] = [along("ahead", "back"), along("right", "left")];
  return Number.isFinite(ahead) && Number.isFinite(right) ? [ahead!, right!] : null;
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
