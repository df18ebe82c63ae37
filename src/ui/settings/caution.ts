// What the form says beside a field whose value is allowed but worth a second look.
import { fewTurns } from "../../config/rules/few-turns.ts";
import { sharedHouses } from "../../config/rules/shared-houses.ts";
import { sharedLevels } from "../../config/rules/shared-levels.ts";
import { unpaidJudge } from "../../config/rules/unpaid-judge.ts";
import type { RunConfig } from "../../config/run-config.ts";
import { joined, type Message } from "../../core/message.ts";
import { formText } from "./words.ts";

/** The caution about a field; empty when there is none. Shared seeds have theirs at one field for all sets of levels. */
export function cautionFor(path: string, draft: RunConfig): string {
  const caution = CAUTIONS[path]?.(draft);
  return caution ? formText(joined([caution.message, caution.hint])) : "";
}

/** The fields that have the cautions about shared levels and about unpaid verdicts. */
const TRAIN_SEEDS_PATH = "trainer.train_seeds";
const JUDGE_PATH = "judge.name";

/** What is worth a second look before a start, and the field to change, which may be out of view; null when nothing is. */
export function cautionBeforeStart(draft: RunConfig): { text: string; path: string } | null {
  const levels = sharedLevels(draft);
  const shared = levels ?? sharedHouses(draft);
  if (shared) return { text: formText(shared.message), path: levels?.path ?? TRAIN_SEEDS_PATH };
  const unpaid = unpaidJudge(draft);
  return unpaid && { text: formText(unpaid.message), path: JUDGE_PATH };
}

interface Caution {
  readonly message: Message;
  readonly hint: Message;
}

/** What training and validation have in common. */
const sharedWith = (draft: RunConfig): Caution | null => sharedLevels(draft) ?? sharedHouses(draft);

/** The fields that have cautions. */
const CAUTIONS: Readonly<Record<string, (draft: RunConfig) => Caution | null>> = {
  [TRAIN_SEEDS_PATH]: sharedWith,
  "rollout.max_turns": fewTurns,
  [JUDGE_PATH]: unpaidJudge,
};
