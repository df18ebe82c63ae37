// What agents say and read in SVG reconstruction: claims, and the longest text of a state.
import type { WorldWords } from "../env.ts";
import { drawingClaims } from "./claims.ts";

const LINE = ".".repeat(16);

export const svgWords: WorldWords = {
  id: "svg",
  claimRules: () => drawingClaims,
  questions: () => [],
  longestText: () => Array.from({ length: 16 }, () => `${LINE} ${LINE}`).join("\n"),
};
