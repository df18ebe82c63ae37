// Places in steps ahead and to the right, in words: how claims write them, in any order, with any blanks, and one part alone.
import { GAP, NUMBER, numberOf } from "../../core/claim-words.ts";

/** The four ways, which name nothing. */
export const WAYS = ["ahead", "right", "back", "left"] as const;

const STEPS = "\\s*(?:steps?\\s+)?";
const WAY = `(?:${WAYS.join("|")})(?![\\p{L}\\p{N}_])`;
const PART = `${NUMBER}${STEPS}${WAY}`;

/** "3 ahead 1 left", "1 left, 3 ahead", "3 ahead"; also with parts that contradict each other. For patterns with the flag u. */
export const OFFSET = `${PART}(?:${GAP}${PART})*`;

const PARTS = new RegExp(`(${NUMBER})${STEPS}(${WAY})`, "gu");

/** Steps ahead and to the right that such words give; null if they give none, or several along one axis. */
export function readOffset(words: string): readonly [ahead: number, right: number] | null {
  const parts = [...words.matchAll(PARTS)];
  const along = (way: string, opposite: string): number | null => {
    const own = parts.filter(([, , said]) => said === way || said === opposite);
    if (own.length !== 1) return own.length === 0 ? 0 : null;
    const [, steps, said] = own[0]!;
    // Plus 0: -0 is 0.
    return numberOf(steps!) * (said === opposite ? -1 : 1) + 0;
  };
  const [ahead, right] = [along("ahead", "back"), along("right", "left")];
  return parts.length > 0 && Number.isFinite(ahead) && Number.isFinite(right) ? [ahead!, right!] : null;
}
