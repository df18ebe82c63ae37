// The language of a user's own plane: where things are, and where they lie as seen from the player. A coordinate is one token, and so is
// an offset along an axis with its direction.
import type { WorldTruth } from "../../core/types.ts";
import { callsOf } from "../../envs/own/call.ts";
import type { OwnPlane } from "../../envs/own/own.ts";
import { fixedIn, placeIn, planeTruth } from "../../envs/own/plane.ts";
import { COMMA } from "./grid.ts";
import { ended, ownWords, SEPARATORS } from "./own-words.ts";
import type { Template } from "./template.ts";

type At = readonly [x: number, y: number];

export function planeTemplate(own: OwnPlane): Template<WorldTruth> {
  const { step, where } = callsOf(own);
  const claims = ["player", ...own.claims];
  const others = Object.keys(own.things).filter((name) => name !== "player");
  const moving = claims.filter((name) => !fixedIn(own).includes(name));
  const { at, is, decision, parts, actionWords, instructionWords } = ownWords(own);
  const [xs, ys] = own.size.map(upTo);
  const places = (truth: WorldTruth, names: readonly string[]) =>
    names.map((name) => `${name} ${at} ${placeOf(truth, name).join(" ")}`).join(" ; ");
  return {
    ...parts,
    predicts: moving,
    words: () => [
      `${parts.name} `,
      ...claims.flatMap((name) => SEPARATORS.map((before) => `${before}${name} ${at} `)),
      ...others.flatMap((name) => SEPARATORS.map((before) => `${before}${name} ${is} `)),
      // A phrase ends with a blank, as those of boards do, and so a second coordinate begins with one.
      ...xs!.flatMap((n) => [n, ...SIDES.x.map((side) => `${n} ${side}`)].map(String)),
      ...ys!.flatMap((n) => [n, ...SIDES.y.map((side) => `${n} ${side}`)].map((text) => ` ${text}`)),
      decision,
      COMMA,
      ...actionWords,
      ...instructionWords,
    ],
    symbols: ["\n", ...Object.keys(own.things), ...[...xs!, ...ys!].map((n) => ` ${n}`)],
    dictionary: {
      words: [
        ...claims.map((name, i) => `${i === 0 ? "{" : COMMA}"${name}": `),
        ...xs!.map((n) => `[${n}, `),
        ...ys!.map((n) => `${n}]`),
      ],
      write: (truth) => `{${claims.map((name) => `"${name}": ${pair(truth, name)}`).join(COMMA)}}`,
    },
    describe: (truth) => places(truth, claims),
    facts: (truth) => others.flatMap((name) => offsetTo(truth, name, is)).join(" ; "),
    predict: (truth) => places(truth, moving),
    advance(truth, action) {
      if (ended(truth)) return truth;
      const { state, done } = step(String(truth.facts?.state), action);
      return planeTruth(own, where(state), { ...truth.facts, state, done });
    },
  };
}

const SIDES = { x: ["right", "left"], y: ["down", "up"] } as const;

const upTo = (most: number): number[] => Array.from({ length: most + 1 }, (_, n) => n);

/** What is claimed always has one place, or `where` is refused. */
const placeOf = (truth: WorldTruth, name: string): At => placeIn(truth, name)!;

/** "[12, 40]". */
const pair = (truth: WorldTruth, name: string): string => `[${placeOf(truth, name).join(COMMA)}]`;

/** "pad is 38 right 18 down", as seen from the player; nothing for a thing that is absent or there several times. */
function offsetTo(truth: WorldTruth, name: string, is: string): string[] {
  const to = placeIn(truth, name);
  if (!to) return [];
  const [x, y] = placeOf(truth, "player");
  return [`${name} ${is} ${along(to[0] - x, SIDES.x)} ${along(to[1] - y, SIDES.y)}`];
}

/** "38 right". */
const along = (units: number, [positive, negative]: readonly [string, string]): string =>
  `${Math.abs(units)} ${units < 0 ? negative : positive}`;
