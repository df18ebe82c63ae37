// Where the tokens of a bundled replay end in its replies.
import type { Replay } from "../../replay/replay.ts";
import { tokenEndsOf } from "../episode/token-ends.ts";
import { vocabularyOf } from "./vocabulary.ts";

/** For each turn the characters of the reply up to each token; undefined where this build does not know the vocabulary. */
export function tokenEndsOfReplay({ config, trajectory }: Replay): number[][] | undefined {
  const vocabulary = vocabularyOf(config);
  return vocabulary ? tokenEndsOf(trajectory, vocabulary) : undefined;
}
