// The language of a user's own environment, which follows from its board: where things are, where they lie as seen from the player, and
// what is beside it.
import { openRegistry } from "../../core/registry.ts";
import type { GroundTruth } from "../../core/types.ts";
import type { EnvSpec } from "../../envs/env.ts";
import { cellsOf } from "../../envs/grid.ts";
import { callsOf } from "../../envs/own/call.ts";
import type { OwnEnvironment } from "../../envs/own/own.ts";
import { gridWords, neighbours, neighbourWords, offset, statement } from "./grid.ts";
import type { Template } from "./template.ts";

/** The templates of users' own environments. */
export const ownTemplates = openRegistry<Template>({ kind: "template" });

/** The template of an environment whose specification was made of `own`. */
export function ownTemplate(own: OwnEnvironment, { surroundings }: Pick<EnvSpec, "surroundings">): Template {
  const { step, where } = callsOf(own);
  const things = Object.keys(own.things).filter((name) => name !== "player");
  const separators = ["", " ; "];
  const advance = (truth: GroundTruth, action: string): GroundTruth => {
    if (ended(truth)) return truth;
    const { state, done } = step(String(truth.facts?.state), action);
    const { player, ...entities } = where(state);
    return { ...truth, player: player![0]!, entities, facts: { state, done } };
  };
  const template: Template<GroundTruth> = {
    id: own.id,
    own: true,
    name: own.title,
    actions: own.actions,
    predicts: ["player", ...own.claims],
    grid: {
      entities: ["player", ...own.claims],
      drawn: Object.keys(own.things),
      symbol: (truth, [row, col]) => symbolAt(own, truth, row, col),
    },
    words: (side) => [
      `${own.title} `,
      ...["player", ...things].flatMap((name) => separators.map((before) => `${before}${name} at `)),
      ...things.flatMap((name) => separators.map((before) => `${before}${name} is `)),
      ...own.actions,
      ...gridWords(side),
      ...neighbourWords(surroundings!),
    ],
    symbols: ["_", ...Object.values(own.things).map(({ symbol }) => symbol)],
    describe: (truth) => claimed(truth, own.claims),
    facts: (truth) =>
      things
        .filter((name) => cellsOf(truth, name).length === 1)
        .map((name) => `${name} is ${offset(truth.player, cellsOf(truth, name)[0]!)}`)
        .join(" ; ") + neighbours(truth, surroundings!),
    predict: (truth) => claimed(truth, own.claims),
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

const claimed = (truth: GroundTruth, claims: readonly string[]): string =>
  ["player", ...claims]
    .map((name) => statement(name, name === "player" ? [truth.player] : cellsOf(truth, name)))
    .join(" ; ");

function symbolAt({ things }: OwnEnvironment, truth: GroundTruth, row: number, col: number): string {
  const lies = (name: string) =>
    (name === "player" ? [truth.player] : cellsOf(truth, name)).some(([r, c]) => r === row && c === col);
  const top = Object.keys(things).findLast(lies);
  return top === undefined ? "_" : things[top]!.symbol;
}
