// The words behind the token ids of a run.
import { type Vocabulary, vocabularyFor } from "../../agent/vocabulary.ts";
import { envIdsOf, gamesOf, mostTurns } from "../../config/entries.ts";
import { replyWords } from "../../config/reply-words.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";

let last: { config: RunConfig; vocabulary: Vocabulary | null } | null = null;

/** The vocabulary that the run's policy reads and writes; null for an environment that this build does not know. */
export function vocabularyOf(config: RunConfig): Vocabulary | null {
  if (last?.config !== config) last = { config, vocabulary: build(config) };
  return last.vocabulary;
}

function build(config: RunConfig): Vocabulary | null {
  if (!envIdsOf(config).every((id) => envs.ids.includes(id))) return null;
  const [first, ...others] = gamesOf(config);
  const words = { ...replyWords(config), others };
  return vocabularyFor(first!.spec, first!.config, mostTurns(config), words);
}
