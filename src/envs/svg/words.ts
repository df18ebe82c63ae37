// What the agent needs of SVG reconstruction: the longest text of a state. Nothing is claimed about drawings.
import type { WorldWords } from "../env.ts";

const LINE = ".".repeat(16);

export const svgWords: WorldWords = {
  id: "svg",
  questions: () => [],
  longestText: () => Array.from({ length: 16 }, () => `${LINE} ${LINE}`).join("\n"),
};
