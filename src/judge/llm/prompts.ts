// The prompts of a model. Two tasks: say YES or NO given the truth, or read a description without it.
import { listed } from "../../core/format.ts";
import type { GroundTruth } from "../../core/types.ts";
import type { JudgeQuestion } from "../judge.ts";
import { describeOffset, trueRelations } from "../relation-judge.ts";

/** The state in words: every place, and every direction as seen from the player. */
function stateInWords(truth: GroundTruth): string {
  const { rows, cols, player } = truth;
  const relations = trueRelations(truth);
  const lines = Object.entries(truth.entities).flatMap(([name, cells]) => {
    const own = relations.filter((relation) => relation.name === name);
    return cells.map(
      ([row, col], i) =>
        `- ${name} at row ${row}, column ${col} (as seen from the player: ${describeOffset(own[i]!)})`,
    );
  });
  return [
    `Board of ${rows} rows and ${cols} columns; row 0 is the top one, column 0 the left one.`,
    `- player at row ${player[0]}, column ${player[1]}`,
    ...lines,
  ].join("\n");
}

/** Asks for YES or NO. */
export function yesNoPrompt({ claim, text, truth, names }: JudgeQuestion): string {
  const isPrediction = claim === "prediction";
  return `You check what a player of a board game says about the board.

The board${isPrediction ? " after the player's move" : ""}, which is the truth:
${stateInWords(truth)}

${isPrediction ? "Before moving, the player foretold this about it" : "The player describes it like this"}:
"""
${text}
"""

Answer YES only if both hold:
1. It is specific: it says where ${everyOne(names)} ${names.length > 1 ? "are" : "is"}, as places or as directions. Words like "near" or "closer" say nothing.
2. It is right: the main direction of everything it names agrees with the truth, and so do all places. ${
    isPrediction
      ? "A direction may be slightly off to the side only if the thing lies straight ahead. Remember that the player could not see this board yet."
      : "A second, smaller direction may be off."
  }
Otherwise answer NO. Sentences about plans or moves do not count either way.

Think in one or two short sentences, then end with <answer>YES</answer> or <answer>NO</answer>.`;
}

/** Asks to turn a description into relations. The truth is not shown: the model reads, and does not judge. */
export function extractionPrompt({ text, truth }: JudgeQuestion): string {
  const kinds = Object.keys(truth.entities).filter((name) => name !== "wall");
  return `Turn a player's words about a board game into data. Do not guess: what the words do not say is null.

For every ${kinds.join(" or ")} that they place relative to the player, write one object:
{"object_id": ${kinds.map((kind) => `"${kind}"`).join(" | ")}, "vertical_relation": "above" | "below" | "same" | null, "horizontal_relation": "left" | "right" | "same" | null}

- A relation says where the object is as seen from the player. "You are above the box" means the box is below.
- "directly above" means: above, and "same" horizontally.
- Places by row and column count when the player's own place is given too; row 0 is the top, column 0 the left.
- Leave out objects that are not mentioned, and moves that are planned. If nothing is said, write [].

Words:
"""
${text}
"""

Answer with the list alone:
Output JSON:`;
}

const everyOne = (names: readonly string[]): string =>
  listed(names.map((name) => (name === "player" ? "the player" : `every ${name}`))) || "everything";
