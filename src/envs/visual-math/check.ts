// Configurations for which there are no pictures, or whose questions cannot be answered.
import { message } from "../../core/message.ts";
import { ImpossibleConfig, option } from "../grid.ts";
import type { VisualMathConfig } from "./config.ts";
import { checkScenes } from "./question.ts";

/** @throws ImpossibleConfig */
export function checkConfig(config: VisualMathConfig): void {
  checkScenes(config);
  checkTools(config);
}

/** Number of sides to measure in a figure that is not to scale. */
const MEASURES = { count: 0, share: 0, length: 1, longer: 2, perimeter: 2, area: 2, diagonal: 2 } as const;

/** @throws ImpossibleConfig if hard figures cannot be measured. */
function checkTools({ difficulty, questions, tools, max_tool_calls: most }: VisualMathConfig): void {
  const needed = difficulty === "hard" ? Math.max(...questions.map((kind) => MEASURES[kind])) : 0;
  const remedy = message`set ${option("difficulty")} to "medium".`;
  if (needed > 0 && !tools)
    throw new ImpossibleConfig({
      field: "tools",
      value: false,
      why: "hard figures are not to scale, and only the measuring tool shows how long they are",
      remedy: message`Turn tools on, or ${remedy}`,
    });
  if (needed > most)
    throw new ImpossibleConfig({
      field: "max_tool_calls",
      value: most,
      why: `some of the questions need ${needed} sides to be measured`,
      remedy: message`Use at least ${needed}, or ${remedy}`,
    });
}
