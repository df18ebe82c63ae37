// The language of a user's own environment, which follows from its board: where things are, where they lie as seen from the player, and
// what is beside it. The environment may choose the words between them.
import { openRegistry } from "../../core/registry.ts";
import type { GroundTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { cellsOf } from "../../envs/grid.ts";
import { callsOf } from "../../envs/own/call.ts";
import type { OwnEnvironment } from "../../envs/own/own.ts";
import { DECISION, gridWords, neighbours, neighbourWords, offset, statement } from "./grid.ts";
import type { Template } from "./template.ts";

/** The templates of users' own environments. */
export const ownTemplates = openRegistry<Template>({ kind: "template" });

/** The template of an environment whose specification was made of `own`. */
export function ownTemplate(own: OwnEnvironment, { surroundings }: Pick<EnvSpec, "surroundings">): Template {
  const { step, where } = callsOf(own);
  const things = Object.keys(own.things).filter((name) => name !== "player");
  const separators = ["", " ; "];
  const { aim, at = "at", is = "is" } = own.words ?? {};
  const name = aim ? `${own.title}: ${aim}` : own.title;
  const decision = own.words?.decision === undefined ? DECISION : ` ; ${own.words.decision} `;
  const advance = (truth: GroundTruth, action: string): GroundTruth => {
    if (ended(truth)) return truth;
    const { state, done } = step(String(truth.facts?.state), action);
    const { player, ...entities } = where(state);
    return { ...truth, player: player![0]!, entities, facts: { state, done } };
  };
  const template: Template<GroundTruth> = {
    id: own.id,
    own: true,
    name,
    actions: own.actions,
    predicts: ["player", ...own.claims],
    grid: {
      entities: ["player", ...own.claims],
      drawn: Object.keys(own.things),
      symbol: (truth, [row, col]) => symbolAt(own, truth, row, col),
    },
    words: (side) => [
      `${name} `,
      ...["player", ...things].flatMap((thing) => separators.map((before) => `${before}${thing} ${at} `)),
      ...things.flatMap((thing) => separators.map((before) => `${before}${thing} ${is} `)),
      decision,
      ...own.actions,
      ...gridWords(side),
      ...neighbourWords(surroundings!),
    ],
    symbols: ["_", ...Object.values(own.things).map(({ symbol }) => symbol)],
    describe: (truth) => claimed(truth, own.claims, at),
    facts: (truth) =>
      things
        .filter((thing) => cellsOf(truth, thing).length === 1)
        .map((thing) => `${thing} ${is} ${offset(truth.player, cellsOf(truth, thing)[0]!)}`)
        .join(" ; ") + neighbours(truth, surroundings!),
    predict: (truth) => claimed(truth, own.claims, at),
    decision,
    advance,
    ended,
    players: {
      heuristic: "Acts at random, because the studio does not know where this environment's goal is.",
    },
    heuristic: (_truth, random) => random.pick(own.actions),
  };
  return template as unknown as Template;
}

const ended = ({ facts }: GroundTruth): boolean => facts?.done === true;

const claimed = (truth: GroundTruth, claims: readonly string[], at: string): string =>
  ["player", ...claims]
    .map((name) => statement(name, name === "player" ? [truth.player] : cellsOf(truth, name), at))
    .join(" ; ");

function symbolAt({ things }: OwnEnvironment, truth: GroundTruth, row: number, col: number): string {
  const lies = (name: string) =>
    (name === "player" ? [truth.player] : cellsOf(truth, name)).some(([r, c]) => r === row && c === col);
  const top = Object.keys(things).findLast(lies);
  return top === undefined ? "_" : things[top]!.symbol;
}
