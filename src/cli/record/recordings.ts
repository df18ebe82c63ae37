// What `record --all` records: each policy of the case studies, and its episodes.
import type { PolicySource } from "./policy.ts";

/** One recorded episode. */
interface Recording {
  /** Id of the replay, and name of its file. */
  id: string;
  /** One of `policies`. */
  policy: keyof typeof policies;
  seed: number;
  temperature: number;
}

/** The policies, by the names that `--checkpoint` and `--find` take as well. */
export const policies = {
  "frozenlake-nano-warmup": { checkpoint: "frozenlake-nano-warmup" },
  "frozenlake-nano-trained": { checkpoint: "frozenlake-nano-trained" },
  "sokoban-small-warmup": { checkpoint: "sokoban-small-warmup" },
  "sokoban-small-trained": { checkpoint: "sokoban-small-trained" },
} as const satisfies Readonly<Record<string, PolicySource>>;

export const recordings: readonly Recording[] = [
  { id: "frozenlake-10079-early", policy: "frozenlake-nano-warmup", seed: 10079, temperature: 1 },
  { id: "frozenlake-10079-trained", policy: "frozenlake-nano-trained", seed: 10079, temperature: 1 },
  { id: "frozenlake-10042-early", policy: "frozenlake-nano-warmup", seed: 10042, temperature: 1 },
  { id: "frozenlake-10042-trained", policy: "frozenlake-nano-trained", seed: 10042, temperature: 1 },
];
