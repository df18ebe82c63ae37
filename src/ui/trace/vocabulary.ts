// The words behind the token ids of a run.
import { type Vocabulary, vocabularyFor } from "../../agent/vocabulary.ts";
import { replyWords } from "../../config/reply-words.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { envs } from "../../envs/index.ts";

let last: { config: RunConfig; vocabulary: Vocabulary | null } | null = null;

/** The vocabulary that the run's policy reads and writes; null for an environment that this build does not know. */
export function vocabularyOf(config: RunConfig): Vocabulary | null {
  if (last?.config === config) return last.vocabulary;
  const spec = envs.all.find((known) => known.id === config.env.name);
  const options = spec?.config.safeParse(config.env.config);
  const { max_turns: turns } = config.rollout;
  const vocabulary =
    spec && options?.success ? vocabularyFor(spec, options.data, turns, replyWords(config)) : null;
  last = { config, vocabulary };
  return vocabulary;
}
