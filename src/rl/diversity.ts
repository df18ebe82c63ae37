// How varied a batch's replies are. A policy that has found a template which pays writes it whatever it sees: the same
// words come back in one episode and across episodes long before the success rate shows it.
import type { Trajectory, Turn } from "../core/types.ts";

/** Length in words of the phrases that are counted. */
const PHRASE_WORDS = 4;

/** The texts that are compared, each with those of its own kind; `reply` is the whole of it, tags included. */
const TEXTS: Readonly<Record<string, (turn: Turn) => string>> = {
  observation: ({ parsed }) => parsed.observation,
  reasoning: ({ parsed }) => parsed.reasoning,
  prediction: ({ parsed }) => parsed.prediction,
  reply: ({ reply }) => reply,
};

/**
 * `diversity/distinct_4`, `diversity/echo_share` and `diversity/repeat_share` of each kind of text. A kind that no reply has
 * is absent.
 */
export function diversityMetrics(trajectories: readonly Trajectory[]): Record<string, number> {
  const metrics: Record<string, number> = {};
  for (const [kind, textOf] of Object.entries(TEXTS)) {
    const episodes = trajectories.map(({ turns }) =>
      turns.map((turn) => textOf(turn).trim()).filter(Boolean),
    );
    const measures = {
      distinct_4: distinctShare(episodes.flat(), PHRASE_WORDS),
      echo_share: echoShare(episodes.flat()),
      repeat_share: repeatShare(episodes),
    };
    for (const [measure, value] of Object.entries(measures))
      if (value !== null) metrics[`diversity/${measure}/${kind}`] = value;
  }
  return metrics;
}

/** Different phrases of n words over all phrases of n words; a shorter text is one phrase. Null without texts. */
export function distinctShare(texts: readonly string[], n: number): number | null {
  const phrases = texts.flatMap((text) => phrasesOf(text, n));
  return phrases.length > 0 ? new Set(phrases).size / phrases.length : null;
}

/** Share of the texts that are the most frequent one, letter for letter. Null without texts. */
export function echoShare(texts: readonly string[]): number | null {
  return texts.length > 0 ? Math.max(...countsOf(texts).values()) / texts.length : null;
}

/** Share of the texts that their own episode has more than once. Null when no episode has two texts. */
export function repeatShare(episodes: readonly (readonly string[])[]): number | null {
  // An episode with one text cannot repeat it; counting it would make short episodes look varied.
  const long = episodes.filter((texts) => texts.length > 1);
  if (long.length === 0) return null;
  const repeated = long.map((texts) => {
    const counts = countsOf(texts);
    return texts.filter((text) => counts.get(text)! > 1).length;
  });
  return sum(repeated) / sum(long.map(({ length }) => length));
}

/** Words and single signs, in runs of n. */
function phrasesOf(text: string, n: number): string[] {
  const words = text.match(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu) ?? [];
  const count = Math.max(1, words.length - n + 1);
  return Array.from({ length: count }, (_, i) => words.slice(i, i + n).join(" "));
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
