// Drawings in words, for people who do not see them.
import type { WorldTruth } from "../../core/types.ts";

/** What a picture shows: the icon, or the agent's drawing of it and how similar it is. */
export const describe = ({ facts }: WorldTruth): string =>
  facts?.drawing === undefined
    ? "An icon to draw."
    : `The agent's drawing of the icon${typeof facts.similarity === "number" ? `, similarity ${facts.similarity.toFixed(2)}` : ""}.`;
